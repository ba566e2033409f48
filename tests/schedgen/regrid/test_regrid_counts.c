/* tests/schedgen/regrid/test_regrid_counts.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many messages an exchange has on grids of any size: closed forms and their table,
 * docs/regrid.md, section 5; and the bytes of a problem that is divided further.
 */
#include "regrid/trace_grid.h"

/* Messages, or bytes, that the enlarged program sends by point-to-point calls. */
typedef struct sent {
    uint64_t messages;
    uint64_t bytes;
    sim_time compute;
} sent;

static sent send_all(const grid_program *p, const sched_regrid_target *target)
{
    sent sum = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = grid_trace(p);
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, &GRID_ASKED);
    g_autoptr(sched_growth) growth = sched_regrid_grow(regrid, target, &error);
    if (!CHECK(growth != NULL, "%s", error != NULL ? error->message : "")) {
        return sum;
    }
    sched_convert_options options = GRID_CONVERT;
    sched_convert_report report = {0};
    options.growth = growth;
    sched_rank_source *source = sched_convert_source_new(trace, &options, &report, &error);
    g_assert(source != NULL);
    for (uint32_t r = 0; r < source->num_ranks; r++) {
        sched_rank_ops ops;
        const bool ok = source->get(source, r, &ops, NULL);
        for (uint32_t i = 0; ok && i < ops.num_ops; i++) {
            const bool message = ops.ops[i].type == SIM_OP_SEND && ops.ops[i].comm == 0;
            sum.messages += message;
            sum.bytes += message ? (uint64_t)ops.ops[i].size : 0;
            sum.compute += ops.ops[i].type == SIM_OP_CALC ? ops.ops[i].size : 0;
        }
    }
    sched_convert_source_free(source);
    sched_convert_report_clear(&report);
    return sum;
}

static sched_grid cube(uint32_t dims, uint32_t n, bool periodic)
{
    sched_grid grid = {.num_dims = dims};
    for (uint32_t d = 0; d < dims; d++) {
        grid.extent[d] = n;
        grid.periodic[d] = periodic;
    }
    return grid;
}

static uint64_t exchange(uint32_t dims, grid_shape shape, grid_form form, uint32_t n, uint32_t m,
                         bool periodic)
{
    const grid_program p = {
        .grid = cube(dims, n, periodic), .shape = shape, .form = form, .iterations = 1};
    const sched_grid large = cube(dims, m, periodic);
    const sched_regrid_target target = {.ranks = grid_size(&large)};
    return send_all(&p, &target).messages;
}

static void open_borders(void)
{
    static const struct {
        uint32_t dims;
        grid_shape shape;
        grid_form form;
        uint32_t sweeps;
        uint64_t want[3][2]; /* 3 to 4, 4 to 8, 8 to 16 of a dimension */
    } ROWS[] = {
        {3, GRID_STAR, GRID_POSTED, 1, {{108, 288}, {288, 2688}, {2688, 23040}}},
        {3, GRID_BOX, GRID_POSTED, 1, {{316, 936}, {936, 10136}, {10136, 93240}}},
        {2, GRID_BOX, GRID_POSTED, 1, {{40, 84}, {84, 420}, {420, 1860}}},
        {2, GRID_STAR, GRID_SWEPT, 2, {{12, 24}, {24, 112}, {112, 480}}},
    };
    static const uint32_t SIZES[][2] = {{3, 4}, {4, 8}, {8, 16}};
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        for (size_t s = 0; s < 3; s++) {
            for (size_t to = 0; to < 2; to++) {
                const uint64_t n = exchange(ROWS[i].dims, ROWS[i].shape, ROWS[i].form, SIZES[s][0],
                                            SIZES[s][to], false);
                CHECK_I64(n, ROWS[i].sweeps * ROWS[i].want[s][to], "row %zu, %u to %u", i,
                          SIZES[s][0], SIZES[s][to]);
            }
        }
    }
    CHECK_I64(exchange(3, GRID_STAR, GRID_POSTED, 3, 6, false), 1080);
}

