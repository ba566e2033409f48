/* tests/sim/engine/test_vectors.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * 295 schedules whose finish times were computed by LogGOPSim (tests/data/vectors/README.md),
 * and by an independent reading of the model for the settings LogGOPSim does not have.
 */
#include "check.h"
#include "data.h"
#include "judge.h"
#include "sched/goal.h"
#include "sim/run.h"

#include <stdlib.h>

typedef struct vector {
    sim_graph *graph;
    sim_params params;
    GArray *times; /* of gint64: of LogGOPSim, ns */
} vector;

static void vector_free(gpointer data)
{
    vector *v = data;
    sim_graph_free(v->graph);
    g_array_free(v->times, TRUE);
    g_free(v);
}

static GArray *parse_times(const char *text)
{
    GArray *times = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (const char *at = text; *at != '\0';) {
        char *end = NULL;
        const gint64 ns = g_ascii_strtoll(at, &end, 10);
        g_array_append_val(times, ns);
        at = *end == ',' ? end + 1 : end;
        if (end == at && *at != '\0') {
            break;
        }
    }
    return times;
}

static int64_t number(char **fields, int column)
{
    return g_ascii_strtoll(fields[column], NULL, 10);
}

static char **read_lines(const char *name)
{
    g_autofree char *relative = g_strconcat("vectors/", name, NULL);
    g_autofree char *path = test_data(relative);
    char *text = NULL;
    if (!CHECK(g_file_get_contents(path, &text, NULL, NULL), "%s", path)) {
        exit(1);
    }
    char **lines = g_strsplit(g_strchomp(text), "\n", -1);
    g_free(text);
    return lines;
}

/* All vectors by name. */
static GHashTable *load(void)
{
    GHashTable *vectors = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, vector_free);
    g_auto(GStrv) lines = read_lines("expected.tsv");
    for (size_t i = 1; lines[i] != NULL; i++) {
        g_auto(GStrv) f = g_strsplit(lines[i], "\t", -1);
        /* name kind category ranks ops events L o g G O S tie_class max_time times */
        g_autofree char *relative = g_strdup_printf("vectors/%s.goal", f[0]);
        g_autofree char *path = test_data(relative);
        g_autoptr(GError) error = NULL;
        vector *v = g_new0(vector, 1);
        v->graph = sched_goal_read(path, false, &error);
        if (!CHECK(v->graph != NULL, "%s", error != NULL ? error->message : "")) {
            exit(1);
        }
        v->params = (sim_params){.L = number(f, 6) * SIM_NS,
                                 .o = number(f, 7) * SIM_NS,
                                 .g = number(f, 8) * SIM_NS,
                                 .G = number(f, 9) * SIM_NS * SIM_RATE_PER_PS,
                                 .O = number(f, 10) * SIM_NS * SIM_RATE_PER_PS,
                                 .S = number(f, 11)};
        v->times = parse_times(f[14]);
        g_hash_table_insert(vectors, g_strdup(f[0]), v);
    }
    return vectors;
}

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
    GHashTable *vectors = load();
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
    GHashTable *vectors = load();
    g_auto(GStrv) lines = read_lines("expected-settings.tsv");
    size_t n = 0;
    for (size_t i = 1; lines[i] != NULL; i++) {
        g_auto(GStrv) f = g_strsplit(lines[i], "\t", -1);
        /* name progress rendezvous tie_sensitive times */
        const vector *v = g_hash_table_lookup(vectors, f[0]);
        if (!CHECK(v != NULL, "%s", f[0])) {
            continue;
        }
        GArray *times = parse_times(f[4]);
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
