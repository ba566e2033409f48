/* apps/ripple/mining/inputs.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What can be mined beside programs and MPI traces, which schedgen reads (sched/reader.h): files
 * that hold events rather than calls. A new one is a row of the table in inputs.c.
 */
#pragma once

#include "noise/miner.h"

#include <glib.h>
#include <stdbool.h>

typedef struct app_mine_input {
    const char *forms; /* in help: "logs of Projections" */
    const char *run;   /* in the head of results: "recorded" */
    const char *idle;  /* where options of simulated runs have no effect: "on what …" */
    /** The tick of the clock, for noise_miner_options; NULL: it is in what is mined. */
    sim_time (*tick)(const char *path);
    /** Does @p path, a file or folder, look like one? False for anything unreadable. */
    bool (*probe)(const char *path);
    /** Give the miner its events. @param tool_types for mode projections: types as that tool has
     * them
     * @param notes of strings, g_free()d with it: what whoever reads the result must know
     * @return false with an error that names file and line */
    bool (*mine)(const char *path, bool tool_types, noise_miner *miner, GPtrArray *notes,
                 GError **error);
} app_mine_input;

/** The row for @p path, or NULL. */
const app_mine_input *app_mine_input_find(const char *path);
