/* tests/noise/monitor/test_sampler.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "fake_proc.h"
#include "monitor/sampler.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

static const uint64_t MS = 1000000;
#define BEGIN UINT64_C(5000000000)

/* A sampler over a fake /proc, under a clock that the test moves. */
static struct {
    char *folder, *path;
    uint64_t now;
    noise_sampler sampler;
} world;

static uint64_t read_clock(void *data)
{
    return *(uint64_t *)data;
}

static void start(long descriptors)
{
    world.path = g_build_filename(g_get_tmp_dir(), "ripple-test-sampler.nit", NULL);
    world.now = BEGIN;
    static noise_nit_clocks clocks = {BEGIN, 0, 0, 0};
    const noise_nit_node node = {.clk_tck = 100, .clocks = &clocks, .num_clocks = 1};
    world.sampler = (noise_sampler){.clock = read_clock,
                                    .clock_data = &world.now,
                                    .proc = open(world.folder, O_RDONLY | O_DIRECTORY),
                                    .descriptors = descriptors,
                                    .self = 99,
                                    .roots = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                                    .idle_rest = 1};
    world.sampler.writer = noise_nit_writer_new(world.path, &node, NULL);
    noise_sampler_begin(&world.sampler);
}

static void sweep(void)
{
    world.now += MS;
    noise_sampler_sweep(&world.sampler);
}

/* What the file says. */
static noise_nit *finish(void)
{
    noise_sampler_end(&world.sampler);
    g_autoptr(GError) error = NULL;
    CHECK(noise_nit_writer_close(world.sampler.writer, world.now, &error));
    noise_nit *nit = noise_nit_read(world.path, &error);
    CHECK(nit != NULL, "%s", error != NULL ? error->message : "");
    (void)g_unlink(world.path);
    (void)close(world.sampler.proc);
    g_array_unref(world.sampler.roots);
    g_free(world.path);
    fake_proc_free(world.folder);
    return nit;
}

static const fake_thread CRON = {.pid = 10,
                                 .tid = 10,
                                 .parent = 1,
                                 .name = "cron",
                                 .state = 'S',
                                 .cpu = 1,
                                 .num_threads = 1,
                                 .start = 500,
                                 .cpu_ns = 1000,
                                 .slices = 4,
                                 .voluntary = 3};

static void put(const fake_thread *t)
{
    fake_proc_thread(world.folder, t);
}

static const noise_nit_activity *nth(const noise_nit *nit, size_t i)
{
    static const noise_nit_activity none;
    return CHECK(i < nit->num_activities, "activity %zu of %zu", i, nit->num_activities)
               ? &nit->activities[i]
               : &none;
}

/* spec: the kernel counts a slice when it begins, its time when it ends or at a tick. */
static void slices_open_an_activity_and_its_time_comes_later(void)
{
    world.folder = fake_proc_new();
    fake_thread cron = CRON;
    put(&cron);
    start(100);
    sweep(); /* nothing */
    cron.slices++;
    cron.cpu = 3;
    cron.state = 'R';
    put(&cron);
    sweep(); /* it is on a CPU: 2 ms */
    sweep(); /* the kernel shows nothing new; but it runs */
    cron.cpu_ns += 2500000;
    cron.voluntary++;
    cron.delay_ns += 700;
    cron.state = 'S';
    put(&cron);
    sweep(); /* 4 ms */
    sweep(); /* it sleeps: the end */
    cron.slices++;
    cron.cpu_ns += 300;
    put(&cron);
    sweep(); /* 6 ms: a short one */
    g_autoptr(noise_nit) nit = finish();
    CHECK_I64(nit->num_activities, 2);
    const noise_nit_activity *a = nth(nit, 0);
    CHECK_I64(a->from, BEGIN + 1 * MS);
    CHECK_I64(a->to, BEGIN + 4 * MS);
    CHECK_I64(a->cpu_ns, 2500000);
    CHECK_I64(a->slices, 1);
    CHECK_I64(a->voluntary, 1);
    CHECK_I64(a->run_delay_ns, 700);
    CHECK_I64(a->cpu, 3);
    CHECK_I64(nth(nit, 1)->from, BEGIN + 5 * MS);
    CHECK_I64(nth(nit, 1)->to, BEGIN + 6 * MS);
    CHECK_I64(nth(nit, 1)->cpu_ns, 300);
    CHECK_STR(nit->threads[0].name, "cron");
    CHECK_I64(nit->threads[0].start_ticks, 500);
}

