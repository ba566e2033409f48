/* host/witness.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * All that can be known of one thread and its CPU while it measures, without disturbing it: the
 * counters before and after, and the kernel's records of switches in between. By the thread itself.
 */
#pragma once

#include "host/cpu_time.h"
#include "host/frequency.h"
#include "host/interrupts.h"
#include "host/presence.h"
#include "noise/switches.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the kernel's records of context switches were had. */
typedef enum {
    NOISE_WITNESS_COUNTERS, /* not at all */
    NOISE_WITNESS_OWN,      /* of the own thread: when, not who */
    NOISE_WITNESS_CPU,      /* of the CPU: who ran, and when */
} noise_witness_records;

typedef struct noise_witness {
    uint32_t tid;      /* of the thread that measures */
    int64_t voluntary; /* context switches */
    int64_t involuntary;
    int64_t page_faults;
    noise_presence presence;
    bool rests;
    uint8_t *answers; /* [num_answers] of each detour: noise_presence_answer; NULL: not asked */
    size_t num_answers;
    noise_witness_records records;
    int refused;            /* errno of the records of the CPU; 0: they were had */
    noise_switch *switches; /* [num_switches] */
    size_t num_switches;
    uint64_t lost;                   /* records that there was no room for */
    noise_switches *source;          /* between begin and end */
    noise_interrupts *interrupts[2]; /* before, after */
    noise_interrupts *softirqs[2];
    noise_cpu_time time[2];
    noise_frequency frequency;       /* between begin and end */
    noise_frequency_counts clock[3]; /* begin, rest, end */
} noise_witness;

/** On the thread that measures, bound to @p cpu. May take 100 us. */
void noise_witness_begin(noise_witness *witness, uint32_t cpu);
/** What happened since the last question. @param witness noise_witness. @return
 * noise_presence_answer */
unsigned noise_witness_ask(void *witness);
/** The loop is over: what the thread does from now on is not counted. */
void noise_witness_rest(noise_witness *witness);
/** On the same thread, after that, or without it. */
void noise_witness_end(noise_witness *witness, uint32_t cpu);
/** Free what it holds. */
void noise_witness_clear(noise_witness *witness);
