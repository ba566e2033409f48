/* sim/chain.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Programs whose operations form a chain on every rank: one round after the other, each at most a
 * send, a receive that is posted when the send starts, and a computation that requires both. Under
 * polling such a program is a recurrence of sums and maxima, docs/model.md, section 6.1: it can
 * be evaluated for many replicas at once (sim/replica.h).
 */
#pragma once

#include "sim/program.h"

#include <stdbool.h>
#include <stdint.h>

#define SIM_NOBODY UINT32_MAX

typedef struct sim_chain_round {
    int64_t send;  /* bytes */
    int64_t recv;  /* bytes */
    sim_time work; /* computation after the receive; 0: no operation */
    uint32_t to;   /* SIM_NOBODY: nothing is sent */
    uint32_t from; /* SIM_NOBODY: nothing is received */
} sim_chain_round;

/** How far a rank is in its rounds; zeros at the beginning. */
typedef struct sim_chain_cursor {
    uint32_t phase;
    uint32_t position;
} sim_chain_cursor;

/**
 * How a program is read as a chain. Messages of one repetition never meet receives of another.
 */
typedef struct sim_chain_class {
    /** How often every rank does its rounds. */
    uint32_t (*repeat)(const sim_program *program);
    /** The next round of one repetition of @p rank. @return false: there are no more */
    bool (*next)(const sim_program *program, uint32_t rank, sim_chain_cursor *cursor,
                 sim_chain_round *round);
    /**
     * Is every round of rank r that of rank 0 with r added to both partners, modulo the number of
     * ranks? May say no where the answer is yes, which only takes longer.
     */
    bool (*rotates)(const sim_program *program);
    /** The same on 2^k ranks with exclusive-or in place of the sum. NULL: never. */
    bool (*mirrors)(const sim_program *program);
} sim_chain_class;
