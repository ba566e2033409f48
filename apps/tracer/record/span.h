/* apps/tracer/record/span.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How long a run takes that is not recorded: wall clock and CPU time of each rank from the end of
 * MPI_Init to the beginning of MPI_Finalize, and nothing of the calls between (TRACER_ENV_SPAN).
 */
#pragma once

#include <stdbool.h>

/** Is that all that is wanted of this run? */
bool tracer_span_is_wanted(void);
/** The ranks leave MPI_Init together, and their clocks start. Collective. */
void tracer_span_begin(void);
/** The clocks stop; rank 0 writes TRACER_SPAN_FILE. Collective; nothing if it was not begun. */
void tracer_span_end(void);
