/* apps/tracer/record/noted.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What is worked out within the program: notes of calls become calls again, which the miner and the
 * matcher of typical sequences take. A call costs it nothing but its notes, which are read a buffer
 * full at a time.
 */
#pragma once

#include "record/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** In MPI_Init, when rank and the clock's offset are known. Collective. @param entered when, ns */
void tracer_noted_start(uint64_t entered);
/** Does anybody want calls? */
static inline bool tracer_noted_wanted(void)
{
    return tracer.mining;
}
/** Read @p n words of notes (buffer.h). The last call stays open. Under the lock of the notes. */
void tracer_noted_take(const uint64_t *notes, size_t n);
/** Nobody computed since the last call was over, until @p now, ns. */
void tracer_noted_flushed(uint64_t now);
/** The call that is open, if one is, is over. */
void tracer_noted_leave(void);
/** Is it time to write something down? @p now, ns */
bool tracer_noted_due(uint64_t now);
/** Write down what is due. Nobody computes meanwhile. */
void tracer_noted_write(uint64_t now);
