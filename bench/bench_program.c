/* bench/bench_program.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program that is not written down costs by itself, without engine and network: every rank
 * is told at once that each operation handed out has started and finished. Prints operations,
 * messages, ns per operation, and bytes of a run per rank: so large runs can be sized before they
 * are made. With a number of threads it makes the run, too, not recorded and of all ranks: under
 * NOISE [jaguar], or "none", on MACHINE [Cray XT-4 parameters of older measurements].
 * Usage: bench_program TRACE|KIND:ALGORITHM RANKS [REPEAT [THREADS [NOISE [MACHINE]]]]
 */
#include "argument.h"
#include "coll/program.h"
#include "noise/injection.h"
#include "sched/error.h"
#include "sched/replay.h"
#include "sim/large.h"
#include "sim/machine.h"
#include "sim/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Cray XT-4: SC'10, Table III; the network of the published simulations. */
static const sim_params PARAMS = {
    .L = 6500 * SIM_NS,
    .o = 1750 * SIM_NS,
    .g = 3300 * SIM_NS,
    .G = 2500 * (SIM_RATE_PER_PS / 1000),
    .S = 65535,
};

typedef struct tally {
    uint64_t ops;
    uint64_t sends;
    sim_time last; /* the sum of all that was handed out; so that none of it is left out */
} tally;

/* Operations under way: few at once, so a list that is emptied whenever it has been gone through.
 */
typedef struct under_way {
    sim_ready *op;
    size_t cap;
} under_way;

static void follow(const sim_program *program, void *cursor, uint32_t rank, under_way *list,
                   tally *sum)
{
    const sim_program_class *class = program->methods;
    size_t taken = 0;
    size_t n = class->first(cursor, rank, list->op);
    while (taken < n) {
        const sim_ready op = list->op[taken++];
        if (taken == n) {
            taken = n = 0;
        }
        sum->ops++;
        sum->sends += op.op.type == SIM_OP_SEND;
        sum->last += op.time + op.op.size;
        if (n + (size_t)2 * program->max_ready > list->cap) {
            list->cap *= 2;
            list->op = g_renew(sim_ready, list->op, list->cap);
        }
        n += class->started(cursor, rank, op.index, op.time, list->op + n);
        n += class->finished(cursor, rank, op.index, op.time + 1, list->op + n);
    }
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void count(const sim_program *program)
{
    under_way list = {g_new(sim_ready, 1024), 1024};
    tally sum = {0};
    void *cursor = program->methods->begin(program);
    const double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (uint32_t rank = 0; rank < program->num_ranks; rank++) {
        follow(program, cursor, rank, &list, &sum);
    }
    const double spent = seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
    program->methods->end(cursor);
    g_free(list.op);
    printf("%u ranks: %" PRIu64 " operations, %" PRIu64 " messages; the program takes %.1f ns per "
           "operation, %zu bytes per rank (check: %" PRId64 ")\n",
           program->num_ranks, sum.ops, sum.sends, 1e9 * spent / (double)sum.ops,
           sched_replay_rank_bytes(program), sum.last);
}

static void print_run(const sim_result *result, unsigned threads, double wall, double cpu)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    const uint64_t events = result->num_ops + result->num_messages;
    printf("run on %u threads: %.1f s, %.1f ns per event, %.2f GiB at most, makespan %.6f s; CPU "
           "%.2f s, %.1f ns for each of %" PRIu64 " events\n",
           threads, wall, 1e9 * wall / (double)events, (double)usage.ru_maxrss / (1 << 20),
           (double)result->makespan / (double)SIM_S, cpu, 1e9 * cpu / (double)events, events);
}

static bool run(const sim_program *program, unsigned threads, const char *noise,
                const sim_params *params, GError **error)
{
    const noise_injection_options unsynchronized = {.seed = 1};
    const double begin = seconds(CLOCK_MONOTONIC);
    const double cpu_begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
    g_autoptr(noise_signature) signature = NULL;
    g_autoptr(noise_injection) injection = NULL;
    if (strcmp(noise, "none") != 0) {
        signature = noise_signature_parse(noise, 1, error);
        if (signature == NULL) {
            return false;
        }
        injection = noise_injection_new(signature, program->num_ranks, &unsynchronized);
    }
    const sim_run_options options = {
        .noise = injection != NULL ? noise_injection_hook(injection) : NULL, .threads = threads};
    g_autoptr(sim_result) result = sim_run(program, params, &options, error);
    if (result == NULL) {
        return false;
    }
    print_run(result, threads, seconds(CLOCK_MONOTONIC) - begin,
              seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin);
    return true;
}

static sim_program *open_collective(const char *text, uint32_t ranks, uint32_t repeat,
                                    GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", 2);
    coll_call call = {.size = ranks, .bytes = 1};
    coll_algorithm algorithm;
    if (g_strv_length(parts) != 2 || !coll_kind_parse(parts[0], &call.kind) ||
        !coll_algorithm_parse(parts[1], &algorithm, NULL)) {
        g_set_error(error, COLL_ERROR, COLL_ERROR_UNKNOWN,
                    "%s: there is no such file, and it is no KIND:ALGORITHM", text);
        return NULL;
    }
    return coll_program_new(&call, algorithm, repeat, error);
}

static sim_program *open_trace(const char *path, uint32_t ranks, uint32_t repeat,
                               sched_trace **trace, GError **error)
{
    *trace = sched_trace_read(path, error);
    if (*trace == NULL) {
        return NULL;
    }
    if (ranks % (*trace)->num_ranks != 0) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                    "RANKS: %u is no multiple of the %u that were recorded", ranks,
                    (*trace)->num_ranks);
        return NULL;
    }
    sched_convert_report report = {0};
    const sched_convert_options options = {.copies = ranks / (*trace)->num_ranks, .repeat = repeat};
    sim_program *program = sched_replay_new(*trace, &options, &report, error);
    sched_convert_report_clear(&report);
    return program;
}

static bool run_on(const sim_program *program, unsigned threads, int argc, char **argv,
                   GError **error)
{
    const char *noise = argc > 5 ? argv[5] : "jaguar";
    g_autoptr(sim_machine) machine = argc > 6 ? sim_machine_load(argv[6], error) : NULL;
    if (argc > 6 && machine == NULL) {
        return false;
    }
    return run(program, threads, noise, machine != NULL ? &machine->params : &PARAMS, error);
}

int main(int argc, char **argv)
{
    sim_large_keep_freed();
    if (argc < 3 || argc > 7) {
        fprintf(stderr, "usage: bench_program TRACE|KIND:ALGORITHM RANKS [REPEAT [THREADS [NOISE "
                        "[MACHINE]]]]\n");
        return 2;
    }
    const uint32_t ranks = bench_count(argc, argv, 2, "RANKS", 0);
    const uint32_t repeat = bench_count(argc, argv, 3, "REPEAT", 1);
    const uint32_t threads = bench_count(argc, argv, 4, "THREADS", 0);
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = NULL;
    sim_program *program = g_file_test(argv[1], G_FILE_TEST_EXISTS)
                               ? open_trace(argv[1], ranks, repeat, &trace, &error)
                               : open_collective(argv[1], ranks, repeat, &error);
    if (program != NULL && argc < 5) {
        count(program);
    } else if (program != NULL) {
        (void)run_on(program, threads, argc, argv, &error);
    }
    if (error != NULL) {
        fprintf(stderr, "bench_program: %s\n", error->message);
    }
    sim_program_free(program);
    return error != NULL ? 1 : 0;
}
