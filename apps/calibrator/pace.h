/* apps/calibrator/pace.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How fast this core computes now: slower while another hardware thread of the core is busy, which
 * in a virtual machine may be somebody else's, or while its clock is lower.
 */
#pragma once

#include <stdint.h>

/** ns of CLOCK_MONOTONIC. */
int64_t pace_clock(void);

/** ns that always the same arithmetic takes, some 3 us: as many independent instructions as a core
 * can start in each cycle, none of memory. */
int64_t pace_now(void);
