/* tests/apps/experiment/test_app_estimate.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said before a long run, against what the run then does. */
#include "check.h"
#include "experiment/estimate.h"
#include "sim/spread.h"
#include "system/watch.h"

#include <math.h>

static app_source *open_source(const char *text, const char *repeat)
{
    char *argv[] = {NULL};
    g_autoptr(GError) error = NULL;
    g_autofree char *times = g_strdup(repeat);
    const app_program_options options = {.repeat = times};
    g_autoptr(app_manifest) manifest = app_manifest_new("test", argv);
    app_source *source = app_source_open(text, &options, false, manifest, &error);
    g_assert_no_error(error);
    return source;
}

/* Estimated, of those that a run of it goes through. */
static double share(const char *text, const char *repeat, uint32_t ranks)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(app_source) source = open_source(text, repeat);
    uint64_t estimated = 0;
    CHECK(app_source_count(source, ranks, &estimated, &error));
    g_assert_no_error(error);
    const sim_program *program = app_source_program(source, ranks, &error);
    g_assert_no_error(error);
    return (double)estimated / (double)app_watch_count_ops(program);
}

static void operations_of_traces_grow_with_their_collectives(void)
{
    static const char *const traces[] = {TRACES "/halo-cg-16", TRACES "/ocean-chrongear-16",
                                         TRACES "/ocean-pcg-16"};
    static const uint32_t sizes[] = {16, 64, 1008, 4096, 65536, 1 << 18, (1 << 18) + 48};
    for (size_t i = 0; i < G_N_ELEMENTS(traces); i++) {
        for (size_t j = 0; j < G_N_ELEMENTS(sizes); j++) {
            const double of = share(traces[i], j % 2 > 0 ? "3" : NULL, sizes[j]);
            CHECK(fabs(of - 1) < (sizes[j] <= 1024 ? 1e-9 : 0.01), "%s at %u ranks: %g of them",
                  traces[i], sizes[j], of);
        }
    }
}

static void operations_of_collectives_are_counted_where_ranks_differ(void)
{
    static const char *const programs[] = {
        "collective:bcast:binomial:1Ki",
        "collective:gather:linear:8",
        "collective:gather:binomial-far:8",
        "collective:allreduce:dissemination:8",
        "collective:reduce:binomial:8",
        "collective:allreduce:recursive-doubling:8",
        "collective:scan:8",
        "collective:reduce:8",
        "collective:barrier",
    };
    static const uint32_t sizes[] = {1, 2, 63, 64, 1000, 1025, 4096, 50000, 65536, 1 << 18};
    for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
        for (size_t j = 0; j < G_N_ELEMENTS(sizes); j++) {
            const double of = share(programs[i], NULL, sizes[j]);
            CHECK(sizes[j] == 1 || fabs(of - 1) < (sizes[j] <= 1025 ? 1e-9 : 0.1),
                  "%s at %u ranks: %g of them", programs[i], sizes[j], of);
        }
    }
}

static void who_is_looked_at_is_someone_else_every_time(void)
{
    static const uint32_t rows[][2] = {
        {1, 1},          {7, 7},          {64, 65},          {1000, 4096},
        {1024, 1 << 20}, {1, UINT32_MAX}, {1024, UINT32_MAX}};
    for (size_t k = 0; k < G_N_ELEMENTS(rows); k++) {
        unsigned even = 0;
        for (uint32_t i = 0, before = 0; i < rows[k][0]; i++) {
            const uint32_t number = sim_spread(i, rows[k][0], rows[k][1]);
            CHECK(number < rows[k][1] && (i == 0 || number > before), "row %zu, %u", k, i);
            even += number % 2 == 0;
            before = number;
        }
        CHECK(rows[k][0] < 1000 || abs((int)even - (int)rows[k][0] / 2) < 60, "%u even", even);
    }
}

SUITE_MAIN("app_estimate", TEST(operations_of_traces_grow_with_their_collectives),
           TEST(operations_of_collectives_are_counted_where_ranks_differ),
           TEST(who_is_looked_at_is_someone_else_every_time))
