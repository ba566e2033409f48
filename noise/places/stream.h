/* noise/places/stream.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A list of detours as one core meets it: from an offset on, at the rate of the node's clock, and
 * of the detours of a node only those that strike this core. It has no beginning: before instant 0
 * it goes on as after.
 */
#pragma once

#include "noise/detour_tables.h"
#include "noise/injection.h"
#include "places/drift.h"
#include "sim/noise_lanes.h"

#include <stdbool.h>

typedef struct noise_stream {
    const sim_detours *detours;
    noise_detour_numbers numbers; /* of them; where there are several cores */
    sim_time offset;              /* 0..period: where in it instant 0 is */
    uint64_t clock;               /* rate, as of drift.h */
    /* Of these cores of the node each detour strikes one; 1: every detour strikes this core. */
    uint32_t cores;
    uint32_t core;
    uint32_t node;
    const noise_injection_options *options; /* what decides which; where there are several cores */
} noise_stream;

/** A detour of a stream: number i of the period that begins at clock instant lap. */
typedef struct noise_stream_place {
    sim_time lap;
    size_t i;
} noise_stream_place;

/** The first detour, struck or not, that ends after wall instant @p t, 0..2 * SIM_TIME_MAX. */
noise_stream_place noise_stream_seek(const noise_stream *s, sim_time t);
void noise_stream_next(const noise_stream *s, noise_stream_place *place);
void noise_stream_previous(const noise_stream *s, noise_stream_place *place);
/** On the wall; may be below 0, and is at most 2 * SIM_TIME_MAX. */
sim_time noise_stream_start(const noise_stream *s, noise_stream_place place);
sim_time noise_stream_end(const noise_stream *s, noise_stream_place place);
/** Does it strike this core? The same after noise_draw_struck_laps() periods. */
bool noise_stream_strikes(const noise_stream *s, noise_stream_place place);
