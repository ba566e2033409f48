/* noise/join_records.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Who ran on a node by the kernel's own records of its CPUs, in place of what a watch saw between
 * its sweeps: reports, pages and traces of the watch are then of what happened, to the nanosecond.
 * docs/monitor.md, section 6. Not installed.
 */
#pragma once

#include "noise/activity_timeline.h"
#include "noise/join.h"

#include <glib.h>

/**
 * Replace activities of @p nit by one for each wake-up on a CPU, as it was recorded: from when the
 * thread was put there until it slept, with the CPU time that it had, and how often it was put
 * there. What was seen where records are missing stays, less what is recorded. A thread without a
 * name is one called NOISE_JOIN_UNNAMED. O(n log n) in activities and records.
 * @param since   [nit->num_threads] of noise_join_add_names(); NULL: from start_ticks on
 * @param cpu     [num_cpus] of nodes of @p nit, on its clock
 * @return GArray of noise_exact: each time that a thread was on a CPU; owned by the caller
 */
GArray *noise_join_take_records(noise_nit *nit, const uint64_t *since, const noise_join_cpu *cpu,
                                size_t num_cpus);
