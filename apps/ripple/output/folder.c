/* apps/ripple/output/folder.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/folder.h"

#include "output/error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

bool app_folder_make(const char *folder, bool *is_new, GError **error)
{
    const bool was_there = g_file_test(folder, G_FILE_TEST_EXISTS);
    if (g_mkdir_with_parents(folder, 0777) != 0 || g_access(folder, W_OK | X_OK) != 0) {
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

static bool fail(GError **error, const char *path)
{
    g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT, "%s: %s", path, g_strerror(errno));
    return false;
}

/* Move (@p to) or remove (NULL) every file of @p from, then remove the folder. */
static bool empty_folder(const char *from, const char *to, GError **error)
{
    g_autoptr(GDir) dir = g_dir_open(from, 0, error);
    const char *name;
    bool ok = dir != NULL;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *source = g_build_filename(from, name, NULL);
        g_autofree char *target = to != NULL ? g_build_filename(to, name, NULL) : NULL;
        if (ok && target != NULL && g_rename(source, target) != 0) {
            ok = fail(error, target);
        }
        (void)g_remove(source); /* gone already, if it was moved */
    }
    (void)g_rmdir(from);
    return ok;
}

bool app_folder_fill(const char *folder, app_folder_maker *make, const void *data, GError **error)
{
    bool is_new = false;
    if (!app_folder_make(folder, &is_new, error)) {
        return false;
    }
    g_autofree char *making = g_build_filename(folder, ".making-XXXXXX", NULL);
    if (g_mkdtemp(making) == NULL) {
        return fail(error, folder);
    }
    const bool made = make(data, making, error);
    const bool moved = empty_folder(making, made ? folder : NULL, made ? error : NULL);
    if (!made) {
        app_folder_drop(folder, is_new);
    }
    return made && moved;
}
