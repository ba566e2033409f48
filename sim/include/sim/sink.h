/* sim/sink.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Events of a run, handed on as they happen. At a million ranks nobody stores them.
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

/** One stretch of CPU activity of a rank. Idle time is what lies between two of them. */
typedef struct sim_event {
    sim_time start; /* when the CPU took it up */
    sim_time end;   /* when the CPU was free again */
    sim_time work;  /* CPU time it takes without noise: end - start - work is noise */
    uint32_t rank;
    uint32_t op; /* index in its rank; SIM_ANY: async, accepted before its receive was posted */
    uint32_t cause_rank; /* whose operation made it start when it did; own rank: own operation */
    uint32_t cause_op;   /* SIM_ANY: nothing */
    uint8_t type;        /* sim_op_type: calc, the overhead of a send, that of a receive */
    uint8_t cpu;
} sim_event;

typedef struct sim_sink sim_sink;
struct sim_sink {
    /** Events of one (rank, cpu) come in order of time; ranks interleave. Borrowed. */
    void (*events)(sim_sink *sink, const sim_event *events, size_t n);
};

G_END_DECLS
