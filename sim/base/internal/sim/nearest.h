/* sim/nearest.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * "Did you mean": the known name that is closest to one that was mistyped.
 */
#pragma once

/**
 * @param names NULL-terminated
 * @return the one of @p names at the smallest edit distance from @p typed (case counts half), or
 *   NULL if none shares at least half of its letters. Borrowed. O(length²) per name.
 */
const char *sim_nearest_name(const char *typed, const char *const *names);

/**
 * A clause for the end of a message: "; did you mean ...?", or "; known are a, b, c" where nothing
 * is close. Owned by the caller.
 */
char *sim_nearest_hint(const char *typed, const char *const *names);
