/* apps/tracer/record/comm.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file The communicators of this process and their numbers, which are the same on all members. */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tracer_comm {
    MPI_Comm handle;
    uint32_t id; /* the same on all members */
    int size;
    int rank;
    bool known; /* false: not within the world, or made behind our back */
} tracer_comm;

/** MPI_COMM_WORLD and MPI_COMM_SELF; before any other is looked up. */
void tracer_comm_start(void);
/** Never NULL; .known is false where messages cannot be attributed. Valid until the next call. */
const tracer_comm *tracer_comm_find(MPI_Comm comm);
/**
 * Can it be numbered? Not an intercommunicator, nor one with processes outside MPI_COMM_WORLD,
 * which know nothing of our numbers. All members that are recorded answer the same.
 */
bool tracer_comm_within_world(MPI_Comm comm);
/** The members of a new communicator agree on its id. Collective; not under the lock. */
uint32_t tracer_comm_agree(MPI_Comm comm);
/** Know it from here on. */
void tracer_comm_add(MPI_Comm comm, uint32_t id);
/** This process's rank in the communicator of that id, which it is or was in. */
uint32_t tracer_comm_rank(uint32_t id);
/** How many processes are in it; 0: it is not known. */
uint32_t tracer_comm_size(uint32_t id);
void tracer_comm_forget(MPI_Comm comm);
/** An id for a communicator whose rank 0 is this process. */
uint32_t tracer_comm_new_id(void);
/** The communicators whose rank 0 is this process: id, size, members, id, size, ... */
const uint32_t *tracer_comm_led(size_t *words);
/**
 * At the end: say in this process's definitions which number each of its communicators has in the
 * archive, where they are counted in the order of their ids. Collective.
 * @param all  rank 0: what all processes led, as tracer_comm_led has it; others: @p words is 0
 */
void tracer_comm_number(const uint32_t *all, size_t words);
