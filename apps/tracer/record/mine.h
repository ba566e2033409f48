/* apps/tracer/record/mine.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * NoiseMiner within the program: notes of calls become a synopsis, if TRACER_ENV_MINE asks for it.
 * A call costs it nothing but its notes, which are counted a buffer full at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** In MPI_Init, when rank and the clock's offset are known. Collective. @param entered when, ns */
void tracer_mine_start(uint64_t entered);
/** Count @p n words of notes (buffer.h). The last call stays open. Under the lock of the notes. */
void tracer_mine_notes(const uint64_t *notes, size_t n);
/** Nobody computed since the last call was over, until @p now, ns. */
void tracer_mine_flushed(uint64_t now);
/** Count the call that is open, if one is. */
void tracer_mine_leave(void);
/** Is it time to write down what there is? @p now, ns */
bool tracer_mine_due(uint64_t now);
/** Into the file mine.RANK, whole or not at all. @return false: could not */
bool tracer_mine_save(void);
/**
 * The synopses of all ranks, united in the file mine.synopsis by rank 0. Collective.
 * @return false: could not; said. What ranks have written of their own is dropped otherwise
 */
bool tracer_mine_unite(void);
