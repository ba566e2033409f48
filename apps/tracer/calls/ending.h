/* apps/tracer/calls/ending.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file From where recording begins to whatever ends the program before MPI_Finalize. */
#pragma once

#include <stdbool.h>

/** Everything is open: record from here on, and do not die without saving. */
void tracer_go(bool threads);
/** Write out what this process has, without talking to others. Once; later calls do nothing. */
void tracer_save(const char *why);
