/* apps/ripple/analysis/analysis_words.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What parts, causes and kinds of operations are called in each format.
 */
#pragma once

#include "analysis/analysis.h"

typedef struct app_part_words {
    const char *key;  /* "compute": in JSON and CSV */
    const char *name; /* the same for people */
    const char *unit; /* of its amount: "times", "bytes"; NULL: it has none */
    const char *what;
} app_part_words;

extern const app_part_words app_part_words_of[SIM_NUM_PARTS];
/** Can a run on this machine have it? Those of levels are left out where there is one. */
bool app_part_exists(const sim_run_facts *facts, int part);
extern const char *const app_cause_keys[SIM_NUM_CAUSES];
extern const char *const app_type_names[APP_NUM_TYPES];

/** "message of rank 3, operation 17", to one of @p rank. Owned by the caller. */
char *app_cause_text(const sim_cause *cause, uint32_t rank);
/** What is waited for, whoever waits: "message". */
const char *app_cause_name(unsigned kind);
/** "operation 17". Owned by the caller. */
char *app_operation_text(uint32_t op);
