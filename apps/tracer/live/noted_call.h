/* apps/tracer/live/noted_call.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file A call of the program, put together from its notes (buffer.h). */
#pragma once

#include "noise/call_events.h"

#include <stdbool.h>
#include <stdint.h>

/** Whom a call was with, as it was asked for. */
typedef enum {
    TRACER_PEER_NONE, /* nobody in particular, or not known */
    TRACER_PEER_RANK,
    TRACER_PEER_NOBODY, /* MPI_PROC_NULL */
    TRACER_PEER_ANY,    /* MPI_ANY_SOURCE */
    TRACER_PEER_ROOT
} tracer_peer_kind;

typedef struct tracer_noted_call {
    noise_call call;
    uint32_t region; /* regions.h */
    tracer_peer_kind peer_kind;
    uint32_t peer; /* RANK, ROOT: in the communicator */
    uint32_t comm; /* its number (comm.h); OTF2_UNDEFINED_COMM: not known */
} tracer_noted_call;
