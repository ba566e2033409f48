/* sim/engine/run_plain.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run, test_run_random, test_vectors. */
/* The turns of ranks in plain runs, which nearly all are. */
#define ENGINE_PLAIN  1
#define ENGINE_LEVELS 0
#include "engine/run_turn.inl"

const engine_turns sim_engine_plain_turns = ENGINE_TURNS;
