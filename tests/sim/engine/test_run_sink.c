/* tests/sim/engine/test_run_sink.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run tells its sink. */
#include "check.h"
#include "random_program.h"
#include "small_run.h"

#include <stdlib.h>

#define SEED 20101113U

/* A sink that adds up and checks the order of every (rank, cpu). */
typedef struct adding_sink {
    sim_sink sink;
    sim_time free_at[16][4];
    sim_time busy, work;
    size_t n[3];
    unsigned out_of_order, too_short;
} adding_sink;

static void add_events(sim_sink *sink, const sim_event *events, size_t n)
{
    adding_sink *s = (adding_sink *)sink;
    for (size_t i = 0; i < n; i++) {
        const sim_event *e = &events[i];
        s->out_of_order += e->start < s->free_at[e->rank][e->cpu];
        s->too_short += e->end - e->start < e->work;
        s->free_at[e->rank][e->cpu] = e->end;
        s->busy += e->end - e->start;
        s->work += e->work;
        s->n[e->type]++;
    }
}

static void the_sink_sees_all_work_in_order(void)
{
    const random_shape shape = {.max_ranks = 12,
                                .max_steps = 40,
                                .max_cpus = 3,
                                .max_nics = 2,
                                .max_size = 60,
                                .max_calc = 5000};
    for (unsigned k = 0; k < 300; k++) {
        g_auto(random_case) c = random_case_draw(SEED + k, &shape);
        c.params.progress = k % 2 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING;
        adding_sink sink = {.sink = {.events = add_events}};
        const sim_run_options options = {.sink = &sink.sink,
                                         .noise = k % 3 ? &c.noise.noise : NULL};
        g_autoptr(sim_result) r = sim_run(c.program, &c.params, &options, NULL);
        if (r == NULL) {
            continue;
        }
        sim_time work = 0;
        size_t n[3] = {0};
        for (uint32_t rank = 0; rank < r->num_ranks; rank++) {
            for (uint32_t i = 0; i < sim_graph_num_ops(c.graph, rank); i++) {
                const sim_op op = sim_graph_op(c.graph, rank, i);
                n[op.type]++;
                const int64_t bytes = MAX(op.size, 1) - 1;
                const sim_time O = sim_rate_times(c.params.O, bytes);
                work += op.type == SIM_OP_CALC ? op.size : 0;
                if (op.type == SIM_OP_SEND) { /* once here, once where it is received */
                    work += 2 * c.params.o + O +
                            (k % 2 ? MAX(O, sim_rate_times(c.params.G, bytes)) : O);
                }
            }
        }
        for (int type = 0; type < 3; type++) {
            CHECK_I64(sink.n[type], n[type], "seed %u", SEED + k);
        }
        CHECK_I64(sink.work, work, "seed %u", SEED + k);
        CHECK(k % 3 || sink.busy == work, "seed %u", SEED + k);
        CHECK(sink.busy >= work, "seed %u", SEED + k);
        CHECK_I64(sink.out_of_order, 0, "seed %u", SEED + k);
        CHECK_I64(sink.too_short, 0, "seed %u", SEED + k);
    }
}

static sim_event causes[8];
static size_t num_causes;
static void keep_events(sim_sink *sink, const sim_event *events, size_t n)
{
    (void)sink;
    for (size_t i = 0; i < n && num_causes < G_N_ELEMENTS(causes); i++) {
        causes[num_causes++] = events[i];
    }
}

/* Ranks may interleave in any way; within one the order is that of time. */
static int by_rank(const void *a, const void *b)
{
    const sim_event *x = a;
    const sim_event *y = b;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                              : (x->start > y->start) - (x->start < y->start);
}

static void the_sink_hears_what_made_work_start(void)
{
    sim_sink sink = {.events = keep_events};
    const sim_params p = {.L = 1000, .o = 100, .S = INT64_MAX};
    const sim_run_options options = {.sink = &sink};
    g_autoptr(sim_graph) g = small_one_message(500, 3, 1);
    num_causes = 0;
    g_autoptr(sim_result) r = small_run(g, &p, &options);
    CHECK(r != NULL);
    /* calc, send because of the calc; calc, receive because of the send */
    if (CHECK_I64(num_causes, 4)) {
        qsort(causes, num_causes, sizeof causes[0], by_rank);
        CHECK(causes[0].rank == 0 && causes[0].cause_op == SIM_ANY && causes[0].end == 500);
        CHECK(causes[1].rank == 0 && causes[1].op == 1 && causes[1].cause_rank == 0 &&
              causes[1].cause_op == 0 && causes[1].start == 500 && causes[1].end == 600);
        CHECK(causes[2].rank == 1 && causes[2].cause_op == SIM_ANY && causes[2].end == 3);
        CHECK(causes[3].rank == 1 && causes[3].op == 1 && causes[3].cause_rank == 0 &&
              causes[3].cause_op == 1 && causes[3].start == 1600 && causes[3].end == 1700);
    }
}

/* All events of a run. */
typedef struct list_sink {
    sim_sink sink;
    GArray *events;
} list_sink;

static void list_events(sim_sink *sink, const sim_event *events, size_t n)
{
    g_array_append_vals(((list_sink *)sink)->events, events, (guint)n);
}

static bool same_but_for_own_cause(const sim_event *all, const sim_event *brief)
{
    return all->start == brief->start && all->end == brief->end && all->work == brief->work &&
           all->rank == brief->rank && all->op == brief->op && all->type == brief->type &&
           all->cpu == brief->cpu && all->cause_rank == brief->cause_rank &&
           (all->cause_op == brief->cause_op ||
            (brief->cause_op == SIM_ANY && all->cause_rank == all->rank));
}

