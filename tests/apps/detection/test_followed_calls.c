/* tests/apps/detection/test_followed_calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* A record that is simulated makes the calls that were recorded. */
#include "check.h"
#include "data.h"
#include "detection/followed_calls.h"
#include "detection/recorded_calls.h"
#include "detection/simulated_calls.h"
#include "noise/injection.h"
#include "read_record.h"
#include "sched/replay.h"
#include "sim/unit.h"

static const char *const RECORDS[] = {
    RIPPLE_TRACES "/halo-cg-16/traces.otf2",
    RIPPLE_TRACES "/ocean-chrongear-16/traces.otf2",
    RIPPLE_TRACES "/ocean-pcg-16/traces.otf2",
    RIPPLE_TEST_DATA "/otf2/everything-4/traces.otf2",
    RIPPLE_TEST_DATA "/../cli/data/ft8/pmpi-trace-rank-0.txt",
};

static app_run_calls *simulate(const sched_trace *trace, const sched_convert_options *how,
                               noise_match match, const char *noise)
{
    g_autoptr(GError) error = NULL;
    const sim_params params = {
        .L = SIM_US, .o = SIM_US, .g = SIM_US, .S = 65535, .progress = SIM_PROGRESS_POLLING};
    sched_convert_report report = {0};
    sched_rank_source *ops = sched_convert_source_new(trace, how, &report, &error);
    g_assert_no_error(error);
    sim_program *program = sched_replay_new(trace, how, &report, &error);
    g_assert_no_error(error);
    g_autoptr(app_call_script) script = app_followed_script_new(trace, ops, match, &error);
    g_assert_no_error(error);
    g_autoptr(noise_signature) signature =
        noise != NULL ? noise_signature_parse(noise, 1, &error) : NULL;
    g_assert_no_error(error);
    const noise_injection_options draw = {.seed = 1};
    g_autoptr(noise_injection) injection =
        noise != NULL ? noise_injection_new(signature, program->num_ranks, &draw) : NULL;
    const sim_run_options options = {.noise =
                                         noise != NULL ? noise_injection_hook(injection) : NULL};
    app_run_calls *calls = app_simulated_calls(script, program, &params, &options, &error);
    g_assert_no_error(error);
    sim_program_free(program);
    sched_convert_source_free(ops);
    return calls;
}

/* A run without noise makes the calls that were recorded, each after the same computation. */
static void check_quiet(const char *path, const sched_convert_options *how, noise_match match)
{
    g_autoptr(sched_trace) trace = read_record(path);
    g_autoptr(app_run_calls) recorded = app_recorded_calls(trace, match);
    g_autoptr(app_run_calls) calls = simulate(trace, how, match, NULL);
    CHECK_I64(g_hash_table_size(calls->names), g_hash_table_size(recorded->names));
    for (uint32_t r = 0; r < trace->num_ranks; r++) {
        const app_rank_calls *a = &recorded->rank[r];
        const app_rank_calls *b = &calls->rank[r];
        CHECK(a->n > 0);
        CHECK_I64(b->n, a->n, "%s, rank %u", path, r);
        for (size_t k = 0; k < a->n; k++) {
            const noise_sequence_call *was = &a->call[k];
            const noise_sequence_call *is = &b->call[k];
            CHECK(is->symbol == was->symbol, "%s, rank %u call %zu", path, r, k);
            CHECK_I64(is->compute, was->compute, "%s, rank %u call %zu", path, r, k);
            CHECK_I64(is->anchor, was->anchor, "%s, rank %u call %zu", path, r, k);
            CHECK(k == 0 || is->entered >= is[-1].entered, "%s, rank %u call %zu", path, r, k);
            CHECK(is->entered <= calls->end, "%s, rank %u call %zu", path, r, k);
        }
    }
}

