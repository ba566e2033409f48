/* sim/engine/run_told.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_sink. */
/* The turns of ranks in runs that are plain but for a sink, which is brief. */
#define ENGINE_PLAIN 1
#define ENGINE_TOLD  1
#include "engine/run_turn.inl"

const engine_turns sim_engine_told_turns = ENGINE_TURNS;