static void a_brief_sink_hears_the_same_but_for_its_own_causes(void)
{
    const random_shape shape = {.max_ranks = 12,
                                .max_steps = 40,
                                .max_cpus = 3,
                                .max_nics = 2,
                                .max_size = 60,
                                .max_calc = 5000};
    size_t by_others = 0;
    for (unsigned k = 0; k < 200; k++) {
        g_auto(random_case) c = random_case_draw(SEED + k, &shape);
        c.params.progress = k % 2 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING;
        g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(sim_event));
        g_autoptr(GArray) told = g_array_new(FALSE, FALSE, sizeof(sim_event));
        list_sink whole = {{.events = list_events}, all};
        list_sink brief = {{.events = list_events, .is_brief = true}, told};
        const sim_run_options options = {.sink = &whole.sink, .noise = &c.noise.noise};
        const sim_run_options briefly = {.sink = &brief.sink, .noise = &c.noise.noise};
        g_autoptr(sim_result) a = sim_run(c.program, &c.params, &options, NULL);
        g_autoptr(sim_result) b = sim_run(c.program, &c.params, &briefly, NULL);
        CHECK((a == NULL) == (b == NULL), "seed %u", SEED + k);
        CHECK_I64(told->len, all->len, "seed %u", SEED + k);
        guint wrong = 0;
        for (guint i = 0; i < MIN(all->len, told->len); i++) {
            const sim_event *e = &g_array_index(all, sim_event, i);
            wrong += !same_but_for_own_cause(e, &g_array_index(told, sim_event, i));
            by_others += e->cause_rank != e->rank;
        }
        CHECK_I64(wrong, 0, "seed %u", SEED + k);
    }
    CHECK(by_others > 1000, "%zu are made to start by others", by_others);
}

enum { PARTS = 8 };

/* A sink of parts: each notes which ranks it has heard of. */
typedef struct parted_sink {
    sim_sink sink;
    adding_sink part[PARTS];
    uint32_t num_parts;
    const sim_noise *noise;
} parted_sink;

static sim_sink *part_of(sim_sink *sink, const sim_noise *noise, uint32_t part)
{
    parted_sink *s = (parted_sink *)sink;
    CHECK(part == s->num_parts && part < PARTS);
    s->noise = noise;
    s->part[s->num_parts++].sink.events = add_events;
    return &s->part[part].sink;
}

/* The run is done by as many threads as there are parts, and together these hear what one sink that
 * has none does. */
static void parts_of_a_sink_hear_the_same(void)
{
    const random_shape shape = {.max_ranks = 16,
                                .max_steps = 40,
                                .max_cpus = 3,
                                .max_nics = 2,
                                .max_size = 60,
                                .max_calc = 5000};
    unsigned parted = 0;
    for (unsigned k = 0; k < 60; k++) {
        g_auto(random_case) c = random_case_draw(SEED + k, &shape);
        adding_sink whole = {.sink = {.events = add_events}};
        sim_run_options options = {.sink = &whole.sink, .noise = &c.noise.noise, .threads = 4};
        options.serial_below = 1;
        g_autoptr(sim_result) r = sim_run(c.program, &c.params, &options, NULL);
        parted_sink sink = {.sink = {.part = part_of}};
        options.sink = &sink.sink;
        g_autoptr(sim_result) again = sim_run(c.program, &c.params, &options, NULL);
        CHECK((r == NULL) == (again == NULL), "seed %u", SEED + k);
        CHECK(sink.noise == &c.noise.noise, "seed %u", SEED + k);
        parted += sink.num_parts > 1;
        adding_sink sum = {.busy = 0};
        for (uint32_t i = 0; i < sink.num_parts; i++) {
            const adding_sink *one = &sink.part[i];
            sum.busy += one->busy;
            sum.work += one->work;
            sum.out_of_order += one->out_of_order;
            for (int type = 0; type < 3; type++) {
                sum.n[type] += one->n[type];
            }
            for (int rank = 0; rank < 16; rank++) { /* whose is it? */
                CHECK(one->free_at[rank][0] == 0 || sum.free_at[rank][0] == 0, "seed %u", SEED + k);
                sum.free_at[rank][0] += one->free_at[rank][0];
            }
        }
        if (r == NULL || again == NULL) {
            continue;
        }
        CHECK_I64(again->makespan, r->makespan, "seed %u", SEED + k);
        CHECK_I64(sum.busy, whole.busy, "seed %u", SEED + k);
        CHECK_I64(sum.work, whole.work, "seed %u", SEED + k);
        CHECK_I64(sum.out_of_order, 0, "seed %u", SEED + k);
        for (int type = 0; type < 3; type++) {
            CHECK_I64(sum.n[type], whole.n[type], "seed %u", SEED + k);
        }
        for (int rank = 0; rank < 16; rank++) {
            CHECK_I64(sum.free_at[rank][0], whole.free_at[rank][0], "seed %u", SEED + k);
        }
    }
    CHECK(parted > 8, "%u", parted); /* else it has tried nothing */
}

SUITE_MAIN("run_sink", TEST(the_sink_sees_all_work_in_order), TEST(parts_of_a_sink_hear_the_same),
           TEST(the_sink_hears_what_made_work_start),
           TEST(a_brief_sink_hears_the_same_but_for_its_own_causes))
