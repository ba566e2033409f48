/* tests/apps/output/test_folder.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/folder.h"

#include "check.h"
#include "folder.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned count_entries(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    unsigned n = 0;
    while (dir != NULL && g_dir_read_name(dir) != NULL) {
        n++;
    }
    return n;
}

static bool has_text(const char *folder, const char *name, const char *want)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *text = NULL;
    return g_file_get_contents(path, &text, NULL, NULL) && strcmp(text, want) == 0;
}

/* The name of a file, which says the same. */
static bool make_file(const void *data, const char *folder, GError **error)
{
    g_autofree char *path = g_build_filename(folder, data, NULL);
    return g_file_set_contents(path, data, -1, error);
}

static bool make_file_and_die(const void *data, const char *folder, GError **error)
{
    (void)make_file(data, folder, error);
    return raise(SIGKILL) == 0;
}

static bool fail_after_file(const void *data, const char *folder, GError **error)
{
    (void)make_file(data, folder, NULL);
    g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "on purpose");
    return false;
}

static void files_come_all_or_none(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *folder = g_build_filename(dir, "report", NULL);
    g_autoptr(GError) error = NULL;
    CHECK(!app_folder_fill(folder, fail_after_file, "a", &error));
    CHECK_ERROR(error, "on purpose");
    CHECK(!g_file_test(folder, G_FILE_TEST_EXISTS));
    CHECK(app_folder_fill(folder, make_file, "a", NULL));
    CHECK(has_text(folder, "a", "a"));
    CHECK_I64(count_entries(folder), 1);
    folder_remove(folder);
    (void)g_rmdir(dir);
}

static void be_killed(const char *folder)
{
    const pid_t child = fork();
    if (child == 0) {
        _exit(app_folder_fill(folder, make_file_and_die, "half", NULL) ? 0 : 1);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
}

static void what_a_killed_command_left_goes_with_the_next(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-XXXXXX", NULL);
    be_killed(folder);
    be_killed(folder);
    CHECK_I64(count_entries(folder), 1, "it has left something, once");
    CHECK(app_folder_fill(folder, make_file, "whole", NULL));
    CHECK(has_text(folder, "whole", "whole"));
    CHECK_I64(count_entries(folder), 1, "nothing but the file");
    folder_remove(folder);
}

/* A second command begins and ends while the first is at work. */
static bool fill_within(const void *data, const char *folder, GError **error)
{
    g_autofree char *above = g_path_get_dirname(folder);
    return make_file(data, folder, error) && app_folder_fill(above, make_file, "second", error);
}

static void two_commands_do_not_disturb_each_other(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-XXXXXX", NULL);
    CHECK(app_folder_fill(folder, fill_within, "first", NULL));
    CHECK(has_text(folder, "first", "first"));
    CHECK(has_text(folder, "second", "second"));
    CHECK_I64(count_entries(folder), 2);
    folder_remove(folder);
}

static void what_lies_behind_a_link_is_left_alone(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *other = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *link = g_build_filename(folder, ".ripple-part", NULL);
    CHECK(make_file("mine", other, NULL) && symlink(other, link) == 0);
    CHECK(app_folder_fill(folder, make_file, "a", NULL));
    CHECK(has_text(folder, "a", "a"));
    CHECK(has_text(other, "mine", "mine"));
    CHECK_I64(count_entries(other), 1);
    folder_remove(folder);
    folder_remove(other);
}

SUITE_MAIN("folder", TEST(files_come_all_or_none),
           TEST(what_a_killed_command_left_goes_with_the_next),
           TEST(two_commands_do_not_disturb_each_other),
           TEST(what_lies_behind_a_link_is_left_alone))
