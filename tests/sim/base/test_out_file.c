/* tests/sim/base/test_out_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "sim/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* The linker puts this in place of open(): as on a file system where every file has a name. */
static bool everything_has_a_name;
int __real_open(const char *path, int flags, mode_t mode); // NOLINT(bugprone-reserved-identifier)
int __wrap_open(const char *path, int flags, mode_t mode); // NOLINT(bugprone-reserved-identifier)
int __wrap_open(const char *path, int flags, mode_t mode)  // NOLINT(bugprone-reserved-identifier)
{
    if (everything_has_a_name && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return __real_open(path, flags, mode);
}

/* In place of sim_file_lock(): as on a file system that has none. */
static bool has_no_locks;
int __real_sim_file_lock(int fd); // NOLINT(bugprone-reserved-identifier)
int __wrap_sim_file_lock(int fd); // NOLINT(bugprone-reserved-identifier)
int __wrap_sim_file_lock(int fd)  // NOLINT(bugprone-reserved-identifier)
{
    return has_no_locks ? ENOLCK : __real_sim_file_lock(fd);
}

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

static void what_is_not_whole_has_no_name(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "a", NULL);
    const int fd = open(dir, O_TMPFILE | O_RDWR, 0600);
    if (fd < 0) {
        SKIP_TEST("the file system wants names");
    }
    (void)close(fd);
    sim_out_file *file = sim_out_file_open(path, NULL);
    fputs("half", sim_out_file_stream(file));
    (void)fflush(sim_out_file_stream(file));
    CHECK_I64(count_entries(dir), 0); /* so there is nothing to be left by one that is killed */
    sim_out_file_discard(file);
    CHECK_I64(count_entries(dir), 0);
    (void)g_rmdir(dir);
}

/* A command that writes @p path and is killed before it is done. */
static void be_killed(const char *path)
{
    const pid_t child = fork();
    if (child == 0) {
        sim_out_file *file = sim_out_file_open(path, NULL);
        fputs("half", sim_out_file_stream(file));
        (void)fflush(sim_out_file_stream(file));
        (void)raise(SIGKILL);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
}

static void what_a_killed_command_left_goes_with_the_next(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "a", NULL);
    everything_has_a_name = true;
    be_killed(path);
    be_killed(path);
    CHECK_I64(count_entries(dir), 1, "it has left something, once");
    sim_out_file *file = sim_out_file_open(path, NULL);
    fputs("whole", sim_out_file_stream(file));
    CHECK(sim_out_file_commit(file, NULL));
    g_autofree char *text = NULL;
    CHECK(g_file_get_contents(path, &text, NULL, NULL));
    CHECK_STR(text, "whole");
    CHECK_I64(count_entries(dir), 1, "nothing but the file");
    be_killed(path);
    everything_has_a_name = false; /* another machine, which has that folder on its own disk */
    file = sim_out_file_open(path, NULL);
    CHECK(sim_out_file_commit(file, NULL));
    CHECK_I64(count_entries(dir), 1);
    (void)g_unlink(path);
    (void)g_rmdir(dir);
}

static void what_another_command_is_writing_is_left_alone(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "a", NULL);
    everything_has_a_name = true;
    sim_out_file *first = sim_out_file_open(path, NULL);
    fputs("first", sim_out_file_stream(first));
    sim_out_file *second = sim_out_file_open(path, NULL);
    fputs("second", sim_out_file_stream(second));
    CHECK_I64(count_entries(dir), 2);
    CHECK(sim_out_file_commit(first, NULL));
    g_autofree char *text = NULL;
    CHECK(g_file_get_contents(path, &text, NULL, NULL));
    CHECK_STR(text, "first");
    sim_out_file_discard(second);
    CHECK_I64(count_entries(dir), 1);
    everything_has_a_name = false;
    (void)g_unlink(path);
    (void)g_rmdir(dir);
}

static void without_locks_only_what_is_killed_leaves_something(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "a", NULL);
    everything_has_a_name = true;
    has_no_locks = true;
    sim_out_file *first = sim_out_file_open(path, NULL);
    sim_out_file *second = sim_out_file_open(path, NULL);
    CHECK_I64(count_entries(dir), 2, "each has its own");
    CHECK(sim_out_file_commit(first, NULL));
    sim_out_file_discard(second);
    CHECK_I64(count_entries(dir), 1);
    everything_has_a_name = false; /* a name is given at the end only */
    CHECK(sim_out_file_commit(sim_out_file_open(path, NULL), NULL));
    has_no_locks = false;
    CHECK_I64(count_entries(dir), 1);
    (void)g_unlink(path);
    (void)g_rmdir(dir);
}

static void links_in_a_circle_are_an_error(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *a = g_build_filename(dir, "a", NULL);
    g_autofree char *b = g_build_filename(dir, "b", NULL);
    CHECK(symlink("b", a) == 0 && symlink("a", b) == 0);
    g_autoptr(GError) error = NULL;
    CHECK(sim_out_file_open(a, &error) == NULL);
    CHECK_ERROR(error, "a: cannot be written: Too many levels of symbolic links");
    CHECK_I64(count_entries(dir), 2);
    (void)g_unlink(a);
    (void)g_unlink(b);
    (void)g_rmdir(dir);
}

