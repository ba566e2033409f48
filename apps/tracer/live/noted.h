/* apps/tracer/live/noted.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What is worked out within the program: notes of calls become calls again, which the miner and
 * the matcher of typical sequences take. A call costs it nothing but its notes, which are read a
 * buffer full at a time.
 */
#pragma once

#include <stdint.h>

/** In MPI_Init, when rank and the clock's offset are known. Collective. @param entered when, ns */
void tracer_noted_start(uint64_t entered);
