/* tests/apps/view/test_reference.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Stretches that are asked for in any order against those that a sink has seen. */
#include "check.h"
#include "random_program.h"
#include "sched/pattern.h"
#include "sim/error.h"
#include "sim/symmetry.h"
#include "step_program.h"
#include "stretches/reference.h"

typedef struct list_sink {
    sim_sink sink;
    GArray *events;
} list_sink;

static void take(sim_sink *sink, const sim_event *events, size_t n)
{
    g_array_append_vals(((list_sink *)sink)->events, events, (guint)n);
}

/* @return false: the program gets stuck */
static bool check_program(const sim_program *program, const sim_params *params, bool backwards,
                          const char *where)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(sim_event));
    list_sink sink = {{.events = take}, all};
    const sim_run_options options = {.sink = &sink.sink};
    g_autoptr(sim_result) result = sim_run(program, params, &options, NULL);
    g_autoptr(app_reference) reference = app_reference_new(program, params, NULL, NULL);
    if (result == NULL) {
        CHECK(app_reference_finish(reference, NULL) == NULL, "%s", where);
        return false;
    }
    for (uint32_t k = 0; k < program->num_ranks; k++) {
        const uint32_t rank = backwards ? program->num_ranks - 1 - k : k;
        app_reference_stretch s;
        guint wrong = 0;
        for (guint i = 0; i < all->len; i++) {
            const sim_event *e = &g_array_index(all, sim_event, i);
            if (e->rank == rank && e->cpu == 0) {
                const bool ok = app_reference_next(reference, rank, &s);
                wrong += !ok || s.start != e->start || s.end != e->end || s.op != e->op;
            }
        }
        CHECK_I64(wrong, 0, "%s rank %u", where, rank);
        CHECK(!app_reference_next(reference, rank, &s), "%s: rank %u has no more", where, rank);
    }
    g_autoptr(sim_result) same = app_reference_finish(reference, NULL);
    return CHECK(same != NULL && same->makespan == result->makespan, "%s", where);
}

/* Rank by rank is the order that needs most memory. */
static void ranks_may_be_asked_in_any_order(void)
{
    const random_shape shape = {.max_ranks = 12,
                                .max_steps = 80,
                                .max_cpus = 2,
                                .max_nics = 1,
                                .max_size = 60,
                                .max_calc = 5000};
    unsigned runs = 0;
    for (unsigned seed = 1; seed <= 60; seed++) {
        g_auto(random_case) c = random_case_draw(seed, &shape);
        g_autofree char *where = g_strdup_printf("seed %u", seed);
        runs += check_program(c.program, &c.params, seed % 2 == 0, where);
    }
    CHECK(runs > 20, "%u runs", runs);
}

static const step_program LONG = {STEP_HALO, true, 60, 200, 1, 8, SIM_US};

/* More than may lie between the two threads. */
static void a_long_run_waits_to_be_asked(void)
{
    g_autoptr(sim_graph) graph = step_program_new(&LONG);
    const sim_params params = step_params();
    CHECK(check_program(sim_graph_program(graph), &params, false, "long"), "it runs");
}

/* It is in the middle of its run, or waits to hand over: it ends, and nothing leaks. */
static void it_can_be_given_up(void)
{
    g_autoptr(sim_graph) graph = step_program_new(&LONG);
    const sim_params params = step_params();
    for (unsigned k = 0; k < 4; k++) {
        app_reference *r = app_reference_new(sim_graph_program(graph), &params, NULL, NULL);
        app_reference_stretch s;
        CHECK(k % 2 == 0 || app_reference_next(r, 0, &s), "asked");
        app_reference_free(r);
    }
}

static void its_error_is_told_at_the_end(void)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    sim_graph_builder_begin_rank(b, 0);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_CALC, .size = 10});
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_RECV, .peer = 1, .size = 1});
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    const sim_params params = {.L = 1000, .o = 100};
    g_autoptr(app_reference) r = app_reference_new(sim_graph_program(graph), &params, NULL, NULL);
    app_reference_stretch s;
    CHECK(app_reference_next(r, 0, &s) && s.end == 10, "the computation");
    CHECK(!app_reference_next(r, 0, &s), "the receive never starts");
    g_autoptr(GError) error = NULL;
    CHECK(app_reference_finish(r, &error) == NULL, "no result");
    CHECK(g_error_matches(error, SIM_ERROR, SIM_ERROR_UNMATCHED), "unmatched");
}

/* Every rank's stretches are those of the run of all of them, where few are run and where not. */
static void ranks_that_stand_for_others_make_their_stretches(void)
{
    static const struct {
        const char *pattern;
        uint32_t ranks, repeat;
        sim_rendezvous rendezvous;
        uint32_t few;
    } row[] = {
        {"stencil3d:3000,calc=20us", 64, 3, SIM_RENDEZVOUS_HANDSHAKE, 1},
        {"calc=3us,allreduce,barrier", 50, 70, SIM_RENDEZVOUS_HANDSHAKE, 1}, /* many pieces */
        {"alltoall:pairwise:20,stencil1d:9000", 16, 2, SIM_RENDEZVOUS_HANDSHAKE, 1},
        {"barrier", 7, 2, SIM_RENDEZVOUS_HANDSHAKE, 1}, /* too few to gain by it */
        {"stencil1d:100,stencil2d:9000", 64, 2, SIM_RENDEZVOUS_INSTANT, 1}, /* it does not hold */
        {"barrier,bcast", 64, 2, SIM_RENDEZVOUS_HANDSHAKE, 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const sim_params params = {.L = 5 * SIM_US,
                                   .o = SIM_US,
                                   .g = 2 * SIM_US,
                                   .S = 8192,
                                   .rendezvous = row[i].rendezvous};
        g_autoptr(sched_pattern) pattern = sched_pattern_new(row[i].pattern, NULL);
        const sched_pattern_options o = {.ranks = row[i].ranks, .repeat = row[i].repeat};
        sim_program *program = sched_pattern_program_new(pattern, &o, NULL);
        const sim_run_options none = {0};
        CHECK_I64(sim_symmetry_holds(program, &params, &none), row[i].few, "row %zu", i);
        CHECK(check_program(program, &params, false, row[i].pattern), "row %zu", i);
        CHECK(check_program(program, &params, true, row[i].pattern), "row %zu", i);
        sim_program_free(program);
    }
}

SUITE_MAIN("reference", TEST(ranks_may_be_asked_in_any_order), TEST(a_long_run_waits_to_be_asked),
           TEST(it_can_be_given_up), TEST(its_error_is_told_at_the_end),
           TEST(ranks_that_stand_for_others_make_their_stretches))
