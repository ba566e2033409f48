/* tests/schedgen/regrid/test_regrid.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program on a grid, recognised and enlarged, is the one that is written at that size, operation
 * by operation: stencils and wavefronts, open and periodic, of any extents, ranks on the grid in
 * any order.
 */
#include "regrid/grid_compare.h"

#include "sched/check.h"
#include "sched/growth.h"
#include "sched/replay.h"
#include "seeds.h"
#include "sim/run.h"

static char *describe(const grid_program *p, const sched_grid *large)
{
    GString *text = g_string_new(p->shape == GRID_BOX ? "box" : "star");
    g_string_append_printf(text, ", form %d%s:", (int)p->form, p->lines ? ", lines" : "");
    for (uint32_t d = 0; d < large->num_dims; d++) {
        g_string_append_printf(text, " %u to %u%s", p->grid.extent[d], large->extent[d],
                               p->grid.periodic[d] ? " periodic" : "");
    }
    return g_string_free(text, FALSE);
}

/* All computation of a rank is that of one recorded rank: the one it says it follows. */
static void check_representatives(sched_rank_source *grown, const sched_growth *growth,
                                  const char *what)
{
    for (uint32_t r = 0; r < grown->num_ranks; r++) {
        sched_rank_ops ops;
        const uint32_t record = growth->methods->record(growth, r);
        bool ok = grown->get(grown, r, &ops, NULL);
        for (uint32_t i = 0; ok && i < ops.num_ops; i++) {
            const sim_op *op = &ops.ops[i];
            ok = op->type != SIM_OP_CALC || op->size == grid_compute(record);
        }
        if (!CHECK(ok, "%s: rank %u does not compute as rank %u", what, r, record)) {
            return;
        }
    }
}

/* What is computed on demand runs as what is written down. */
static void check_replay(const sched_trace *trace, const sched_growth *growth,
                         sched_rank_source *source, const char *what)
{
    static const sim_params machine = {.L = 2 * SIM_US, .o = SIM_US, .g = SIM_US, .S = 1 << 20};
    const sim_run_options run = {0};
    g_autoptr(GError) error = NULL;
    sched_convert_options options = GRID_CONVERT;
    sched_convert_report report = {0};
    options.growth = growth;
    sim_program *replay = sched_replay_new(trace, &options, &report, &error);
    g_autoptr(sim_graph) graph = sched_rank_source_build(source, &error);
    if (CHECK(replay != NULL && graph != NULL, "%s: %s", what, error ? error->message : "")) {
        g_autoptr(sim_result) x = sim_run(sim_graph_program(graph), &machine, &run, &error);
        g_autoptr(sim_result) y = sim_run(replay, &machine, &run, &error);
        if (CHECK(x != NULL && y != NULL, "%s: %s", what, error ? error->message : "")) {
            CHECK_I64(y->num_ops, x->num_ops, "%s", what);
            CHECK(memcmp(x->finish, y->finish, x->num_ranks * sizeof *x->finish) == 0, "%s", what);
        }
        sched_check_report checked = {0};
        CHECK(sched_check(graph, &machine, &checked, &error), "%s: %s", what,
              error ? error->message : "");
        CHECK_I64(checked.unmatched_sends + checked.unmatched_recvs, 0, "%s", what);
        sched_check_report_clear(&checked);
    }
    sim_program_free(replay);
    sched_convert_report_clear(&report);
}

/* @return operations compared */
static uint64_t enlarge(const grid_program *p, const sched_grid *large, bool run)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *what = describe(p, large);
    grid_program at_large = *p;
    at_large.grid = *large;
    at_large.rank_at = NULL;
    uint64_t compared = 0;
    g_autoptr(sched_trace) trace = grid_trace(p);
    g_autoptr(sched_trace) wanted = grid_trace(&at_large);
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, &GRID_ASKED);
    const sched_regrid_findings f = sched_regrid_find(regrid);
    const sched_regrid_target target = {.ranks = grid_size(large), .grid = *large, .seed = 3};
    CHECK(grid_is(&f.grid, &p->grid), "%s: another grid: %u x %u x %u", what, f.grid.extent[0],
          f.grid.extent[1], f.grid.extent[2]);
    CHECK_I64(f.explained_messages, f.messages, "%s", what);
    CHECK_I64(f.rest_in_all, 0, "%s", what);
    g_autoptr(sched_growth) growth = sched_regrid_grow(regrid, &target, &error);
    if (CHECK(growth != NULL, "%s: %s", what, error != NULL ? error->message : "")) {
        sched_convert_report of_grown = {0};
        sched_convert_report of_wanted = {0};
        sched_rank_source *a = grid_source(trace, growth, &of_grown);
        sched_rank_source *b = grid_source(wanted, NULL, &of_wanted);
        compared = a != NULL && b != NULL ? grid_compare(a, b, what) : 0;
        CHECK(compared > 0, "%s", what);
        check_representatives(a, growth, what);
        if (run) {
            check_replay(trace, growth, a, what);
        }
        sched_convert_source_free(a);
        sched_convert_source_free(b);
        sched_convert_report_clear(&of_grown);
        sched_convert_report_clear(&of_wanted);
    }
    return compared;
}

