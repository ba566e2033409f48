/* apps/ripple/folder.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The folder that a report goes to.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

/** Make @p folder and those above it; @p is_new: it was not there before. */
bool app_folder_make(const char *folder, bool *is_new, GError **error);
/** After a failure: remove @p folder again, if it is new and nothing came to lie in it. */
void app_folder_drop(const char *folder, bool is_new);
