/* tests/sim/few_trial.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_passes, test_replay_passes, test_replay_symmetry, test_symmetry. */
#include "few_trial.h"

#include "check.h"

#include <string.h>

static sim_result *run(const sim_program *program, const sim_params *params,
                       const sim_run_options *options, bool symmetry, sim_time *slice,
                       GError **error)
{
    sim_run_options o = *options;
    const sim_slices slices = {program->num_slices, slice};
    o.symmetry = symmetry;
    o.slices = &slices;
    return sim_run(program, params, &o, error);
}

static void compare_results(const sim_result *some, const sim_result *all, const char *where)
{
    uint32_t wrong = 0;
    for (uint32_t r = 0; r < all->num_ranks && wrong == 0; r++) {
        wrong = some->finish[r] != all->finish[r] ? r + 1 : 0;
    }
    CHECK(wrong == 0, "%s: rank %u", where, wrong - 1);
    CHECK_I64(some->num_ranks, all->num_ranks, "%s", where);
    CHECK_I64(some->makespan, all->makespan, "%s", where);
    CHECK_I64(some->makespan_rank, all->makespan_rank, "%s", where);
    CHECK_I64(some->num_ops, all->num_ops, "%s", where);
    CHECK_I64(some->num_messages, all->num_messages, "%s", where);
    CHECK_I64(some->explained, all->explained, "%s", where);
    CHECK_I64(memcmp(&some->breakdown, &all->breakdown, sizeof all->breakdown), 0,
              "%s: the breakdown differs", where);
    CHECK_I64(all->simulated_passes, 0, "%s", where);
    CHECK_I64(all->representatives, 0, "%s", where);
    CHECK(some->representatives == 0 || some->path == NULL, "%s", where);
}

few_trial few_trial_compare(const sim_program *program, const sim_params *params,
                            const sim_run_options *options, const char *where)
{
    const uint32_t n = program->num_slices;
    g_autofree sim_time *a = g_new0(sim_time, n);
    g_autofree sim_time *b = g_new0(sim_time, n);
    g_autoptr(GError) error_a = NULL;
    g_autoptr(GError) error_b = NULL;
    g_autoptr(sim_result) some = run(program, params, options, true, a, &error_a);
    g_autoptr(sim_result) all = run(program, params, options, false, b, &error_b);
    if (some == NULL || all == NULL) {
        CHECK_STR(error_a != NULL ? error_a->message : "", error_b != NULL ? error_b->message : "",
                  "%s", where);
        return (few_trial){.failed = true};
    }
    compare_results(some, all, where);
    for (uint32_t i = 0; i < n; i++) {
        if (!CHECK_I64(a[i], b[i], "%s: slice %u", where, i)) {
            break;
        }
    }
    return (few_trial){.ranks = some->representatives, .passes = some->simulated_passes};
}
