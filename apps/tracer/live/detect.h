/* apps/tracer/live/detect.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Typical sequences found in the calls of this rank while it runs, if TRACER_ENV_DETECT asks for
 * it, and how long they took handed on to whoever scores them. docs/interference.md.
 */
#pragma once

#include "live/noted_call.h"

#include <stdbool.h>
#include <stdint.h>

/** In MPI_Init: rank 0 reads the model and tells the others its sequences. Collective. */
void tracer_detect_start(void);
/** The next call; also MPI_Init and MPI_Finalize. */
void tracer_detect_call(const tracer_noted_call *call);
/** From @p enter to @p leave the rank did something else than the program's work. */
void tracer_detect_skip(sim_time enter, sim_time leave);
/** Is it time to hand on what there is? @p now, ns */
bool tracer_detect_due(uint64_t now);
/** Hand it on. */
void tracer_detect_hand_on(void);
/** The last, by MPI_Finalize. Collective. @return true: it is there of all ranks; else said */
bool tracer_detect_finish(void);
/** The last, of a program that ends before. @return false: it is not all there; said */
bool tracer_detect_cut_off(void);
