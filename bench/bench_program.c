/* bench/bench_program.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program that is not written down costs by itself, without engine and network: every rank
 * is told at once that each operation handed out has started and finished. Prints operations,
 * messages, ns per operation, and bytes of a run per rank: so large runs can be sized before they
 * are made. Usage: bench_program TRACE RANKS, or bench_program KIND:ALGORITHM RANKS
 */
#include "coll/program.h"
#include "sched/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    const sim_program_class *class = program->class;
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

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static sim_program *open_collective(const char *text, uint32_t ranks, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", 2);
    coll_call call = {.size = ranks, .bytes = 1};
    coll_algorithm algorithm;
    if (g_strv_length(parts) != 2 || !coll_kind_parse(parts[0], &call.kind) ||
        !coll_algorithm_parse(parts[1], &algorithm)) {
        g_set_error(error, COLL_ERROR, COLL_ERROR_UNKNOWN, "%s: no collective and algorithm", text);
        return NULL;
    }
    return coll_program_new(&call, algorithm, 1, error);
}

static sim_program *open_trace(const char *path, uint32_t ranks, sched_trace **trace,
                               GError **error)
{
    *trace = sched_trace_read(path, error);
    if (*trace == NULL) {
        return NULL;
    }
    sched_convert_report report = {0};
    const sched_convert_options options = {.replicas = MAX(ranks / (*trace)->num_ranks, 1)};
    sim_program *program = sched_replay_new(*trace, &options, &report, error);
    sched_convert_report_clear(&report);
    return program;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: bench_program TRACE|KIND:ALGORITHM RANKS\n");
        return 2;
    }
    const uint32_t ranks = (uint32_t)strtoul(argv[2], NULL, 10);
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = NULL;
    sim_program *program = g_file_test(argv[1], G_FILE_TEST_EXISTS)
                               ? open_trace(argv[1], ranks, &trace, &error)
                               : open_collective(argv[1], ranks, &error);
    if (program == NULL) {
        fprintf(stderr, "bench_program: %s\n", error->message);
        return 1;
    }
    under_way list = {g_new(sim_ready, 1024), 1024};
    tally sum = {0};
    void *cursor = program->class->begin(program);
    const double begin = seconds();
    for (uint32_t rank = 0; rank < program->num_ranks; rank++) {
        follow(program, cursor, rank, &list, &sum);
    }
    const double spent = seconds() - begin;
    program->class->end(cursor);
    printf("%u ranks: %" PRIu64 " operations, %" PRIu64 " messages; %.1f ns per operation, %zu "
           "bytes per rank (check: %" PRId64 ")\n",
           program->num_ranks, sum.ops, sum.sends, 1e9 * spent / (double)sum.ops,
           sched_replay_rank_bytes(program), sum.last);
    sim_program_free(program);
    g_free(list.op);
    return 0;
}
