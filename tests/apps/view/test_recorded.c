/* tests/apps/view/test_recorded.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* A record of two ranks whose every nanosecond is known. */
#include "check.h"
#include "view/recorded.h"

static sched_call call_of(sched_call_kind kind, sim_time enter, sim_time leave, uint32_t peer)
{
    return (sched_call){.kind = (uint8_t)kind,
                        .enter = enter * SIM_NS,
                        .leave = leave * SIM_NS,
                        .peer = peer,
                        .matched_peer = SCHED_UNKNOWN};
}

/* From -10 ns on: clocks may begin before the archive's own start. */
static sched_trace *make_trace(void)
{
    sched_trace *t = sched_trace_new("made up", "test", 2);
    const sched_call zero[] = {call_of(SCHED_CALL_INIT, -10, 0, 0),
                               call_of(SCHED_CALL_SEND, 100, 110, 1),
                               call_of(SCHED_CALL_COLLECTIVE, 150, 200, 0)};
    const sched_call one[] = {call_of(SCHED_CALL_INIT, -5, 0, 0),
                              call_of(SCHED_CALL_RECV, 20, 130, 0),
                              call_of(SCHED_CALL_COLLECTIVE, 190, 200, 0)};
    t->ranks[0].num_calls = t->ranks[1].num_calls = 3;
    t->ranks[0].calls = g_memdup2(zero, sizeof zero);
    t->ranks[1].calls = g_memdup2(one, sizeof one);
    return t;
}

static void check_slice(const app_picture_slice *s, sim_time begin, sim_time end,
                        app_picture_kind kind)
{
    CHECK_I64(s->begin, begin * SIM_NS, "%s", app_picture_kind_name(kind));
    CHECK_I64(s->end, end * SIM_NS, "%s", app_picture_kind_name(kind));
    CHECK_I64(s->kind, kind, "");
}

static void calls_and_what_is_between_them_are_slices(void)
{
    g_autoptr(sched_trace) trace = make_trace();
    g_autoptr(app_picture) p = app_recorded_picture(trace, NULL, 2, 0, 0);
    CHECK_I64(p->makespan, 210 * SIM_NS, "from the first instant of all");
    CHECK(p->is_recorded && p->num_levels == 0 && p->num_lanes == 2, "recorded");
    const app_picture_slice *s = &p->slices[p->lanes[0].first_slice];
    CHECK_I64(p->lanes[0].num_slices, 5, "rank 0");
    check_slice(&s[0], 0, 10, APP_PICTURE_COMPUTE); /* MPI_Init */
    check_slice(&s[1], 10, 110, APP_PICTURE_COMPUTE);
    check_slice(&s[2], 110, 120, APP_PICTURE_SEND);
    check_slice(&s[3], 120, 160, APP_PICTURE_COMPUTE);
    check_slice(&s[4], 160, 210, APP_PICTURE_WAIT);
    s = &p->slices[p->lanes[1].first_slice];
    check_slice(&s[0], 5, 10, APP_PICTURE_COMPUTE);
    check_slice(&s[2], 30, 140, APP_PICTURE_RECV);
    CHECK_I64(s[2].from, 0, "whom it receives from");
    CHECK_I64(p->time[APP_PICTURE_RECV], 110 * SIM_NS, "of all ranks");
    CHECK_I64(p->time[APP_PICTURE_WAIT], 60 * SIM_NS, "of all ranks");
}

static void a_part_is_cut_out(void)
{
    g_autoptr(sched_trace) trace = make_trace();
    const uint32_t lane = 1;
    g_autoptr(app_picture) p = app_recorded_picture(trace, &lane, 1, 50 * SIM_NS, 145 * SIM_NS);
    CHECK_I64(p->num_slices, 2, "");
    check_slice(&p->slices[0], 50, 140, APP_PICTURE_RECV);
    check_slice(&p->slices[1], 140, 145, APP_PICTURE_COMPUTE);
    CHECK_I64(p->lanes[0].time[APP_PICTURE_RECV], 110 * SIM_NS, "in the whole run");
}

static void a_rank_without_calls_is_empty(void)
{
    g_autoptr(sched_trace) trace = sched_trace_new("empty", "test", 3);
    g_autoptr(app_picture) p = app_recorded_picture(trace, NULL, 3, 0, 0);
    CHECK(p->makespan == 0 && p->num_slices == 0 && p->num_lanes == 3, "empty");
}

SUITE_MAIN("recorded", TEST(calls_and_what_is_between_them_are_slices), TEST(a_part_is_cut_out),
           TEST(a_rank_without_calls_is_empty))
