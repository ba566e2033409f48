/* tests/schedgen/replay/test_replay_slices.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* When the slices of a replayed program end, against the events of the same run. */
#include "check.h"
#include "data.h"
#include "sched/replay.h"
#include "sim/run.h"

#include <string.h>

enum { REPEAT = 5, COPIES = 3, SLICES = 2 * REPEAT };

static const sim_params XT4 = {.L = 9900 * SIM_NS,
                               .o = 1750 * SIM_NS,
                               .g = 3400 * SIM_NS,
                               .G = 580 * SIM_RATE_PER_PS / 1000,
                               .S = 65535};

/* Ranks are slower than others, from pass to pass. */
static sim_time uneven_finish(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    (void)noise;
    const sim_time slow = (sim_time)(rank % 5 + (uint64_t)start / (3 * SIM_MS) % 4);
    return start + work + work / 16 * slow;
}

/* The oracle: when the last operation of each pass of any rank ends. */
typedef struct passes {
    sim_sink sink; /* first: the sink is the passes */
    const sim_program *program;
    sim_time end[REPEAT];
} passes;

static void take_events(sim_sink *sink, const sim_event *events, size_t n)
{
    passes *p = (passes *)(void *)sink;
    for (size_t i = 0; i < n; i++) {
        const uint64_t ops = p->program->methods->num_ops(p->program, events[i].rank) / REPEAT;
        sim_time *end = &p->end[events[i].op / ops];
        *end = MAX(*end, events[i].end);
    }
}

static sim_program *program_of(sched_trace **trace)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = test_data("../../apps/proxies/traces/halo-cg-16");
    *trace = sched_trace_read(path, &error);
    sched_convert_report report = {0};
    const sched_convert_options options = {.copies = COPIES, .repeat = REPEAT};
    sim_program *program =
        *trace != NULL ? sched_replay_new(*trace, &options, &report, &error) : NULL;
    sched_convert_report_clear(&report);
    CHECK(program != NULL, "%s", error != NULL ? error->message : "");
    return program;
}

static void run_slices(const sim_program *program, const sim_noise *noise, unsigned threads,
                       sim_time *end, passes *oracle)
{
    const sim_slices slices = {.n = SLICES, .end = end};
    const sim_run_options options = {.noise = noise,
                                     .slices = &slices,
                                     .threads = threads,
                                     .serial_below = 1,
                                     .sink = oracle != NULL ? &oracle->sink : NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_result) result = sim_run(program, &XT4, &options, &error);
    if (CHECK(result != NULL, "%s", error != NULL ? error->message : "")) {
        CHECK_I64(end[SLICES - 1], result->makespan);
    }
}

static void a_pass_ends_with_its_last_operation(void)
{
    static const sim_noise noise = {.finish = uneven_finish};
    sched_trace *trace = NULL;
    sim_program *program = program_of(&trace);
    for (int noisy = 0; program != NULL && noisy < 2; noisy++) {
        CHECK_I64(program->num_slices, SLICES);
        passes oracle = {.sink.events = take_events, .program = program};
        sim_time end[SLICES] = {0};
        run_slices(program, noisy ? &noise : NULL, 1, end, &oracle);
        for (size_t i = 0; i < REPEAT; i++) {
            CHECK_I64(end[2 * i + 1], oracle.end[i], "pass %zu", i);
            CHECK(end[2 * i] < end[2 * i + 1] && (i == 0 || end[2 * i] > end[2 * i - 1]),
                  "pass %zu: its first half ends at %" G_GINT64_FORMAT, i, end[2 * i]);
        }
    }
    sim_program_free(program);
    sched_trace_free(trace);
}

static void slices_do_not_depend_on_the_number_of_threads(void)
{
    static const sim_noise noise = {.finish = uneven_finish};
    sched_trace *trace = NULL;
    sim_program *program = program_of(&trace);
    sim_time one[SLICES] = {0};
    sim_time four[SLICES] = {0};
    if (program != NULL) {
        run_slices(program, &noise, 1, one, NULL);
        run_slices(program, &noise, 4, four, NULL);
        CHECK_I64(memcmp(one, four, sizeof one), 0);
    }
    sim_program_free(program);
    sched_trace_free(trace);
}

SUITE_MAIN("replay_slices", TEST(a_pass_ends_with_its_last_operation),
           TEST(slices_do_not_depend_on_the_number_of_threads))
