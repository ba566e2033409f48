/* noise/monitor/interrupt_counts.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Interrupts and softirqs of each CPU, by the counters of /proc/interrupts and /proc/softirqs.
 * Periods with equally many (to within one) of a line on a CPU become one record.
 */
#pragma once

#include "nit/nit_writer.h"

typedef struct interrupt_counts interrupt_counts;

/** @param name "interrupts" or "softirqs", below the folder @p proc. @return NULL: not there */
interrupt_counts *noise_interrupt_counts_new(int proc, const char *name, noise_nit_writer *writer,
                                             uint64_t now);
/** Read the counters: some 1 us for each line and 0.1 us for each of its CPUs. */
void noise_interrupt_counts_read(interrupt_counts *counts, uint64_t now);
/** Tell the writer what is not told yet. */
void noise_interrupt_counts_tell(interrupt_counts *counts);
/** NULL is a no-op. */
void noise_interrupt_counts_free(interrupt_counts *counts);
