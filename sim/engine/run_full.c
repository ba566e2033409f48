/* sim/engine/run_full.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The turns of ranks in runs of any kind. */
#include "engine/run_turn.inl"

const engine_turns sim_engine_full_turns = ENGINE_TURNS;
