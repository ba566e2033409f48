/* bench/bench_engine.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ns per event (operation or message) of the engine on stored programs: the median of several
 * runs, beside the engine that one would write first (heap_engine.h) on the same program in the
 * same run. Usage: bench_engine [CASE [RANKS [SETTING]]], where SETTING may contain async,
 * rendezvous (of all messages), instant (what rendezvous there are), compat (as
 * --compat=loggopsim), noise, explain, threads=N, runs=N (instead of 3), alone (without the other
 * engine; so is compat), save=FILE (only write the program: .goal, .bin or .rpl). Without
 * arguments: all cases at their sizes, and the judge of the tests at 32 ranks.
 */
#include "argument.h"
#include "heap_engine.h"
#include "judge.h"
#include "noise/injection.h"
#include "sched/goal.h"
#include "sim/graph_file.h"
#include "sim/large.h"
#include "sim/run.h"
#include "workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { RUNS = 3, MOST_RUNS = 1000, JUDGED_RANKS = 32 };

typedef struct setup {
    sim_graph *graph;
    sim_params params;
    sim_run_options options;
    noise_signature *signature;
    noise_injection *injection;
    sim_time *finish; /* [ranks] */
    double events;
} setup;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU time of all threads, which other work on the machine hardly touches. */
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long peak_mib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run_engine(setup *s)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_result) result =
        sim_run(sim_graph_program(s->graph), &s->params, &s->options, &error);
    if (result == NULL) {
        g_error("%s", error->message);
    }
    s->events = (double)(result->num_ops + result->num_messages);
}

static void run_heap(setup *s)
{
    if (!heap_engine_run(s->graph, &s->params, s->options.noise, s->finish)) {
        g_error("the plain engine finds the program unsound");
    }
}

static void run_judge(setup *s)
{
    judge_run(s->graph, &s->params, s->options.noise, s->finish);
}

/* Of one run: medians of several. */
typedef struct duration {
    double clock, cpu; /* s */
} duration;

static duration time_of(setup *s, void (*run)(setup *s), size_t num_runs)
{
    double clock[MOST_RUNS];
    double cpu[MOST_RUNS];
    for (size_t k = 0; k < num_runs; k++) {
        clock[k] = seconds();
        cpu[k] = cpu_seconds();
        run(s);
        clock[k] = seconds() - clock[k];
        cpu[k] = cpu_seconds() - cpu[k];
    }
    qsort(clock, num_runs, sizeof *clock, compare);
    qsort(cpu, num_runs, sizeof *cpu, compare);
    return (duration){.clock = clock[num_runs / 2], .cpu = cpu[num_runs / 2]};
}

static size_t num_runs_of(const char *setting)
{
    const char *runs = strstr(setting, "runs=");
    const unsigned long n = runs != NULL ? strtoul(runs + 5, NULL, 10) : RUNS;
    return CLAMP(n, 1, MOST_RUNS);
}

static setup set_up(const workload *work, uint32_t ranks, const char *setting)
{
    setup s = {.params = *work->params, .graph = workload_graph(work, ranks)};
    s.params.progress = strstr(setting, "async") ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING;
    s.params.S = strstr(setting, "rendezvous") ? 0 : s.params.S;
    s.params.rendezvous =
        strstr(setting, "instant") ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE;
    if (strstr(setting, "compat")) {
        s.params.progress = SIM_PROGRESS_ASYNC;
        s.params.rendezvous = SIM_RENDEZVOUS_INSTANT;
        s.params.order = SIM_ORDER_CREATION;
    }
    const char *threads = strstr(setting, "threads=");
    s.options.threads = threads != NULL ? (unsigned)strtoul(threads + 8, NULL, 10) : 1;
    s.options.explain = strstr(setting, "explain") != NULL;
    s.finish = g_new(sim_time, ranks);
    if (strstr(setting, "noise")) {
        const noise_injection_options unsynchronized = {.seed = 1};
        s.signature = noise_signature_parse("jaguar", 1, NULL);
        s.injection = noise_injection_new(s.signature, ranks, &unsynchronized);
        s.options.noise = noise_injection_hook(s.injection);
    }
    return s;
}

