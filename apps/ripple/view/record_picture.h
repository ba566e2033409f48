/* apps/ripple/view/record_picture.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A picture of a simulated run from its record: when each CPU did what, and how long its detours
 * were. What a rank would have waited without noise is not in a record, so nothing is said of what
 * was lost, and there is no heat map. Where within a stretch of work a detour was is not in it
 * either: it is put at the end. docs/view.md.
 */
#pragma once

#include "view/picture.h"

#include "sim/run_record.h"

/**
 * @param lanes [n] ranks, each once; NULL: the @p n that were in detours for longest
 * @param from, to of lanes; to 0: to the end
 * @return owned by the caller, without title and manifest; NULL with G_FILE_ERROR or
 *   SIM_ERROR_BAD_FILE
 */
app_picture *app_record_picture(const sim_run_record *record, const uint32_t *lanes, uint32_t n,
                                sim_time from, sim_time to, GError **error);
