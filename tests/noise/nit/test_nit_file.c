/* tests/noise/nit/test_nit_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "nit/nit_writer.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#define BEGIN UINT64_C(1000000000000)
static const uint64_t MS = 1000000;

static char *folder;

static char *path_of(const char *name)
{
    folder = folder != NULL ? folder : g_dir_make_tmp("ripple-nit-XXXXXX", NULL);
    return g_build_filename(folder, name, NULL);
}

static noise_nit_writer *begin_at(const char *path, GError **error)
{
    static uint32_t cpus[] = {0, 2};
    static uint32_t core[] = {0, 0};
    static noise_nit_clocks clocks = {BEGIN, BEGIN + 5, UINT64_C(1700000000000000000), 77};
    const noise_nit_node node = {.name = (char[]){"n07"},
                                 .boot_id = (char[]){"b-1"},
                                 .kernel = (char[]){"6.1"},
                                 .num_cpus = 2,
                                 .cpus = cpus,
                                 .core = core,
                                 .hz = 250,
                                 .clk_tck = 100,
                                 .mode = NOISE_NIT_BUDGET,
                                 .asked = 0.01,
                                 .clocks = &clocks,
                                 .num_clocks = 1};
    return noise_nit_writer_new(path, &node, error);
}

static const noise_nit_thread CRON = {.pid = 7,
                                      .tid = 8,
                                      .parent = 1,
                                      .start_ticks = 123456,
                                      .kind = NOISE_PROGRAM_DAEMON,
                                      .rank = -1,
                                      .name = (char[]){"cron \"x\""},
                                      .command = (char[]){"/usr/sbin/cron -f"}};
static const noise_nit_thread RANK = {.pid = 9,
                                      .tid = 9,
                                      .parent = 2,
                                      .start_ticks = 5,
                                      .kind = NOISE_PROGRAM_APPLICATION,
                                      .rank = 5,
                                      .name = (char[]){"app"}};

/* Two seconds, a spill after each: activities that end out of order, one that goes on. */
static void write_example(const char *path)
{
    g_autoptr(GError) error = NULL;
    noise_nit_writer *w = begin_at(path, &error);
    CHECK(w != NULL, "%s", error != NULL ? error->message : "");
    const uint32_t cron = noise_nit_writer_thread(w, &CRON);
    noise_nit_activity a = {cron, 2, BEGIN + 9 * MS, BEGIN + 11 * MS, 250000, 1, 1, 0, false, 700};
    noise_nit_writer_activity(w, &a, false);
    const uint32_t rank = noise_nit_writer_thread(w, &RANK);
    a = (noise_nit_activity){rank, 0, BEGIN + 4 * MS, BEGIN + 1000 * MS, 900 * MS, 2, 0,
                             1,    3, false};
    noise_nit_writer_activity(w, &a, true);
    a = (noise_nit_activity){cron, UINT32_MAX, BEGIN + 500 * MS, BEGIN + 501 * MS, 0, 1, 0, 0,
                             0,    false};
    noise_nit_writer_activity(w, &a, false);
    const noise_nit_line line = {(char[]){"softirq TIMER"}, true};
    const noise_nit_interrupts tick = {.from = BEGIN,
                                       .to = BEGIN + 990 * MS,
                                       .cpu = 2,
                                       .line = noise_nit_writer_line(w, &line),
                                       .count = 248};
    noise_nit_writer_interrupts(w, &tick);
    nit_seen seen = {.to = BEGIN + 1000 * MS, .sweeps = 100, .interval_ns = 1000 * MS};
    seen.max_interval_ns = 30 * MS;
    seen.switches = 50;
    seen.slices = 20;
    seen.forks = 3;
    seen.appeared = 1;
    seen.intervals[nit_bucket(10 * MS)] = 97;
    seen.intervals[nit_bucket(30 * MS)] = 3;
    noise_nit_writer_seen(w, &seen);
    noise_nit_writer_spill(w, BEGIN + 1000 * MS);

    a = (noise_nit_activity){rank, 0,    BEGIN + 1000 * MS, BEGIN + 1500 * MS, 400 * MS, 1, 1, 0,
                             4,    false};
    noise_nit_writer_activity(w, &a, false);
    const noise_nit_marker marker = {0, BEGIN + 1200 * MS, (char[]){"here"}};
    noise_nit_writer_marker(w, &marker);
    const noise_nit_steal steal = {0, 0, BEGIN, BEGIN + 1100 * MS, 10 * MS};
    noise_nit_writer_steal(w, &steal);
    const noise_nit_clocks clocks = {BEGIN + 2000 * MS, BEGIN + 2000 * MS + 6,
                                     UINT64_C(1700000002000000000), 99};
    noise_nit_writer_clocks(w, &clocks);
    CHECK(noise_nit_writer_close(w, BEGIN + 2000 * MS, &error));
}

