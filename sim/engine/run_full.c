/* sim/engine/run_full.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run, test_run_random, test_vectors. */
/* The turns of ranks in runs of any kind. */
#include "engine/run_turn.inl"

const engine_turns sim_engine_full_turns = ENGINE_TURNS;
