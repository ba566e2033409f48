/* tests/schedgen/simgrid/test_simgrid_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Compressed files of actions. libarchive, which unpacks them, packs them here, too. */
#include "check.h"
#include "folder.h"
#include "sched/reader.h"
#include "sched/simgrid.h"

#include <archive.h>
#include <archive_entry.h>

static int (*const FILTERS[])(struct archive *) = {
    archive_write_add_filter_gzip, archive_write_add_filter_bzip2, archive_write_add_filter_xz,
    archive_write_add_filter_zstd};

/* Long enough to unpack in several pieces. */
static char *text_new(void)
{
    GString *text = g_string_new("0 init\n1 init\n");
    for (int i = 0; i < 12000; i++) {
        g_string_append_printf(text, "0 compute %d\n0 send 1 %d 8\n1 recv 0 %d 8\n",
                               i * 7919 % 1000, i, i);
    }
    g_string_append(text, "0 finalize\n1 finalize\n");
    return g_string_free(text, FALSE);
}

static void pack(const char *path, const char *text, int (*filter)(struct archive *))
{
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, "actions");
    archive_entry_set_filetype(entry, AE_IFREG);
    CHECK(filter(a) >= ARCHIVE_WARN && archive_write_set_format_raw(a) == ARCHIVE_OK &&
              archive_write_open_filename(a, path) == ARCHIVE_OK &&
              archive_write_header(a, entry) == ARCHIVE_OK &&
              archive_write_data(a, text, strlen(text)) == (la_ssize_t)strlen(text) &&
              archive_write_close(a) == ARCHIVE_OK,
          "%s", archive_error_string(a));
    archive_entry_free(entry);
    archive_write_free(a);
}

static void packed_files_are_read_as_what_is_in_them(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-simgrid-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "packed", NULL);
    g_autofree char *text = text_new();
    g_autoptr(sched_trace) plain = sched_simgrid_read_data("t", text, strlen(text), 1e6, NULL);
    if (!CHECK(plain != NULL)) {
        return;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(FILTERS); i++) {
        pack(path, text, FILTERS[i]);
        CHECK(sched_reader_find(path) == &sched_reader_simgrid, "filter %zu", i);
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) trace = sched_simgrid_read(path, 1e6, &error);
        if (!CHECK(trace != NULL, "filter %zu: %s", i, error != NULL ? error->message : "")) {
            continue;
        }
        for (uint32_t r = 0; r < 2; r++) {
            const sched_rank *is = &trace->ranks[r];
            const sched_rank *wanted = &plain->ranks[r];
            CHECK_I64(is->num_calls, wanted->num_calls, "filter %zu", i);
            CHECK_I64(is->calls[is->num_calls - 1].enter,
                      wanted->calls[wanted->num_calls - 1].enter, "filter %zu", i);
        }
    }
    folder_remove(folder);
}

/* Damage is never taken for the end: xz and gzip carry checksums. */
static void packed_files_that_are_damaged_are_refused(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-simgrid-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "packed", NULL);
    g_autofree char *text = text_new();
    for (size_t i = 0; i < G_N_ELEMENTS(FILTERS); i++) {
        g_autofree char *data = NULL;
        size_t len = 0;
        pack(path, text, FILTERS[i]);
        CHECK(g_file_get_contents(path, &data, &len, NULL));
        CHECK(g_file_set_contents(path, data, (gssize)(len / 2), NULL));
        g_autoptr(GError) error = NULL;
        CHECK(sched_simgrid_read(path, 1e6, &error) == NULL, "filter %zu", i);
        CHECK_ERROR(error, "packed: damaged or cut short: ");
    }
    folder_remove(folder);
}

static void packed_files_of_others_are_not_taken(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-simgrid-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "packed", NULL);
    pack(path, "num_ranks 2\nrank 0 {\n}\n", FILTERS[0]);
    CHECK(!sched_simgrid_probe(path));
    CHECK(g_file_set_contents(path, "\x1f\x8b", 2, NULL));
    CHECK(!sched_simgrid_probe(path));
    folder_remove(folder);
}

SUITE_MAIN("simgrid_file", TEST(packed_files_are_read_as_what_is_in_them),
           TEST(packed_files_that_are_damaged_are_refused),
           TEST(packed_files_of_others_are_not_taken))
