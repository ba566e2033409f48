/* sim/events/left_over_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a run has left over when nothing can go on: messages and receives without a partner, and
 * operations that never became ready.
 */
#pragma once

#include "sim/program.h"

/** A message or a receive that never came to its end. */
typedef struct left_over {
    int64_t size;
    uint32_t rank; /* whose operation it is */
    uint32_t op;
    uint32_t peer; /* message: its receiver; receive: its source or SIM_ANY */
    uint32_t tag;
    uint32_t comm;
    bool is_message;
} left_over;

/**
 * Is nothing left over?
 * @param left of left_over; sorted here
 * @return false with SIM_ERROR_UNMATCHED: the first ten, and the dependency cycle if there is one
 */
bool sim_left_overs_report(const sim_program *program, const void *cursor, GArray *left,
                           GError **error);
