/* apps/ripple/losses/losses_words.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the ranks lost, in words that the text and the page share. All texts are owned by the
 * caller.
 */
#pragma once

#include "losses/losses.h"

/** "4.2 ms" */
char *app_losses_duration(double ns);
/** The job itself and the watcher took time, too, but switching them off is no way out. */
bool app_losses_is_culprit(const noise_join_row *row);
/** "`cron`" */
char *app_losses_culprit(const noise_join_row *row);
/** "rank 5 lost 3.1 % to `cron`, every 25 s, 4.2 ms, CPU 1" */
char *app_losses_row_text(const noise_join_row *row, uint64_t wall_ns);
/** "rank 5: of 60 s lost 1.2 s computing (2 %), 99 % of it joined to a name" */
char *app_losses_total_text(const noise_join *join, const noise_join_total *total);
/** Of a rank that has one. */
const noise_join_total *app_losses_total_of(const noise_join *join, uint32_t rank);
/** How that is known, and what is not: sentences, ends with NULL. */
char **app_losses_how(const app_losses *losses);
