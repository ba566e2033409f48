/* apps/ripple/program/synopsis.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_mine, test_tracer_mine. */
#include "program/synopsis.h"

#include "output/error.h"
#include "tracer/protocol.h"

#include <string.h>

#define SUFFIX ".synopsis"

static bool holds(const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return g_file_test(path, G_FILE_TEST_EXISTS);
}

/* "mine.", then digits only. */
static bool is_part(const char *name)
{
    const size_t n = strlen(TRACER_MINE_PART);
    return strncmp(name, TRACER_MINE_PART, n) == 0 && name[n] != '\0' &&
           strspn(name + n, "0123456789") == strlen(name + n);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Paths of the ranks' files, in the same order everywhere. */
static GPtrArray *parts_of(const char *folder)
{
    GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        if (is_part(name)) {
            g_ptr_array_add(parts, g_build_filename(folder, name, NULL));
        }
    }
    g_ptr_array_sort(parts, by_name);
    return parts;
}

bool app_synopsis_is(const char *argument)
{
    if (!g_file_test(argument, G_FILE_TEST_IS_DIR)) {
        return g_str_has_suffix(argument, SUFFIX);
    }
    g_autoptr(GPtrArray) parts = parts_of(argument);
    return !holds(argument, TRACER_ANCHOR) && (parts->len > 0 || holds(argument, TRACER_MINE_FILE));
}

static bool add_parts(noise_miner *miner, const char *folder, unsigned *num_parts, GError **error)
{
    g_autoptr(GPtrArray) parts = parts_of(folder);
    bool ok = parts->len > 0;
    if (!ok) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: nothing has been mined there", folder);
    }
    for (guint i = 0; ok && i < parts->len; i++) {
        ok = noise_miner_add_file(miner, g_ptr_array_index(parts, i), error);
    }
    *num_parts = parts->len;
    return ok;
}

bool app_synopsis_add(noise_miner *miner, const char *path, unsigned *num_parts, GError **error)
{
    *num_parts = 0;
    if (!g_file_test(path, G_FILE_TEST_IS_DIR)) {
        return noise_miner_add_file(miner, path, error);
    }
    g_autofree char *file = g_build_filename(path, TRACER_MINE_FILE, NULL);
    return g_file_test(file, G_FILE_TEST_EXISTS) ? noise_miner_add_file(miner, file, error)
                                                 : add_parts(miner, path, num_parts, error);
}

noise_miner *app_synopsis_read(const char *path, const noise_miner_options *options,
                               unsigned *num_parts, GError **error)
{
    g_autoptr(noise_miner) miner = noise_miner_new(options);
    return app_synopsis_add(miner, path, num_parts, error) ? g_steal_pointer(&miner) : NULL;
}
