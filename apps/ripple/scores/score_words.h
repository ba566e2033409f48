/* apps/ripple/scores/score_words.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file A score in words, which text and page share. All texts are owned by the caller. */
#pragma once

#include "scores/score.h"

/** "disturbed", "clean", "changed", "no samples". Static. */
const char *app_score_verdict(noise_interference_verdict verdict);
/** "< 1e-9", "0.012". */
bool app_score_is_judged(const noise_interference_judgement *judgement);
/** What the verdict rests on; of a clean rank, that nothing disturbed it. Borrowed. */
const noise_interference_finding *app_score_finding(const noise_interference_judgement *judgement);
char *app_score_p_value(double p);

/** What the table has: "rank", "verdict", …; NULL-terminated. */
extern const char *const APP_SCORE_COLUMNS[];
/** A row of it; NULL-terminated. */
char **app_score_cells(const app_score *score, uint32_t rank);
/** How many rows people are shown: all that are not clean before the others, at most so many. */
enum { APP_SCORE_ROWS = 20 };
uint32_t app_score_num_rows(const app_score *score);

/** "rank 1 was disturbed from 12.3s on: …", of a rank that is not clean. */
char *app_score_rank_text(const app_score *score, uint32_t rank);
/** What all of it comes to, in sentences: of char *. */
GPtrArray *app_score_findings(const app_score *score);
/** What it stands on, and what it does not say: of char *. */
GPtrArray *app_score_notes(const app_score *score);
