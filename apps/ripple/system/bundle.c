/* apps/ripple/system/bundle.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_output. */
#include "system/bundle.h"

#include <glib.h>
#include <stdlib.h>

char *app_bundle_find(const char *const *folders, const char *name)
{
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *here = self != NULL ? g_path_get_dirname(self) : g_strdup(".");
    for (; *folders != NULL; folders++) {
        g_autofree char *path = g_build_filename(here, *folders, name, NULL);
        if (g_file_test(path, G_FILE_TEST_EXISTS)) {
            return realpath(path, NULL);
        }
    }
    return NULL;
}
