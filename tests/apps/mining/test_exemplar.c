/* tests/apps/mining/test_exemplar.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "mining/exemplar_find.h"

#include "check.h"
#include "mining/ring.h"
#include "sim/unit.h"

/* One row of 6 ms on rank 3, where ring.h says that sends are slow. */
static const ring SLOW = {.ranks = 6, .steps = 2000, .send = {3, 17, 6 * SIM_MS}, .seed = 1};
static uint32_t rank_3[1][2] = {{3, 3}};
static noise_miner_row row = {
    .t_noise = 6 * SIM_MS, .num_ranks = 1, .ranks = rank_3, .num_ranges = 1};
static const noise_miner_report REPORT = {.num_rows = 1, .rows = &row};

static void each_row_has_recent_large_and_drawn_events(void)
{
    g_autoptr(sched_trace) t = ring_record(&SLOW);
    size_t n = 0;
    app_exemplar *all = app_exemplars_find(t, APP_CALLS_ALL, &REPORT, NULL, &n);
    CHECK(n > APP_EXEMPLARS_OF_EACH && n <= (size_t)3 * APP_EXEMPLARS_OF_EACH, "%zu", n);
    size_t recent = 0;
    const sim_time finish = t->ranks[3].calls[t->ranks[3].num_calls - 1].leave;
    for (size_t i = 0; i < n; i++) {
        const app_exemplar *e = &all[i];
        CHECK_I64(e->row, 0);
        CHECK_I64(e->event.rank, 3);
        CHECK_STR(e->type, "MPI_Send <= 1 KiB to rank+1");
        CHECK_NEAR(e->event.expected, 2 * SIM_US, 1e5);
        CHECK_NEAR(e->event.end - e->event.start, 6 * SIM_MS + 2 * SIM_US, 1e5);
        CHECK(i == 0 || e->event.start > all[i - 1].event.start, "in order, none twice");
        recent += e->event.start > finish - (sim_time)221 * SIM_MS;
    }
    CHECK(recent >= APP_EXEMPLARS_OF_EACH, "%zu", recent);
    CHECK_STR(app_exemplars_place(all, n, 0), "inside MPI_Send");
    CHECK(app_exemplars_place(all, n, 1) == NULL);
    app_exemplars_free(all, n);
}

/* The event is the middle third, and slices cover everything from first to last. */
static void slices_cover_three_times_the_event(void)
{
    g_autoptr(sched_trace) t = ring_record(&SLOW);
    size_t n = 0;
    app_exemplar *all = app_exemplars_find(t, APP_CALLS_LOCAL, &REPORT, NULL, &n);
    for (size_t i = 0; i < n; i++) {
        const app_exemplar *e = &all[i];
        const sim_time length = e->event.end - e->event.start;
        CHECK_I64(e->from, MAX(e->event.start - length, 0));
        CHECK(e->to == e->event.end + length || (i == n - 1 && e->to > e->event.end));
        bool there = false;
        for (size_t k = 0; k < e->num_slices; k++) {
            const app_exemplar_slice *s = &e->slices[k];
            CHECK(k == 0 ? s->begin <= e->from : s->begin == e->slices[k - 1].end,
                  "exemplar %zu, slice %zu", i, k);
            CHECK_I64(s->peer, s->kind == APP_EXEMPLAR_COMPUTE    ? -1
                               : g_str_equal(s->name, "MPI_Send") ? 4
                               : g_str_equal(s->name, "MPI_Recv") ? 2
                                                                  : -1);
            there |= s->begin == e->event.start && s->end == e->event.end &&
                     s->kind == APP_EXEMPLAR_CALL && s->bytes == 1024 && s->cpu == length;
        }
        CHECK(there, "the event is one of the slices");
        CHECK(e->slices[e->num_slices - 1].end >= e->to);
    }
    app_exemplars_free(all, n);
}

static void rows_of_computation_are_named_so(void)
{
    const ring r = {.ranks = 6, .steps = 500, .compute = {3, 17, 6 * SIM_MS}, .seed = 1};
    g_autoptr(sched_trace) t = ring_record(&r);
    size_t n = 0;
    app_exemplar *all = app_exemplars_find(t, APP_CALLS_NONE, &REPORT, NULL, &n);
    CHECK(n > 0);
    CHECK_STR(app_exemplars_place(all, n, 0), "in computation");
    app_exemplars_free(all, n);
}

SUITE_MAIN("exemplar", TEST(each_row_has_recent_large_and_drawn_events),
           TEST(slices_cover_three_times_the_event), TEST(rows_of_computation_are_named_so))
