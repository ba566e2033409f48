/* schedgen/dumpi/dumpi_set.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace is PREFIX-NNNN.bin for each rank, and PREFIX.meta, lines of KEY=VALUE, among them the
 * number of processes.
 */
#include "dumpi/dumpi_private.h"

#include "sched/dumpi.h"
#include "sched/error.h"

#include <stdio.h>
#include <string.h>

static bool begins_as_trace(const char *path)
{
    char head[8];
    FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rb") : NULL;
    if (file == NULL) {
        return false;
    }
    const size_t n = fread(head, 1, sizeof head, file);
    (void)fclose(file);
    return sched_dumpi_is_head(head, n);
}

/* The processes that a metafile says; 0: it is none. */
static uint64_t meta_processes(const char *path)
{
    char line[256];
    bool has_prefix = false;
    uint64_t processes = 0;
    FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rb") : NULL;
    for (int i = 0; file != NULL && i < 64 && fgets(line, sizeof line, file) != NULL; i++) {
        has_prefix = has_prefix || g_str_has_prefix(line, "fileprefix=");
        if (g_str_has_prefix(line, "numprocs=")) {
            processes = g_ascii_strtoull(line + strlen("numprocs="), NULL, 10);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return has_prefix ? processes : 0;
}

/* "PREFIX" of PREFIX-12.bin and the 12; NULL: it is not named so. Owned by the caller. */
static char *prefix_of(const char *path, uint32_t *rank)
{
    const char *end = g_str_has_suffix(path, ".bin") ? path + strlen(path) - strlen(".bin") : path;
    const char *digits = end;
    while (digits > path && g_ascii_isdigit(digits[-1])) {
        digits--;
    }
    if (digits == end || digits - 1 <= path || digits[-1] != '-') {
        return NULL;
    }
    g_autofree char *number = g_strndup(digits, (gsize)(end - digits));
    guint64 value = 0;
    if (!g_ascii_string_to_unsigned(number, 10, 0, INT32_MAX, &value, NULL)) {
        return NULL;
    }
    *rank = (uint32_t)value;
    return g_strndup(path, (gsize)(digits - 1 - path));
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of a folder's files, in order. */
static GPtrArray *names_in(const char *folder)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_ptr_array_add(names, g_build_filename(folder, name, NULL));
    }
    g_ptr_array_sort(names, compare_names); /* for messages to name the same ones */
    return names;
}

/* The prefix of the trace that a folder holds, or NULL with an error if it holds two. */
static char *prefix_in(const char *folder, GError **error)
{
    g_autoptr(GPtrArray) names = names_in(folder);
    g_autofree char *found = NULL;
    for (guint i = 0; i < names->len; i++) {
        const char *path = g_ptr_array_index(names, i);
        uint32_t rank;
        g_autofree char *prefix = prefix_of(path, &rank);
        if (prefix == NULL || !begins_as_trace(path)) {
            continue;
        }
        if (found != NULL && strcmp(found, prefix) != 0) {
            g_set_error(error, SCHED_ERROR, SCHED_ERROR_NOT_RECOGNISED,
                        "%s: more than one trace: '%s' and '%s'; give a file of one", folder, found,
                        prefix);
            return NULL;
        }
        g_free(found);
        found = g_steal_pointer(&prefix);
    }
    if (found == NULL) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_NOT_RECOGNISED, "%s: no trace of DUMPI",
                    folder);
    }
    return g_steal_pointer(&found);
}

bool sched_dumpi_probe(const char *path)
{
    if (begins_as_trace(path) || meta_processes(path) > 0) {
        return true;
    }
    g_autoptr(GError) error = NULL;
    g_autofree char *prefix =
        g_file_test(path, G_FILE_TEST_IS_DIR) ? prefix_in(path, &error) : NULL;
    /* Two traces are to be told of by opening. */
    return prefix != NULL || (error != NULL && strstr(error->message, "more than one") != NULL);
}

static char *prefix_of_path(const char *path, GError **error)
{
    uint32_t rank;
    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        return prefix_in(path, error);
    }
    if (!begins_as_trace(path)) {
        return g_str_has_suffix(path, ".meta") ? g_strndup(path, strlen(path) - strlen(".meta"))
                                               : g_strdup(path);
    }
    return prefix_of(path, &rank);
}

static bool check_number(const char *prefix, uint32_t n, GError **error)
{
    g_autofree char *meta = g_strconcat(prefix, ".meta", NULL);
    const uint64_t processes = meta_processes(meta);
    if (processes > 0 && processes != n) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_INCOMPLETE,
                    "%s: of '%" G_GUINT64_FORMAT "' processes there are files of '%u'", meta,
                    processes, n);
        return false;
    }
    return true;
}

char **sched_dumpi_files(const char *path, GError **error)
{
    g_autoptr(GError) refused = NULL;
    g_autofree char *prefix = prefix_of_path(path, &refused);
    if (prefix == NULL) {
        if (refused != NULL) {
            g_propagate_error(error, g_steal_pointer(&refused));
            return NULL;
        }
        char **alone = g_new0(char *, 2); /* whatever it is called */
        alone[0] = g_strdup(path);
        return alone;
    }
    g_autofree char *folder = g_path_get_dirname(prefix);
    g_autofree char *start = g_path_get_basename(prefix);
    g_autoptr(GPtrArray) names = names_in(folder);
    g_autofree char *whole = g_build_filename(folder, start, NULL);
    g_autoptr(GHashTable) by_rank = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < names->len; i++) {
        char *name = g_ptr_array_index(names, i);
        uint32_t rank;
        g_autofree char *of = g_str_has_suffix(name, ".bin") ? prefix_of(name, &rank) : NULL;
        if (of != NULL && strcmp(of, whole) == 0) {
            g_hash_table_insert(by_rank, GUINT_TO_POINTER(rank), name);
        }
    }
    const uint32_t n = g_hash_table_size(by_rank);
    g_autoptr(GStrvBuilder) files = g_strv_builder_new();
    for (uint32_t rank = 0; rank < n; rank++) {
        const char *name = g_hash_table_lookup(by_rank, GUINT_TO_POINTER(rank));
        if (name == NULL) {
            g_set_error(error, SCHED_ERROR, SCHED_ERROR_INCOMPLETE,
                        "%s: '%u' files, but none of rank '%u'", whole, n, rank);
            return NULL;
        }
        g_strv_builder_add(files, name);
    }
    if (n == 0) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_INCOMPLETE, "%s: no file '%s-0000.bin'", path,
                    whole);
        return NULL;
    }
    return check_number(prefix, n, error) ? g_strv_builder_end(files) : NULL;
}
