/* apps/tracer/calls/large_count.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * MPI 4 has each function that takes counts twice: MPI_Send with int, MPI_Send_c with MPI_Count,
 * which are recorded alike. So wrappers with counts stand in files X.inl, which X.c includes once
 * for each form that the MPI has, with these macros set:
 *
 *     FORM(NAME)       NAME or NAME_c
 *     COUNT, PLACE     types of a count; of a place in a buffer, counted in elements or bytes
 */
#pragma once

#include "tracer_functions.h"

#ifdef TRACER_HAS_Send_c
#define TRACER_LARGE_COUNTS 1
#endif

#define TRACER_JOIN_NAMES(a, b) a##b
#define TRACER_JOIN(a, b)       TRACER_JOIN_NAMES(a, b)
/** In those files: the library's function, and the number of the region. */
#define REAL(NAME)   TRACER_JOIN(real_, FORM(NAME))()
#define REGION(NAME) TRACER_JOIN(REGION_, FORM(NAME))
