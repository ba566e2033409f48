/* noise/detour_tables.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A trace of detours as engines look it up. Not installed.
 */
#pragma once

#include "noise/detour_trace.h"
#include "sim/noise_lanes.h"

/**
 * What noise_detour_trace_finish() says, for engines that look up by themselves; 20 bytes per
 * detour, made at the first call. Borrowed; NULL: there is no detour. Any thread.
 */
const sim_detours *noise_detour_trace_tables(const noise_detour_trace *trace);
