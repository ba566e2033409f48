/* apps/ripple/output/miner_when.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * When what was mined came: in words, CSV and JSON. Times are those of the events, as of exemplars.
 */
#pragma once

#include "noise/miner.h"

#include <json-glib/json-glib.h>
#include <stdbool.h>
#include <stdio.h>

/** Columns of CSV. */
#define APP_MINER_WHEN_CSV "when,when_from_ns,when_to_ns,when_times,when_chance"

/**
 * "from 12.1s on (epochs 5-8 of 8)", "x3.2 until 4s (epochs 1-3 of 9)", "not 4s to 6s (…)", "no
 * change", "too few" hits to tell, "-" where it is not known. Owned by the caller.
 */
char *app_miner_row_when(const noise_miner_report *report, const noise_miner_row *row);
/** The cells of APP_MINER_WHEN_CSV, with a comma before each. */
void app_miner_when_csv(const noise_miner_report *report, const noise_miner_row *row, FILE *out);
/** Members of the object of a row: "when", and "hits" and "seen_s" of each epoch. */
void app_miner_when_build(const noise_miner_report *report, const noise_miner_row *row,
                          JsonBuilder *builder);
/** The member "epochs" of the report; none in published modes. */
void app_miner_epochs_build(const noise_miner_report *report, JsonBuilder *builder);

/** "0,5-7" of ranges of ranks, at most @p most of them, and "..." where that is not all. Owned by
 * the caller. */
char *app_miner_ranks(const uint32_t (*ranks)[2], uint32_t n, bool exact, uint32_t most);
/** "clock drift: +15 % (14.8 % .. 15.2 %) from 12.1s on (epochs 9-15 of 15), rank 3: a step of all
 * 5 types of events". Owned by the caller. */
char *app_miner_drift_words(const noise_miner_report *report, const noise_miner_drift *drift);
/** The member "clock_drift", a list. */
void app_miner_drifts_build(const noise_miner_report *report, JsonBuilder *builder);
/** A line of CSV for each, as those of rows; @p nothing behind it. */
void app_miner_drifts_csv(const noise_miner_report *report, const char *nothing, FILE *out);
