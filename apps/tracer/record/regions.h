/* apps/tracer/record/regions.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Numbers in the archive: every MPI function that is recorded is a region, and its
 * position in functions.txt is its number; attributes and parameters likewise.
 */
#pragma once

#include "sched/otf2_names.h"
#include "tracer_functions.h" /* made by functions.awk */

typedef enum {
#define X(name, ...) REGION_##name,
    TRACER_FUNCTIONS(X)
#undef X
        REGION_COUNT
} tracer_region;

typedef enum {
#define X(symbol, ...) ATTR_##symbol,
    SCHED_OTF2_ATTRIBUTES(X)
#undef X
        ATTR_COUNT
} tracer_attribute;

typedef enum {
#define X(symbol, name) PARAM_##symbol,
    SCHED_OTF2_PARAMETERS(X)
#undef X
        PARAM_COUNT
} tracer_parameter;
