/* apps/ripple/sweep/sweep_input.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_database. */
#include "sweep/sweep_input.h"

#include "output/error.h"
#include "sched/reader.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 1 << 16 };

static bool add_file(GChecksum *sum, const char *path, GError **error)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: it cannot be read", path);
        return false;
    }
    g_autofree guchar *block = g_malloc(BLOCK);
    size_t n;
    while ((n = fread(block, 1, BLOCK, file)) > 0) {
        g_checksum_update(sum, block, (gssize)n);
    }
    const bool ok = ferror(file) == 0;
    (void)fclose(file);
    if (!ok) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: it cannot be read", path);
    }
    return ok;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool add_folder(GChecksum *sum, const char *path, GError **error)
{
    g_autoptr(GDir) dir = g_dir_open(path, 0, error);
    if (dir == NULL) {
        return false;
    }
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    while ((name = g_dir_read_name(dir)) != NULL) {
        g_ptr_array_add(names, g_strdup(name));
    }
    g_ptr_array_sort(names, compare_names);
    bool ok = true;
    for (guint i = 0; ok && i < names->len; i++) {
        name = g_ptr_array_index(names, i);
        g_autofree char *inner = g_build_filename(path, name, NULL);
        g_checksum_update(sum, (const guchar *)name, (gssize)strlen(name) + 1);
        ok = g_file_test(inner, G_FILE_TEST_IS_DIR) ? add_folder(sum, inner, error)
                                                    : add_file(sum, inner, error);
    }
    return ok;
}

static bool add(GChecksum *sum, const char *path, GError **error)
{
    return g_file_test(path, G_FILE_TEST_IS_DIR) ? add_folder(sum, path, error)
                                                 : add_file(sum, path, error);
}

/* What belongs to it elsewhere: the parts of an archive, of which it is the anchor. */
static bool add_beside(GChecksum *sum, const char *path, GError **error)
{
    const sched_reader *reader = sched_reader_find(path);
    g_auto(GStrv) list =
        reader != NULL && reader->beside != NULL ? reader->beside(path) : g_new0(char *, 1);
    bool ok = true;
    for (size_t i = 0; ok && list[i] != NULL; i++) {
        ok = add(sum, list[i], error);
    }
    return ok;
}

char *app_sweep_input_digest(const char *path, GError **error)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    if (!add(sum, path, error) || !add_beside(sum, path, error)) {
        return NULL;
    }
    return g_strdup(g_checksum_get_string(sum));
}
