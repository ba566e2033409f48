/* measure/measure_merge.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * ripple measure --merge: the files that the processes of one measurement have written become one.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

/** A merged file. */
typedef struct app_measure_merged {
    char *text;    /* owned */
    bool valid;    /* all are */
    char *verdict; /* owned; lines as of a measurement, each with its node */
} app_measure_merged;

/**
 * All runs of @p paths [n], each with its node and CPU, sources of one name and kind as one.
 * @return false with APP_ERROR_INPUT naming the file that is no measurement of Ripple, was measured
 *   in another way than the first, or has a CPU of a node that another has, too
 */
bool app_measure_merge(char *const *paths, unsigned n, app_measure_merged *out, GError **error);
void app_measure_merged_clear(app_measure_merged *merged);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_measure_merged, app_measure_merged_clear)
