/* tests/sim/engine/test_vectors.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * 295 schedules whose finish times were computed by LogGOPSim (tests/data/vectors/README.md),
 * and by an independent reading of the model for the settings LogGOPSim does not have.
 */
#include "check.h"
#include "judge.h"
#include "sim/run.h"
#include "vectors.h"

static void check_vector(const char *name, const vector *v, sim_progress progress,
                         sim_rendezvous rendezvous, const GArray *times)
{
    sim_params params = v->params;
    params.progress = progress;
    params.rendezvous = rendezvous;
    const sim_run_options options = {.explain = true};
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_result) result = sim_run(sim_graph_program(v->graph), &params, &options, &error);
    if (!CHECK(result != NULL, "%s: %s", name, error != NULL ? error->message : "") ||
        !CHECK_I64(result->num_ranks, times->len, "%s", name)) {
        return;
    }
    g_autofree sim_time *slow = g_new(sim_time, result->num_ranks);
    CHECK_I64(judge_run(v->graph, &params, NULL, slow), JUDGE_SOUND, "%s", name);
    for (uint32_t r = 0; r < result->num_ranks; r++) {
        const sim_time wanted = g_array_index(times, gint64, r) * SIM_NS;
        CHECK_I64(slow[r], wanted, "%s, judge, rank %u, settings %d %d", name, r, progress,
                  rendezvous);
        CHECK_I64(result->finish[r], wanted, "%s, rank %u, settings %d %d", name, r, progress,
                  rendezvous);
    }
}

static void equals_loggopsim(void)
{
    GHashTable *vectors = vectors_load("vectors");
    CHECK_I64(g_hash_table_size(vectors), 295); /* tests/data/vectors/README.md */
    GHashTableIter iter;
    gpointer name;
    gpointer value;
    g_hash_table_iter_init(&iter, vectors);
    while (g_hash_table_iter_next(&iter, &name, &value)) {
        const vector *v = value;
        check_vector(name, v, SIM_PROGRESS_ASYNC, SIM_RENDEZVOUS_INSTANT, v->times);
    }
    g_hash_table_destroy(vectors);
}

static void equals_the_independent_reading_in_the_other_settings(void)
{
    GHashTable *vectors = vectors_load("vectors");
    g_auto(GStrv) lines = vector_read_lines("vectors/expected-settings.tsv");
    size_t n = 0;
    for (size_t i = 1; lines[i] != NULL; i++) {
        g_auto(GStrv) f = g_strsplit(lines[i], "\t", -1);
        /* name progress rendezvous tie_sensitive times */
        const vector *v = g_hash_table_lookup(vectors, f[0]);
        if (!CHECK(v != NULL, "%s", f[0])) {
            continue;
        }
        GArray *times = vector_parse_times(f[4]);
        check_vector(
            f[0], v, g_str_equal(f[1], "async") ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING,
            g_str_equal(f[2], "instant") ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE,
            times);
        g_array_free(times, TRUE);
        n++;
    }
    CHECK_I64(n, 465); /* lines of expected-settings.tsv */
    g_hash_table_destroy(vectors);
}

SUITE_MAIN("vectors", TEST(equals_loggopsim),
           TEST(equals_the_independent_reading_in_the_other_settings))
