/* apps/ripple/impact/mined.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file The result of `ripple mine`, as text, CSV and JSON. */
#pragma once

#include "impact/impact.h"
#include "mining/exemplar_find.h"
#include "output/context.h"

/** All borrowed. */
typedef struct app_mined {
    const noise_miner_report *report;
    const app_exemplar *exemplars; /* [n]; none: it is not known where rows were, or nobody asked */
    size_t n;
    bool shows;               /* the exemplars themselves, too: in text */
    size_t row;               /* of this row alone; SIZE_MAX: of all */
    const app_impact *impact; /* what rows cost; NULL: not asked for */
} app_mined;

/** To the place and in the format that the command line asks for. */
bool app_mined_write(const app_mined *mined, const app_context *context, GError **error);
