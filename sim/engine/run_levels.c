/* sim/engine/run_levels.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_levels, test_run_levels_random. */
/* The turns of ranks in runs that are plain but for the levels of their machine. */
#define ENGINE_PLAIN 1
#include "engine/run_turn.inl"

const engine_turns sim_engine_levels_turns = ENGINE_TURNS;
