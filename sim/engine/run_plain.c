/* sim/engine/run_plain.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The turns of ranks in plain runs, which nearly all are. */
#define ENGINE_PLAIN 1
#include "engine/run_turn.inl"

const engine_turns sim_engine_plain_turns = ENGINE_TURNS;
