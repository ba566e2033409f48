/* tests/apps/watched_node.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a watch leaves of a run on a node of two CPUs, a rank on each, written by hand: the node's
 * file, and the switches of each rank.
 */
#pragma once

#include "noise/nit.h"
#include "noise/switch_record.h"

#include <stddef.h>
#include <stdint.h>

#define WATCHED_NODE_BOOT "6f9619ff-8b86-d011-b42d-00c04fc964ff"
enum { WATCHED_NODE_RANK0 = 100 }; /* pid of rank 0; those of the others follow */

/** When the run was, ns on the node's monotonic clock. */
typedef struct watched_time {
    uint64_t begin, length;
} watched_time;

/** The node's file in @p folder. */
void watched_node_write(const char *folder, watched_time when, const noise_nit_thread *threads,
                        size_t num_threads, const noise_nit_activity *activities,
                        size_t num_activities);

/** When a rank was off its CPU, which has its number. */
void watched_rank_write(const char *folder, watched_time when, uint32_t rank,
                        const noise_switch_record *records, size_t num);
