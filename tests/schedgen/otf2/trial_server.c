/* tests/schedgen/otf2/trial_server.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "trial_server.h"
#include "otf2_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* A trial of the small archive takes 1 ms; what it leaks of damaged ones goes with the server. */
enum { TRIAL_MICROSECONDS = 200000, TRIALS_PER_SERVER = 2000 };

static pid_t server; /* 0: none */
static int wire = -1;
static unsigned trials;

/* The child: never returns. Time that is over kills, as any damage does, and quietly. */
static void serve(int client, const char *anchor)
{
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF};
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    for (size_t i = 0; i < G_N_ELEMENTS(deadly); i++) {
        (void)signal(deadly[i], SIG_DFL);
    }
    (void)dup2(nowhere, STDERR_FILENO);
    (void)dup2(nowhere, STDOUT_FILENO);
    char byte;
    while (read(client, &byte, 1) == 1) {
        (void)setitimer(ITIMER_PROF,
                        &(struct itimerval){.it_value = {.tv_usec = TRIAL_MICROSECONDS}}, NULL);
        sched_otf2_try(anchor);
        (void)setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
        if (write(client, &byte, 1) != 1) {
            break;
        }
    }
    _exit(0);
}

static void start(const char *anchor)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        abort();
    }
    server = fork();
    if (server < 0) {
        abort();
    }
    if (server == 0) {
        (void)close(pair[0]);
        serve(pair[1], anchor);
    }
    (void)close(pair[1]);
    wire = pair[0];
    trials = 0;
}

void trial_server_stop(void)
{
    if (server > 0) {
        (void)close(wire); /* it reads the end, and ends */
        while (waitpid(server, NULL, 0) < 0 && errno == EINTR) {
        }
        server = 0;
    }
}

bool trial_server_survives(const char *anchor, GError **error)
{
    if (server == 0) {
        start(anchor);
    }
    char byte = 1;
    const bool lives = send(wire, &byte, 1, MSG_NOSIGNAL) == 1 && read(wire, &byte, 1) == 1;
    if (!lives || ++trials == TRIALS_PER_SERVER) {
        trial_server_stop();
    }
    if (!lives) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s: damaged", anchor);
    }
    return lives;
}
