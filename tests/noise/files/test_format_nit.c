/* tests/noise/files/test_format_nit.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of a watched node, written as `ripple monitor` writes them, as noise. */
#include "check.h"
#include "folder.h"
#include "nit/nit_writer.h"
#include "noise/detour_file.h"
#include "noise/nit_merge.h"
#include "noise/nit_programs.h"
#include "noise/signature.h"

#include <assert.h>
#include <string.h>

#define BEGIN UINT64_C(1000000000000)
static const uint64_t MS = 1000000;
static const uint64_t US = 1000;

static noise_nit_thread thread_of(uint32_t tid, const char *name, noise_program_class kind)
{
    static char names[8][16];
    g_strlcpy(names[tid % 8], name, sizeof names[0]);
    return (noise_nit_thread){
        .pid = tid, .tid = tid, .kind = kind, .rank = -1, .name = names[tid % 8]};
}

static void write_node_called(const char *path, const char *host, bool quiet)
{
    static uint32_t cpus[] = {0, 2, 3};
    static uint32_t core[] = {0, 2, 2};
    static noise_nit_clocks clocks = {BEGIN, BEGIN, BEGIN, 0};
    static char kernel[] = "6.1";
    char called[16];
    g_strlcpy(called, host, sizeof called);
    const noise_nit_node node = {.name = called,
                                 .boot_id = called,
                                 .kernel = kernel,
                                 .num_cpus = 3,
                                 .cpus = cpus,
                                 .core = core,
                                 .hz = 250,
                                 .clk_tck = 100,
                                 .mode = NOISE_NIT_BUDGET,
                                 .asked = 0.01,
                                 .clocks = &clocks,
                                 .num_clocks = 1};
    g_autoptr(GError) error = NULL;
    noise_nit_writer *w = noise_nit_writer_new(path, &node, &error);
    CHECK(w != NULL, "%s", error != NULL ? error->message : "");
    const struct {
        const char *name;
        noise_program_class kind;
    } who[] = {{"cron", NOISE_PROGRAM_DAEMON},
               {"kworker/2:1", NOISE_PROGRAM_KERNEL},
               {"app", NOISE_PROGRAM_APPLICATION},
               {"ripple", NOISE_PROGRAM_MONITOR},
               {"cron", NOISE_PROGRAM_DAEMON}};
    uint32_t thread[G_N_ELEMENTS(who)];
    for (uint32_t i = 0; i < G_N_ELEMENTS(who); i++) {
        const noise_nit_thread t = thread_of(i + 1, who[i].name, who[i].kind);
        thread[i] = noise_nit_writer_thread(w, &t);
    }
    const noise_nit_activity activity[] = {
        /* one slice: up to the look that saw it, 11 ms - 250 us = 10.75 ms */
        {thread[0], 2, BEGIN + 9 * MS, BEGIN + 11 * MS, 250 * US, 1, 1, 0, false, 0},
        /* ran in the same interval on the same CPU: it waits for the one before */
        {thread[1], 2, BEGIN + 9 * MS, BEGIN + 11 * MS, 100 * US, 1, 1, 0, false, 0},
        {thread[2], 0, BEGIN, BEGIN + 19 * MS, 19 * MS, 1, 0, 0, false, 0},
        {thread[3], 3, BEGIN, BEGIN + 19 * MS, 9 * MS, 1, 0, 0, false, 0},
        /* two slices of 30 us, one in each half; its CPU is not known: the first one */
        {thread[4], UINT32_MAX, BEGIN + 20 * MS, BEGIN + 22 * MS, 60 * US, 2, 2, 0, false, 0},
        /* seen, but no time yet */
        {thread[4], 2, BEGIN + 23 * MS, BEGIN + 24 * MS, 0, 1, 1, 0, false, 0},
    };
    for (size_t i = 0; !quiet && i < G_N_ELEMENTS(activity); i++) {
        noise_nit_writer_activity(w, &activity[i], false);
    }
    CHECK(noise_nit_writer_close(w, BEGIN + 100 * MS, &error));
}

static void write_node(const char *path, bool quiet)
{
    write_node_called(path, "n07", quiet);
}