static void a_record_without_noise_makes_the_calls_that_were_recorded(void)
{
    static const sched_convert_options HOW[] = {
        {.copies = 1, .compute = SCHED_COMPUTE_WALL},
        {.copies = 1, .compute = SCHED_COMPUTE_CPU},
        {.copies = 1, .no_p2p = true},
        {.copies = 1, .no_collectives = true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(RECORDS) * G_N_ELEMENTS(HOW); i++) {
        check_quiet(RECORDS[i / G_N_ELEMENTS(HOW)], &HOW[i % G_N_ELEMENTS(HOW)],
                    i % 2 == 0 ? NOISE_MATCH_FUNCTION : NOISE_MATCH_XOR);
    }
}

/* Proxies of applications, whose licences keep them out of the repository. */
static void so_do_records_of_applications(void)
{
    static const char *const NAMES[] = {"comd.np8",     "lulesh.np8",   "minife.np8",
                                        "npb-cg.S.np8", "npb-ft.S.np8", "sweep3d.np16"};
    const sched_convert_options how = {.copies = 1};
    for (size_t i = 0; i < G_N_ELEMENTS(NAMES); i++) {
        g_autofree char *name = g_strdup_printf("traces/apps/%s.tar.xz", NAMES[i]);
        g_autofree char *path = shared_data(name);
        if (path != NULL) {
            check_quiet(path, &how, NOISE_MATCH_DISTANCE);
        }
    }
}

/* Of the rank that is struck, each ms that is stolen of a calc is in the computation before a call,
 * and nothing is in that of others. */
static void what_noise_takes_is_in_the_computation_of_its_rank(void)
{
    const sched_convert_options how = {.copies = 1, .compute = SCHED_COMPUTE_WALL};
    for (size_t i = 0; i < G_N_ELEMENTS(RECORDS); i++) {
        g_autoptr(sched_trace) trace = read_record(RECORDS[i]);
        g_autoptr(app_run_calls) quiet = simulate(trace, &how, NOISE_MATCH_FUNCTION, NULL);
        g_autoptr(app_run_calls) struck =
            simulate(trace, &how, NOISE_MATCH_FUNCTION, "fixed:10kHz:50us@2");
        for (uint32_t r = 0; r < trace->num_ranks; r++) {
            sim_time all = 0;
            sim_time more = 0;
            for (size_t k = 0; k < quiet->rank[r].n; k++) {
                const sim_time a = quiet->rank[r].call[k].compute;
                const sim_time b = struck->rank[r].call[k].compute;
                CHECK(b >= a, "%s, rank %u call %zu", RECORDS[i], r, k);
                all += a;
                more += b - a;
            }
            if (r != 2) {
                CHECK_I64(more, 0, "%s, rank %u", RECORDS[i], r);
            } else { /* half of the time: so much more, but for what does not fill a period */
                CHECK((double)more > 0.8 * (double)all - (double)SIM_MS, "%s: %g of %g ms",
                      RECORDS[i], (double)more / SIM_MS, (double)all / SIM_MS);
            }
        }
    }
}

/* What a rank computes after its last call comes before the first call of its next pass. */
static void copies_and_passes_make_the_calls_of_the_record_again(void)
{
    enum { COPIES = 2, PASSES = 3 };
    const sched_convert_options how = {.copies = COPIES, .repeat = PASSES};
    for (size_t i = 0; i < 3; i++) {
        g_autoptr(sched_trace) trace = read_record(RECORDS[i]);
        g_autoptr(app_run_calls) recorded = app_recorded_calls(trace, NOISE_MATCH_DISTANCE);
        g_autoptr(app_run_calls) calls = simulate(trace, &how, NOISE_MATCH_DISTANCE, NULL);
        CHECK_I64(calls->num_ranks, COPIES * trace->num_ranks);
        for (uint32_t r = 0; r < calls->num_ranks; r++) {
            const app_rank_calls *a = &recorded->rank[r % trace->num_ranks];
            const app_rank_calls *b = &calls->rank[r];
            CHECK_I64(b->n, PASSES * a->n, "rank %u", r);
            const sim_time tail = b->call[a->n].compute - a->call[0].compute;
            CHECK(tail >= 0, "rank %u", r);
            for (size_t k = 0; k < b->n; k++) {
                const noise_sequence_call *of = &a->call[k % a->n];
                const sim_time want = of->compute + (k > 0 && k % a->n == 0 ? tail : 0);
                CHECK(b->call[k].symbol == of->symbol, "rank %u call %zu", r, k);
                CHECK_I64(b->call[k].compute, want, "rank %u call %zu", r, k);
            }
        }
    }
}

SUITE_MAIN("followed_calls", TEST(a_record_without_noise_makes_the_calls_that_were_recorded),
           TEST(so_do_records_of_applications),
           TEST(what_noise_takes_is_in_the_computation_of_its_rank),
           TEST(copies_and_passes_make_the_calls_of_the_record_again))
