/* apps/ripple/output/folder.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The folder that a report is written to.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

/** Make @p folder and those above it, to write into; @p num_new: how many were not there before. */
bool app_folder_make(const char *folder, unsigned *num_new, GError **error);
/** After a failure: remove again those that are new, as far as nothing came to lie in them. */
void app_folder_drop(const char *folder, unsigned num_new);

/** Remove @p folder and all that is in it, as far as that can be; links are not followed. */
void app_folder_remove(const char *folder);

/** Write files into @p folder, which exists. */
typedef bool app_folder_maker(const void *data, const char *folder, GError **error);
/**
 * Let @p make write its files elsewhere, and move them into @p folder (made if need be; older files
 * of the same names are replaced) when the last one is complete. After an error there are none; the
 * next call removes what a killed command has left there.
 */
bool app_folder_fill(const char *folder, app_folder_maker *make, const void *data, GError **error);
