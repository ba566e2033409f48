/* apps/ripple/knockout/knockout.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What to switch off first: all noisy runs of an experiment once more without each component of the
 * noise in turn, on request without each two. The runs share all that is drawn with those that have
 * all of the noise (noise_signature_without()), replica by replica, so that their difference is
 * what the component costs. docs/results.md, "What to switch off first".
 */
#pragma once

#include "experiment/experiment.h"
#include "knockout/gain.h"

/** Of one size in one mode. */
typedef struct app_knockout_table {
    const app_series *all;    /* with all of the noise; borrowed */
    app_mean slowdown;        /* of these runs, as the gains are computed */
    app_knockout_gain *gains; /* [num_gains] one of each name, the largest mean first */
    size_t num_gains;
    app_knockout_gain *pairs; /* [num_pairs] the largest difference from the sum first */
    size_t num_pairs;
} app_knockout_table;

typedef struct app_knockout {
    char **names; /* [num_names] of the components; those of one name are left out together */
    size_t num_names;
    bool pairs;
    app_knockout_table *tables; /* [num_tables] by size, then mode */
    size_t num_tables;
    bool is_invalid; /* the noise is of a measurement that is not valid: nothing is concluded */
    bool is_stopped; /* it was stopped: sizes are missing */
} app_knockout;

/** What the verbs that have it say of --knock-out[=pairs]. */
#define APP_KNOCKOUT_HELP                                                                          \
    "say what to switch off first: all noisy runs again without each component of the noise in "   \
    "turn, drawn alike; =pairs: also without each two"

/** @param text "", "pairs"; NULL: not asked for. @return false with an error of usage */
bool app_knockout_resolve(const char *text, const app_noise *noise, app_manifest *manifest,
                          bool *pairs, GError **error);
/** How many times each noisy series will be run again. */
size_t app_knockout_variants(const app_noise *noise, bool pairs);

/**
 * @param experiment as @p results were run; nothing of it is recorded, kept or listened to
 * @param results borrowed; of passes from a cold start, or steady: then the runs without a
 *   component are as long, and as many, as those with all, and the same warm-up is cut. Series of
 *   one run are left out
 * @return owned by the caller; of the sizes that were finished, where it was asked to stop. NULL
 *   with an error
 */
app_knockout *app_knockout_run(const app_experiment *experiment, const app_results *results,
                               bool pairs, GError **error);
/**
 * The same, without pairs, within @p seconds of wall time: the first series in any case, another
 * one if those before tell that it will be finished by then; then no more.
 */
app_knockout *app_knockout_run_within(const app_experiment *experiment, const app_results *results,
                                      double seconds, GError **error);
/**
 * The same where it was asked for and is not in vain: --knock-out as it was given, or NULL.
 * @param out receives it; NULL: not asked for, or the experiment was stopped before
 */
bool app_knockout_run_if(const char *asked, const app_experiment *experiment,
                         const app_results *results, bool pairs, app_knockout **out,
                         GError **error);
void app_knockout_free(app_knockout *knockout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_knockout, app_knockout_free)