static void what_is_written_is_read(void)
{
    g_autofree char *path = path_of("whole.nit");
    write_example(path);
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_nit) nit = noise_nit_read(path, &error);
    if (!CHECK(nit != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    const noise_nit_node *node = nit->nodes;
    CHECK_STR(node->name, "n07");
    CHECK_I64(node->num_cpus, 2);
    CHECK_I64(node->cpus[1], 2);
    CHECK_NEAR(node->asked, 0.01, 0);
    CHECK_I64(node->end - node->begin, 2000 * MS);
    CHECK(!node->is_cut);
    CHECK_I64(node->sweeps, 100);
    CHECK_I64(node->mean_interval_ns, 10 * MS);
    CHECK_NEAR(node->p99_interval_ns, 30 * MS, 3 * MS, "p99");
    CHECK_I64(node->unattributed_switches, 50 - 2 * 20, "two for each slice");
    CHECK_I64(node->unattributed_forks, 2);
    CHECK_I64(node->num_clocks, 2);
    CHECK_I64(node->clocks[1].tsc, 99);
    CHECK_I64(nit->num_threads, 2);
    CHECK_STR(nit->threads[0].name, "cron \"x\"");
    CHECK_I64(nit->threads[1].rank, 5);
    CHECK(nit->threads[1].command == NULL);
    CHECK_I64(nit->num_activities, 3, "what goes on is one");
    CHECK_I64(nit->activities[0].cpu_ns, 250000);
    CHECK_I64(nit->activities[0].run_delay_ns, 700);
    CHECK_I64(nit->activities[1].cpu, UINT32_MAX);
    const noise_nit_activity *last = &nit->activities[2];
    CHECK_I64(last->to - last->from, 1496 * MS);
    CHECK_I64(last->cpu_ns, 1300 * MS);
    CHECK_I64(last->slices, 3);
    CHECK_I64(nit->interrupts[0].count, 248);
    CHECK(nit->lines[0].is_soft);
    CHECK_I64(nit->steals[0].ns, 10 * MS);
    CHECK_STR(nit->markers[0].text, "here");
    g_autofree char *text = noise_nit_to_text(nit);
    CHECK(strstr(text, "activity 9000000 11000000 thread 0 cpu 2 ran 250000 slices 1") != NULL,
          "%s", text);
    CHECK(strstr(text, "daemon \"cron \\\"x\\\"\" \"/usr/sbin/cron -f\"\n") != NULL, "%s", text);
}

/* A writer that is killed leaves a prefix; as much as was whole is read. */
static void every_prefix_is_read_and_said_to_be_cut(void)
{
    g_autofree char *path = path_of("prefix.nit");
    write_example(path);
    g_autofree char *data = NULL;
    gsize size = 0;
    CHECK(g_file_get_contents(path, &data, &size, NULL));
    size_t most = 0;
    bool begun = false;
    for (gsize cut = 0; cut < size; cut++) {
        g_autofree char *part = g_memdup2(data, cut + 1); /* ASan sees what is read beyond */
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_nit) nit = noise_nit_parse("part", part, cut, &error);
        CHECK(nit != NULL || !begun, "prefix of %zu bytes: %s", cut,
              error != NULL ? error->message : "");
        if (nit != NULL) {
            begun = true;
            CHECK(nit->nodes[0].is_cut, "prefix of %zu bytes", cut);
            CHECK(nit->num_activities >= most, "prefix of %zu bytes", cut);
            most = nit->num_activities;
        }
    }
    CHECK_I64(most, 3);
}

