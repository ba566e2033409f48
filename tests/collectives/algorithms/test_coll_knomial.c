/* tests/collectives/algorithms/test_coll_knomial.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a k-nomial tree costs, against the tree itself, drawn here by writing every rank in base q;
 * docs/collectives.md, section 2.12.
 */
#include "check.h"
#include "coll/walk.h"
#include "cost.h"

#include <stdlib.h>

/* The tree: for each rank its parent, and its level, the place of its lowest digit not 0. */
typedef struct tree {
    uint32_t size;
    uint32_t radix;
    uint32_t parent[300];
    uint32_t level[300];
} tree;

enum { MAX_SIZE = 300, MAX_LEVELS = 9 };

static tree tree_new(uint32_t size, uint32_t radix)
{
    tree t = {.size = size, .radix = radix};
    for (uint32_t rank = 1; rank < size; rank++) {
        uint32_t digit[MAX_LEVELS + 1] = {0};
        uint32_t n = 0;
        for (uint32_t rest = rank; rest > 0; rest /= radix) {
            digit[n++] = rest % radix;
        }
        uint32_t level = 0;
        while (digit[level] == 0) {
            level++;
        }
        digit[level] = 0;
        t.level[rank] = level;
        while (n > 0) { /* Horner */
            t.parent[rank] = t.parent[rank] * radix + digit[--n];
        }
    }
    return t;
}

/* The children of @p rank: the highest level first, the lowest first on each. @return how many */
static uint32_t children_of(const tree *t, uint32_t rank, uint32_t *child)
{
    uint32_t n = 0;
    for (uint32_t level = MAX_LEVELS; level-- > 0;) {
        for (uint32_t c = rank + 1; c < t->size; c++) {
            if (t->parent[c] == rank && t->level[c] == level) {
                child[n++] = c;
            }
        }
    }
    return n;
}

/* When the last rank of the subtree has the message, if @p rank has it at 0. */
static sim_time bcast_time(const tree *t, const sim_params *p, uint32_t rank, int64_t m)
{
    uint32_t child[MAX_SIZE];
    const uint32_t n = children_of(t, rank, child);
    sim_time latest = 0;
    for (uint32_t i = 0; i < n; i++) {
        latest = cost_max(latest, i * cost_send_interval(p, m) + cost_one_message(p, m) +
                                      bcast_time(t, p, child[i], m));
    }
    return latest;
}

static int compare_times(const void *a, const void *b)
{
    const sim_time *x = a;
    const sim_time *y = b;
    return (*x > *y) - (*x < *y);
}

/*
 * When @p rank has everything from its subtree; G >= O. It takes its children in the mirror image
 * of the order of a broadcast under polling, as they come under asynchronous progress. (The first
 * child of a broadcast may have few below it, and come early.)
 */
static sim_time reduce_time(const tree *t, const sim_params *p, uint32_t rank, int64_t m)
{
    uint32_t child[MAX_SIZE];
    sim_time came[MAX_SIZE];
    const uint32_t n = children_of(t, rank, child);
    for (uint32_t i = 0; i < n; i++) {
        came[i] = reduce_time(t, p, child[n - 1 - i], m) + cost_one_message(p, m);
    }
    if (p->progress == SIM_PROGRESS_ASYNC) {
        qsort(came, n, sizeof *came, compare_times);
    }
    sim_time taken = 0;
    for (uint32_t i = 0; i < n; i++) {
        taken = i == 0 ? came[i] : cost_max(came[i], taken + cost_receive_interval(p, m));
    }
    return taken;
}

static char *name_of(uint32_t radix)
{
    return g_strdup_printf("knomial-%u", radix);
}

/* Every size, and every radix up to where the root has all others as children. */
static void every_size_and_radix_costs_what_the_tree_says(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (uint32_t size = 2; size <= 130; size++) {
        for (uint32_t radix = 2; radix <= 12; radix++) {
            sim_params p = cost_random_params(rand, (size + radix) % 2 == 0 ? SIM_PROGRESS_ASYNC
                                                                            : SIM_PROGRESS_POLLING);
            g_autofree char *name = name_of(radix);
            const int64_t m = g_rand_int_range(rand, 1, 300);
            const tree t = tree_new(size, radix);
            CHECK_I64(cost_makespan(COLL_BCAST, name, size, m, &p), bcast_time(&t, &p, 0, m),
                      "bcast p=%u radix=%u", size, radix);
            p.G = cost_max(p.G, p.O);
            CHECK_I64(cost_makespan(COLL_REDUCE, name, size, m, &p), reduce_time(&t, &p, 0, m),
                      "reduce p=%u radix=%u", size, radix);
        }
    }
}

