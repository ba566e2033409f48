/* apps/ripple/pages/component_view.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What is shown of what was mined.
 */
#pragma once

#include "mining/exemplar.h"
#include "noise/miner.h"

/** What the page shows. All borrowed. */
typedef struct app_component_view {
    const char *title;
    const char *made_by; /* version and command, as the head of text results has them; NULL: none */
    const noise_miner_report *report;
    const app_exemplar *exemplars; /* [num_exemplars] in any order; of rows of the report */
    size_t num_exemplars;
    const char *const *gains; /* [num_rows] "without it the job gains 3.1 % ..."; NULL: not known,
                               * also of single rows */
    const char *const *notes; /* NULL-terminated; what the numbers do not stand for; NULL: none */
} app_component_view;
