/* apps/ripple/monitor/injector.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_monitor_validate. */
#include "monitor/injector.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { HEAD = 3 }; /* numbers before the bursts */

static uint64_t now(clockid_t id)
{
    struct timespec t;
    (void)clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The child of a process with threads: no more than system calls. */
static void burn(const app_injector *i, uint32_t cpu, uint64_t burst_ns, uint64_t period_ns)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    (void)prctl(PR_SET_NAME, "ripple-injector", 0, 0, 0);
    (void)prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    const uint64_t start = now(CLOCK_PROCESS_CPUTIME_ID);
    uint64_t due = now(CLOCK_MONOTONIC) + 100000000;
    for (uint32_t k = 0; k < i->most; k++, due += period_ns) {
        const struct timespec at = {(time_t)(due / 1000000000), (long)(due % 1000000000)};
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
        i->bursts[k].begin = now(CLOCK_MONOTONIC);
        const uint64_t begun = now(CLOCK_PROCESS_CPUTIME_ID);
        uint64_t used = 0;
        while (used < burst_ns) {
            used = now(CLOCK_PROCESS_CPUTIME_ID) - begun;
        }
        i->bursts[k].end = now(CLOCK_MONOTONIC);
        *i->burnt_ns += used;
        *i->cpu_ns =
            now(CLOCK_PROCESS_CPUTIME_ID) - start; /* waking up and sleeping are its, too */
        __atomic_store_n(i->num, k + 1, __ATOMIC_RELEASE);
    }
    const struct timespec last = {0, 50000000}; /* its last burst is seen before it has gone */
    (void)nanosleep(&last, NULL);
    _exit(0);
}

static size_t bytes(const app_injector *i)
{
    return HEAD * sizeof(uint64_t) + (size_t)i->most * sizeof(app_burst);
}

bool app_injector_start(app_injector *i, uint32_t cpu, uint64_t burst_ns, uint64_t period_ns,
                        uint32_t most)
{
    *i = (app_injector){.most = most};
    void *shared = mmap(NULL, bytes(i), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return false;
    }
    i->num = shared;
    i->cpu_ns = i->num + 1;
    i->burnt_ns = i->num + 2;
    i->bursts = (app_burst *)(void *)(i->num + HEAD);
    i->pid = fork();
    if (i->pid == 0) {
        burn(i, cpu, burst_ns, period_ns);
    }
    return i->pid > 0;
}

void app_injector_join(app_injector *i, bool at_once)
{
    if (at_once) {
        (void)kill(i->pid, SIGKILL);
    }
    int status;
    (void)waitpid(i->pid, &status, 0);
}

void app_injector_clear(app_injector *i)
{
    if (i->num != NULL) {
        (void)munmap(i->num, bytes(i));
        i->num = NULL;
    }
}
