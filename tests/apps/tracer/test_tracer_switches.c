/* tests/apps/tracer/test_tracer_switches.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Expected numbers are those of mpi/rests.c. How long something takes is never judged. */
#include "check.h"
#include "mpi_record.h"
#include "noise/switch_file.h"
#include "noise/switches.h"
#include "tracer/protocol.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { RANKS = 2, SLEEPS = 3000, SLEEP_NS = 20000 };

static bool can_listen(void)
{
    noise_switches *s = noise_switches_open(0, -1, 1);
    const bool can = s != NULL;
    noise_switches_close(s);
    return can;
}

static void check_log(const noise_switch_log *log, uint32_t rank, const char *what)
{
    const noise_switch_header *h = &log->header;
    uint64_t slept = 0;
    CHECK_I64(h->rank, rank, "%s", what);
    CHECK_I64(h->num_ranks, RANKS, "%s", what);
    CHECK_I64(h->refused, 0, "%s", what);
    CHECK_I64(h->is_whole, 1, "%s", what);
    CHECK(h->begin.monotonic < h->end.monotonic && h->end.realtime > h->begin.realtime, "%s", what);
    CHECK(strlen(h->boot_id) == 36 && h->host[0] != '\0', "%s", what);
    CHECK_I64(h->offset_begin.offset, 0, "%s: ranks of one kernel share its clock", what);
    CHECK(h->init_enter > 0 && h->init_enter <= h->begin.monotonic, "%s", what);
    for (size_t i = 0; i < log->n; i++) {
        const noise_switch_record *r = &log->record[i];
        CHECK(r->out >= h->begin.monotonic && r->in <= h->end.monotonic, "%s", what);
        slept += r->tid == h->tid && r->preempted == 0 && r->in - r->out >= SLEEP_NS / 2 ? 1 : 0;
    }
    /* half of what was lost are beginnings; some sleeps are over before the thread is switched out
     */
    CHECK(slept + h->lost >= SLEEPS * 9 / 10, "%s: %d sleeps, %d lost", what, (int)slept,
          (int)h->lost);
}

static void try_program(const mpi *m, const char *argument)
{
    g_autofree char *dir = folder();
    g_autofree char *said = record(m, RANKS, dir, program(m, "rests"), argument);
    const char *what = m->name;
    CHECK(strstr(said, "context switches") == NULL, "%s: %s", what, said);
    for (uint32_t r = 0; r < RANKS; r++) {
        g_autofree char *path = g_strdup_printf("%s/trace/" NOISE_SWITCH_FILE "%u", dir, r);
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_switch_log) log = noise_switch_log_read(path, &error);
        if (CHECK(log != NULL, "%s: %s", what, error != NULL ? error->message : "")) {
            check_log(log, r, what);
        }
    }
    g_autoptr(sched_trace) t = read_trace(dir); /* the archive beside it is as ever */
    for (uint32_t r = 0; t != NULL && r < RANKS; r++) {
        uint64_t listed = 0;
        CHECK_I64(count(t, r, "MPI_Barrier", &listed), SLEEPS / 100, "%s", what);
    }
    remove_folder(dir);
}

static void sleeps_of_the_ranks_are_recorded(void)
{
    if (!can_listen()) {
        SKIP_TEST("%s", noise_switches_refusal(errno, true));
    }
    CHECK(g_setenv(TRACER_ENV_SWITCHES, "1", TRUE));
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] != '\0') {
            try_program(&MPI[k], NULL);
            try_program(&MPI[k], "exit");
        }
    }
    g_unsetenv(TRACER_ENV_SWITCHES);
}

