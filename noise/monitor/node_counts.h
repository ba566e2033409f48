/* noise/monitor/node_counts.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What /proc/stat counts for the whole node: context switches, forks, time stolen by a hypervisor.
 */
#pragma once

#include "nit/nit_writer.h"

enum { NODE_COUNT_BYTES = 1 << 16 };

typedef struct node_counts {
    int fd; /* of /proc/stat; -1: not there */
    uint64_t read_at, switches, forks;
    uint32_t num_cpus;
    uint32_t *cpus;  /* [num_cpus] */
    uint64_t *steal; /* [num_cpus] in ticks */
    long clk_tck;
    char *buffer; /* [NODE_COUNT_BYTES] */
} node_counts;

void noise_node_counts_init(node_counts *counts, int proc, uint64_t now);
/** Add what was counted since the last call to @p seen, and tell the writer of steal. */
void noise_node_counts_read(node_counts *counts, noise_nit_writer *writer, nit_seen *seen,
                            uint64_t now);
void noise_node_counts_clear(node_counts *counts);
