/* sim/engine/run_turn.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * All that happens in the turns of ranks, as one source. It is compiled twice: for plain runs,
 * which poll and which nobody watches (run_plain.c: ENGINE_PLAIN is 1), and for all (run_full.c).
 * What is a question in the one has its answer in the other: together that takes a tenth off a run.
 */
#pragma once

#include "engine/run_turn_private.h"

#include "engine/run_cpu.h"
#include "engine/run_network.h"
#include "engine/run_ready.h"
#include "engine/run_window.h"

#define ENGINE_TURNS                                                                               \
    {                                                                                              \
        .begin_part = engine_begin_part, .run_window = engine_run_window,                          \
        .take_in = engine_take_in, .flush_delayed = engine_flush_delayed,                          \
        .deliver = engine_deliver, .step = engine_step                                             \
    }