static uint32_t between(GRand *rand, uint32_t least, uint32_t most)
{
    return (uint32_t)g_rand_int_range(rand, (gint32)least, (gint32)most + 1);
}

/* Extents 3 to 6 in two dimensions, 3 or 4 in three; grown by up to 3. */
static void draw_grids(GRand *rand, grid_program *p, sched_grid *large, uint32_t dims)
{
    p->grid.num_dims = dims;
    for (uint32_t d = 0; d < dims; d++) {
        p->grid.extent[d] = dims == 1 ? between(rand, 5, 12) : between(rand, 3, dims == 2 ? 6 : 4);
        p->grid.periodic[d] = p->form != GRID_SWEPT && g_rand_boolean(rand);
    }
    *large = p->grid;
    for (uint32_t d = 0; d < dims; d++) {
        large->extent[d] += between(rand, 0, dims == 3 ? 2 : 3);
    }
}

static void enlarged_is_written_at_that_size(void)
{
    enum { DRAWS = 60 };
    uint64_t compared = 0;
    for (guint32 seed = 1; seed <= SEEDS(DRAWS); seed++) {
        GRand *rand = g_rand_new_with_seed(seed);
        const uint32_t dims = 1 + seed % 3;
        grid_program p = {.iterations = 2};
        sched_grid large;
        p.form = (grid_form)(seed / 3 % 3);
        p.shape = p.form != GRID_SWEPT && seed / 9 % 2 == 1 ? GRID_BOX : GRID_STAR;
        p.lines = dims > 1 && g_rand_boolean(rand);
        draw_grids(rand, &p, &large, dims);
        compared += enlarge(&p, &large, seed % 4 == 0);
        g_rand_free(rand);
    }
    CHECK(compared > 1000, "%" G_GUINT64_FORMAT, compared);
}

/* Each stencil at each size once, from 3 to 6, to each from there to 9. */
static void all_sizes_of_five_points(void)
{
    for (uint32_t n = 3; n <= 6; n++) {
        for (uint32_t m = n; m <= 9; m++) {
            const sched_grid large = {.num_dims = 2, .extent = {m, m}};
            const grid_program p = {.grid = {.num_dims = 2, .extent = {n, n}}, .iterations = 1};
            (void)enlarge(&p, &large, false);
        }
    }
}

/* Ranks in the order of a communicator that all of them are in. */
static void ranks_may_be_placed_in_any_order(void)
{
    uint32_t rank_at[36];
    GRand *rand = g_rand_new_with_seed(4);
    grid_program p = {
        .grid = {.num_dims = 2, .extent = {6, 6}}, .iterations = 1, .rank_at = rank_at};
    const sched_grid large = {.num_dims = 2, .extent = {7, 9}};
    for (uint32_t i = 0; i < 36; i++) {
        const uint32_t at = (uint32_t)g_rand_int_range(rand, 0, (gint32)i + 1);
        rank_at[i] = rank_at[at];
        rank_at[at] = i;
    }
    g_rand_free(rand);
    g_autoptr(sched_trace) trace = grid_trace(&p);
    g_autoptr(sched_regrid) lost = grid_recognise(trace, &GRID_ASKED);
    CHECK(sched_regrid_find(lost).num_refusals > 0, "nothing says which order it is");

    const uint32_t comm =
        sched_trace_add_comm(trace, "cart", 36, g_memdup2(rank_at, sizeof rank_at));
    for (uint32_t r = 0; r < 36; r++) { /* the same messages, on it */
        uint32_t place[36];
        for (uint32_t i = 0; i < 36; i++) {
            place[rank_at[i]] = i;
        }
        for (uint64_t i = 0; i < trace->ranks[r].num_calls; i++) {
            sched_call *call = &trace->ranks[r].calls[i];
            if (call->kind == SCHED_CALL_ISEND || call->kind == SCHED_CALL_IRECV) {
                call->comm = comm;
                call->peer = place[call->peer];
            }
        }
    }
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, &GRID_ASKED);
    const sched_regrid_findings f = sched_regrid_find(regrid);
    CHECK_I64(f.num_refusals, 0, "%s", f.num_refusals > 0 ? f.refusals[0] : "");
    CHECK_STR(f.order, "cart");
    CHECK(grid_is(&f.grid, &p.grid));
    const sched_regrid_target target = {.ranks = 63, .grid = large};
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_growth) growth = sched_regrid_grow(regrid, &target, &error);
    sched_convert_report reports[2] = {{0}};
    p.rank_at = NULL;
    p.grid = large;
    g_autoptr(sched_trace) wanted = grid_trace(&p);
    for (uint32_t r = 0; r < 63; r++) {
        for (uint64_t i = 0; i < wanted->ranks[r].num_calls; i++) {
            sched_call *call = &wanted->ranks[r].calls[i];
            call->comm = call->kind == SCHED_CALL_ISEND || call->kind == SCHED_CALL_IRECV;
        }
    }
    uint32_t *members = g_new(uint32_t, 63);
    for (uint32_t r = 0; r < 63; r++) {
        members[r] = r;
    }
    (void)sched_trace_add_comm(wanted, "cart", 63, members);
    sched_rank_source *a = grid_source(trace, growth, &reports[0]);
    sched_rank_source *b = grid_source(wanted, NULL, &reports[1]);
    CHECK(grid_compare(a, b, "in another order") > 0);
    sched_convert_source_free(a);
    sched_convert_source_free(b);
    sched_convert_report_clear(&reports[0]);
    sched_convert_report_clear(&reports[1]);
}

