/* apps/tracer/calls/prototypes.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file All that an MPI declares: functions.awk reads what the preprocessor makes of it. */
#pragma once

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h> /* Open MPI's extensions, MPIX_... */
#endif
