/* tests/noise/monitor/test_monitor.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/monitor.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char *file_of(const char *name)
{
    g_autofree char *file = g_strdup_printf("ripple-test-%s-%d.nit", name, (int)getpid());
    return g_build_filename(g_get_tmp_dir(), file, NULL);
}

static noise_monitor *start(const char *path, double rate)
{
    noise_monitor_options o;
    noise_monitor_options_init(&o);
    o.path = path;
    o.mode = NOISE_NIT_RATE;
    o.rate = rate;
    g_autoptr(GError) error = NULL;
    noise_monitor *m = noise_monitor_start(&o, &error);
    CHECK(m != NULL, "%s", error != NULL ? error->message : "");
    return m;
}

static bool counts_time(void)
{
    g_autofree char *text = NULL;
    return g_file_get_contents("/proc/self/schedstat", &text, NULL, NULL) && *text != '0';
}

static uint64_t thread_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Bursts of @p ns, a pause between them; exits when it has had @p n. */
static pid_t burn(int n, uint64_t ns, uint32_t pause_us)
{
    const pid_t pid = fork();
    if (pid == 0) {
        (void)prctl(PR_SET_NAME, "test burner", 0, 0, 0);
        for (int i = 0; i < n; i++) {
            (void)usleep(pause_us);
            const uint64_t begin = thread_ns();
            while (thread_ns() - begin < ns) {
            }
        }
        _exit(0);
    }
    return pid;
}

/* What does not depend on how busy the machine is: the CPU time of a child by the kernel's own
 * account against what was seen of it. */
static void a_child_is_the_application_and_its_time_is_found(void)
{
    if (!counts_time()) {
        SKIP_TEST("the kernel keeps no schedstat");
    }
    g_autofree char *path = file_of("child");
    noise_monitor *m = start(path, 500);
    if (m == NULL) {
        return;
    }
    const pid_t pid = burn(20, 5000000, 20000);
    noise_monitor_mark(m, "here");
    (void)usleep(20 * 25000 / 2);
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    g_autoptr(GError) error = NULL;
    CHECK(noise_monitor_stop(m, &error));
    g_autoptr(noise_nit) nit = noise_nit_read(path, &error);
    (void)g_unlink(path);
    if (!CHECK(nit != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    CHECK(!nit->nodes[0].is_cut);
    CHECK(nit->nodes[0].sweeps > 10);
    CHECK_I64(nit->num_markers, 1);
    CHECK_STR(nit->markers[0].text, "here");
    uint64_t cpu_ns = 0;
    for (size_t i = 0; i < nit->num_activities; i++) {
        const noise_nit_thread *t = &nit->threads[nit->activities[i].thread];
        if (t->pid == (uint32_t)pid) {
            CHECK_STR(noise_program_class_name(t->kind), "application");
            cpu_ns += nit->activities[i].cpu_ns;
        } else if (t->pid == (uint32_t)getpid()) {
            CHECK_STR(noise_program_class_name(t->kind), "monitor");
        }
    }
    /* 100 ms; the last burst may end between two sweeps; each may cost a little more */
    CHECK(cpu_ns > 85000000 && cpu_ns < 130000000, "%" PRIu64, cpu_ns);
}

/* The writer gets no chance: what is older than a second or so is there, and is said to be cut. */
static void a_killed_monitor_leaves_what_it_saw(void)
{
    g_autofree char *path = file_of("killed");
    const pid_t pid = fork();
    if (pid == 0) {
        noise_monitor *m = start(path, 200);
        if (m == NULL) {
            _exit(1);
        }
        for (;;) {
            (void)pause();
        }
    }
    noise_nit *nit = NULL;
    for (int i = 0; i < 300; i++) { /* until two seconds are there, or half a minute has gone */
        (void)usleep(100000);
        g_clear_pointer(&nit, noise_nit_free);
        nit = noise_nit_read(path, NULL);
        if (nit != NULL && nit->nodes[0].end - nit->nodes[0].begin > 1500000000) {
            break;
        }
    }
    (void)kill(pid, SIGKILL);
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    g_clear_pointer(&nit, noise_nit_free);
    g_autoptr(GError) error = NULL;
    nit = noise_nit_read(path, &error);
    if (CHECK(nit != NULL, "%s", error != NULL ? error->message : "")) {
        CHECK(nit->nodes[0].is_cut);
        CHECK(nit->nodes[0].sweeps > 0);
        CHECK(nit->nodes[0].end - nit->nodes[0].begin > 1500000000);
    }
    noise_nit_free(nit);
    (void)g_unlink(path);
}

static void what_cannot_be_done_is_refused(void)
{
    noise_monitor_options o;
    noise_monitor_options_init(&o);
    o.path = "/nonexistent/x.nit";
    g_autoptr(GError) path = NULL;
    CHECK(noise_monitor_start(&o, &path) == NULL);
    CHECK_ERROR(path, "/nonexistent/x.nit: ");
    g_autoptr(GError) proc = NULL;
    o.proc = "/nonexistent/proc";
    CHECK(noise_monitor_start(&o, &proc) == NULL);
    CHECK_ERROR(proc, "/nonexistent/proc: ");
    g_autoptr(GError) budget = NULL;
    o.budget = 0;
    CHECK(noise_monitor_start(&o, &budget) == NULL);
    CHECK_ERROR(budget, "the budget");
    g_autoptr(GError) cpu = NULL;
    o.mode = NOISE_NIT_DEDICATED;
    o.cpu = 1000000;
    CHECK(noise_monitor_start(&o, &cpu) == NULL);
    CHECK_ERROR(cpu, "the CPU is not one");
}

SUITE_MAIN("monitor", TEST(a_child_is_the_application_and_its_time_is_found),
           TEST(a_killed_monitor_leaves_what_it_saw), TEST(what_cannot_be_done_is_refused))
