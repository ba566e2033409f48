/* tests/apps/system/test_app_child.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands that run in our place. Each runs below a process of its own, which is sent the signals;
 * a pipe that all of them hold tells when the last of them has gone.
 */
#include "check.h"
#include "system/child.h"

#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a process of its own: run the command and end as it, or the signal, says. */
static void run_and_end(const char *command)
{
    char sh[] = "sh";
    char option[] = "-c";
    g_autofree char *copy = g_strdup(command);
    char *argv[] = {sh, option, copy, NULL};
    g_auto(GStrv) environment = g_get_environ();
    app_child_end end;
    if (!app_child_run(argv, environment, NULL, &end, NULL)) {
        _exit(99);
    }
    if (end.stopped_by != 0) {
        app_child_die(end.stopped_by);
    }
    _exit(WIFEXITED(end.status) ? WEXITSTATUS(end.status) : 100 + WTERMSIG(end.status));
}

/* Read until @p word was said (NULL: until everybody has gone). @return false: it never was */
static bool hear(int from, const char *word, GString *said)
{
    char text[256];
    ssize_t n = 1;
    while ((word == NULL || strstr(said->str, word) == NULL) &&
           (n = read(from, text, sizeof text)) > 0) {
        g_string_append_len(said, text, n);
    }
    return n > 0;
}

/* Send @p number (0: none) when the command says "ready". @return status of who ran it */
static int run(const char *command, int number, GString *said)
{
    int ends[2];
    int status = 0;
    CHECK(pipe(ends) == 0);
    const pid_t pid = fork();
    if (pid == 0) {
        (void)signal(number > 0 ? number : SIGINT, SIG_DFL); /* a script's '&' has it ignored */
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        run_and_end(command);
    }
    (void)close(ends[1]);
    if (number != 0) {
        CHECK(hear(ends[0], "ready", said), "%s", command);
        CHECK(kill(pid, number) == 0);
    }
    (void)hear(ends[0], NULL, said); /* returns when nobody is left */
    (void)close(ends[0]);
    CHECK(waitpid(pid, &status, 0) == pid);
    return status;
}

static void a_command_that_ends_is_reported_as_it_ended(void)
{
    g_autoptr(GString) said = g_string_new(NULL);
    CHECK_I64(WEXITSTATUS(run("exit 7", 0, said)), 7);
    CHECK_I64(WEXITSTATUS(run("kill -9 $$", 0, said)), 109);
}

static void a_signal_is_passed_on_and_nothing_is_left(void)
{
    static const struct {
        const char *command;
        int number;
        const char *said;
    } row[] = {
        {"trap 'echo got TERM; exit' TERM; echo ready; while :; do sleep 0.1; done", SIGTERM,
         "got TERM"},
        {"trap 'echo got HUP; exit' HUP; echo ready; while :; do sleep 0.1; done", SIGHUP,
         "got HUP"},
        {"trap 'echo got INT; exit' INT; echo ready; while :; do sleep 0.1; done", SIGINT,
         "got INT"},
        /* grandchildren in the group, the shell between gone at once */
        {"sleep 300 & sleep 300 & echo ready; wait", SIGTERM, ""},
        /* and out of it: they hear of it after the grace */
        {"setsid sleep 300 & echo ready; wait", SIGTERM, ""},
        /* deaf ones are killed */
        {"trap '' TERM; setsid sh -c 'while :; do sleep 1; done' & echo ready; wait; sleep 300",
         SIGTERM, ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GString) said = g_string_new(NULL);
        const gint64 start = g_get_monotonic_time();
        const int status = run(row[i].command, row[i].number, said);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == row[i].number, "%s: %d", row[i].command,
              status);
        CHECK(strstr(said->str, row[i].said) != NULL, "%s: %s", row[i].command, said->str);
        const double s = (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
        CHECK(s < 2 * APP_CHILD_GRACE + 4, "%s: %.1f s", row[i].command, s);
    }
}

/* As a shell would: who had the terminal lends it to the command, and has it back afterwards. */
static void the_command_has_the_terminal(void)
{
    int terminal;
    int status = 0;
    const pid_t pid = forkpty(&terminal, NULL, NULL, NULL);
    if (pid == 0) {
        (void)signal(SIGINT, SIG_DFL);
        run_and_end("echo ready; read word; echo \"read $word\"; exec sleep 300");
    }
    if (!CHECK(pid > 0)) {
        return;
    }
    g_autoptr(GString) said = g_string_new(NULL);
    CHECK(hear(terminal, "ready", said));
    CHECK(write(terminal, "hello\n", 6) == 6);
    CHECK(hear(terminal, "read hello", said), "%s", said->str);
    CHECK(write(terminal, "\003", 1) == 1); /* Ctrl-C reaches the command, not us */
    (void)hear(terminal, NULL, said);
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 100 + SIGINT, "%d", status);
    (void)close(terminal);
}

typedef struct beats {
    char *file;
    int n;
} beats;

/* The third beat makes the file that the command waits for. */
static void count_beat(void *data)
{
    beats *b = data;
    if (++b->n == 3) {
        CHECK(g_file_set_contents(b->file, "", 0, NULL));
    }
}

static void what_is_to_be_done_meanwhile_is_done_again_and_again(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-child-XXXXXX", NULL);
    beats b = {g_build_filename(dir, "go", NULL), 0};
    const app_child_beat beat = {10000, count_beat, &b};
    g_autofree char *command = g_strdup_printf("while [ ! -e '%s' ]; do sleep 0.02; done", b.file);
    char sh[] = "sh";
    char option[] = "-c";
    char *argv[] = {sh, option, command, NULL};
    g_auto(GStrv) environment = g_get_environ();
    app_child_end end;
    CHECK(app_child_run(argv, environment, &beat, &end, NULL));
    CHECK(WIFEXITED(end.status) && WEXITSTATUS(end.status) == 0 && end.stopped_by == 0);
    CHECK(b.n >= 3, "%d", b.n);
    (void)unlink(b.file);
    (void)rmdir(dir);
    g_free(b.file);
}

SUITE_MAIN("app_child", TEST(what_is_to_be_done_meanwhile_is_done_again_and_again),
           TEST(a_command_that_ends_is_reported_as_it_ended),
           TEST(a_signal_is_passed_on_and_nothing_is_left), TEST(the_command_has_the_terminal))
