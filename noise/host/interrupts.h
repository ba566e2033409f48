/* host/interrupts.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How often each interrupt, or softirq, came to each CPU: /proc/interrupts and /proc/softirqs.
 */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

typedef struct noise_interrupt_line {
    char *id;        /* "LOC", "36", "RCU" */
    char *name;      /* "LOC: Local timer interrupts", "RCU" */
    uint64_t *count; /* [num_cpus] */
} noise_interrupt_line;

typedef struct noise_interrupts {
    size_t num_cpus;
    uint32_t *cpus; /* [num_cpus] of each column; CPUs that are off have none */
    size_t num_lines;
    noise_interrupt_line *lines; /* without those that the kernel does not count by CPU */
} noise_interrupts;

/** @param path "/proc/interrupts" or "/proc/softirqs". @return owned; empty if not readable */
noise_interrupts *noise_interrupts_read(const char *root, const char *path);
void noise_interrupts_free(noise_interrupts *interrupts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_interrupts, noise_interrupts_free)

/** What one line brought to one CPU between two readings. */
typedef struct noise_interrupt_growth {
    const noise_interrupt_line *line; /* of the later reading */
    uint64_t count;                   /* > 0 */
} noise_interrupt_growth;

/** Of all lines that grew on @p cpu, largest first. @return array, owned by the caller */
GArray *noise_interrupts_growth(const noise_interrupts *before, const noise_interrupts *after,
                                uint32_t cpu);
/** The sum over all lines. */
uint64_t noise_interrupts_total(const GArray *growth);
