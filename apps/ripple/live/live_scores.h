/* apps/ripple/live/live_scores.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The samples of a run that goes on, out of the files that its ranks append to, into a scorer. So
 * the scores are those of the same run afterwards. docs/interference.md.
 */
#pragma once

#include "noise/interference.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef void app_live_tell(void *to, const noise_interference_event *event);

typedef struct app_live_scores app_live_scores;

/**
 * Of the run that is recorded into @p folder; nothing needs to be there yet.
 * @param model borrowed, must outlive the result
 * @param tell  as noise_interference_options has it
 */
app_live_scores *app_live_scores_new(const char *folder, const noise_interference_model *model,
                                     app_live_tell *tell, void *to);
void app_live_scores_free(app_live_scores *scores); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_live_scores, app_live_scores_free)

/** So many samples of a rank wait for those of ranks that lag, at most: 48 bytes each. */
#define APP_LIVE_MOST_WAITING 3072

/**
 * Score what has been added. A rank that is ahead of others is read no further than so many samples
 * wait; the rest stays in its file, and nothing is dropped. What is wrong, app_live_scores_finish()
 * says. O(what is new).
 */
void app_live_scores_poll(app_live_scores *scores);

/** How the ranks ended. */
typedef struct app_live_end {
    uint32_t num_ranks;
    uint32_t missing; /* of which nothing is there */
    uint32_t cut_off; /* that did not come to MPI_Finalize; those missing included */
    uint32_t first;   /* of those */
    sim_time until;   /* up to here, at least, each of them is scored; ps of the run */
} app_live_end;

/**
 * No rank writes any more: score the rest. Once; nothing is polled afterwards.
 * @return false: nothing was handed on, a file is damaged or of another run or model, or the model
 *   cannot score this run
 */
bool app_live_scores_finish(app_live_scores *scores, app_live_end *end, GError **error);
/** Finished. Borrowed. */
const noise_interference_scorer *app_live_scores_scorer(const app_live_scores *scores);
/** Remove the files that were read: what they took on the disk has partly been given back. */
void app_live_scores_remove(const app_live_scores *scores);

/** Is there anything that ranks have handed on? */
bool app_live_scores_are_in(const char *folder);
