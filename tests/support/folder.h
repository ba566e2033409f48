/* tests/support/folder.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Folders that tests write into. */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>

/** Remove a file, a link (not what it points to), or a folder with all that is in it. */
static inline void folder_remove(const char *path)
{
    const char *name;
    GDir *dir = g_file_test(path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open(path, 0, NULL);
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *inner = g_build_filename(path, name, NULL);
        folder_remove(inner);
    }
    if (dir != NULL) {
        g_dir_close(dir);
    }
    (void)g_remove(path);
}
