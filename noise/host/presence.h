/* host/presence.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Was this thread switched away since it was last asked, and is it still on its CPU? Asked in the
 * rare path of a benchmark's loop, right after a gap, so that every gap is known for what it is.
 *
 * The kernel keeps a word for every thread ("restartable sequences", rseq(2)): on the way back from
 * a switch, a migration or work done for the thread, it clears the address of a critical section
 * that the thread is not in. A word that is still there costs one load to see, and says that
 * nothing of the kind has happened. Where it was cleared, the count of switches (getrusage)
 * decides, and the word is written again. It needs no privilege, Linux 4.18 and glibc 2.35.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    NOISE_PRESENCE_KEPT = 1 << 0,     /* on the CPU all the time, but for interrupts */
    NOISE_PRESENCE_SWITCHED = 1 << 1, /* another thread ran */
    NOISE_PRESENCE_WORKED = 1 << 2,   /* the kernel did work for this thread, after an interrupt */
    NOISE_PRESENCE_MOVED = 1 << 3,    /* beside one of the others: now on another CPU */
} noise_presence_answer;              /* 0: not known */

typedef struct noise_presence {
    volatile uint64_t *word; /* NULL: this kernel or C library does not know rseq */
    int64_t switches;        /* when last asked */
    uint32_t cpu;            /* on which the thread belongs */
    uint64_t num_moved;      /* answers with MOVED */
    uint32_t moved_to;       /* the CPU of the first of them */
} noise_presence;

/** Of the calling thread, from now on. @param cpu where it is bound */
noise_presence noise_presence_begin(uint32_t cpu);
/** Ends the watch: the kernel is told of no critical section any more. */
void noise_presence_end(noise_presence *presence);
/**
 * Since it was last asked. By the thread that began. Some 20 ns; a system call (0.3 us) only where
 * the kernel cleared the word.
 * @return noise_presence_answer
 */
unsigned noise_presence_ask(noise_presence *presence);
