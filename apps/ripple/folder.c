/* apps/ripple/folder.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder.h"

#include "error.h"

#include <errno.h>
#include <glib/gstdio.h>

bool app_folder_make(const char *folder, bool *is_new, GError **error)
{
    const bool was_there = g_file_test(folder, G_FILE_TEST_EXISTS);
    if (g_mkdir_with_parents(folder, 0777) != 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT, "%s: %s", folder, g_strerror(errno));
        return false;
    }
    *is_new = !was_there;
    return true;
}

void app_folder_drop(const char *folder, bool is_new)
{
    if (is_new) {
        (void)g_rmdir(folder); /* refuses if it is not empty */
    }
}
