/* apps/tracer/live/mine.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * NoiseMiner within the program: calls become a synopsis, if TRACER_ENV_MINE asks for it.
 */
#pragma once

#include "noise/call_events.h"

#include <stdbool.h>
#include <stdint.h>

/** In MPI_Init, when the rank is known. */
void tracer_mine_start(void);
/** Count the next call. */
void tracer_mine_call(const noise_call *call);
/** From @p enter to @p leave the rank did something else than the program's work. */
void tracer_mine_skip(sim_time enter, sim_time leave);
/** Is it time to write down what there is? @p now, ns */
bool tracer_mine_due(uint64_t now);
/** Into the file mine.RANK, whole or not at all. @return false: could not */
bool tracer_mine_save(void);
/**
 * The synopses of all ranks, united in the file mine.synopsis by rank 0. Collective.
 * @return false: could not; said. What ranks have written of their own is dropped otherwise
 */
bool tracer_mine_unite(void);
