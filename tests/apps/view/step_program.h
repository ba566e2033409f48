/* tests/apps/view/step_program.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Programs of equal steps, a computation and an exchange with neighbours: those that idle waves are
 * known of. docs/view.md, section 4.
 */
#pragma once

#include "sim/graph.h"
#include "sim/machine.h"

typedef enum step_exchange {
    STEP_HALO,    /* Isend and Irecv to and from all up to the distance on both sides; Waitall */
    STEP_PAIRS,   /* Sendrecv with one neighbour, then with the other, which does the same */
    STEP_SHIFTS,  /* Sendrecv upwards (to r + 1, from r - 1), then one downwards */
    STEP_ONE_WAY, /* Isend to r + 1, Irecv from r - 1; Waitall */
} step_exchange;

typedef struct step_program {
    step_exchange exchange;
    bool is_ring; /* else a chain with open ends */
    uint32_t num_ranks;
    uint32_t steps;
    uint32_t distance; /* STEP_HALO: of the farthest partner; else 1 */
    int64_t bytes;     /* of a message */
    sim_time work;     /* of a computation */
} step_program;

/** Owned by the caller. */
sim_graph *step_program_new(const step_program *program);
/** A machine on which messages of up to 8 KiB are eager, others rendezvous. */
sim_params step_params(void);
