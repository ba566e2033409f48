/* tests/schedgen/dumpi/test_dumpi_set.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files are a trace. */
#include "data.h"
#include "dumpi/dumpi_files.h"
#include "trace_files.h"

static void files_of_a_trace_are_found_by_name(void)
{
    static const struct {
        const char *names[4];
        const char *given; /* NULL: the folder */
        const char *want;  /* in the error; NULL: read */
        const char *meta;  /* NULL: none */
    } rows[] = {
        {{"a-0.bin", "a-1.bin", "a-2.bin", "a-3.bin"}, NULL, NULL, NULL},
        {{"a-0000.bin", "a-0001.bin", "a-0002.bin", "a-0003.bin"}, "a-0002.bin", NULL, "4"},
        {{"a-0000.bin", "a-0001.bin", "a-0002.bin", "a-0003.bin"}, "a.meta", NULL, "4"},
        {{"a-0.bin", "a-1.bin", "a-2.bin", "a-4.bin"}, NULL, "files, but none of rank '3'", NULL},
        {{"a-0.bin", "a-1.bin", "b-0.bin", "b-1.bin"}, NULL, "more than one trace: '", NULL},
        {{"a-0.bin", "a-1.bin", "a-2.bin", "a-3.bin"},
         NULL,
         "of '64' processes there are files of '4'",
         "64"},
    };
    GByteArray *f = dumpi_file_new();
    dumpi_record(f, INIT, 0, 1, "4", 0);
    dumpi_record(f, FINALIZE, 1, 2, "");
    dumpi_file_end(f);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        char *folder = g_dir_make_tmp("ripple-dumpi-XXXXXX", NULL);
        for (int k = 0; k < 4; k++) {
            g_autofree char *path = g_build_filename(folder, rows[i].names[k], NULL);
            CHECK(g_file_set_contents(path, (const char *)f->data, f->len, NULL));
        }
        if (rows[i].meta != NULL) {
            g_autofree char *path = g_build_filename(folder, "a.meta", NULL);
            g_autofree char *text =
                g_strdup_printf("hostname=x\nnumprocs=%s\nfileprefix=a\n", rows[i].meta);
            CHECK(g_file_set_contents(path, text, -1, NULL));
        }
        g_autofree char *given = g_build_filename(folder, rows[i].given, NULL);
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_trace) trace = sched_trace_read(given, &error);
        if (rows[i].want == NULL) {
            CHECK(trace != NULL && trace->num_ranks == 4, "row %zu: %s", i,
                  error != NULL ? error->message : "");
        } else {
            CHECK_ERROR(error, rows[i].want);
        }
        trace_folder_free(folder);
    }
    g_byte_array_unref(f);
}

static void files_of_others_are_not_taken(void)
{
    static const char *const others[] = {"otf2/everything-4", "fuzz/liballprof/pair.tar",
                                         "projections/ping-pong", "noise", "nowhere"};
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autofree char *path = test_data(others[i]);
        CHECK(!sched_dumpi_probe(path), "%s", others[i]);
    }
}

SUITE_MAIN("dumpi_set", TEST(files_of_a_trace_are_found_by_name),
           TEST(files_of_others_are_not_taken))
