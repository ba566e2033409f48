/* apps/ripple/system/child.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "system/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILL = 2 }; /* the last try */
static const gint64 GRACE = (gint64)APP_CHILD_GRACE * G_USEC_PER_SEC;
static const int STOPS[] = {SIGINT, SIGTERM, SIGHUP};

typedef struct child {
    sigset_t waited; /* for by the loop: what stops us, and SIGCHLD */
    sigset_t before; /* our mask, and the child's */
    pid_t pid;       /* and number of its group; 0: it has ended */
    pid_t group;
    bool has_terminal; /* we gave it the terminal */
    gint64 next;       /* monotonic µs: when to try harder; 0: nobody wants it to stop */
    int tries;         /* how often we tried harder: with SIGTERM, then with SIGKILL */
    app_child_end *end;
} child;

/* ---- the terminal, which belongs to one process group at a time ---- */
static bool in_foreground(void)
{
    return isatty(STDIN_FILENO) != 0 && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* SIGTTOU, which stops who does this from behind, is blocked. */
static void give_terminal(pid_t group)
{
    (void)tcsetpgrp(STDIN_FILENO, group);
}

/* In the child, before it becomes the command: only calls that are safe after fork(). */
static void set_up(gpointer data)
{
    const child *c = data;
    (void)setpgid(0, 0);
    if (c->has_terminal) {
        give_terminal(getpid());
    }
    (void)signal(SIGXFSZ, SIG_DFL); /* which main() ignores */
    (void)pthread_sigmask(SIG_SETMASK, &c->before, NULL);
}

/* It was stopped, say by Ctrl-Z: so are we, until somebody continues us. */
static void pause_with(child *c)
{
    if (isatty(STDIN_FILENO) == 0) {
        return; /* no shell looks after us: whoever stopped it will continue it */
    }
    if (c->has_terminal) {
        give_terminal(getpgrp());
    }
    (void)raise(SIGSTOP);
    c->has_terminal = in_foreground();
    if (c->has_terminal) {
        give_terminal(c->group);
    }
    (void)kill(-c->group, SIGCONT);
}

/* ---- what the command has started ---- */
static pid_t parent_of(const char *pid)
{
    g_autofree char *file = g_build_filename("/proc", pid, "stat", NULL);
    g_autofree char *text = NULL;
    long parent = 0;
    if (g_file_get_contents(file, &text, NULL, NULL)) {
        const char *after_name = strrchr(text, ')'); /* the name may hold anything; " S 123" */
        parent =
            after_name != NULL && strlen(after_name) > 4 ? strtol(after_name + 4, NULL, 10) : 0;
    }
    return (pid_t)parent;
}

/* The group, and processes that left it and lost their parent: those became our children. None is
 * told twice: mpirun takes a second signal for impatience and does not wait for its ranks. */
static void signal_all(const child *c, int number)
{
    (void)kill(-c->group, number);
    g_autoptr(GDir) proc = g_dir_open("/proc", 0, NULL);
    const char *name;
    while (proc != NULL && (name = g_dir_read_name(proc)) != NULL) {
        const pid_t pid = (pid_t)strtol(name, NULL, 10);
        if (pid > 0 && parent_of(name) == getpid() && getpgid(pid) != c->group) {
            (void)kill(pid, number);
        }
    }
}

/* Take note of whoever has ended. @return is anybody left whom we wait for? */
static bool reap(child *c)
{
    for (;;) {
        int status;
        const pid_t pid = waitpid(-1, &status, WNOHANG | WUNTRACED);
        if (pid < 0 && errno == ECHILD) {
            return false;
        }
        if (pid <= 0) {
            return c->pid != 0 || c->next != 0;
        }
        if (pid == c->pid && WIFSTOPPED(status)) {
            pause_with(c);
        } else if (pid == c->pid) {
            c->pid = 0;
            c->end->status = status;
        }
        if (!WIFSTOPPED(status) && c->tries == KILL) {
            signal_all(c, SIGKILL); /* its children have become ours */
        }
    }
}

static void pass_on(child *c, int number)
{
    c->end->stopped_by = c->end->stopped_by != 0 ? c->end->stopped_by : number;
    if (c->next == 0) {
        c->next = g_get_monotonic_time() + GRACE;
    }
    signal_all(c, number);
    (void)kill(-c->group, SIGCONT); /* a stopped process handles no other signal */
}

/* @return false: all was killed a while ago; what is still there cannot be */
static bool try_harder(child *c)
{
    if (c->tries == KILL) {
        return false;
    }
    c->tries++;
    c->next += GRACE;
    signal_all(c, c->tries == KILL ? SIGKILL : SIGTERM);
    return true;
}

/* Until @p instant, on the monotonic clock; 0: as long as it takes. @return a signal; 0: none came
 */
static int wait_until(const child *c, gint64 instant)
{
    siginfo_t info;
    const gint64 left = MAX(instant - g_get_monotonic_time(), 0);
    const struct timespec time = {left / G_USEC_PER_SEC, left % G_USEC_PER_SEC * 1000};
    const int number =
        instant != 0 ? sigtimedwait(&c->waited, &info, &time) : sigwaitinfo(&c->waited, &info);
    return MAX(number, 0);
}

static void wait_for(child *c, const app_child_beat *beat)
{
    bool more = true;
    gint64 due = beat != NULL ? g_get_monotonic_time() + beat->interval : 0;
    while (more && reap(c)) {
        const bool stops_first = due == 0 || (c->next != 0 && c->next < due);
        const int number = wait_until(c, stops_first ? c->next : due);
        const gint64 now = g_get_monotonic_time();
        if (number > 0 && number != SIGCHLD) {
            pass_on(c, number);
        } else if (number == 0 && c->next != 0 && now >= c->next) {
            more = try_harder(c);
        }
        if (due != 0 && now >= due) {
            beat->call(beat->data);
            due = g_get_monotonic_time() + beat->interval;
        }
    }
}

/* Block what wait_for() waits for. */
static void hold_signals(child *c)
{
    sigset_t blocked;
    (void)sigemptyset(&c->waited);
    (void)sigaddset(&c->waited, SIGCHLD);
    for (size_t i = 0; i < G_N_ELEMENTS(STOPS); i++) {
        struct sigaction action;
        const bool ignored = sigaction(STOPS[i], NULL, &action) == 0 &&
                             action.sa_handler == SIG_IGN; /* by nohup, or a shell's '&' */
        if (!ignored) {
            (void)sigaddset(&c->waited, STOPS[i]);
        }
    }
    blocked = c->waited;
    (void)sigaddset(&blocked, SIGTTOU);
    (void)signal(SIGCHLD, SIG_DFL); /* ignored, it would not tell of the end */
    (void)pthread_sigmask(SIG_BLOCK, &blocked, &c->before);
}

bool app_child_run(char **argv, char **environment, const app_child_beat *beat, app_child_end *end,
                   GError **error)
{
    child c = {.has_terminal = in_foreground(), .end = end};
    *end = (app_child_end){.status = SIGKILL}; /* unless it tells us another end */
    hold_signals(&c);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1); /* orphans come to us */
    const bool started = g_spawn_async(NULL, argv, environment,
                                       G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN |
                                           G_SPAWN_DO_NOT_REAP_CHILD,
                                       set_up, &c, &c.pid, error);
    if (started) {
        c.group = c.pid;
        wait_for(&c, beat);
    }
    (void)prctl(PR_SET_CHILD_SUBREAPER, 0);
    if (c.has_terminal) {
        give_terminal(getpgrp());
    }
    (void)pthread_sigmask(SIG_SETMASK, &c.before, NULL);
    return started;
}

void app_child_die(int number)
{
    sigset_t mine;
    (void)fflush(NULL);
    (void)sigemptyset(&mine);
    (void)sigaddset(&mine, number);
    (void)signal(number, SIG_DFL);
    (void)pthread_sigmask(SIG_UNBLOCK, &mine, NULL);
    (void)raise(number);
    abort(); /* not reached */
}