/* Measured with LogGOPSim: L = 2500, o = 1500, g = 1000, G = 6, O = 0 ns; radix 4. */
static void numbers_are_those_of_loggopsim(void)
{
    static const struct {
        uint32_t size;
        int64_t bytes;
        int64_t ns;
    } row[] = {
        {2, 1, 5500},         {2, 65536, 398710},   {4, 1, 8500},        {4, 1024, 25914},
        {5, 1, 10000},        {5, 1024, 33052},     {7, 1, 12500},       {7, 65536, 1581340},
        {8, 1, 14000},        {8, 1024, 37552},     {8, 65536, 1585840}, {16, 1, 17000},
        {16, 1024, 51828},    {16, 65536, 2374260}, {32, 1, 22500},      {32, 1024, 63466},
        {32, 65536, 2772970},
    };
    const sim_params p = {.L = 2500 * SIM_NS,
                          .o = 1500 * SIM_NS,
                          .g = 1000 * SIM_NS,
                          .G = 6 * SIM_NS * SIM_RATE_PER_PS,
                          .S = INT64_MAX,
                          .progress = SIM_PROGRESS_ASYNC,
                          .rendezvous = SIM_RENDEZVOUS_INSTANT};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        CHECK_I64(cost_makespan(COLL_BCAST, "knomial-4", row[i].size, row[i].bytes, &p),
                  row[i].ns * SIM_NS, "row %zu", i);
    }
}

/* Radix 2 is the tree of binomial-far; with a radix that no rank reaches, the root feeds all. */
static void the_ends_of_the_range_are_trees_known_before(void)
{
    static const coll_kind kinds[] = {COLL_BCAST, COLL_REDUCE, COLL_GATHER, COLL_SCATTER};
    g_autoptr(GRand) rand = g_rand_new_with_seed(2);
    for (uint32_t size = 2; size <= MAX_SIZE; size += size < 70 ? 1 : 23) {
        const sim_params p = cost_random_params(rand, SIM_PROGRESS_POLLING);
        const int64_t m = g_rand_int_range(rand, 1, 300);
        for (size_t k = 0; k < G_N_ELEMENTS(kinds); k++) {
            CHECK_I64(cost_makespan(kinds[k], "knomial-2", size, m, &p),
                      cost_makespan(kinds[k], "binomial-far", size, m, &p), "%s p=%u",
                      coll_kind_name(kinds[k]), size);
        }
        CHECK_I64(cost_makespan(COLL_BCAST, "knomial-65536", size, m, &p),
                  cost_makespan(COLL_BCAST, "linear", size, m, &p), "p=%u", size);
    }
}

/* What @p rank sends. @return how many messages */
static uint32_t sent_by(const coll_call *call, coll_algorithm algorithm, uint32_t rank,
                        int64_t *bytes)
{
    coll_course course;
    coll_walk walk = {0};
    coll_step step;
    uint32_t n = 0;
    coll_course_init(&course, call, algorithm);
    while (coll_walk_next(&course, rank, &walk, &step)) {
        n += step.type == SIM_OP_SEND ? 1 : 0;
        *bytes += step.type == SIM_OP_SEND ? step.size : 0;
    }
    return n;
}

/* p - 1 messages along the tree; a block makes a hop for each digit that is not 0. */
static void messages_are_those_of_the_tree(void)
{
    for (uint32_t size = 1; size <= MAX_SIZE; size += 7) {
        for (uint32_t radix = 2; radix <= 9; radix++) {
            const tree t = tree_new(size, radix);
            const coll_algorithm knomial = {coll_algorithm_get("knomial").how, radix};
            const coll_call call = {.kind = COLL_GATHER, .size = size, .bytes = 5};
            int64_t hops = 0;
            for (uint32_t rank = 1; rank < size; rank++) {
                for (uint32_t at = rank; at != 0; at = t.parent[at]) {
                    hops++;
                }
            }
            uint32_t messages = 0;
            int64_t bytes = 0;
            for (uint32_t rank = 0; rank < size; rank++) {
                messages += sent_by(&call, knomial, rank, &bytes);
            }
            CHECK_I64(messages, size - 1, "p=%u radix=%u", size, radix);
            CHECK_I64(bytes, 5 * hops, "p=%u radix=%u", size, radix);
        }
    }
}

static void a_radix_out_of_range_is_refused(void)
{
    static const char *const wrong[] = {"knomial-0", "knomial-1", "knomial-65537",
                                        "knomial-99999999999"};
    coll_algorithm found = {0};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        CHECK(!coll_algorithm_parse(wrong[i], &found, &error), "%s", wrong[i]);
        CHECK_ERROR(error, "the radix of knomial is a number from 2 to 65536");
    }
    CHECK(!coll_algorithm_parse("knomial-x", &found, NULL));
    CHECK(!coll_algorithm_parse("knomial--3", &found, NULL));
    CHECK(coll_algorithm_parse("knomial", &found, NULL));
    CHECK_I64(found.parameter, 4);
    CHECK(coll_algorithm_parse("KNOMIAL_65536", &found, NULL));
    CHECK_I64(found.parameter, 65536);
}

SUITE_MAIN("coll_knomial", TEST(every_size_and_radix_costs_what_the_tree_says),
           TEST(numbers_are_those_of_loggopsim), TEST(the_ends_of_the_range_are_trees_known_before),
           TEST(messages_are_those_of_the_tree), TEST(a_radix_out_of_range_is_refused))
