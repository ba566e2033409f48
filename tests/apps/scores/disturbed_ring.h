/* tests/apps/scores/disturbed_ring.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The record of a ring that was never run, as files: each rank computes for some 4 ms, sends to the
 * right, receives from the left. One rank may be disturbed for a part of its steps; how much it
 * loses, and since when, is known.
 */
#pragma once

#include "sim/time.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct disturbed_ring {
    uint32_t ranks, steps;
    uint32_t seed;     /* of a jitter of up to 2 % */
    uint32_t rank;     /* is disturbed … */
    uint32_t from, to; /* … in steps from..to - 1; none if they are the same */
    sim_time extra;    /* by so much in each */
    bool changed;      /* another program: barriers in place of messages */
} disturbed_ring;

/** Write the files of liballprof into @p folder, which exists. @return when step from begins on the
 * disturbed rank, from the first instant of the record */
sim_time disturbed_ring_write(const disturbed_ring *ring, const char *folder);
