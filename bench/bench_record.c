/* bench/bench_record.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast a record is read and followed, by the clock, and what it takes in memory.
 * Usage: bench_record RECORD
 */
#include "sched/reader.h"
#include "sched/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static double seconds_since(gint64 begin)
{
    return (double)(g_get_monotonic_time() - begin) / G_USEC_PER_SEC;
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
    gint64 begin = g_get_monotonic_time();
    if (reader == NULL || !reader->open(argv[1], &read, &input, &error) || input.trace == NULL) {
        return fail(error);
    }
    const double reading = seconds_since(begin);
    begin = g_get_monotonic_time();
    sim_program *program = sched_replay_new(input.trace, &convert, &report, &error);
    const double following = seconds_since(begin);
    if (program == NULL) {
        return fail(error);
    }
    uint64_t calls = 0;
    size_t bytes = 0;
    for (uint32_t rank = 0; rank < input.trace->num_ranks; rank++) {
        calls += input.trace->ranks[rank].num_calls;
        bytes += sched_rank_bytes(&input.trace->ranks[rank]);
    }
    const double millions = (double)calls / 1e6;
    printf("%" PRIu64 " calls of %.2f bytes; read in %.2f s, %.2f million calls/s; followed in "
           "%.2f s, %.2f million calls/s\n",
           calls, (double)bytes / (double)calls, reading, millions / reading, following,
           millions / following);
    sim_program_free(program);
    sched_convert_report_clear(&report);
    sched_trace_free(input.trace);
    return EXIT_SUCCESS;
}
