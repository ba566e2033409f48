/* tests/schedgen/replay/test_replay_resize.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* A record that is followed in other copies is as one that was converted for them. */
#include "check.h"
#include "data.h"
#include "sched/goal.h"
#include "sched/replay.h"
#include "sim/run.h"
#include "trace_random.h"

#include <glib/gstdio.h>

static unsigned compared; /* of check_resized() */

static void same_programs(const sim_program *a, const sim_program *b, const char *name)
{
    static const sim_params PARAMS = {.L = 9900 * SIM_NS,
                                      .o = 1750 * SIM_NS,
                                      .g = 3400 * SIM_NS,
                                      .G = 580 * SIM_RATE_PER_PS / 1000,
                                      .S = 65535};
    static const sim_run_options OPTIONS = {0};
    CHECK_I64(b->num_ranks, a->num_ranks, "%s", name);
    CHECK_I64(b->any_source, a->any_source, "%s", name);
    CHECK_I64(b->few_open, a->few_open, "%s", name);
    CHECK_I64(b->max_ready, a->max_ready, "%s", name);
    CHECK_I64(b->num_slices, a->num_slices, "%s", name);
    CHECK_I64(sched_replay_rank_bytes(b), sched_replay_rank_bytes(a), "%s", name);
    for (uint32_t r = 0; r < a->num_ranks; r++) {
        CHECK_I64(b->methods->num_ops(b, r), a->methods->num_ops(a, r), "%s, rank %u", name, r);
    }
    g_autoptr(sim_result) x = sim_run(a, &PARAMS, &OPTIONS, NULL);
    g_autoptr(sim_result) y = sim_run(b, &PARAMS, &OPTIONS, NULL);
    CHECK((x != NULL) == (y != NULL), "%s", name);
    if (x != NULL && y != NULL) {
        CHECK_I64(memcmp(x->finish, y->finish, x->num_ranks * sizeof *x->finish), 0,
                  "%s: a rank finishes at another instant", name);
    }
}

/* The bytes of a source, which is freed. Owned by the caller. */
static char *text_of(sched_rank_source *source)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-resize-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "x.goal", NULL);
    g_autoptr(GError) error = NULL;
    char *text = NULL;
    CHECK(source != NULL);
    if (source != NULL && sched_goal_write_text_from(source, path, &error)) {
        CHECK(g_file_get_contents(path, &text, NULL, NULL));
        (void)g_unlink(path);
    }
    sched_convert_source_free(source);
    (void)g_rmdir(folder);
    return text != NULL ? text : g_strdup(error != NULL ? error->message : "");
}

static void check_resized(const sched_trace *trace, sched_convert_options options, uint32_t from,
                          uint32_t to, const char *name)
{
    sched_convert_report report = {0};
    sched_convert_report again = {0};
    double ops[2] = {0};
    uint64_t most[2] = {0};
    options.copies = from;
    sim_program *base = sched_replay_new(trace, &options, &report, NULL);
    options.copies = to;
    sim_program *fresh = sched_replay_new(trace, &options, &again, NULL);
    CHECK((base == NULL) == (fresh == NULL), "%s", name);
    if (base != NULL && fresh != NULL) {
        compared++;
        CHECK(sched_replay_count_resized(base, trace, &options, &ops[0], &most[0], NULL));
        CHECK(sched_replay_count(trace, &options, &ops[1], &most[1], NULL));
        CHECK(ops[0] == ops[1] && most[0] == most[1], "%s: %g and %g operations", name, ops[0],
              ops[1]);
        sim_program *resized = sched_replay_resize(base, trace, &options, NULL);
        sim_program_free(base); /* what both share stays */
        base = NULL;
        sim_program *twice = sched_replay_resize(resized, trace, &options, NULL);
        same_programs(fresh, resized, name);
        sim_program_free(resized);
        same_programs(fresh, twice, name);
        sched_convert_report third = {0};
        g_autofree char *a = text_of(sched_convert_source_new(trace, &options, &third, NULL));
        g_autofree char *b = text_of(sched_replay_source_new(twice, trace, &options, NULL));
        CHECK_STR(b, a, "%s", name);
        sched_convert_report_clear(&third);
        sim_program_free(twice);
    }
    sim_program_free(base);
    sim_program_free(fresh);
    sched_convert_report_clear(&report);
    sched_convert_report_clear(&again);
}

static void random_programs_are_the_same(void)
{
    enum { PROGRAMS = 60 };
    g_autoptr(GRand) rand = g_rand_new_with_seed(3);
    compared = 0;
    for (int i = 0; i < PROGRAMS; i++) {
        g_autoptr(sched_trace) trace =
            trace_random_new(rand, (uint32_t)g_rand_int_range(rand, 1, 20));
        g_autofree char *name = g_strdup_printf("random program %d", i);
        const sched_convert_options options = {.repeat = (uint32_t)i % 3,
                                               .roots = i % 2 == 0 ? SCHED_ROOT_GLOBAL
                                                                   : SCHED_ROOT_PER_COPY,
                                               .reduce = SIM_RATE_PER_PS};
        check_resized(trace, options, (uint32_t)g_rand_int_range(rand, 1, 4),
                      (uint32_t)g_rand_int_range(rand, 1, 6), name);
    }
    CHECK(compared > PROGRAMS / 2, "only %u programs were converted", compared);
}

static void the_bundled_trace_is_the_same(void)
{
    g_autofree char *path = test_data("../../apps/proxies/traces/halo-cg-16");
    g_autoptr(sched_trace) trace = sched_trace_read(path, NULL);
    CHECK(trace != NULL);
    compared = 0;
    if (trace != NULL) {
        check_resized(trace, (sched_convert_options){0}, 1, 4, "halo-cg-16");
    }
    CHECK_I64(compared, 1);
}

static void what_cannot_be_is_refused(void)
{
    g_autofree char *path = test_data("../../apps/proxies/traces/halo-cg-16");
    g_autoptr(sched_trace) trace = sched_trace_read(path, NULL);
    sched_convert_options options = {.copies = 1};
    sched_convert_report report = {0};
    g_autoptr(GError) error = NULL;
    sim_program *base = sched_replay_new(trace, &options, &report, NULL);
    options.copies = UINT32_MAX / 16 + 1;
    CHECK(sched_replay_resize(base, trace, &options, &error) == NULL);
    CHECK_ERROR(error, "is not a number of ranks");
    sim_program_free(base);
    sched_convert_report_clear(&report);
}

SUITE_MAIN("replay_resize", TEST(random_programs_are_the_same), TEST(the_bundled_trace_is_the_same),
           TEST(what_cannot_be_is_refused))