static void tear_down(setup *s)
{
    sim_graph_free(s->graph);
    noise_injection_free(s->injection);
    noise_signature_free(s->signature);
    g_free(s->finish);
}

static void measure(const workload *work, uint32_t ranks, const char *setting)
{
    const double begin = seconds();
    setup s = set_up(work, ranks, setting);
    const double build = seconds() - begin;
    const duration own = time_of(&s, run_engine, num_runs_of(setting));
    const double ops = (double)sim_graph_total_ops(s.graph);
    printf("%-14s %-10s %8" PRIu32 " ranks %10.0f events  build %4.0f ns/op %5.1f + %4.1f B/op  "
           "%6.1f ns/event, %6.1f of CPU time  peak %5ld MiB",
           work->name, setting, ranks, s.events, 1e9 * build / ops,
           (double)sim_graph_memory(s.graph) / ops, (double)sim_graph_cursor_memory(s.graph) / ops,
           1e9 * own.clock / s.events, 1e9 * own.cpu / s.events, peak_mib());
    if (!strstr(setting, "alone") && !strstr(setting, "compat")) {
        const double heap = time_of(&s, run_heap, 1).clock;
        printf("  plain heap %8.1f ns/event, %.1f times that", 1e9 * heap / s.events,
               heap / own.clock);
    }
    printf("\n");
    fflush(stdout);
    tear_down(&s);
}

static void measure_judge(const workload *work)
{
    setup s = set_up(work, JUDGED_RANKS, "polling");
    if (sim_graph_total_ops(s.graph) <= 2500) { /* else minutes */
        const double slow = time_of(&s, run_judge, 1).clock;
        const double own = time_of(&s, run_engine, RUNS).clock;
        printf("%-14s %d ranks: judge %.3g s, engine %.3g s, %.0f times as fast\n", work->name,
               JUDGED_RANKS, slow, own, slow / own);
    }
    tear_down(&s);
}

/* For the command, and for other simulators. */
static bool save(const workload *work, uint32_t ranks, const char *path)
{
    g_autoptr(sim_graph) graph = workload_graph(work, ranks);
    g_autoptr(GError) error = NULL;
    const bool ok = g_str_has_suffix(path, ".rpl")   ? sim_graph_save(graph, path, &error)
                    : g_str_has_suffix(path, ".bin") ? sched_goal_write_binary(graph, path, &error)
                                                     : sched_goal_write_text(graph, path, &error);
    if (!ok) {
        fprintf(stderr, "%s\n", error->message);
    }
    return ok;
}

static bool check_setting(const char *setting)
{
    static const char *const known[] = {"polling", "async",   "rendezvous", "instant", "compat",
                                        "noise",   "explain", "alone",      NULL};
    g_auto(GStrv) words = g_strsplit(setting, ",", -1);
    for (char **word = words; *word != NULL; word++) {
        if (!g_strv_contains(known, *word) && !g_str_has_prefix(*word, "threads=") &&
            !g_str_has_prefix(*word, "runs=") && !g_str_has_prefix(*word, "save=")) {
            fprintf(stderr, "no setting '%s'\n", *word);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    sim_large_keep_freed();
    const uint32_t ranks = bench_count(argc, argv, 2, "RANKS", 0);
    const char *setting = argc > 3 ? argv[3] : "polling";
    if (argc > 1 && workload_by_name(argv[1]) == NULL) {
        fprintf(stderr, "no case '%s'\n", argv[1]);
        return 2;
    }
    if (!check_setting(setting)) {
        return 2;
    }
    if (g_str_has_prefix(setting, "save=")) {
        const workload *work = workload_by_name(argv[1]);
        return save(work, ranks > 0 ? ranks : work->ranks, setting + strlen("save=")) ? 0 : 1;
    }
    for (size_t i = 0; i < NUM_WORKLOADS; i++) {
        const workload *work = &WORKLOADS[i];
        if (argc <= 1 || work == workload_by_name(argv[1])) {
            measure(work, ranks > 0 ? ranks : work->ranks, setting);
        }
    }
    for (size_t i = 0; argc <= 1 && i < NUM_WORKLOADS; i++) {
        measure_judge(&WORKLOADS[i]);
    }
    return 0;
}
