/* tests/apps/mining/test_trace_events.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The truth is that of ring.h: one fault, one row, on its rank, with its length and period. */
#include "mining/trace_events.h"

#include "check.h"
#include "mining/calls.h"
#include "mining/ring.h"
#include "sim/unit.h"

static noise_miner_report *mine(const ring *r, app_calls calls)
{
    g_autoptr(sched_trace) t = ring_record(r);
    noise_miner_options options;
    noise_miner_options_init(&options, NOISE_MINER_MODERN);
    options.min_share = 1e-3;
    options.tick = app_trace_tick(t);
    g_autoptr(noise_miner) miner = noise_miner_new(&options);
    app_trace_mine(t, calls, miner);
    return noise_miner_report_new(miner);
}

/* One row of @p length on @p rank, as often as @p count. */
static void check_row(const noise_miner_report *report, uint32_t rank, sim_time length,
                      uint64_t count, const char *what)
{
    if (!CHECK_I64(report->num_rows, 1, "%s", what)) {
        return;
    }
    const noise_miner_row *row = &report->rows[0];
    CHECK_NEAR(row->t_noise, length, 1e-3 * (double)length, "%s", what);
    CHECK_I64(row->num_ranges, 1, "%s", what);
    CHECK_I64(row->ranks[0][0], rank, "%s", what);
    CHECK_I64(row->ranks[0][1], rank, "%s", what);
    CHECK_I64(row->count, count, "%s", what);
}

static uint64_t slow_events(const noise_miner_report *report, const char *name)
{
    for (size_t i = 0; i < report->num_types; i++) {
        if (g_strcmp0(report->types[i].name, name) == 0) {
            return report->types[i].events;
        }
    }
    return 0;
}

static void a_slow_send_is_one_row_on_its_rank(void)
{
    const ring r = {.ranks = 6, .steps = 2000, .send = {3, 17, 6 * SIM_MS}, .seed = 1};
    for (int calls = APP_CALLS_ALL; calls <= APP_CALLS_LOCAL; calls++) {
        noise_miner_report *report = mine(&r, (app_calls)calls);
        check_row(report, 3, 6 * SIM_MS, 2000 / 17, "slow send");
        CHECK_I64(slow_events(report, "MPI_Send <= 1 KiB to rank+1"), 5 * 2000);
        noise_miner_report_free(report);
    }
    /* between the calls there is nothing: its neighbours wait, and nobody computes longer */
    noise_miner_report *report = mine(&r, APP_CALLS_NONE);
    CHECK_I64(report->num_rows, 0);
    noise_miner_report_free(report);
}

static void a_late_partner_is_no_slow_receive(void)
{
    const ring r = {.ranks = 6, .steps = 2000, .compute = {2, 17, 6 * SIM_MS}, .seed = 2};
    noise_miner_report *report = mine(&r, APP_CALLS_ALL);
    check_row(report, 2, 6 * SIM_MS, 2000 / 17, "late partner");
    noise_miner_report_free(report);
}

/* Hits of all rows on @p rank, each of which must have @p length. */
static uint64_t hits(const noise_miner_report *report, uint32_t rank, sim_time length)
{
    uint64_t n = 0;
    for (size_t i = 0; i < report->num_rows; i++) {
        const noise_miner_row *row = &report->rows[i];
        CHECK_I64(row->num_ranks, 1, "row %zu", i);
        if (row->ranks[0][0] == rank) {
            CHECK_NEAR(row->t_noise, length, 5e6, "row %zu", i);
            n += row->count;
        }
    }
    return n;
}

static void a_slow_send_and_a_burner_are_told_apart(void)
{
    const ring r = {.ranks = 6,
                    .steps = 3000,
                    .send = {1, 17, 6 * SIM_MS},
                    .burner = {4, 23, 3 * SIM_MS},
                    .seed = 3};
    noise_miner_report *report = mine(&r, APP_CALLS_ALL);
    const uint64_t slow = hits(report, 1, 6 * SIM_MS);
    const uint64_t burned = hits(report, 4, 3 * SIM_MS);
    CHECK_I64(slow, 3000 / 17);
    CHECK_I64(burned, 3000 / 23);
    uint64_t all = 0;
    for (size_t i = 0; i < report->num_rows; i++) {
        all += report->rows[i].count;
    }
    CHECK_I64(all, slow + burned, "nobody else was hit");
    noise_miner_report_free(report);
}

static void without_a_fault_there_is_no_row(void)
{
    const ring r = {.ranks = 6, .steps = 2000, .seed = 4};
    noise_miner_report *report = mine(&r, APP_CALLS_ALL);
    CHECK_I64(report->num_rows, 0);
    CHECK(slow_events(report, "MPI_Recv <= 1 KiB from rank-1, waited") > 0);
    noise_miner_report_free(report);
}

static void count_event(void *data, const noise_call_event *event)
{
    GString *text = data;
    char name[NOISE_EVENT_NAME_BYTES];
    noise_call_event_name(event, name);
    g_string_append_printf(text, "%s %" PRId64 "\n", name, event->event.end - event->event.start);
}

/* While the record was written, or recording was off, nobody computed. */
static void pauses_are_no_computation(void)
{
    g_autoptr(sched_trace) t = sched_trace_new("t", "test", 2);
    add_send(t, 0, 1, 8, 0, 10);
    add_call(t, 0, SCHED_CALL_COMPLETE, "BufferFlush", 10, 50);
    add_send(t, 0, 1, 8, 70, 80);
    add_call(t, 0, SCHED_CALL_COMPLETE, "MPI_Pcontrol", 90, 500);
    add_send(t, 0, SCHED_PROC_NULL, 8, 510, 511);
    g_autofree noise_event_function *functions = app_trace_functions(t);
    g_autoptr(GString) text = g_string_new(NULL);
    app_trace_events(t, 0, APP_CALLS_LOCAL, NULL, functions, count_event, text);
    CHECK_STR(text->str, "MPI_Send <= 8 B to rank+1 10\n"
                         "MPI_Send <= 8 B .. MPI_Send <= 8 B 20\n"
                         "MPI_Send <= 8 B to rank+1 10\n"
                         "MPI_Send to nobody 1\n");
}

SUITE_MAIN("trace_events", TEST(a_slow_send_is_one_row_on_its_rank),
           TEST(a_late_partner_is_no_slow_receive), TEST(a_slow_send_and_a_burner_are_told_apart),
           TEST(without_a_fault_there_is_no_row), TEST(pauses_are_no_computation))
