/* sim/sink.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Events of a run, handed on as they happen. At a million ranks nobody stores them.
 */
#pragma once

#include "sim/noise.h"
#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
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
    uint32_t cause_op;   /* SIM_ANY: nothing, or not known (sim_sink.is_brief) */
    uint8_t type;        /* sim_op_type: calc, the overhead of a send, that of a receive */
    uint8_t cpu;
} sim_event;

typedef struct sim_sink sim_sink;
struct sim_sink {
    /** Events of one (rank, cpu) come in order of time; ranks interleave. Borrowed. */
    void (*events)(sim_sink *sink, const sim_event *events, size_t n);
    /**
     * NULL: one thread does the run, and all events go to this sink. Else called for each part of
     * the ranks, 0, 1, …, one after the other before the run: whom its events go to, by one thread
     * at a time; another part's may be told at the same time. Which rank is in which part depends
     * on the number of threads.
     * @param noise that of the run, NULL if there is none; it may be asked until the run is over
     * @return borrowed until then
     */
    sim_sink *(*part)(sim_sink *sink, const sim_noise *noise, uint32_t part);
    /**
     * Causes on the rank itself need not name the operation: cause_op may be SIM_ANY. Those on
     * other ranks do. Then a run that polls, and is not recorded, takes a third less time.
     */
    bool is_brief;
};

G_END_DECLS
