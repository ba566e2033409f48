/* bench/bench_load.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast stored programs are read, from files that the system has in memory: medians over RUNS.
 * Usage: bench_load [CASE [RANKS]], a case of bench_engine; without arguments the application and
 * the dissemination.
 */
#include "argument.h"
#include "sched/goal.h"
#include "sim/graph_file.h"
#include "workload.h"

#include <glib/gstdio.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 5 };

/* Of this process: the machine may be shared. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static sim_graph *read_goal(const char *path)
{
    return sched_goal_read(path, false, NULL);
}

static sim_graph *map_verified(const char *path)
{
    return sim_graph_map(path, SIM_GRAPH_VERIFY, NULL);
}

static sim_graph *map_trusted(const char *path)
{
    return sim_graph_map(path, SIM_GRAPH_TRUST, NULL);
}

static void measure(const char *what, const char *path, sim_graph *(*read)(const char *path))
{
    double t[RUNS];
    uint64_t ops = 0;
    for (int k = 0; k < RUNS; k++) {
        t[k] = seconds();
        sim_graph *graph = read(path);
        t[k] = seconds() - t[k];
        if (graph == NULL) {
            g_error("%s cannot be read", path);
        }
        ops = sim_graph_total_ops(graph);
        sim_graph_free(graph);
    }
    qsort(t, RUNS, sizeof *t, compare);
    GStatBuf file;
    if (g_stat(path, &file) != 0) {
        g_error("%s is gone", path);
    }
    const double median = t[RUNS / 2];
    printf("  %-28s %8.1f MB  %8.2f ms  %8.0f MB/s  %7.2f ns/op\n", what,
           (double)file.st_size / 1e6, 1e3 * median, (double)file.st_size / median / 1e6,
           1e9 * median / (double)ops);
}

/* The same schedule with names instead of the labels l1, l2, ...; @p by_rank: others in each. */
static void rename_labels(const char *from, const char *to, bool by_rank)
{
    char *text = NULL;
    gsize len = 0;
    if (!g_file_get_contents(from, &text, &len, NULL)) {
        g_error("%s cannot be read", from);
    }
    FILE *out = g_fopen(to, "w");
    uint64_t rank = 0;
    for (gsize i = 0; i < len; i++) {
        if (g_str_has_prefix(text + i, "\nrank ")) {
            rank = g_ascii_strtoull(text + i + strlen("\nrank "), NULL, 10);
        }
        const bool label = text[i] == 'l' && g_ascii_isdigit(text[i + 1]) &&
                           (i == 0 || text[i - 1] == '\n' || text[i - 1] == ' ');
        if (label && by_rank) {
            (void)fprintf(out, "r%" PRIu64 "_op", rank);
        } else if (label) {
            (void)fputs("op_", out);
        } else {
            (void)fputc(text[i], out);
        }
    }
    g_free(text);
    if (fclose(out) != 0) {
        g_error("%s cannot be written", to);
    }
}

static void run_case(const char *name, uint32_t ranks)
{
    const workload *work = workload_by_name(name);
    if (work == NULL) {
        g_error("there is no case '%s'", name);
    }
    g_autofree char *folder = g_dir_make_tmp("ripple-load-XXXXXX", NULL);
    g_autofree char *text = g_build_filename(folder, "x.goal", NULL);
    g_autofree char *named = g_build_filename(folder, "named.goal", NULL);
    g_autofree char *binary = g_build_filename(folder, "x.bin", NULL);
    g_autofree char *native = g_build_filename(folder, "x.rpl", NULL);
    sim_graph *graph = workload_graph(work, ranks > 0 ? ranks : work->ranks);
    printf("%s, %" PRIu32 " ranks, %" PRIu64 " operations, %" PRIu64 " dependencies\n", name,
           sim_graph_num_ranks(graph), sim_graph_total_ops(graph), sim_graph_total_edges(graph));
    if (!sched_goal_write_text(graph, text, NULL) ||
        !sched_goal_write_binary(graph, binary, NULL) || !sim_graph_save(graph, native, NULL)) {
        g_error("%s: files cannot be written", folder);
    }
    sim_graph_free(graph);
    measure("GOAL text", text, read_goal);
    rename_labels(text, named, false);
    measure("GOAL text, other labels", named, read_goal);
    rename_labels(text, named, true);
    measure("GOAL text, labels by rank", named, read_goal);
    measure("GOAL binary", binary, read_goal);
    measure("native, verified", native, map_verified);
    measure("native, mapped only", native, map_trusted);
    (void)g_unlink(text);
    (void)g_unlink(named);
    (void)g_unlink(binary);
    (void)g_unlink(native);
    (void)g_rmdir(folder);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        run_case(argv[1], bench_count(argc, argv, 2, "RANKS", 0));
        return 0;
    }
    run_case("application", 1024);
    run_case("dissemination", 1 << 14);
    return 0;
}