static void what_was_used_before_is_not_told_but_that_of_new_ones_is(void)
{
    world.folder = fake_proc_new();
    put(&CRON);
    start(100);
    world.now += 4 * MS;
    fake_thread fresh = CRON;
    fresh.pid = fresh.tid = 77;
    fresh.name = "fresh (x) y"; /* a name may hold brackets */
    fresh.cpu_ns = 900;
    put(&fresh);
    noise_sampler_discover(&world.sampler);
    CHECK_I64(world.sampler.seen.appeared, 1);
    g_autoptr(noise_nit) nit = finish();
    CHECK_I64(nit->num_activities, 1);
    CHECK_I64(nth(nit, 0)->cpu_ns, 900);
    CHECK_I64(nth(nit, 0)->from, BEGIN, "since we last looked for new ones");
    CHECK_STR(nit->threads[0].name, "fresh (x) y");
}

static void a_moved_thread_is_told_in_pieces(void)
{
    world.folder = fake_proc_new();
    fake_thread cron = CRON;
    put(&cron);
    start(100);
    cron.state = 'R';
    for (uint32_t cpu = 0; cpu < 3; cpu++) {
        cron.cpu = cpu;
        cron.slices++;
        cron.cpu_ns += 1000;
        put(&cron);
        sweep();
    }
    g_autoptr(noise_nit) nit = finish();
    CHECK_I64(nit->num_activities, 3);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_I64(nth(nit, i)->cpu, i);
        CHECK_I64(nth(nit, i)->cpu_ns, 1000);
        CHECK_I64(nth(nit, i)->from, BEGIN + i * MS);
        CHECK_I64(nth(nit, i)->to, BEGIN + (i + 1) * MS);
    }
}

/* The same number, another thread: both are told, each with what it used. */
static void check_reuse(long descriptors)
{
    world.folder = fake_proc_new();
    fake_thread first = CRON;
    put(&first);
    start(descriptors);
    first.slices++;
    first.cpu_ns += 50;
    put(&first);
    sweep();
    fake_proc_end(world.folder, &first);
    fake_thread second = CRON;
    second.name = "other";
    second.start = 900;
    second.cpu_ns = 70;
    second.slices = 1;
    put(&second);
    sweep();
    noise_sampler_discover(&world.sampler);
    sweep();
    g_autoptr(noise_nit) nit = finish();
    CHECK_I64(nit->num_threads, 2, "%ld descriptors", descriptors);
    CHECK_I64(nit->num_activities, 2, "%ld descriptors", descriptors);
    CHECK_I64(nth(nit, 0)->cpu_ns, 50);
    CHECK_I64(nth(nit, 1)->cpu_ns, 70);
    CHECK_STR(nit->threads[nth(nit, 1)->thread].name, "other");
    CHECK_I64(nit->threads[nth(nit, 1)->thread].start_ticks, 900);
}

static void a_number_used_again_is_another_thread(void)
{
    check_reuse(100);
    check_reuse(0); /* each file is opened anew */
}

static void a_program_that_starts_another_is_told_under_both_names(void)
{
    world.folder = fake_proc_new();
    fake_thread t = CRON;
    t.name = "sh";
    put(&t);
    start(100);
    t.slices++;
    t.cpu_ns += 10;
    t.state = 'R';
    put(&t);
    sweep();
    t.name = "burner";
    t.slices++;
    t.cpu_ns += 20;
    put(&t);
    sweep();
    g_autoptr(noise_nit) nit = finish();
    CHECK_I64(nit->num_activities, 2);
    CHECK_STR(nit->threads[nth(nit, 0)->thread].name, "sh");
    CHECK_I64(nth(nit, 0)->cpu_ns, 10);
    CHECK_STR(nit->threads[nth(nit, 1)->thread].name, "burner");
    CHECK_I64(nth(nit, 1)->cpu_ns, 20);
}