static void a_changed_byte_is_found_and_named(void)
{
    g_autofree char *path = path_of("changed.nit");
    write_example(path);
    g_autofree char *data = NULL;
    gsize size = 0;
    CHECK(g_file_get_contents(path, &data, &size, NULL));
    for (gsize i = 16; i < size - 40; i++) { /* of the last frame a cut one may be left */
        data[i] ^= 0x20;
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_nit) nit = noise_nit_parse("f.nit", data, size, &error);
        CHECK(nit == NULL, "byte %zu", i);
        if (nit == NULL) {
            CHECK_ERROR(error, "f.nit: byte ");
        }
        data[i] ^= 0x20;
    }
    g_autoptr(GError) version = NULL;
    data[8] = 9;
    CHECK(noise_nit_parse("f.nit", data, size, &version) == NULL);
    CHECK_ERROR(version, "version 9");
    g_autoptr(GError) other = NULL;
    CHECK(noise_nit_parse("f.nit", "hello, this is text", 19, &other) == NULL);
    CHECK_ERROR(other, "f.nit: this is not a .nit file");
}

static void *drain(void *data)
{
    const int fd = *(int *)data;
    char bytes[1 << 16];
    while (read(fd, bytes, sizeof bytes) > 0) {
    }
    return NULL;
}

/* The disk does not take anything: who adds records goes on, and what was dropped is counted. */
static void a_slow_disk_does_not_hold_up_who_adds(void)
{
    g_autofree char *path = path_of("pipe");
    CHECK(mkfifo(path, 0600) == 0);
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    noise_nit_writer *w = begin_at(path, NULL);
    const uint32_t thread = noise_nit_writer_thread(w, &CRON);
    uint64_t state = 1;
    for (uint32_t i = 0; i < 1000000; i++) {
        state =
            state * 6364136223846793005u + 1442695040888963407u; /* so that it does not shrink */
        const noise_nit_activity a = {thread, 0, BEGIN + i, BEGIN + i + 1, state >> 10, 1,
                                      0,      0, 0,         false};
        noise_nit_writer_activity(w, &a, false);
    }
    nit_seen seen = {.to = BEGIN};
    noise_nit_writer_seen(w, &seen);
    CHECK(seen.lost > 100000, "%" PRIu64, seen.lost);
    (void)fcntl(fd, F_SETFL, 0);
    pthread_t reader;
    CHECK(pthread_create(&reader, NULL, drain, &fd) == 0);
    CHECK(noise_nit_writer_close(w, BEGIN, NULL));
    (void)pthread_join(reader, NULL);
    (void)close(fd);
}

static void a_place_that_cannot_be_written_is_named(void)
{
    g_autoptr(GError) error = NULL;
    CHECK(begin_at("/nonexistent/x.nit", &error) == NULL);
    CHECK_ERROR(error, "/nonexistent/x.nit: ");
    g_autoptr(GError) full = NULL;
    if (g_access("/dev/full", W_OK) != 0) {
        SKIP_TEST("there is no /dev/full");
    }
    CHECK(begin_at("/dev/full", &full) == NULL);
    CHECK_ERROR(full, "/dev/full: No space left");
}

static void files_are_removed(void)
{
    for (const char *const *name =
             (const char *const[]){"whole.nit", "prefix.nit", "changed.nit", "pipe", NULL};
         *name != NULL; name++) {
        g_autofree char *path = path_of(*name);
        CHECK(g_unlink(path) == 0);
    }
    CHECK(g_rmdir(folder) == 0);
    g_free(folder);
}

SUITE_MAIN("nit_file", TEST(what_is_written_is_read), TEST(every_prefix_is_read_and_said_to_be_cut),
           TEST(a_changed_byte_is_found_and_named), TEST(a_slow_disk_does_not_hold_up_who_adds),
           TEST(a_place_that_cannot_be_written_is_named), TEST(files_are_removed))
