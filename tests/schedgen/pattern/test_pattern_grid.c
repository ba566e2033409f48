/* tests/schedgen/pattern/test_pattern_grid.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "pattern/pattern_private.h"

static void grids_are_those_of_mpi(void)
{
    static const struct {
        uint32_t ranks;
        uint32_t dimensions;
        uint32_t extent[3];
    } row[] = {
        /* the examples of MPI 4.0, section 8.5.2 */
        {6, 2, {3, 2}},
        {7, 2, {7, 1}},
        /* what MPI_Dims_create() of Open MPI 4.1 and of MPICH 4.0 gives */
        {1, 3, {1, 1, 1}},
        {2, 3, {2, 1, 1}},
        {4, 3, {2, 2, 1}},
        {8, 3, {2, 2, 2}},
        {12, 3, {3, 2, 2}},
        {12, 2, {4, 3}},
        {16, 2, {4, 4}},
        {16, 3, {4, 2, 2}},
        {30, 3, {5, 3, 2}},
        {64, 3, {4, 4, 4}},
        {100, 2, {10, 10}},
        {1024, 3, {16, 8, 8}},
        {4096, 2, {64, 64}},
        {1u << 20, 3, {128, 128, 64}},
        {97, 3, {97, 1, 1}},
        /* the largest prime below 2^32 - 1 */
        {4294967291u, 3, {4294967291u, 1, 1}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const pattern_grid grid = sched_pattern_grid(row[i].ranks, row[i].dimensions);
        for (uint32_t d = 0; d < row[i].dimensions; d++) {
            CHECK_I64(grid.extent[d], row[i].extent[d], "%u ranks, dimension %u", row[i].ranks, d);
        }
    }
}

/* By hand: all grids, the least in the order of their extents. */
static void no_grid_is_more_balanced(void)
{
    for (uint32_t ranks = 1; ranks <= 400; ranks++) {
        uint32_t best[3] = {ranks, 1, 1};
        for (uint32_t a = 1; a <= ranks; a++) {
            for (uint32_t b = 1; b <= a; b++) {
                const uint32_t c = ranks / (a * b);
                const bool is_grid = a * b * c == ranks && c >= 1 && c <= b;
                if (is_grid && (a < best[0] || (a == best[0] && b < best[1]))) {
                    best[0] = a;
                    best[1] = b;
                    best[2] = c;
                }
            }
        }
        const pattern_grid grid = sched_pattern_grid(ranks, 3);
        for (uint32_t d = 0; d < 3; d++) {
            CHECK_I64(grid.extent[d], best[d], "%u ranks, dimension %u", ranks, d);
        }
    }
}

static void neighbours_are_one_apart_and_mutual(void)
{
    for (uint32_t ranks = 1; ranks <= 60; ranks++) {
        for (uint32_t dimensions = 1; dimensions <= 3; dimensions++) {
            const pattern_grid grid = sched_pattern_grid(ranks, dimensions);
            for (uint32_t rank = 0; rank < ranks; rank++) {
                for (uint32_t d = 0; d < dimensions; d++) {
                    const uint32_t up = pattern_grid_neighbour(&grid, rank, d, true);
                    CHECK_I64(pattern_grid_neighbour(&grid, up, d, false), rank);
                    for (uint32_t e = 0; e < dimensions; e++) {
                        const uint32_t from = pattern_grid_coordinate(&grid, rank, e);
                        const uint32_t to = pattern_grid_coordinate(&grid, up, e);
                        CHECK_I64(to, e == d ? (from + 1) % grid.extent[e] : from, "%u ranks",
                                  ranks);
                    }
                }
            }
        }
    }
}

static void a_grid_is_long_where_one_side_is_more_than_four_times_another(void)
{
    static const struct {
        const char *text;
        uint32_t ranks;
        const char *grid; /* NULL: none is long */
    } row[] = {
        {"stencil3d", 1009, "stencil3d on 1009 x 1 x 1"},
        {"stencil3d:8KiB", 1001, NULL}, /* 13 x 11 x 7 */
        {"stencil3d", 4, NULL},         /* 2 x 2 x 1 */
        {"stencil3d", 5, "stencil3d on 5 x 1 x 1"},
        {"stencil2d", 16, NULL},
        {"stencil2d", 64 * 17, NULL}, /* 34 x 32 */
        {"stencil2d", 4 * 17, "stencil2d on 17 x 4"},
        {"stencil2d", 4 * 16, NULL},
        {"stencil1d:1B", 1009, NULL},
        {"ring,allreduce:8B,calc=1ms", 1009, NULL},
        {"calc=1us,(wavefront:8B,calc=1us)*3", 1009, "wavefront on 1009 x 1"},
        {"stencil1d,stencil2d,stencil3d", 4 * 19, "stencil2d on 19 x 4"},
        {"stencil3d", 4294967291u, "stencil3d on 4294967291 x 1 x 1"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(sched_pattern) pattern = sched_pattern_new(row[i].text, NULL);
        if (CHECK(pattern != NULL, "%s", row[i].text)) {
            g_autofree char *grid = sched_pattern_long_grid(pattern, row[i].ranks);
            CHECK_STR(grid, row[i].grid);
        }
    }
}

SUITE_MAIN("pattern_grid", TEST(grids_are_those_of_mpi), TEST(no_grid_is_more_balanced),
           TEST(a_grid_is_long_where_one_side_is_more_than_four_times_another),
           TEST(neighbours_are_one_apart_and_mutual))