/* On the grid that was recorded nothing changes, not even the computation. */
static void the_recorded_grid_is_the_record(void)
{
    const grid_program p = {
        .grid = {.num_dims = 2, .extent = {4, 3}}, .iterations = 2, .lines = true};
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = grid_trace(&p);
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, &GRID_ASKED);
    const sched_regrid_target target = {.ranks = 12};
    g_autoptr(sched_growth) growth = sched_regrid_grow(regrid, &target, &error);
    for (uint32_t r = 0; growth != NULL && r < 12; r++) {
        CHECK_I64(growth->methods->record(growth, r), r);
    }
    CHECK(growth != NULL, "%s", error != NULL ? error->message : "");
}

/* Copies are not one clone: of several ranks of a class each is followed, and the seed chooses. */
static void representatives_are_drawn_by_the_seed(void)
{
    const grid_program p = {.grid = {.num_dims = 2, .extent = {5, 5}}, .iterations = 1};
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = grid_trace(&p);
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, &GRID_ASKED);
    uint32_t followed[2][25] = {{0}};
    uint32_t differ = 0;
    sched_growth *growth[3];
    for (uint64_t i = 0; i < 3; i++) {
        const sched_regrid_target target = {.ranks = 30 * 30, .seed = i / 2};
        growth[i] = sched_regrid_grow(regrid, &target, &error);
        g_assert(growth[i] != NULL);
    }
    for (uint32_t r = 0; r < 900; r++) {
        uint32_t record[3];
        for (int i = 0; i < 3; i++) {
            record[i] = growth[i]->methods->record(growth[i], r);
        }
        CHECK_I64(record[1], record[0], "rank %u, the same seed", r);
        differ += record[2] != record[0];
        followed[0][record[0]]++;
        followed[1][record[2]]++;
    }
    CHECK(differ > 300, "%u of 900", differ);
    for (int i = 0; i < 25; i++) { /* 784 inside are divided among 9, 28 on a side among 3 */
        const bool inside = i / 5 > 0 && i / 5 < 4 && i % 5 > 0 && i % 5 < 4;
        CHECK(followed[0][i] >= (inside ? 50U : 1U), "%d: %u", i, followed[0][i]);
    }
    for (int i = 0; i < 3; i++) {
        sched_growth_free(growth[i]);
    }
}

/* Left is the program that was written at that size, without its messages. */
static void messages_may_be_left_out(void)
{
    const sched_grid large = {.num_dims = 2, .extent = {5, 6}};
    const grid_program p = {
        .grid = {.num_dims = 2, .extent = {4, 3}}, .iterations = 2, .lines = true};
    grid_program at_large = p;
    at_large.grid = large;
    const sched_regrid_target target = {.ranks = 30, .grid = large};
    g_autoptr(sched_trace) trace = grid_trace(&p);
    g_autoptr(sched_trace) wanted = grid_trace(&at_large);
    grid_compare_left_out(trace, wanted, &target, "without messages");
}

SUITE_MAIN("regrid", TEST(enlarged_is_written_at_that_size), TEST(all_sizes_of_five_points),
           TEST(ranks_may_be_placed_in_any_order), TEST(the_recorded_grid_is_the_record),
           TEST(representatives_are_drawn_by_the_seed), TEST(messages_may_be_left_out))
