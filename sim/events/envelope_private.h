/* sim/events/envelope_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The envelope by which a message and a receive are matched.
 */
#pragma once

#include "sim/program.h"

#define MATCHING_NONE 0U /* nobody's reference */

typedef struct matching_envelope {
    uint32_t rank;   /* the receiving one */
    uint32_t source; /* SIM_ANY: receive from anyone */
    uint32_t tag;    /* SIM_ANY: fits any */
    uint32_t comm;
} matching_envelope;

/** Something that waits: for the report of what was left over. */
typedef struct matching_left {
    uint32_t ref;
    bool is_message;
    matching_envelope envelope;
} matching_left;
