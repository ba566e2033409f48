/* sim/engine/run_turn.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * All that happens in the turns of ranks, as one source. It is included by five, and so compiled
 * five times: for plain runs, which poll and which nobody watches, on machines with one level
 * (run_plain.c: ENGINE_PLAIN is 1, ENGINE_LEVELS 0) and with levels (run_levels.c); for those that
 * are plain but for async (run_async.c: ENGINE_ASYNC is 1), or for a brief sink (run_told.c:
 * ENGINE_TOLD is 1); and for all (run_full.c). What the general source tests at run time is a
 * constant in the others, which makes a plain run a tenth faster.
 */
#pragma once

#include "engine/run_steps_private.h"

#include "engine/run_cpu.inl"
#include "engine/run_network.inl"
#include "engine/run_ready.inl"
#include "engine/run_window.inl"

#include "engine/run_begin.inl" /* after what it calls */

#define ENGINE_TURNS                                                                               \
    {                                                                                              \
        .begin_partition = engine_begin_partition, .run_window = engine_run_window,                \
        .run_ahead = engine_run_ahead, .take_in = engine_take_in,                                  \
        .flush_delayed = engine_flush_delayed, .deliver = engine_deliver,                          \
        .release = engine_release_send, .step = engine_step                                        \
    }
