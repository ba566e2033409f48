/* tests/sim/graph/test_graph_forms.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "graph_forms.h"
#include "random_program.h"
#include "sim/run.h"

#define SEED 20101115

/* ---- what was added comes back ---- */

typedef struct edge {
    uint32_t later, earlier;
    bool at_start;
} edge;

typedef struct rank_draft {
    GArray *ops;   /* of sim_op */
    GArray *edges; /* of edge */
} rank_draft;

static sim_op draw_op(GRand *random, uint32_t variety)
{
    const uint32_t kind = g_rand_int(random) % 3;
    sim_op op = {.type = (uint8_t)kind, .cpu = (uint8_t)(g_rand_int(random) % 255)};
    const uint64_t wide = (uint64_t)g_rand_int(random) << 32 | g_rand_int(random);
    op.size = (int64_t)(wide >> (3 + g_rand_int(random) % 61)); /* up to 2^61 */
    op.comm = g_rand_int(random) % variety;
    if (op.type != SIM_OP_CALC) {
        op.size = variety == 1 ? op.size % 4 : op.size;
        op.peer = g_rand_int(random) % 2;
        op.tag = g_rand_int(random) % variety;
        op.nic = (uint8_t)(g_rand_int(random) % 255);
        op.peer = op.type == SIM_OP_RECV && g_rand_int(random) % 4 == 0 ? SIM_ANY : op.peer;
        op.tag = g_rand_int(random) % 8 == 0 ? SIM_ANY : op.tag;
    }
    if (variety == 1) {
        op.cpu = op.nic = 0;
    }
    return op;
}

static rank_draft draw_rank(GRand *random, uint32_t num_ops, uint32_t variety)
{
    rank_draft d = {g_array_new(FALSE, FALSE, sizeof(sim_op)),
                    g_array_new(FALSE, FALSE, sizeof(edge))};
    for (uint32_t i = 0; i < num_ops; i++) {
        const sim_op op = draw_op(random, variety);
        g_array_append_val(d.ops, op);
        for (uint32_t k = g_rand_int(random) % 3; k > 0; k--) {
            const uint32_t far = g_rand_int(random) % (variety == 1 ? 4 : num_ops);
            const edge e = {i, (i + far) % num_ops, g_rand_boolean(random)};
            g_array_append_val(d.edges, e);
        }
    }
    return d;
}

static void build_rank(sim_graph_builder *b, const rank_draft *d)
{
    for (guint i = 0; i < d->ops->len; i++) {
        (void)sim_graph_builder_add(b, &g_array_index(d->ops, sim_op, i));
    }
    for (guint i = 0; i < d->edges->len; i++) {
        const edge *e = &g_array_index(d->edges, edge, i);
        (e->at_start ? sim_graph_builder_irequire : sim_graph_builder_require)(b, e->later,
                                                                               e->earlier);
    }
}

static bool same_op(const sim_op *a, const sim_op *b)
{
    return a->size == b->size && a->peer == b->peer && a->tag == b->tag && a->comm == b->comm &&
           a->type == b->type && a->cpu == b->cpu && a->nic == b->nic;
}

/* Each edge is the next of its list. */
static void check_rank(const sim_graph *g, uint32_t rank, const rank_draft *d)
{
    const uint32_t n = d->ops->len;
    CHECK_I64(sim_graph_num_ops(g, rank), n);
    uint32_t *met[2] = {g_new0(uint32_t, n + 1), g_new0(uint32_t, n + 1)};
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < n; i++) {
        const sim_op op = sim_graph_op(g, rank, i);
        wrong += !same_op(&op, &g_array_index(d->ops, sim_op, i));
    }
    for (guint k = 0; k < d->edges->len; k++) {
        const edge *e = &g_array_index(d->edges, edge, k);
        uint32_t num;
        const uint32_t *step = (e->at_start ? sim_graph_start_steps
                                            : sim_graph_finish_steps)(g, rank, e->earlier, &num);
        const uint32_t at = met[e->at_start][e->earlier]++;
        wrong += at >= num || e->earlier + step[at] != e->later;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t num;
        (void)sim_graph_finish_steps(g, rank, i, &num);
        wrong += num != met[0][i];
        (void)sim_graph_start_steps(g, rank, i, &num);
        wrong += num != met[1][i];
    }
    CHECK_I64(wrong, 0, "rank %u", rank);
    g_free(met[0]);
    g_free(met[1]);
}

