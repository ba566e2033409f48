/* tests/schedgen/otf2/test_otf2_refused.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with an archive is said in one line. */
#include "check.h"
#include "data.h"
#include "otf2_archive.h"
#include "sched/otf2.h"

#include <glib/gstdio.h>

static char *copy_of_everything(void)
{
    char *dir = g_dir_make_tmp("ripple-otf2-XXXXXX", NULL);
    g_autofree char *from = test_data("otf2/everything-4");
    g_autofree char *command =
        g_strdup_printf("cp -r '%s/.' '%s'; chmod -R u+w '%s'", from, dir, dir);
    CHECK(system(command) == 0); // NOLINT(bugprone-command-processor,cert-env33-c): a test's copy
    return dir;
}

static void check_refused(const char *dir, const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) t = sched_otf2_read(dir, &error);
    CHECK(t == NULL, "%s", text);
    CHECK_ERROR(error, text);
    CHECK(error == NULL || strchr(error->message, '\n') == NULL, "one line");
}

static void a_missing_rank_is_named(void)
{
    g_autofree char *dir = copy_of_everything();
    g_autofree char *gone = g_build_filename(dir, "traces", "2.evt", NULL);
    CHECK(g_remove(gone) == 0);
    check_refused(dir, "rank 2 of 4 has no record");
    otf2_archive_remove(dir);
}

static void missing_definitions_of_some_ranks_are_counted(void)
{
    static const char *const FILES[] = {"2.def", "0.def", "1.def", "3.def"};
    g_autofree char *dir = copy_of_everything();
    for (size_t i = 0; i < G_N_ELEMENTS(FILES); i++) {
        g_autofree char *gone = g_build_filename(dir, "traces", FILES[i], NULL);
        CHECK(g_remove(gone) == 0);
        g_autoptr(sched_trace) t = sched_otf2_read(dir, NULL);
        CHECK(t != NULL);
        uint64_t counted = 0;
        for (guint k = 0; t != NULL && k < t->notices->len; k++) {
            const sched_notice *n = &g_array_index(t->notices, sched_notice, k);
            counted += strstr(n->what, "without local definitions") != NULL ? n->count : 0;
        }
        CHECK_I64(counted, i + 1 < G_N_ELEMENTS(FILES) ? (int64_t)i + 1 : 0);
    }
    otf2_archive_remove(dir);
}

/* One flipped bit, in the last byte of the number at 61: with it OTF2 writes beyond its memory. */
static void a_wrong_number_of_properties_is_refused(void)
{
    g_autofree char *dir = copy_of_everything();
    g_autofree char *path = g_build_filename(dir, "traces.otf2", NULL);
    g_autofree char *anchor = NULL;
    gsize len = 0;
    CHECK(g_file_get_contents(path, &anchor, &len, NULL) && len > 64 && anchor[61] == 1);
    anchor[64] = (char)0x80;
    CHECK(g_file_set_contents(path, anchor, (gssize)len, NULL));
    check_refused(dir, "2147483649 properties do not fit");
    otf2_archive_remove(dir);
}

static void a_cut_file_is_refused_at_every_length(void)
{
    g_autofree char *dir = copy_of_everything();
    static const char *const file[] = {"traces/1.evt", "traces.def", "traces.otf2"};
    for (size_t f = 0; f < G_N_ELEMENTS(file); f++) {
        g_autofree char *path = g_build_filename(dir, file[f], NULL);
        g_autofree char *whole = NULL;
        gsize len = 0;
        CHECK(g_file_get_contents(path, &whole, &len, NULL));
        for (gsize n = 0; n < len; n += n < 64 ? 1 : 97) {
            CHECK(g_file_set_contents(path, whole, (gssize)n, NULL));
            g_autoptr(GError) error = NULL;
            g_autoptr(sched_trace) t = sched_otf2_read(dir, &error);
            CHECK(t == NULL && error != NULL, "%s cut to %zu of %zu bytes", file[f], n, len);
        }
        CHECK(g_file_set_contents(path, whole, (gssize)len, NULL));
    }
    otf2_archive_remove(dir);
}

static void definitions_of_several_chunks_are_read_if_whole(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-otf2-XXXXXX", NULL);
    otf2_archive_write(dir, OTF2_ARCHIVE_LONG_DEFINITIONS);
    g_autofree char *path = g_build_filename(dir, "traces.def", NULL);
    g_autofree char *whole = NULL;
    gsize len = 0;
    CHECK(g_file_get_contents(path, &whole, &len, NULL));
    CHECK(len > 3 * OTF2_CHUNK_SIZE_MIN, "%zu bytes", len);
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) t = sched_otf2_read(dir, &error);
    CHECK(t != NULL && t->num_ranks == 2, "%s", error != NULL ? error->message : "");
    for (gsize n = 1; n < len; n += len / 7) {
        CHECK(g_file_set_contents(path, whole, (gssize)n, NULL));
        check_refused(dir, "traces.def: damaged or cut short: no whole record at byte");
    }
    otf2_archive_remove(dir);
}

static void what_is_no_archive_is_refused(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-otf2-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "x.otf2", NULL);
    CHECK(!sched_otf2_probe(dir));
    check_refused(dir, "no anchor file");
    CHECK(g_file_set_contents(path, "hello, world", -1, NULL));
    CHECK(sched_otf2_probe(dir));
    check_refused(dir, "x.otf2: not the anchor file of an OTF2 archive");
    otf2_archive_remove(dir);
}

SUITE_MAIN("otf2_refused", TEST(a_missing_rank_is_named),
           TEST(a_wrong_number_of_properties_is_refused),
           TEST(missing_definitions_of_some_ranks_are_counted),
           TEST(a_cut_file_is_refused_at_every_length),
           TEST(definitions_of_several_chunks_are_read_if_whole),
           TEST(what_is_no_archive_is_refused))
