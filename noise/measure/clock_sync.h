/* noise/measure/clock_sync.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How far the counters of several CPUs are apart: sockets may have counters of their own, which
 * firmware or a hypervisor has set at different times.
 */
#pragma once

#include "gate/gate_facts.h"
#include "measure/clock.h"

#include <stddef.h>
#include <stdint.h>

/**
 * Threads on the first CPU and on each of the others read their counters in turn, a thousand
 * times; the shortest way there and back counts. The offset is exact to half of it, some 100 ns.
 * A pair that does not get its CPUs at once gives up after 0.1 s.
 * @param out [n] the first is 0; within_ns 0: given up
 */
void noise_clock_compare(noise_clock clock, double ticks_per_second, const uint32_t *cpus, size_t n,
                         noise_gate_offset *out);