/* Ranks of all sorts, large ones beside small ones, so that dictionaries fill and are renewed. */
static void gives_back_what_was_added_in_every_form(void)
{
    static const struct {
        uint32_t num_ops, variety;
    } sorts[] = {{5, 1}, {40000, 1},       {70000, 1000000}, {300, 1}, {5, 100},         {90000, 3},
                 {1, 1}, {80000, 1000000}, {400000, 1},      {0, 1},   {70000, 1000000}, {100, 1}};
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
    rank_draft draft[G_N_ELEMENTS(sorts)];
    sim_graph_builder *b = sim_graph_builder_new(G_N_ELEMENTS(sorts));
    uint64_t ops = 0;
    uint64_t edges = 0;
    for (uint32_t r = 0; r < G_N_ELEMENTS(sorts); r++) {
        draft[r] = draw_rank(random, sorts[r].num_ops, sorts[r].variety);
        sim_graph_builder_begin_rank(b, r);
        build_rank(b, &draft[r]);
        ops += draft[r].ops->len;
        edges += draft[r].edges->len;
    }
    g_autoptr(sim_graph) g = sim_graph_builder_finish(b, NULL);
    if (CHECK(g != NULL)) {
        CHECK_I64(sim_graph_total_ops(g), ops);
        CHECK_I64(sim_graph_total_edges(g), edges);
    }
    for (uint32_t r = 0; r < G_N_ELEMENTS(sorts); r++) {
        if (g != NULL) {
            check_rank(g, r, &draft[r]);
        }
        g_array_unref(draft[r].ops);
        g_array_unref(draft[r].edges);
    }
}

/* ---- a run releases the right operations ---- */

/* Followed edge by edge. */
typedef struct follower {
    const rank_draft *draft;
    uint32_t *waits;
    sim_time *ready;
    uint32_t *cause;
    bool *at_start; /* the cause's start it was */
    GArray *open;   /* of uint32_t: ready or started, to be drawn from */
    uint8_t *state;
} follower;

static bool has_start_edges(const rank_draft *d, uint32_t index)
{
    for (guint k = 0; k < d->edges->len; k++) {
        const edge *e = &g_array_index(d->edges, edge, k);
        if (e->earlier == index && e->at_start) {
            return true;
        }
    }
    return false;
}

static void take_up(follower *f, const sim_ready *out, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const uint32_t i = out[k].index;
        CHECK(i < f->draft->ops->len && f->state[i] == 0 && f->waits[i] == 0);
        CHECK(same_op(&out[k].op, &g_array_index(f->draft->ops, sim_op, i)));
        CHECK(out[k].time == f->ready[i] && out[k].cause == f->cause[i] &&
                  out[k].at_start == f->at_start[i],
              "operation %u", i);
        CHECK(out[k].quiet != has_start_edges(f->draft, i), "operation %u", i);
        f->state[i] = 1;
        g_array_append_val(f->open, i);
    }
}

static size_t satisfy(follower *f, uint32_t index, bool at_start, sim_time at)
{
    size_t n = 0;
    for (guint k = 0; k < f->draft->edges->len; k++) {
        const edge *e = &g_array_index(f->draft->edges, edge, k);
        if (e->earlier != index || e->at_start != at_start) {
            continue;
        }
        if (at >= f->ready[e->later]) {
            f->ready[e->later] = at;
            f->cause[e->later] = index;
            f->at_start[e->later] = at_start;
        }
        n += --f->waits[e->later] == 0;
    }
    return n;
}

/* Would some of the operations that have started, if they ended, make another one ready? */
static void check_would_release(GRand *random, const sim_program *program, const void *cursor,
                                const follower *f)
{
    enum { MOST = 4 };
    uint32_t ends[MOST];
    uint32_t n = 0;
    for (guint i = 0; i < f->open->len && n < MOST; i++) {
        const uint32_t op = g_array_index(f->open, uint32_t, i);
        if (f->state[op] == 2 && g_rand_boolean(random)) {
            ends[n++] = op;
        }
    }
    bool wanted = false;
    for (uint32_t op = 0; op < f->draft->ops->len; op++) {
        uint32_t satisfied = 0;
        for (guint k = 0; k < f->draft->edges->len; k++) {
            const edge *e = &g_array_index(f->draft->edges, edge, k);
            for (uint32_t i = 0; i < n && !e->at_start && e->later == op; i++) {
                satisfied += e->earlier == ends[i];
            }
        }
        wanted = wanted || (satisfied > 0 && satisfied == f->waits[op]);
    }
    CHECK_I64(program->methods->would_release(cursor, 0, ends, n), wanted, "%u ends", n);
}

