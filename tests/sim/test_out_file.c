/* tests/sim/test_out_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "sim/out_file.h"

#include <glib/gstdio.h>
#include <unistd.h>

static unsigned count_entries(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    unsigned n = 0;
    while (g_dir_read_name(dir) != NULL) {
        n++;
    }
    return n;
}

static void a_committed_file_is_there_and_a_discarded_one_is_not(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "a", NULL);
    sim_out_file *file = sim_out_file_open(path, NULL);
    fputs("one", sim_out_file_stream(file));
    CHECK(!g_file_test(path, G_FILE_TEST_EXISTS), "before it is whole");
    CHECK(sim_out_file_commit(file, NULL));
    file = sim_out_file_open(path, NULL);
    fputs("two", sim_out_file_stream(file));
    sim_out_file_discard(file);
    g_autofree char *text = NULL;
    CHECK(g_file_get_contents(path, &text, NULL, NULL));
    CHECK_STR(text, "one");
    CHECK_I64(count_entries(dir), 1);
    (void)g_unlink(path);
    (void)g_rmdir(dir);
}

static void the_file_behind_a_link_is_replaced(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "a", NULL);
    g_autofree char *link_path = g_build_filename(dir, "b", NULL);
    CHECK(g_file_set_contents(path, "old", -1, NULL) && symlink("a", link_path) == 0);
    sim_out_file *file = sim_out_file_open(link_path, NULL);
    fputs("new", sim_out_file_stream(file));
    CHECK(sim_out_file_commit(file, NULL));
    g_autofree char *text = NULL;
    CHECK(g_file_get_contents(path, &text, NULL, NULL));
    CHECK_STR(text, "new");
    CHECK(g_file_test(link_path, G_FILE_TEST_IS_SYMLINK));
    (void)g_unlink(path);
    (void)g_unlink(link_path);
    (void)g_rmdir(dir);
}

static void a_full_disk_is_an_error(void)
{
    if (!g_file_test("/dev/full", G_FILE_TEST_EXISTS)) {
        SKIP_TEST("there is no /dev/full");
    }
    g_autoptr(GError) error = NULL;
    sim_out_file *file = sim_out_file_open("/dev/full", &error);
    /* In one piece, so that the write fails here and nothing is left to be flushed. */
    g_autofree char *piece = g_malloc0(1 << 20);
    (void)fwrite(piece, 1, 1 << 20, sim_out_file_stream(file));
    CHECK(!sim_out_file_commit(file, &error));
    CHECK_ERROR(error, "/dev/full");
    CHECK(g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC), "the cause is not forgotten");
    g_clear_error(&error);
    file = sim_out_file_open("/dev/full", &error);
    fputs("little", sim_out_file_stream(file)); /* fails when it is flushed */
    CHECK(!sim_out_file_commit(file, &error));
    CHECK_ERROR(error, "/dev/full");
    CHECK(g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC));
}

static void a_place_that_is_not_there_is_an_error(void)
{
    g_autoptr(GError) error = NULL;
    CHECK(sim_out_file_open("/no/such/folder/file", &error) == NULL);
    CHECK_ERROR(error, "/no/such/folder/file");
}

SUITE_MAIN("out_file", TEST(a_committed_file_is_there_and_a_discarded_one_is_not),
           TEST(the_file_behind_a_link_is_replaced), TEST(a_full_disk_is_an_error),
           TEST(a_place_that_is_not_there_is_an_error))
