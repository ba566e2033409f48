/* schedgen/simgrid/simgrid_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_simgrid. */
#include "simgrid/simgrid_file.h"

#include "sched/error.h"
#include "sim/byte_order_mark.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <string.h>

#define BLOCK ((size_t)1 << 16)

typedef struct archive packed_reader;
static void packed_reader_free(packed_reader *a)
{
    (void)archive_read_free(a);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(packed_reader, packed_reader_free)

/* By how it begins. */
static bool is_packed(const char *data, size_t len)
{
    static const struct {
        const char *magic;
        size_t len;
    } FORMS[] = {{"\x1f\x8b", 2},
                 {"BZh", 3},
                 {"\xfd"
                  "7zXZ",
                  6},
                 {"\x28\xb5\x2f\xfd", 4}};
    for (size_t i = 0; i < G_N_ELEMENTS(FORMS); i++) {
        if (len >= FORMS[i].len && memcmp(data, FORMS[i].magic, FORMS[i].len) == 0) {
            return true;
        }
    }
    return false;
}

static bool fail(const char *path, packed_reader *a, GError **error)
{
    g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s: damaged or cut short: %s", path,
                archive_error_string(a));
    return false;
}

/* Unpack @p data, @p most bytes at most. @return NULL with an error; owned by the caller */
static char *unpack(const char *path, const char *data, size_t len, size_t most, size_t *out_len,
                    GError **error)
{
    g_autoptr(packed_reader) a = archive_read_new();
    /* Not all filters: some of them start other programs. */
    (void)archive_read_support_filter_gzip(a);
    (void)archive_read_support_filter_bzip2(a);
    (void)archive_read_support_filter_xz(a);
    (void)archive_read_support_filter_zstd(a);
    (void)archive_read_support_format_raw(a);
    struct archive_entry *entry;
    if (archive_read_open_memory(a, data, len) != ARCHIVE_OK ||
        archive_read_next_header(a, &entry) < ARCHIVE_WARN) {
        (void)fail(path, a, error);
        return NULL;
    }
    size_t room = MIN(4 * BLOCK, most);
    size_t used = 0;
    g_autofree char *text = g_malloc(room);
    la_ssize_t n;
    while (used < most && (n = archive_read_data(a, text + used, room - used)) != 0) {
        if (n < 0) {
            (void)fail(path, a, error);
            return NULL;
        }
        used += (size_t)n;
        if (used == room) {
            room = MIN(2 * room, most);
            text = g_realloc(text, room);
        }
    }
    *out_len = used;
    return g_steal_pointer(&text);
}

bool sched_simgrid_file_open(const char *path, simgrid_file *out, GError **error)
{
    g_autoptr(GError) cause = NULL;
    g_autoptr(GMappedFile) map = g_mapped_file_new(path, FALSE, &cause);
    if (map == NULL) {
        g_set_error_literal(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, cause->message);
        return false;
    }
    const char *data = g_mapped_file_get_contents(map);
    size_t len = g_mapped_file_get_length(map);
    g_autofree char *unpacked = NULL;
    if (is_packed(data, len)) {
        unpacked = unpack(path, data, len, SIZE_MAX / 4, &len, error);
        if (unpacked == NULL) {
            return false;
        }
        data = unpacked;
        g_clear_pointer(&map, g_mapped_file_unref);
    }
    if (!sim_byte_order_mark_refuse(path, data, len, SCHED_ERROR, SCHED_ERROR_BAD_FILE, error)) {
        return false;
    }
    *out = (simgrid_file){g_strdup(path), g_steal_pointer(&map), g_steal_pointer(&unpacked), data,
                          len};
    return true;
}

void sched_simgrid_file_clear(simgrid_file *file)
{
    g_free(file->name);
    g_free(file->unpacked);
    if (file->map != NULL) {
        g_mapped_file_unref(file->map);
    }
}

size_t sched_simgrid_file_peek(const char *path, char *out, size_t most)
{
    FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rb") : NULL;
    if (file == NULL) {
        return 0;
    }
    size_t len = fread(out, 1, most, file);
    (void)fclose(file);
    if (is_packed(out, len)) {
        /* All of the file: what is cut short cannot be unpacked to the end of a block. */
        g_autoptr(GMappedFile) map = g_mapped_file_new(path, FALSE, NULL);
        g_autofree char *text = map == NULL
                                    ? NULL
                                    : unpack(path, g_mapped_file_get_contents(map),
                                             g_mapped_file_get_length(map), most, &len, NULL);
        len = text != NULL ? len : 0;
        memcpy(out, text != NULL ? text : "", len);
    }
    return len;
}
