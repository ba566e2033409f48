/* tests/noise/host/fake_root.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A folder that looks like the root of a machine.
 */
#pragma once

#include "folder.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>

static inline char *fake_root_new(void)
{
    char *root = g_dir_make_tmp("ripple-host-XXXXXX", NULL);
    if (root == NULL) {
        abort();
    }
    return root;
}

/** @p path begins with a slash. */
static inline void fake_root_put(const char *root, const char *path, const char *text)
{
    g_autofree char *file = g_strconcat(root, path, NULL);
    g_autofree char *folder = g_path_get_dirname(file);
    if (g_mkdir_with_parents(folder, 0777) != 0 || !g_file_set_contents(file, text, -1, NULL)) {
        abort();
    }
}

static inline void fake_root_remove(char *root)
{
    folder_remove(root);
    g_free(root);
}
