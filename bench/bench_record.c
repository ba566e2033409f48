/* bench/bench_record.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast a record is read and followed, by the clock and in CPU time, and what it takes in
 * memory. Usage: bench_record RECORD
 */
#include "sched/reader.h"
#include "sched/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* How long something took: by the clock, and of the CPUs. */
typedef struct span {
    double clock;
    double cpu;
} span;

static span now(void)
{
    return (span){(double)g_get_monotonic_time() / G_USEC_PER_SEC,
                  (double)clock() / (double)CLOCKS_PER_SEC};
}

static span since(span begin)
{
    const span end = now();
    return (span){end.clock - begin.clock, end.cpu - begin.cpu};
}

static void print(const char *what, uint64_t calls, span took)
{
    printf("; %s in %.2f s (CPU %.2f s), %.2f million calls/s", what, took.clock, took.cpu,
           (double)calls / 1e6 / took.clock);
}

static int fail(const GError *error)
{
    fprintf(stderr, "bench_record: %s\n", error != NULL ? error->message : "not a record");
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    const sched_read_options read = {.pack = true};
    const sched_convert_options convert = {.copies = 1};
    const sched_reader *reader = argc == 2 ? sched_reader_find(argv[1]) : NULL;
    sched_input input = {0};
    sched_convert_report report = {0};
    g_autoptr(GError) error = NULL;
    span begin = now();
    if (reader == NULL || !reader->open(argv[1], &read, &input, &error) || input.trace == NULL) {
        return fail(error);
    }
    const span reading = since(begin);
    begin = now();
    sim_program *program = sched_replay_new(input.trace, &convert, &report, &error);
    const span following = since(begin);
    if (program == NULL) {
        return fail(error);
    }
    uint64_t calls = 0;
    size_t bytes = 0;
    for (uint32_t rank = 0; rank < input.trace->num_ranks; rank++) {
        calls += input.trace->ranks[rank].num_calls;
        bytes += sched_rank_bytes(&input.trace->ranks[rank]);
    }
    printf("%" PRIu64 " calls of %.2f bytes", calls, (double)bytes / (double)calls);
    print("read", calls, reading);
    print("followed", calls, following);
    printf("\n");
    sim_program_free(program);
    sched_convert_report_clear(&report);
    sched_trace_free(input.trace);
    return EXIT_SUCCESS;
}
