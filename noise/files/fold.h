/* noise/files/fold.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Many sources as few: each is a component of a signature, of which there may be only so many.
 */
#pragma once

#include "noise/detour_file.h"

/** The detours of a source of the file, over all its runs, ps. @return [num_sources], owned by the
 * caller. O(detours). */
sim_time *noise_detour_file_totals(const noise_detour_file *file);

/**
 * Where there are more than @p most sources (>= 1), those that took the least time become one,
 * "others", whose evidence says how many they were. O(detours).
 */
void noise_detour_file_fold(noise_detour_file *file, size_t most);