typedef struct want {
    double start, length; /* us */
    const char *name;
} want;

static void check_run(const noise_detour_file *file, size_t r, const want *wanted, size_t n)
{
    const noise_detour_run *run = &file->runs[r];
    CHECK_I64(run->n, n, "run %zu", r);
    CHECK_I64(run->period, 100 * SIM_MS, "run %zu", r);
    for (size_t i = 0; i < n && i < run->n; i++) {
        CHECK_NEAR((double)run->start[i] / SIM_US, wanted[i].start, 0, "run %zu, %zu", r, i);
        CHECK_NEAR((double)run->length[i] / SIM_US, wanted[i].length, 0, "run %zu, %zu", r, i);
        CHECK_STR(file->sources[run->source[i]].name, wanted[i].name, "run %zu, %zu", r, i);
    }
}

static void programs_are_detours_in_the_interval_in_which_they_ran(void)
{
    g_autofree char *folder = g_dir_make_tmp("nit-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "node.nit", NULL);
    write_node(path, false);
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_detour_file) file = noise_detour_file_read(path, &error);
    CHECK(error == NULL, "%s", error != NULL ? error->message : "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    assert(file != NULL); /* for the analyzer */
    static const want first[] = {{20970, 30, "cron"}, {21970, 30, "cron"}};
    static const want second[] = {{10750, 250, "cron"}, {11000, 100, "kworker"}};
    CHECK_I64(file->num_runs, 3);
    CHECK_I64(file->num_sources, 2);
    check_run(file, 0, first, 2);
    check_run(file, 1, second, 2);
    check_run(file, 2, NULL, 0); /* the monitor's */
    CHECK_I64(file->runs[1].cpu, 2);
    CHECK_STR(file->sources[0].kind, "program");
    CHECK_STR(file->host, "n07");
    CHECK(strstr(file->note, "left out are the application, the monitor and interrupts") != NULL,
          "%s", file->note);
    folder_remove(folder);
}

static void each_program_is_a_component(void)
{
    g_autofree char *folder = g_dir_make_tmp("nit-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "node.nit", NULL);
    write_node(path, false);
    g_autofree char *text = g_strdup_printf("%s@node-all+without=cron", path);
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_signature) all = noise_signature_parse(path, 1, &error);
    g_autoptr(noise_signature) less = noise_signature_parse(text, 1, &error);
    CHECK(error == NULL, "%s", error != NULL ? error->message : "");
    CU_ASSERT_FATAL(all != NULL && less != NULL);
    CHECK_I64(noise_signature_num_components(all), 2);
    CHECK_STR(noise_signature_component(all, 0)->name, "node.nit: cron");
    CHECK_NEAR(noise_signature_component(all, 0)->share, 310e-6 / 0.3, 1e-12);
    CHECK_I64(noise_signature_num_components(less), 1);
    CHECK_STR(noise_signature_component(less, 0)->name, "node.nit: kworker");
    folder_remove(folder);
}

/* Threads of one process have names of their own; it is one program. */
static void threads_of_a_process_are_one_program(void)
{
    char main_thread[] = "server";
    char pool[] = "pool-3";
    char other[] = "pool-3";
    noise_nit_thread threads[] = {{.pid = 7, .tid = 8, .name = pool},
                                  {.pid = 7, .tid = 7, .name = main_thread},
                                  {.pid = 9, .tid = 10, .name = other}};
    const noise_nit nit = {.num_threads = 3, .threads = threads};
    g_auto(GStrv) programs = noise_nit_programs(&nit);
    CHECK_STR(programs[0], "server");
    CHECK_STR(programs[1], "server");
    CHECK_STR(programs[2], "pool-3"); /* its first thread was not seen */
    CHECK(programs[3] == NULL);
}

/* What `ripple monitor --merge` writes: each program of each node, given to the nodes in turn. */
static void several_nodes_are_a_signature_each(void)
{
    g_autofree char *folder = g_dir_make_tmp("nit-XXXXXX", NULL);
    static const char *const names[] = {"n07", "n08"};
    GBytes *parts[2];
    const noise_node_clock clocks[2] = {{.by = NOISE_CLOCKS_SAME},
                                        {.by = NOISE_CLOCKS_MPI, .offset_ns = 1000}};
    for (size_t i = 0; i < 2; i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);
        write_node_called(path, names[i], i == 1);
        char *bytes = NULL;
        gsize size = 0;
        CU_ASSERT_FATAL(g_file_get_contents(path, &bytes, &size, NULL));
        parts[i] = g_bytes_new_take(bytes, size);
    }
    GBytes *set = noise_nit_set_build(names, clocks, parts, 2);
    g_autofree char *path = g_build_filename(folder, "all.nit", NULL);
    CU_ASSERT_FATAL(g_file_set_contents(path, g_bytes_get_data(set, NULL),
                                        (gssize)g_bytes_get_size(set), NULL));
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_detour_file) file = noise_detour_file_read(path, &error);
    CHECK(error == NULL, "%s", error != NULL ? error->message : "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    assert(file != NULL); /* for the analyzer */
    CHECK_I64(file->num_runs, 6);
    for (size_t r = 0; r < file->num_runs; r++) {
        CHECK_I64(file->runs[r].node, r / 3, "run %zu", r);
        CHECK(r / 3 == 0 || file->runs[r].n == 0, "the second node is quiet");
    }
    CHECK_STR(file->host, "n07 and 1 more node");
    g_autofree char *text = g_strdup_printf("%s@node-all", path);
    g_autoptr(noise_signature) all = noise_signature_parse(text, 1, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(all);
    CHECK_I64(noise_signature_num_components(all), 4);
    for (uint32_t i = 0; i < noise_signature_num_components(all); i++) {
        const noise_component *c = noise_signature_component(all, i);
        CHECK_I64(c->num_nodes, 2, "%s", c->name);
        CHECK_STR(c->name, i % 2 == 0 ? "all.nit: cron" : "all.nit: kworker");
        for (uint32_t rank = 0; rank < 4; rank++) { /* each is a node */
            CHECK(noise_component_holds(c, rank, NULL) == (rank % 2 == i / 2), "%s, rank %u",
                  c->name, rank);
        }
        CHECK((c->share > 0) == (i < 2), "%s: the second node is quiet", c->name);
    }
    g_bytes_unref(set);
    g_bytes_unref(parts[0]);
    g_bytes_unref(parts[1]);
    folder_remove(folder);
}

/* The sanitizers of clang have seen that nothing was added to nothing. */
static void a_quiet_node_is_runs_without_detours(void)
{
    g_autofree char *folder = g_dir_make_tmp("nit-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "node.nit", NULL);
    write_node(path, true);
    g_autoptr(noise_detour_file) file = noise_detour_file_read(path, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    assert(file != NULL); /* for the analyzer */
    CHECK_I64(file->num_runs, 3);
    for (size_t r = 0; r < file->num_runs; r++) {
        check_run(file, r, NULL, 0);
    }
    CHECK_I64(file->num_sources, 0);
    folder_remove(folder);
}

static void a_cut_file_says_so(void)
{
    g_autofree char *folder = g_dir_make_tmp("nit-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "node.nit", NULL);
    write_node(path, false);
    char *bytes = NULL;
    gsize size = 0;
    CU_ASSERT_FATAL(g_file_get_contents(path, &bytes, &size, NULL));
    g_autoptr(noise_detour_file) file = noise_detour_file_parse("x", bytes, size - 3, NULL);
    CHECK(file == NULL || strstr(file->note, "The file is cut") != NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_detour_file) head = noise_detour_file_parse("x", bytes, 10, &error);
    CHECK(head == NULL);
    CHECK_ERROR(error, "x");
    g_free(bytes);
    folder_remove(folder);
}

SUITE_MAIN("format_nit", TEST(programs_are_detours_in_the_interval_in_which_they_ran),
           TEST(each_program_is_a_component), TEST(threads_of_a_process_are_one_program),
           TEST(several_nodes_are_a_signature_each), TEST(a_quiet_node_is_runs_without_detours),
           TEST(a_cut_file_says_so))
