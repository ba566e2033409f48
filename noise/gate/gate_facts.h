/* gate/gate_facts.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the checks are asked about, and what a check is.
 */
#pragma once

#include "host/quota.h"
#include "host/ran.h"
#include "host/witness.h"
#include "noise/measurement.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the loop on one CPU says of itself. */
typedef struct noise_gate_loop {
    double share;         /* of its time that was lost, 0..1 */
    uint64_t t_min;       /* ticks of an iteration; 0: the method has none */
    uint64_t typical;     /* ticks: the median */
    uint64_t t_min_after; /* right after the loop; 0: not looked at */
    uint64_t backwards;   /* steps of the clock */
    bool bound;           /* binding worked */
    bool coarse_clock;
    bool two_speeds;
    bool too_many; /* more than 1 % of the iterations are detours at any threshold */
    bool full;     /* no more room, though the number of events was not limited to that */
} noise_gate_loop;

/* How far the clocks of two CPUs are apart. */
typedef struct noise_gate_offset {
    double ns;        /* against the first CPU's */
    double within_ns; /* the truth is at most so far away; 0: not looked at */
} noise_gate_offset;

typedef struct noise_gate_facts {
    const char *root;                 /* of the machine's files: "" */
    const noise_gate_loop *loop;      /* [num_cpus] */
    const noise_witness *witness;     /* [num_cpus] */
    const noise_gate_offset *offsets; /* [num_cpus] or NULL: not looked at */
    const char *clock_why;
    noise_quota quota[2];     /* before, after */
    noise_ran_counts *ran[2]; /* before, after; NULL: not read */
    uint32_t process;         /* that measures */
} noise_gate_facts;

typedef enum {
    NOISE_GATE_PASSED,
    NOISE_GATE_NOTED,      /* the sentence says what may mislead */
    NOISE_GATE_SPOILED,    /* the measurement is not valid */
    NOISE_GATE_NOT_LOOKED, /* the evidence cannot be had here */
} noise_gate_answer;

/* What a check looks at: of a check of the host, .at is 0. */
typedef struct noise_gate_view {
    const noise_measurement *result;
    const noise_gate_facts *facts;
    size_t at; /* index of the CPU */
    const noise_measurement_cpu *cpu;
    const noise_gate_loop *loop;
    const noise_witness *witness;
} noise_gate_view;

typedef struct noise_gate_check {
    const char *name;     /* "quota" */
    const char *evidence; /* where it looks */
    bool of_each_cpu;
    noise_gate_answer (*judge)(const noise_gate_view *view, GString *sentence);
} noise_gate_check;
