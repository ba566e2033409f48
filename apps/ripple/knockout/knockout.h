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
    app_knockout_gain *gains; /* [num_gains] one of each name, the largest mean first; fewer than
                               * there are names, if there was no time for all */
    size_t num_gains;
    app_knockout_gain *pairs; /* [num_pairs] the largest difference from the sum first */
    size_t num_pairs;
} app_knockout_table;

/** What is left out at a time. */
typedef struct app_knockout_part {
    char *name;    /* of the component, or "5 others together" */
    char **labels; /* of components, ends with NULL: noise_component_label(), but of several
                    * measured nodes the name that they have on all */
    bool is_rest;  /* those that take little, together */
} app_knockout_part;

typedef struct app_knockout_absent {
    uint32_t ranks;
    app_mode mode;
} app_knockout_absent;

typedef struct app_knockout {
    app_knockout_part *parts; /* [num_parts] those of one label are left out together */
    size_t num_parts;
    bool pairs;
    app_knockout_table *tables; /* [num_tables] by size, then mode */
    size_t num_tables;
    app_knockout_absent *left_out; /* [num_left_out] there was no time for them */
    size_t num_left_out;
    bool is_stopped; /* it was stopped: sizes are missing */
    bool is_invalid; /* the noise is of a measurement that is not valid: nothing is concluded */
} app_knockout;

/** What the verbs that have it say of --knock-out[=pairs|largest]. */
#define APP_KNOCKOUT_HELP                                                                          \
    "say what to switch off first: all noisy runs again without each component of the noise in "   \
    "turn, drawn alike; =pairs: also without each two; =largest: without each that takes 1 % of "  \
    "what all take or more, and without all others together"

typedef struct app_knockout_wish {
    bool wanted;
    bool pairs;
    bool largest; /* those that take less than APP_KNOCKOUT_LARGE of all go together */
    /* Of wall time, about: the first series in any case, another one if those before tell that it
     * will be finished by then, with time kept for the largest (knockout_room.h); 0: as long as it
     * takes. */
    double seconds;
    size_t most; /* of what is left out in turn, only the first so many; 0: all */
} app_knockout_wish;
#define APP_KNOCKOUT_LARGE 0.01

/** @param text "", "pairs", "largest"; NULL: not asked for. @return false with an error of usage */
bool app_knockout_resolve(const char *text, const app_noise *noise, app_manifest *manifest,
                          app_knockout_wish *wish, GError **error);

/** What is left out at a time. O(n^2) in components. @return [*n] owned by the caller */
app_knockout_part *app_knockout_parts_new(const app_noise *noise, bool largest, size_t *n);
void app_knockout_part_clear(app_knockout_part *part);
void app_knockout_parts_free(app_knockout_part *parts, size_t n);
/** Is a component of that label among them? */
bool app_knockout_part_has(const app_knockout_part *part, const noise_component *component);

/**
 * @param experiment as @p results were run; nothing of it is recorded, kept or listened to
 * @param results borrowed; of passes from a cold start, or steady: then the runs without a
 *   component are as long, and as many, as those with all, and the same warm-up is cut. What is a
 *   check of another size is left out
 * @return owned by the caller; of the sizes that were finished, where it was asked to stop. NULL
 *   with an error
 */
app_knockout *app_knockout_run(const app_experiment *experiment, const app_results *results,
                               const app_knockout_wish *wish, GError **error);
/**
 * The same where it was asked for and is not in vain.
 * @param out receives it; NULL: not asked for, or the experiment was stopped before
 */
bool app_knockout_run_if(const app_knockout_wish *wish, const app_experiment *experiment,
                         const app_results *results, app_knockout **out, GError **error);
void app_knockout_free(app_knockout *knockout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_knockout, app_knockout_free)
