/* apps/tracer/record/cpu.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Wall clock and CPU time of the calling thread. */
#pragma once

#include <stdint.h>

/** ns of the monotonic clock. */
uint64_t tracer_clock(void);
/** Find out how CPU time can be had; before the first tracer_cpu. */
void tracer_cpu_start(void);
/** CPU time of this thread in ns. @p wall: tracer_clock, read just now */
uint64_t tracer_cpu(uint64_t wall);