static void closed_forms(void)
{
    for (uint32_t n = 3; n <= 5; n++) {
        for (uint32_t m = n; m <= 7; m += 2) {
            const uint64_t p2 = (uint64_t)m * m;
            const uint64_t p3 = p2 * m;
            const uint64_t box = 3 * m - 2;
            CHECK_I64(exchange(2, GRID_STAR, GRID_POSTED, n, m, false), 4 * m * (m - 1));
            CHECK_I64(exchange(3, GRID_STAR, GRID_POSTED, n, m, false), 6 * p2 * (m - 1));
            CHECK_I64(exchange(2, GRID_BOX, GRID_POSTED, n, m, false), box * box - p2);
            CHECK_I64(exchange(3, GRID_BOX, GRID_SHIFTED, n, m, false), box * box * box - p3);
            CHECK_I64(exchange(2, GRID_STAR, GRID_POSTED, n, m, true), 4 * p2);
            CHECK_I64(exchange(3, GRID_STAR, GRID_POSTED, n, m, true), 6 * p3);
            CHECK_I64(exchange(2, GRID_BOX, GRID_POSTED, n, m, true), 8 * p2);
            CHECK_I64(exchange(3, GRID_BOX, GRID_POSTED, n, m, true), 26 * p3);
        }
    }
}

/* The same problem on 2 x 2 x 2 as many ranks, periodic, so that all ranks do the same: a face is a
 * quarter, an edge a half, a corner as it was; a volume is an eighth. */
static void strong_scaling_keeps_the_problem(void)
{
    const grid_program p = {
        .grid = cube(3, 3, true), .shape = GRID_BOX, .form = GRID_POSTED, .iterations = 1};
    const sched_regrid_target same = {.ranks = 27};
    const sched_regrid_target weak = {.ranks = 216};
    const sched_regrid_target strong = {.ranks = 216, .strong = true};
    const sent s0 = send_all(&p, &same);
    const sent s1 = send_all(&p, &weak);
    const sent s2 = send_all(&p, &strong);
    /* grid_bytes(): 8 bytes by 10, 11 and 12 for each dimension that the message does not go in */
    const int64_t faces = INT64_C(2) * 8 * (11 * 12 + 10 * 12 + 10 * 11);
    const int64_t edges = INT64_C(4) * 8 * (10 + 11 + 12);
    const int64_t corners = INT64_C(8) * 8;
    CHECK_I64(s0.bytes, 27 * (faces + edges + corners));
    CHECK_I64(s1.bytes, 216 * (faces + edges + corners));
    CHECK_I64(s2.bytes, 216 * (faces / 4 + edges / 2 + corners));
    CHECK_I64(s2.messages, s1.messages);
    CHECK_NEAR((double)s2.compute, (double)s1.compute / 8, (double)s1.compute * 1e-6);
}

/* The same growth in all dimensions where it can be had. */
static void extents_grow_evenly_by_default(void)
{
    static const struct {
        uint32_t small[3];
        uint32_t ranks;
        uint32_t want[3];
    } ROWS[] = {
        {{3, 3, 3}, 64, {4, 4, 4}},   {{3, 3, 3}, 216, {6, 6, 6}}, {{4, 3, 3}, 288, {8, 6, 6}},
        {{3, 4, 5}, 480, {6, 8, 10}}, {{3, 3, 3}, 108, {3, 6, 6}}, {{3, 3, 3}, 27, {3, 3, 3}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        grid_program p = {.grid = {.num_dims = 3}, .iterations = 1};
        for (int d = 0; d < 3; d++) {
            p.grid.extent[d] = ROWS[i].small[d];
        }
        sched_grid grid;
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) trace = grid_trace(&p);
        g_autoptr(sched_regrid) regrid = grid_recognise(trace, &GRID_ASKED);
        const sched_regrid_target target = {.ranks = ROWS[i].ranks};
        if (CHECK(sched_regrid_fit(regrid, &target, &grid, &error), "row %zu: %s", i,
                  error != NULL ? error->message : "")) {
            for (int d = 0; d < 3; d++) {
                CHECK_I64(grid.extent[d], ROWS[i].want[d], "row %zu, dimension %d", i, d);
            }
        }
    }
}

SUITE_MAIN("regrid_counts", TEST(open_borders), TEST(closed_forms),
           TEST(strong_scaling_keeps_the_problem), TEST(extents_grow_evenly_by_default))