/* 10 starts 20 and 20 starts 30 while the job is 20: classes by who started whom. */
static void classes_follow_who_started_whom(void)
{
    world.folder = fake_proc_new();
    fake_thread rows[] = {CRON, CRON, CRON, CRON, CRON};
    static const uint32_t PIDS[] = {10, 20, 30, 2, 99};
    static const uint32_t PARENTS[] = {1, 10, 20, 0, 10};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        rows[i].pid = rows[i].tid = PIDS[i];
        rows[i].parent = PARENTS[i];
    }
    rows[3].name = "kworker/0:1-events";
    rows[3].flags = 0x00208040;
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        put(&rows[i]);
    }
    start(100);
    const uint32_t root = 20;
    g_array_append_val(world.sampler.roots, root);
    noise_sampler_classify(&world.sampler);
    fake_proc_put(world.folder, "20/environ", "A=1");
    fake_proc_put(world.folder, "30/environ", "OMPI_COMM_WORLD_RANK=12");
    fake_proc_put(world.folder, "30/task/30/cmdline", "/bin/app");
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        rows[i].slices++;
        rows[i].cpu_ns += 5;
        put(&rows[i]);
    }
    sweep();
    g_autoptr(noise_nit) nit = finish();
    CHECK_I64(nit->num_threads, 5);
    for (size_t i = 0; i < nit->num_threads; i++) {
        const noise_nit_thread *t = &nit->threads[i];
        static const char *const WANTED[] = {"application", "application", "kernel", "monitor"};
        for (size_t k = 0; k < G_N_ELEMENTS(WANTED); k++) {
            if (t->pid == PIDS[k + 1]) {
                CHECK_STR(noise_program_class_name(t->kind), WANTED[k], "process %u", t->pid);
            }
        }
        CHECK(t->pid != 10 || t->kind == NOISE_PROGRAM_DAEMON || t->kind == NOISE_PROGRAM_USER);
        CHECK_I64(t->rank, t->pid == 30 ? 12 : -1);
        if (t->pid == 2) { /* what it works on changes, its name does not */
            CHECK_STR(t->name, "kworker/0:1");
            CHECK_STR(t->command, "kworker/0:1-events");
        } else if (t->pid == 30) {
            CHECK_STR(t->command, "/bin/app");
        }
    }
}

/* What a process is told by: all here are of whoever runs the tests. 500 is a shell that a server
 * has begun, 600 a service of process 1; each leads its session. */
static void a_user_is_told_from_a_daemon(void)
{
    static const char SERVICE[] = "0::/system.slice/cron.service\n";
    static const struct {
        const char *what;
        uint32_t session, terminal;
        const char *cgroup, *login;
        bool is_user;
    } ROWS[] = {
        {"nothing is known", 0, 0, NULL, NULL, false},
        {"begun by a service", 600, 0, "0::/\n", "4294967295", false},
        {"from a shell", 500, 0, NULL, "4294967295", true},
        {"at a terminal", 600, 34816, NULL, NULL, true},
        {"by somebody who logged in", 600, 0, "0::/\n", "0", true},
        {"in the slice of a user", 600, 0, "0::/user.slice/user-0.slice/session-1.scope\n", NULL,
         true},
        {"a getty, at its terminal", 500, 1025, SERVICE, NULL, false},
        {"a service begun again by sudo", 500, 0, SERVICE, "1000", false},
        {"in a container", 500, 0, "0::/system.slice/docker-12.scope\n", NULL, true},
        {"the leader has gone", 700, 0, NULL, NULL, false},
    };
    const uid_t uid = getuid();
    const bool is_login = uid >= 1000 && uid <= 59999; /* all are a user's then */
    world.folder = fake_proc_new();
    fake_proc_put(world.folder, "500/task/500/stat", "500 (bash) S 499 500 500 0\n");
    fake_proc_put(world.folder, "600/task/600/stat", "600 (cron) S 1 600 600 0\n");
    for (uint32_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        const uint32_t pid = 1000 + i;
        g_autofree char *stat = g_strdup_printf(
            "%u (p) S 1 %u %u %u -1 64 0 0 0 0 1 2 0 0 20 0 1 0 5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
            "17 0 0 0\n",
            pid, pid, ROWS[i].session, ROWS[i].terminal);
        const struct {
            const char *name, *text;
        } files[] = {{"task/%u/stat", stat},
                     {"task/%u/schedstat", "10 0 1\n"},
                     {"task/%u/status", "Name:\tp\n"},
                     {"cgroup", ROWS[i].cgroup},
                     {"loginuid", ROWS[i].login}};
        for (size_t k = 0; k < G_N_ELEMENTS(files); k++) {
            g_autofree char *name =
                k < 3 ? g_strdup_printf("%u/task/%u/%s", pid, pid, strrchr(files[k].name, '/') + 1)
                      : g_strdup_printf("%u/%s", pid, files[k].name);
            if (files[k].text != NULL) {
                fake_proc_put(world.folder, name, files[k].text);
            }
        }
    }
    start(100);
    for (uint32_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        const watched_thread *t = noise_thread_table_find(&world.sampler.table, 1000 + i);
        if (CHECK(t != NULL, "%s", ROWS[i].what)) {
            CHECK_STR(noise_program_class_name(t->kind),
                      ROWS[i].is_user || is_login ? "user" : "daemon", "%s", ROWS[i].what);
        }
    }
    g_autoptr(noise_nit) nit = finish();
    CHECK(nit != NULL);
}