/* Start and finish operations of rank 0 in any order at any time until nothing is left to do. */
static uint32_t follow(GRand *random, const sim_program *program, const rank_draft *d)
{
    const uint32_t n = d->ops->len;
    follower f = {.draft = d,
                  .waits = g_new0(uint32_t, n + 1),
                  .ready = g_new0(sim_time, n + 1),
                  .cause = g_new(uint32_t, n + 1),
                  .at_start = g_new0(bool, n + 1),
                  .open = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                  .state = g_new0(uint8_t, n + 1)};
    for (uint32_t i = 0; i < n; i++) {
        f.cause[i] = SIM_ANY;
    }
    for (guint k = 0; k < d->edges->len; k++) {
        f.waits[g_array_index(d->edges, edge, k).later]++;
    }
    sim_ready *out = g_new(sim_ready, program->max_ready + (size_t)1);
    void *cursor = program->methods->begin(program);
    uint32_t done = 0;
    take_up(&f, out, program->methods->first(cursor, 0, out));
    while (f.open->len > 0) {
        const guint pick = g_rand_int(random) % f.open->len;
        const uint32_t i = g_array_index(f.open, uint32_t, pick);
        const sim_time at = g_rand_int(random) % 1000;
        if (g_rand_int(random) % (n + 1) < 8) {
            check_would_release(random, program, cursor, &f);
        }
        const bool starts = f.state[i]++ == 1;
        if (!starts) {
            g_array_remove_index_fast(f.open, pick);
            done++;
        }
        const size_t wanted = satisfy(&f, i, starts, at);
        program->methods->prefetch(cursor, 0, i);
        const size_t got = starts ? program->methods->started(cursor, 0, i, at, out)
                                  : program->methods->finished(cursor, 0, i, at, out);
        CHECK_I64(got, wanted);
        take_up(&f, out, got);
    }
    CHECK_I64(program->methods->remaining(cursor, 0), n - done);
    program->methods->end(cursor);
    g_free(out);
    g_free(f.waits);
    g_free(f.ready);
    g_free(f.cause);
    g_free(f.at_start);
    g_free(f.state);
    g_array_unref(f.open);
    return done;
}

/* Edges point back, so that all of it runs; or anywhere, so that much is stuck. */
static rank_draft draw_dag(GRand *random, uint32_t n, bool sound)
{
    rank_draft d = {g_array_new(FALSE, FALSE, sizeof(sim_op)),
                    g_array_new(FALSE, FALSE, sizeof(edge))};
    const uint32_t density = g_rand_int(random) % 8;
    const uint32_t reach = 1 + g_rand_int(random) % 200;
    for (uint32_t i = 0; i < n; i++) {
        const sim_op op = draw_op(random, 3);
        g_array_append_val(d.ops, op);
        for (uint32_t k = 0; k < density && i > 0; k++) {
            edge e = {i, i - 1 - g_rand_int(random) % MIN(i, reach), g_rand_boolean(random)};
            if (!sound && g_rand_int(random) % 64 == 0) {
                e.earlier = g_rand_int(random) % n;
            }
            g_array_append_val(d.edges, e);
            if (g_rand_int(random) % 8 == 0) { /* counts twice */
                g_array_append_val(d.edges, e);
            }
        }
    }
    return d;
}

static void a_run_releases_the_right_operations_in_every_form(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED + 1);
    for (int round = 0; round < 60; round++) {
        const bool sound = round % 3 > 0;
        rank_draft d = draw_dag(random, 1 + g_rand_int(random) % 400, sound);
        sim_graph_builder *b = sim_graph_builder_new(2);
        sim_graph_builder_begin_rank(b, 0);
        build_rank(b, &d);
        g_autoptr(sim_graph) plain = sim_graph_builder_finish(b, NULL);
        for (graph_forms form = FORM_NARROW; form < NUM_FORMS; form++) {
            g_autoptr(sim_graph) g = graph_forms_copy(plain, form);
            const uint32_t done = follow(random, sim_graph_program(g), &d);
            CHECK(!sound || done == d.ops->len);
            check_rank(g, 0, &d);
        }
        g_array_unref(d.ops);
        g_array_unref(d.edges);
    }
}

static void results_do_not_depend_on_the_form(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED + 2);
    for (int round = 0; round < 40; round++) {
        const random_shape shape = {.max_ranks = 12,
                                    .max_steps = 300,
                                    .max_cpus = 1 + (uint32_t)round % 3,
                                    .max_nics = 1 + (uint32_t)round % 2,
                                    .wildcards = round % 4 == 0,
                                    .blocking = round % 5 == 0,
                                    .all_at_once = round % 7 == 0,
                                    .max_size = 10000,
                                    .max_calc = 100000};
        g_autoptr(sim_graph) plain = random_program(random, &shape);
        sim_params params = random_params(random, shape.max_size);
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_result) wanted = sim_run(sim_graph_program(plain), &params, NULL, &error);
        for (graph_forms form = FORM_NARROW; form < NUM_FORMS; form++) {
            g_autoptr(sim_graph) g = graph_forms_copy(plain, form);
            g_autoptr(GError) other = NULL;
            g_autoptr(sim_result) got = sim_run(sim_graph_program(g), &params, NULL, &other);
            if (!CHECK((got == NULL) == (wanted == NULL), "round %d, form %d", round, form) ||
                got == NULL) {
                continue;
            }
            for (uint32_t r = 0; r < wanted->num_ranks; r++) {
                CHECK_I64(got->finish[r], wanted->finish[r], "round %d, form %d, rank %u", round,
                          form, r);
            }
        }
    }
}

