/* apps/ripple/output/folder.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/folder.h"

#include "output/error.h"

#include "sim/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

bool app_folder_make(const char *folder, unsigned *num_new, GError **error)
{
    g_autofree char *above = g_canonicalize_filename(folder, NULL);
    unsigned missing = 0;
    for (; !g_file_test(above, G_FILE_TEST_EXISTS); missing++) { /* the root always does */
        char *next = g_path_get_dirname(above);
        g_free(above);
        above = next;
    }
    if (g_mkdir_with_parents(folder, 0777) != 0 || g_access(folder, W_OK | X_OK) != 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT, "%s: %s", folder, g_strerror(errno));
        return false;
    }
    *num_new = missing;
    return true;
}

void app_folder_drop(const char *folder, unsigned num_new)
{
    g_autofree char *path = g_canonicalize_filename(folder, NULL);
    for (; num_new > 0 && g_rmdir(path) == 0; num_new--) { /* refuses if it is not empty */
        char *above = g_path_get_dirname(path);
        g_free(path);
        path = above;
    }
}

void app_folder_remove(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        const bool is_folder =
            g_file_test(path, G_FILE_TEST_IS_DIR) && !g_file_test(path, G_FILE_TEST_IS_SYMLINK);
        if (is_folder) {
            app_folder_remove(path);
        } else {
            (void)g_unlink(path);
        }
    }
    (void)g_rmdir(folder);
}

static bool fail(GError **error, const char *path)
{
    g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT, "%s: %s", path, g_strerror(errno));
    return false;
}

#define LOCK ".lock"

/* Where files are made: within the folder that they go to. */
typedef struct workplace {
    char *path;
    char *lock_path;
    int lock; /* -1: none, and a name that nobody finds again */
} workplace;

static void workplace_clear(workplace *w)
{
    if (w->lock >= 0) {
        (void)g_unlink(w->lock_path);
    }
    (void)g_rmdir(w->path);
    if (w->lock >= 0) {
        (void)close(w->lock); /* now somebody else may make it */
    }
    g_free(w->lock_path);
    g_free(w->path);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(workplace, workplace_clear)

/* Move (@p to) or remove (NULL) every file of @p w. */
static bool empty(const workplace *w, const char *to, GError **error)
{
    g_autoptr(GDir) dir = g_dir_open(w->path, 0, error);
    const char *name;
    bool ok = dir != NULL;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        if (strcmp(name, LOCK) == 0) {
            continue;
        }
        g_autofree char *source = g_build_filename(w->path, name, NULL);
        g_autofree char *target = to != NULL ? g_build_filename(to, name, NULL) : NULL;
        if (ok && target != NULL && g_rename(source, target) != 0) {
            ok = fail(error, target);
        }
        (void)g_remove(source); /* gone already, if it was moved */
    }
    return ok;
}

/* Nobody else's, and no link to where other things lie. */
static bool is_own_folder(const char *path)
{
    GStatBuf info;
    return g_lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid();
}

/* Under the same name each time: what a command that was killed has left is found, and goes. */
static bool take_usual(workplace *w, const char *folder)
{
    w->path = g_build_filename(folder, ".ripple-part", NULL);
    w->lock_path = g_build_filename(w->path, LOCK, NULL);
    (void)g_mkdir(w->path, 0700);
    if (!is_own_folder(w->path)) {
        return false;
    }
    w->lock = g_open(w->lock_path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    const int code = w->lock >= 0 ? sim_file_lock(w->lock) : EAGAIN;
    if (code == 0 && sim_file_has_name(w->lock, w->lock_path)) {
        return empty(w, NULL, NULL);
    }
    if (code != 0 && code != EAGAIN && code != EACCES) { /* no locks: nobody would take it again */
        (void)g_unlink(w->lock_path);
        (void)g_rmdir(w->path);
    }
    if (w->lock >= 0) {
        (void)close(w->lock);
    }
    w->lock = -1;
    return false;
}

static bool take(workplace *w, const char *folder)
{
    if (take_usual(w, folder)) {
        return true;
    }
    g_free(w->path);
    w->path = g_build_filename(folder, ".making-XXXXXX", NULL);
    return g_mkdtemp(w->path) != NULL;
}

bool app_folder_fill(const char *folder, app_folder_maker *make, const void *data, GError **error)
{
    unsigned num_new = 0;
    if (!app_folder_make(folder, &num_new, error)) {
        return false;
    }
    bool ok = false;
    {
        g_auto(workplace) w = {.lock = -1};
        if (!take(&w, folder)) {
            return fail(error, folder);
        }
        ok = make(data, w.path, error);
        ok = empty(&w, ok ? folder : NULL, ok ? error : NULL) && ok;
    }
    if (!ok) {
        app_folder_drop(folder, num_new);
    }
    return ok;
}
