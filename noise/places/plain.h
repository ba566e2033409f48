/* noise/places/plain.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The plain case: each rank sees one trace from one offset on. So it is with one group of detours,
 * of which all cores of a rank meet the same, and without rates.
 */
#pragma once

#include "detours/layout.h"
#include "noise/injection.h"
#include "sim/noise_lanes.h"

#include <stdbool.h>

typedef struct noise_plain {
    const noise_signature *signature;
    const noise_injection_options *options; /* borrowed */
    noise_group group;                      /* the only one; CORE where there is none */
    bool is_plain;                          /* else the rest means nothing */
} noise_plain;

noise_plain noise_plain_of(const noise_signature *signature,
                           const noise_injection_options *options);
/** Is it read at the rates of clocks that differ? Co-scheduled nodes share one clock. */
bool noise_plain_drifts(const noise_plain *plain);
/** Does it depend on the replica which ranks see anything? Then replicas do not share lanes. */
bool noise_plain_is_drawn(const noise_plain *plain);
/** Are all ranks struck, by the same? */
bool noise_plain_is_same(const noise_signature *signature);
uint32_t noise_plain_node(const noise_plain *plain, uint32_t rank);
/** Whose offset it has: its first core; 0, that of the node, where cores are struck together. */
uint32_t noise_plain_core(const noise_plain *plain, uint32_t rank);
/** What @p rank sees, or NULL. Borrowed. */
const noise_detour_trace *noise_plain_trace(const noise_plain *plain, uint32_t rank);
/** The same as tables. */
const sim_detours *noise_plain_tables(const noise_plain *plain, uint32_t rank);
/** From where on. @param common noise_draw_common() of the replica */
sim_time noise_plain_offset(const noise_plain *plain, uint32_t replica, sim_time common,
                            uint32_t rank, sim_time period);