static void standard_output_that_cannot_be_written_is_an_error(void)
{
    const int saved = dup(STDOUT_FILENO);
    (void)fflush(stdout);
    (void)close(STDOUT_FILENO);
    g_autoptr(GError) closed = NULL;
    CHECK(sim_out_file_open(NULL, &closed) == NULL);
    CHECK(open("/dev/null", O_RDONLY, 0) == STDOUT_FILENO);
    g_autoptr(GError) read_only = NULL;
    CHECK(sim_out_file_open(NULL, &read_only) == NULL);
    CHECK(dup2(saved, STDOUT_FILENO) == STDOUT_FILENO);
    (void)close(saved);
    CHECK_ERROR(closed, "standard output: cannot be written: Bad file descriptor");
    CHECK_ERROR(read_only, "standard output: cannot be written: Bad file descriptor");
}

static void the_file_that_a_link_promises_is_made(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "a", NULL);
    g_autofree char *link_path = g_build_filename(dir, "b", NULL);
    CHECK(symlink("a", link_path) == 0);
    sim_out_file *file = sim_out_file_open(link_path, NULL);
    fputs("new", sim_out_file_stream(file));
    CHECK(sim_out_file_commit(file, NULL));
    CHECK(g_file_test(link_path, G_FILE_TEST_IS_SYMLINK));
    CHECK(g_file_test(path, G_FILE_TEST_IS_REGULAR));
    (void)g_unlink(path);
    (void)g_unlink(link_path);
    (void)g_rmdir(dir);
}

static void standard_output_is_written_as_it_comes_and_stays_open(void)
{
    g_autofree char *path = NULL;
    const int fd = g_file_open_tmp("ripple-XXXXXX", &path, NULL);
    const int saved = dup(STDOUT_FILENO);
    (void)fflush(stdout);
    CHECK(dup2(fd, STDOUT_FILENO) == STDOUT_FILENO);
    fputs("before ", stdout);
    sim_out_file *file = sim_out_file_open(NULL, NULL);
    fputs("within ", sim_out_file_stream(file));
    const bool committed = sim_out_file_commit(file, NULL);
    fputs("after", stdout);
    (void)fflush(stdout);
    CHECK(dup2(saved, STDOUT_FILENO) == STDOUT_FILENO);
    (void)close(saved);
    (void)close(fd);
    g_autofree char *text = NULL;
    CHECK(committed && g_file_get_contents(path, &text, NULL, NULL));
    CHECK_STR(text, "before within after");
    (void)g_unlink(path);
}

/* A pipe has no name but /dev/stdout, /proc/self/fd/1 and the like, and no place beside it. */
static void a_pipe_is_written_to_by_the_name_of_its_descriptor(void)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    g_autofree char *name = g_strdup_printf("/proc/self/fd/%d", ends[1]);
    sim_out_file *file = sim_out_file_open(name, NULL);
    CHECK(file != NULL, "%s", name);
    fputs("one ", sim_out_file_stream(file));
    CHECK(sim_out_file_commit(file, NULL));
    const int saved = dup(STDOUT_FILENO);
    (void)fflush(stdout);
    CHECK(dup2(ends[1], STDOUT_FILENO) == STDOUT_FILENO);
    fputs("two ", stdout);
    file = sim_out_file_open("/dev/stdout", NULL);
    const bool is_open = file != NULL;
    if (is_open) {
        fputs("three ", sim_out_file_stream(file));
        (void)sim_out_file_commit(file, NULL);
    }
    fputs("four", stdout);
    (void)fflush(stdout);
    CHECK(dup2(saved, STDOUT_FILENO) == STDOUT_FILENO);
    (void)close(saved);
    (void)close(ends[1]);
    char text[64] = "";
    CHECK(is_open && read(ends[0], text, sizeof text - 1) > 0);
    (void)close(ends[0]);
    CHECK_STR(text, "one two three four");
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

/* Beside the file; /dev/null has no place of its own. */
static void a_scratch_file_has_no_name_and_is_read_back(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-out-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "x", NULL);
    const char *const paths[] = {path, "/dev/null", path, "/dev/null"};
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_autoptr(GError) error = NULL;
        everything_has_a_name = i >= 2;
        g_autoptr(sim_out_file) file = sim_out_file_open(paths[i], &error);
        g_assert_no_error(error);
        FILE *scratch = sim_out_file_scratch(file, &error);
        g_assert_no_error(error);
        char back[4] = "";
        CHECK(fputs("abc", scratch) >= 0 && fseek(scratch, 0, SEEK_SET) == 0);
        CHECK(fread(back, 1, 3, scratch) == 3 && strcmp(back, "abc") == 0, "%s", paths[i]);
        (void)fclose(scratch);
    }
    everything_has_a_name = false;
    CHECK_I64(g_rmdir(folder), 0, "a file is left");
}

SUITE_MAIN("out_file", TEST(a_committed_file_is_there_and_a_discarded_one_is_not),
           TEST(a_scratch_file_has_no_name_and_is_read_back), TEST(what_is_not_whole_has_no_name),
           TEST(what_a_killed_command_left_goes_with_the_next),
           TEST(what_another_command_is_writing_is_left_alone),
           TEST(without_locks_only_what_is_killed_leaves_something),
           TEST(links_in_a_circle_are_an_error),
           TEST(standard_output_that_cannot_be_written_is_an_error),
           TEST(the_file_that_a_link_promises_is_made),
           TEST(standard_output_is_written_as_it_comes_and_stays_open),
           TEST(a_pipe_is_written_to_by_the_name_of_its_descriptor),
           TEST(the_file_behind_a_link_is_replaced), TEST(a_full_disk_is_an_error),
           TEST(a_place_that_is_not_there_is_an_error))
