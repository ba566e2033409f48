/* tests/apps/tracer/test_pattern_mpi.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A pattern against the same program written in MPI (mpi/patterns.c), recorded under mpirun, and
 * converted: the same messages and bytes, and without noise every rank ends at the same instant.
 *
 * What a real program computes never takes the same time twice, so the times of the record are
 * replaced: a call takes none, and follows on the one before it at once, except where the program
 * marks the end of a computation by a call of MPI_Iprobe(), which receives nothing: that call comes
 * as much later as the calc of the pattern in its place takes. All that is compared comes from the
 * record: which calls there are, in which order, with whom and how large.
 */
#include "mpi_record.h"
#include "sched/pattern.h"
#include "sched/replay.h"
#include "sim/run.h"

#define ITEMS                                                                                      \
    "(stencil1d:100,stencil2d:8KiB,calc=1ms,stencil3d:70000,wavefront:1KiB,calc=200us,ring:10,"    \
    "allreduce:8,alltoall:8,calc=300us)*"
#define TIMES "3"

static const sim_time CALC[] = {SIM_MS, 200 * SIM_US, 300 * SIM_US};

static const sim_params XT4 = {.L = 9900 * SIM_NS,
                               .o = 1750 * SIM_NS,
                               .g = 3400 * SIM_NS,
                               .G = 580 * SIM_RATE_PER_PS / 1000,
                               .S = 65535}; /* so the faces of stencil3d wait for their receives */

/* @return how many computations were marked */
static uint64_t replace_times(sched_trace *trace, uint32_t rank)
{
    sim_time now = 0;
    uint64_t marks = 0;
    for (uint64_t i = 0; i < trace->ranks[rank].num_calls; i++) {
        sched_call *call = &trace->ranks[rank].calls[i];
        if (strcmp(g_ptr_array_index(trace->names, call->name), "MPI_Iprobe") == 0) {
            now += CALC[marks++ % G_N_ELEMENTS(CALC)];
        }
        call->cpu = -1;
        call->enter = now;
        call->leave = now;
    }
    return marks;
}

static sim_program *recorded_program(const sched_trace *trace, uint64_t *bytes)
{
    g_autoptr(GError) error = NULL;
    sched_convert_report report = {0};
    const sched_convert_options options = {.copies = 1, .compute = SCHED_COMPUTE_WALL};
    sim_program *program = sched_replay_new(trace, &options, &report, &error);
    sched_rank_source *source = sched_convert_source_new(trace, &options, &report, &error);
    CHECK(program != NULL && source != NULL, "%s", error != NULL ? error->message : "");
    for (uint32_t rank = 0; source != NULL && rank < trace->num_ranks; rank++) {
        sched_rank_ops ops;
        CHECK(source->get(source, rank, &ops, NULL));
        for (uint32_t i = 0; i < ops.num_ops; i++) {
            *bytes += ops.ops[i].type == SIM_OP_SEND ? (uint64_t)ops.ops[i].size : 0;
        }
    }
    sched_convert_source_free(source);
    sched_convert_report_clear(&report);
    return program;
}

static uint64_t pattern_bytes(const sched_pattern *pattern, const sched_pattern_options *options)
{
    sched_rank_source *source = sched_pattern_source_new(pattern, options, NULL);
    uint64_t bytes = 0;
    for (uint32_t rank = 0; rank < options->ranks; rank++) {
        sched_rank_ops ops;
        CHECK(source->get(source, rank, &ops, NULL));
        for (uint32_t i = 0; i < ops.num_ops; i++) {
            bytes += ops.ops[i].type == SIM_OP_SEND ? (uint64_t)ops.ops[i].size : 0;
        }
    }
    sched_pattern_source_free(source);
    return bytes;
}

static void compare(sched_trace *trace, const char *what)
{
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        CHECK_I64(replace_times(trace, rank), 9, "%s, rank %u: computations", what, rank);
    }
    const sched_pattern_options options = {.ranks = trace->num_ranks, .repeat = 1};
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_pattern) pattern = sched_pattern_new(ITEMS TIMES, NULL);
    uint64_t bytes = 0;
    sim_program *recorded = recorded_program(trace, &bytes);
    sim_program *computed = sched_pattern_program_new(pattern, &options, NULL);
    g_autoptr(sim_result) wanted = sim_run(recorded, &XT4, NULL, &error);
    g_autoptr(sim_result) got = sim_run(computed, &XT4, NULL, &error);
    if (CHECK(wanted != NULL && got != NULL, "%s: %s", what, error != NULL ? error->message : "")) {
        CHECK_I64(got->num_messages, wanted->num_messages, "%s", what);
        CHECK_I64(got->num_ops, wanted->num_ops, "%s", what);
        CHECK_I64(got->makespan, wanted->makespan, "%s", what);
        for (uint32_t rank = 0; rank < got->num_ranks; rank++) {
            CHECK_I64(got->finish[rank], wanted->finish[rank], "%s, rank %u", what, rank);
        }
    }
    CHECK_I64(pattern_bytes(pattern, &options), bytes, "%s", what);
    CHECK(bytes > 0);
    sim_program_free(recorded);
    sim_program_free(computed);
}

/* 12 are 12; 4 x 3; 3 x 2 x 2 ranks. 6 are 6; 3 x 2; 3 x 2 x 1. */
static void a_pattern_is_the_program_written_in_mpi(void)
{
    static const int RANKS[] = {12, 6};
    int ran = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            continue;
        }
        for (size_t i = 0; i < G_N_ELEMENTS(RANKS); i++) {
            g_autofree char *dir = folder();
            g_autofree char *said =
                record(&MPI[k], RANKS[i], dir, program(&MPI[k], "patterns"), TIMES);
            g_autoptr(sched_trace) trace = read_trace(dir);
            if (CHECK(trace != NULL && trace->num_ranks == (uint32_t)RANKS[i], "%s: %s",
                      MPI[k].name, said)) {
                g_autofree char *what = g_strdup_printf("%s, %d ranks", MPI[k].name, RANKS[i]);
                compare(trace, what);
            }
            remove_folder(dir);
            ran++;
        }
    }
    if (ran == 0) {
        SKIP_TEST("no MPI here");
    }
}

SUITE_MAIN("pattern_mpi", TEST(a_pattern_is_the_program_written_in_mpi))
