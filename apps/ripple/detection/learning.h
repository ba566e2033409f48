/* apps/ripple/detection/learning.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file From runs to a model: `ripple detect learn`. */
#pragma once

#include "detection/run_input.h"
#include "noise/interference.h"

/** How calls are told apart. */
typedef enum {
    APP_MATCH_PEER_CLASS, /* by distance or exclusive or, whichever covers more */
    APP_MATCH_FUNCTION,
} app_match;

typedef struct app_learn_options {
    app_match match;
    noise_interference_reference reference;
    bool chooses; /* the reference by the number of nodes: app_learn_reference() */
    noise_sequences_options sequences;
    sim_time filter; /* ps; < 0: the model's own */
    uint64_t seed;   /* of what is simulated */
    bool paper_rule; /* of thresholds, with disturbed runs: as published */
} app_learn_options;

/** A run to learn from. All borrowed. */
typedef struct app_learn_run {
    const char *name;
    noise_interference_run_kind kind;
    const app_run_options *options;
} app_learn_run;

/** Fewer nodes than these have too few others to be compared with. */
enum { APP_LEARN_NODES = 5 };
/** LOO from APP_LEARN_NODES on, CLEAN on fewer. */
noise_interference_reference app_learn_reference(const app_run_input *input);

/**
 * Learn from @p runs [n], the first of which is clean: its calls say which sequences are typical.
 * The model says how by the context's manifest.
 * @param found of the sequences
 * @return owned by the caller; NULL with an error that names the run
 */
noise_interference_model *app_learn(const app_learn_run *runs, size_t n,
                                    const app_learn_options *options, const app_context *context,
                                    noise_sequences_found *found, GError **error);
