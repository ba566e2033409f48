/* tests/noise/monitor/fake_proc.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A folder that looks like /proc and changes as the test says. Files are written in place, as the
 * monitor keeps them open.
 */
#pragma once

#include <stdint.h>

typedef struct fake_thread {
    uint32_t pid, tid, parent;
    const char *name;
    char state;
    uint32_t flags, cpu, num_threads;
    uint64_t start;
    uint64_t cpu_ns, delay_ns, slices;
    uint64_t voluntary, involuntary;
} fake_thread;

/** Owned by the caller. */
char *fake_proc_new(void);
/** Removes the folder. */
void fake_proc_free(char *folder);
void fake_proc_put(const char *folder, const char *name, const char *text);
/** Write its files, below task/ and for leaders beside. */
void fake_proc_thread(const char *folder, const fake_thread *thread);
/** It ends: who has its files open finds nothing in them. */
void fake_proc_end(const char *folder, const fake_thread *thread);
