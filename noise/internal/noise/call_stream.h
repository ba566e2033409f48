/* noise/call_stream.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which of a rank's calls are in its stream, and what it computed before each:
 * docs/interference.md, section 2. The tracer and what reads its traces both go through here, so
 * that scores are the same on-line and afterwards. No GLib. Not installed.
 */
#pragma once

#include "noise/call_events.h"
#include "noise/call_symbol.h"
#include "noise/sequences.h"

/** Of one rank; begun by noise_call_stream_begin(). */
typedef struct noise_call_stream {
    noise_match match;
    bool begun;
    bool polls;       /* the last call was a test that found nothing complete */
    sim_time leave;   /* of the last call */
    sim_time compute; /* since the last call that is in the stream */
    sim_time cpu;     /* CPU time in it */
    bool unknown;     /* not of all of it */
} noise_call_stream;

/** MPI_Init has returned at @p leave: calls are those that follow. */
void noise_call_stream_begin(noise_call_stream *stream, noise_match match, sim_time leave);

/**
 * The next call of the rank; neither MPI_Init nor MPI_Finalize. A test that finds nothing complete
 * is none of the stream: how often a rank asks depends on others. What it computes before the first
 * of a run of them counts for the call that comes next; between two of them it waits.
 * @param peer of the call, for its symbol
 * @return false: it is none
 */
bool noise_call_stream_take(noise_call_stream *stream, const noise_call *call,
                            const noise_call_peer *peer, noise_sequence_call *out);

/**
 * From @p enter to @p leave the program was not itself: that is no computation. Of what it computed
 * before @p enter the CPU time is not known.
 */
void noise_call_stream_skip(noise_call_stream *stream, sim_time enter, sim_time leave);
