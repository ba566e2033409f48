/* sim/engine/run_async.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run, test_run_random, test_vectors. */
/* The turns of ranks in runs that are plain but for messages being accepted as they arrive. */
#define ENGINE_PLAIN  1
#define ENGINE_ASYNC  1
#define ENGINE_LEVELS 0
#include "engine/run_turn.inl"

const engine_turns sim_engine_async_turns = ENGINE_TURNS;
