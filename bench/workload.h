/* bench/workload.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Programs to measure engines with, and to compare them on: what spec and publications use.
 */
#pragma once

#include "sim/graph.h"
#include "sim/machine.h"

typedef struct workload {
    const char *name;
    /** What @p rank of @p n does, into a builder that has begun that rank. */
    void (*rank)(sim_graph_builder *b, uint32_t rank, uint32_t n);
    uint32_t ranks; /* a size at which one run takes about a second */
    const sim_params *params;
} workload;

extern const workload WORKLOADS[];
extern const size_t NUM_WORKLOADS;
/** The network of Cray XT-4 as published simulations take it; polling, handshake. */
extern const sim_params WORKLOAD_PARAMS;

/** NULL: there is none of that name. */
const workload *workload_by_name(const char *name);
/** Owned by the caller. A program that cannot be built is an error of ours: aborts. */
sim_graph *workload_graph(const workload *work, uint32_t num_ranks);
