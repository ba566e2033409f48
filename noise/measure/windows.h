/* noise/measure/windows.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A measurement is made several times over, each time called a window; the one with the least
 * noise is kept, and what the others found is told.
 */
#pragma once

#include "measure/calibrate.h"
#include "measure/evidence.h"
#include "measure/team.h"

typedef struct noise_windows noise_windows;

/**
 * All windows of @p team's options on @p cpus [n].
 * @param begin the anchor of the first calibration: ticks are converted by the rate since then
 * @return owned by the caller, or NULL with NOISE_ERROR_MEASURE
 */
noise_windows *noise_windows_run(noise_team *team, const uint32_t *cpus, size_t n,
                                 const noise_anchor *begin, GError **error);
/**
 * Judge every window, and move the one to keep into @p result, whose clock and calibration are set.
 * @param limited a full buffer is the number of events that was asked for
 */
void noise_windows_choose(noise_windows *windows, noise_measurement *result, const char *clock_why,
                          bool limited);
/** Index of the valid window with the least share; of all windows, if none is valid. n > 0. */
size_t noise_windows_least(const noise_measurement_window *windows, size_t n);
/** "\nnote: ...": which window was kept, what all found, and that the least is too low. Owned by
 * the caller. */
char *noise_windows_note(const noise_measurement_window *windows, size_t n, size_t kept);
void noise_windows_free(noise_windows *windows);