/* For this process and its children the kernel refuses perf_event_open(). */
static bool refuse_switches(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = {G_N_ELEMENTS(code), code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/* Last of all: the filter stays. */
static void where_switches_are_refused_waits_are_read_at_calls(void)
{
    if (access("/proc/thread-self/schedstat", R_OK) != 0 || !refuse_switches()) {
        SKIP_TEST("no schedstat, or no filter of system calls");
    }
    CHECK(!can_listen() && errno == EACCES);
    CHECK(g_setenv(TRACER_ENV_SWITCHES, "1", TRUE));
    const mpi *m = MPI[0].mpirun[0] != '\0' ? &MPI[0] : &MPI[1];
    g_autofree char *dir = folder();
    g_autofree char *said = record(m, RANKS, dir, program(m, "rests"), NULL);
    CHECK(strstr(said, "how long ranks wait for a CPU is read at calls instead") != NULL, "%s",
          said);
    for (uint32_t r = 0; r < RANKS; r++) {
        g_autofree char *path = g_strdup_printf("%s/trace/" NOISE_SWITCH_FILE "%u", dir, r);
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_switch_log) log = noise_switch_log_read(path, &error);
        if (!CHECK(log != NULL, "%s", error != NULL ? error->message : "")) {
            continue;
        }
        CHECK_I64(log->header.refused, EACCES);
        CHECK_I64(log->header.is_whole, 1);
        CHECK(noise_switch_log_is_coarse(log));
        for (size_t i = 0; i < log->n; i++) { /* each wake-up of its sleeps waits a little */
            CHECK(log->record[i].preempted == 1 && log->record[i].in > log->record[i].out);
        }
        CHECK(log->n > 0);
    }
    g_unsetenv(TRACER_ENV_SWITCHES);
    remove_folder(dir);
}

static void nobody_asked_and_nothing_is_there(void)
{
    const mpi *m = MPI[0].mpirun[0] != '\0' ? &MPI[0] : &MPI[1];
    g_autofree char *dir = folder();
    g_autofree char *said = record(m, RANKS, dir, program(m, "rests"), NULL);
    g_autofree char *path = g_build_filename(dir, "trace", NOISE_SWITCH_FILE "0", NULL);
    CHECK(!g_file_test(path, G_FILE_TEST_EXISTS), "%s", said);
    remove_folder(dir);
}

/* Ripple's own watch around it: every rank has its line. What was taken, nobody knows beforehand.
 */
static void a_watched_run_says_of_every_rank_what_was_taken(void)
{
    if (!can_listen()) {
        SKIP_TEST("%s", noise_switches_refusal(errno, true));
    }
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        const mpi *m = &MPI[k];
        if (m->mpirun[0] == '\0') {
            continue;
        }
        g_autofree char *dir = folder();
        g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
        g_auto(GStrv) env = g_get_environ();
        static const char *const own[] = {RIPPLE, "trace", "--watch", "-o", "w", "--"};
        for (size_t i = 0; i < G_N_ELEMENTS(own); i++) {
            g_ptr_array_add(argv, g_strdup(own[i]));
        }
        add_launcher(m, RANKS, argv, &env);
        g_ptr_array_add(argv, g_strdup(program(m, "rests")));
        g_ptr_array_add(argv, NULL);
        g_autofree char *out = NULL;
        g_autofree char *said = NULL;
        int status = 1;
        CHECK(g_spawn_sync(dir, (char **)argv->pdata, env, G_SPAWN_SEARCH_PATH, NULL, NULL, &out,
                           &said, &status, NULL));
        CHECK_I64(status, 0, "%s: %s", m->name, said);
        CHECK(strstr(out, "CPU time taken from the ranks") != NULL, "%s: %s", m->name, out);
        CHECK(strstr(out, "  rank 0: of ") != NULL, "%s: %s", m->name, out);
        CHECK(strstr(out, "  rank 1: of ") != NULL, "%s: %s", m->name, out);
        CHECK(strstr(out, "not watched") == NULL, "%s: %s", m->name, out);
        remove_folder(dir);
    }
}

SUITE_MAIN("tracer_switches", TEST(sleeps_of_the_ranks_are_recorded),
           TEST(nobody_asked_and_nothing_is_there),
           TEST(a_watched_run_says_of_every_rank_what_was_taken),
           TEST(where_switches_are_refused_waits_are_read_at_calls))