/* ---- what it takes ---- */

/* A rank of 1000 operations and 999 edges beside the odd one: 8, 16, 40 + 4 bytes for each. */
static void the_forms_are_those_that_are_meant(void)
{
    static const double wanted[] = {8, 16, 44};
    sim_graph_builder *b = sim_graph_builder_new(1);
    g_autoptr(sim_graph) empty = sim_graph_builder_finish(sim_graph_builder_new(1), NULL);
    sim_graph_builder_begin_rank(b, 0);
    for (uint32_t i = 0; i < 1000; i++) {
        const sim_op op = {.type = SIM_OP_CALC, .comm = 70000, .size = i};
        (void)sim_graph_builder_add(b, &op);
        if (i > 0) {
            sim_graph_builder_require(b, i, i - 1);
        }
    }
    g_autoptr(sim_graph) chain = sim_graph_builder_finish(b, NULL);
    for (graph_forms form = FORM_NARROW; form < NUM_FORMS; form++) {
        g_autoptr(sim_graph) without = graph_forms_copy(empty, form);
        g_autoptr(sim_graph) with = graph_forms_copy(chain, form);
        const double bytes = (double)(sim_graph_memory(with) - sim_graph_memory(without)) / 1000;
        CHECK(bytes > wanted[form] - 0.1 && bytes < wanted[form] + 0.3, "form %d: %g", form, bytes);
    }
}

/* Memory of a program of so many ranks that all do as the function says, per operation. */
static double bytes_per_op(void (*rank)(sim_graph_builder *b, uint32_t rank), uint32_t num_ranks,
                           double *cursor)
{
    sim_graph_builder *b = sim_graph_builder_new(num_ranks);
    for (uint32_t r = 0; r < num_ranks; r++) {
        sim_graph_builder_begin_rank(b, r);
        rank(b, r);
    }
    g_autoptr(sim_graph) g = sim_graph_builder_finish(b, NULL);
    *cursor = (double)sim_graph_cursor_memory(g) / (double)sim_graph_total_ops(g);
    return (double)sim_graph_memory(g) / (double)sim_graph_total_ops(g);
}

static void add(sim_graph_builder *b, sim_op op, uint32_t back, uint32_t edges)
{
    const uint32_t index = sim_graph_builder_add(b, &op);
    for (uint32_t k = 0; k < edges && index >= back + k; k++) {
        sim_graph_builder_require(b, index, index - back - k);
    }
}

/* Iterations with a tag of their own, calcs that all differ, four neighbours, a wait for all. */
static void iterate(sim_graph_builder *b, uint32_t rank)
{
    for (uint32_t i = 0; i < 100; i++) {
        add(b, (sim_op){.type = SIM_OP_CALC, .size = (int64_t)(rank + 1) * (i + 1) * 977000}, 1, 1);
        for (uint32_t k = 0; k < 4; k++) {
            add(b, (sim_op){.type = SIM_OP_RECV, .size = 512 << k, .peer = rank ^ k, .tag = i},
                1 + 2 * k, 1);
            add(b, (sim_op){.type = SIM_OP_SEND, .size = 512 << k, .peer = rank ^ k, .tag = i},
                2 + 2 * k, 1);
        }
        add(b, (sim_op){.type = SIM_OP_CALC}, 1, 8);
    }
}

/* Everybody sends a message of another size to everybody. */
static void scatter(sim_graph_builder *b, uint32_t rank)
{
    for (uint32_t k = 0; k < 256; k++) {
        const int64_t size = (int64_t)((k * 2654435761U ^ rank * 40503U) % 1000003);
        add(b, (sim_op){.type = k % 2 ? SIM_OP_SEND : SIM_OP_RECV, .size = size, .peer = k}, 1, 1);
    }
}

static void takes_at_most_16_bytes_per_operation(void)
{
    double cursor;
    CHECK(bytes_per_op(iterate, 64, &cursor) < 12);
    CHECK(cursor < 1);
    CHECK(bytes_per_op(iterate, 1024, &cursor) < 8.5);
    CHECK(bytes_per_op(scatter, 1024, &cursor) < 18, "and the dictionary that did not help");
    CHECK(bytes_per_op(scatter, 4096, &cursor) < 16.5);
}

SUITE_MAIN("graph_forms", TEST(gives_back_what_was_added_in_every_form),
           TEST(a_run_releases_the_right_operations_in_every_form),
           TEST(results_do_not_depend_on_the_form), TEST(the_forms_are_those_that_are_meant),
           TEST(takes_at_most_16_bytes_per_operation))
