/* tests/sim/sequential/test_creation_vectors.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In the order of creation every number of LogGOPSim comes out: 120 schedules that ties decide
 * (tests/data/ties/README.md) and 295 that they do not (tests/data/vectors/README.md), and the slow
 * judge agrees.
 */
#include "check.h"
#include "creation_judge.h"
#include "sim/run.h"
#include "vectors.h"

static void check_vector(const char *name, const vector *v)
{
    sim_params params = v->params;
    params.progress = SIM_PROGRESS_ASYNC;
    params.rendezvous = SIM_RENDEZVOUS_INSTANT;
    params.order = SIM_ORDER_CREATION;
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_result) result = sim_run(sim_graph_program(v->graph), &params, NULL, &error);
    if (!CHECK(result != NULL, "%s: %s", name, error != NULL ? error->message : "") ||
        !CHECK_I64(result->num_ranks, v->times->len, "%s", name)) {
        return;
    }
    g_autofree sim_time *slow = g_new(sim_time, result->num_ranks);
    CHECK(!creation_judge_run(v->graph, &params, slow).left_over, "%s", name);
    for (uint32_t r = 0; r < result->num_ranks; r++) {
        const sim_time wanted = g_array_index(v->times, gint64, r) * SIM_NS;
        CHECK_I64(slow[r], wanted, "%s, judge, rank %u", name, r);
        CHECK_I64(result->finish[r], wanted, "%s, rank %u", name, r);
    }
    for (int kind = 0; kind < SIM_NUM_DEPARTURES; kind++) {
        if (kind == SIM_DEPARTURE_SORT) {
            continue; /* e023_fan begins with 24 receives, whose order does not matter */
        }
        CHECK_I64(result->departure[kind].count, 0, "%s: departure %d", name, kind);
    }
}

static void check_folder(const char *folder, guint wanted)
{
    GHashTable *vectors = vectors_load(folder);
    CHECK_I64(g_hash_table_size(vectors), wanted);
    GHashTableIter iter;
    gpointer name;
    gpointer value;
    g_hash_table_iter_init(&iter, vectors);
    while (g_hash_table_iter_next(&iter, &name, &value)) {
        check_vector(name, value);
    }
    g_hash_table_destroy(vectors);
}

static void equals_loggopsim_in_every_tie(void)
{
    check_folder("ties", 120); /* tests/data/ties/README.md */
}

static void equals_loggopsim_where_there_are_no_ties(void)
{
    check_folder("vectors", 295); /* tests/data/vectors/README.md */
}

SUITE_MAIN("creation_vectors", TEST(equals_loggopsim_in_every_tie),
           TEST(equals_loggopsim_where_there_are_no_ties))
