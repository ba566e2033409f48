/* noise/miner/whole_detours.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How long a detour is of which an event of a simulated run met the rest: the noise knows.
 */
#pragma once

#include "sim/noise.h"
#include "sim/sink.h"

/**
 * The length of all detours together that @p event met, which was hit; the first may have begun
 * before it, but not before instant 0, where the run began. Two that follow each other at once are
 * one. O(log length) questions if it began during a detour, else O(1).
 */
sim_time noise_miner_whole_detours(const sim_noise *noise, const sim_event *event);
