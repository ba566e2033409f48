/* apps/ripple/mining/inputs.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_projections, cli_mine, cli_mine_trace. */
#include "mining/inputs.h"

#include "mining/paraver.h"
#include "mining/projections.h"
#include "output/sentences.h"
#include "program/synopsis.h"
#include "sim/unit.h"

static bool mine_logs(const char *path, bool tool_types, noise_miner *miner, GPtrArray *notes,
                      GError **error)
{
    (void)notes;
    return app_projections_mine(path, tool_types, miner, error);
}

/* Types are those that it was mined by. */
static bool mine_synopsis(const char *path, bool tool_types, noise_miner *miner, GPtrArray *notes,
                          GError **error)
{
    unsigned num_parts = 0;
    (void)tool_types;
    if (!app_synopsis_add(miner, path, &num_parts, error)) {
        return false;
    }
    if (num_parts > 0) {
        app_sentences_add(notes, "the program did not come to MPI_Finalize; %u ranks left this",
                          num_parts);
    }
    if (noise_miner_lost(miner) > 0) {
        app_sentences_add(notes, "%" G_GUINT64_FORMAT " events did not fit into memory",
                          noise_miner_lost(miner));
    }
    return true;
}

static sim_time tick_of_logs(const char *path)
{
    (void)path;
    return SIM_US;
}

static bool mine_paraver(const char *path, bool tool_types, noise_miner *miner, GPtrArray *notes,
                         GError **error)
{
    (void)tool_types;
    return app_paraver_mine(path, miner, notes, error);
}

static const app_mine_input INPUTS[] = {
    {"what ripple trace --mine has left (NAME.synopsis, or a folder)", "mined while it ran",
     "on what was mined while the program ran", NULL, app_synopsis_is, mine_synopsis},
    {"logs of Projections (NAME.sts, or its folder)", "recorded", "on what cannot be simulated",
     tick_of_logs, app_projections_probe, mine_logs},
    {"a trace for Paraver (NAME.prv)", "recorded", "on what cannot be simulated", app_paraver_tick,
     app_paraver_probe, mine_paraver},
};

const app_mine_input *app_mine_input_find(const char *path)
{
    for (size_t i = 0; i < G_N_ELEMENTS(INPUTS); i++) {
        if (INPUTS[i].probe(path)) {
            return &INPUTS[i];
        }
    }
    return NULL;
}