static void threads_of_a_process_are_found_when_their_number_changes(void)
{
    world.folder = fake_proc_new();
    fake_thread leader = CRON;
    put(&leader);
    start(100);
    fake_thread worker = CRON;
    worker.tid = 11;
    worker.name = "worker";
    worker.slices = 2;
    worker.cpu_ns = 40;
    put(&worker);
    leader.num_threads = 2;
    leader.slices++;
    put(&leader);
    sweep();
    noise_sampler_discover(&world.sampler);
    g_autoptr(noise_nit) nit = finish();
    CHECK_I64(nit->num_threads, 2);
    CHECK_I64(nit->threads[0].tid + nit->threads[1].tid, 10 + 11);
}

/* Random lives of many threads, with and without descriptors: no slice and no nanosecond is lost
 * or invented, and an activity lies where it was. */
static void nothing_is_lost_or_invented(void)
{
    enum { THREADS = 40, STEPS = 400 };
    g_autoptr(GRand) random = g_rand_new_with_seed(12);
    world.folder = fake_proc_new();
    fake_thread t[THREADS];
    uint64_t cpu = 0;
    uint64_t slices = 0;
    for (uint32_t i = 0; i < THREADS; i++) {
        t[i] = CRON;
        t[i].pid = t[i].tid = 100 + i;
        put(&t[i]);
    }
    start(THREADS); /* not enough for all of their files */
    world.sampler.idle_rest = 4;
    for (int step = 0; step < STEPS; step++) {
        for (int change = 0; change < 3; change++) {
            fake_thread *one = &t[g_rand_int_range(random, 0, THREADS)];
            const uint64_t more = (uint64_t)g_rand_int_range(random, 1, 1000000);
            one->state = g_rand_boolean(random) ? 'R' : 'S';
            one->cpu = (uint32_t)g_rand_int_range(random, 0, 4);
            one->slices++;
            one->cpu_ns += more;
            slices++;
            cpu += more;
            put(one);
        }
        sweep();
        if (step % 100 == 99) { /* a second, as it were */
            noise_sampler_tell(&world.sampler);
            noise_nit_writer_spill(world.sampler.writer, world.now);
        }
    }
    world.sampler.idle_rest = 1;
    sweep();
    g_autoptr(noise_nit) nit = finish();
    uint64_t found_cpu = 0;
    uint64_t found_slices = 0;
    for (size_t i = 0; i < nit->num_activities; i++) {
        found_cpu += nit->activities[i].cpu_ns;
        found_slices += nit->activities[i].slices;
        CHECK(nit->activities[i].from < nit->activities[i].to, "activity %zu", i);
    }
    CHECK_I64(found_cpu, cpu);
    CHECK_I64(found_slices, slices);
}

SUITE_MAIN("sampler", TEST(slices_open_an_activity_and_its_time_comes_later),
           TEST(what_was_used_before_is_not_told_but_that_of_new_ones_is),
           TEST(a_moved_thread_is_told_in_pieces), TEST(a_number_used_again_is_another_thread),
           TEST(a_program_that_starts_another_is_told_under_both_names),
           TEST(classes_follow_who_started_whom), TEST(a_user_is_told_from_a_daemon),
           TEST(threads_of_a_process_are_found_when_their_number_changes),
           TEST(nothing_is_lost_or_invented))
