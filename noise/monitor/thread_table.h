/* noise/monitor/thread_table.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The threads that are there: an array to walk through, and where each thread stands in it.
 */
#pragma once

#include "monitor/proc_file.h"
#include "noise/nit.h"

/** One thread. Its files stay open while there are descriptors; a descriptor stays with its thread,
 * so that a later one of the same number is never taken for it. */
typedef struct watched_thread {
    uint32_t tid, pid, parent;
    int schedstat, stat, status; /* descriptors; -1: opened for each look */
    uint32_t index;              /* in the file; UINT32_MAX: not told yet */
    uint32_t num_threads;        /* of its process, of which the task folder was read; leaders */
    uint64_t start_ticks;
    proc_schedstat last; /* at the last look */
    proc_switches switches;
    uint64_t looked, active; /* when: the last look; the last change */
    bool is_open;            /* an activity is going on */
    noise_program_class kind;
    uint32_t cpu;
    noise_nit_activity activity;
    char name[64];
} watched_thread;

typedef struct thread_table {
    watched_thread *threads; /* [num] */
    uint32_t num, capacity;
    uint32_t *slots; /* [num_slots] 1 + index, by number of the thread; 0: free */
    uint32_t num_slots;
} thread_table;

void noise_thread_table_init(thread_table *table);
/** Does not close descriptors. */
void noise_thread_table_clear(thread_table *table);
/** NULL: not there. Valid until one is added or removed. */
watched_thread *noise_thread_table_find(const thread_table *table, uint32_t tid);
/** One that is not there yet; all but its numbers is 0, its descriptors -1. */
watched_thread *noise_thread_table_add(thread_table *table, uint32_t pid, uint32_t tid);
/** The last one takes its place. */
void noise_thread_table_remove(thread_table *table, uint32_t index);
