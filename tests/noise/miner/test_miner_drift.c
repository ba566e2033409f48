/* tests/noise/miner/test_miner_drift.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks that step or drift are rows of their own and no noise; chance, and programs whose work
 * changes, are not clocks. */
#include "check.h"
#include "miner_oracle.h"

#include <math.h>

enum { TYPES = 4 };

/* How much longer everything takes at an instant; 0: as at first. */
typedef double (*clock_of)(uint32_t rank, double s);

static double steady(uint32_t rank, double s)
{
    (void)rank;
    (void)s;
    return 0;
}

static double step(uint32_t rank, double s)
{
    return rank < 2 && s > 12.3 ? 0.15 : 0;
}

static double turbo(uint32_t rank, double s)
{
    (void)rank;
    return s > 7.1 ? -0.08 : 0;
}

static double for_a_while(uint32_t rank, double s)
{
    (void)rank;
    return s > 6.2 && s < 13.6 ? 0.3 : 0;
}

static double slowly(uint32_t rank, double s)
{
    (void)rank;
    return 0.012 * s;
}

/* Four types of computations, 20 s, 4 ranks; work spreads by 1 %. @p detour: one of 2 ms now and
 * then. */
static noise_miner *mine(clock_of clock, double detours, bool cpu)
{
    noise_miner *m = modern_miner();
    for (uint32_t rank = 0; rank < 4; rank++) {
        g_autoptr(GRand) draw = g_rand_new_with_seed(rank + 17);
        uint64_t type = 0;
        for (sim_time t = rank * SIM_MS; t < 20 * SIM_S; type = (type + 1) % TYPES) {
            const double work = (1 + (double)type) * 1e9 * g_rand_double_range(draw, 0.995, 1.005);
            const double tempo = 1 + clock(rank, (double)t / 1e12);
            const sim_time more = g_rand_double(draw) < detours ? 2 * SIM_MS : 0;
            const sim_time end = t + (sim_time)(work * tempo) + more;
            const noise_miner_event e = {.rank = rank,
                                         .type = type,
                                         .start = t,
                                         .end = end,
                                         .expected = -1,
                                         .cpu = cpu ? (sim_time)work : -1,
                                         .detour = -1};
            noise_miner_add_event(m, &e);
            t = end + 300 * SIM_US;
        }
    }
    return m;
}

static void a_steady_clock_is_no_row(void)
{
    for (int detours = 0; detours < 2; detours++) {
        g_autoptr(noise_miner) m = mine(steady, detours * 0.3, false);
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        CHECK_I64(report->num_drifts, 0);
    }
}

static void steps_are_found_and_are_no_noise(void)
{
    static const struct {
        clock_of clock;
        double size, from, to;
        uint32_t ranks;
        bool gradual;
    } rows[] = {{step, 0.15, 12.3, 20, 2, false},
                {turbo, -0.08, 7.1, 20, 4, false},
                {for_a_while, 0.3, 6.2, 13.6, 4, false},
                {slowly, 0.24, 2, 20, 4, true}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(noise_miner) m = mine(rows[i].clock, 0, false);
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        g_autofree char *text = oracle_print(report);
        if (CHECK(report->num_drifts == 1, "row %zu: %zu", i, report->num_drifts)) {
            const noise_miner_drift *d = &report->drifts[0];
            const double epoch = (double)report->epoch / 1e12;
            CHECK_NEAR(d->size, rows[i].size, 0.012 + (rows[i].gradual ? 0.03 : 0), "row %zu", i);
            CHECK(d->low <= d->size && d->size <= d->high, "row %zu", i);
            CHECK_NEAR((double)d->from / 1e12, rows[i].from, 1.1 * epoch, "row %zu", i);
            CHECK_NEAR((double)d->to / 1e12, rows[i].to, 1.1 * epoch, "row %zu", i);
            CHECK_I64(d->num_ranks, rows[i].ranks, "row %zu", i);
            CHECK_I64(d->types, TYPES, "row %zu", i);
            CHECK_I64(d->gradual, rows[i].gradual, "row %zu", i);
        }
        CHECK_I64(report->num_rows, 0, "row %zu: %s", i, text);
        CHECK_I64(report->num_faster, 0, "row %zu: %s", i, text);
    }
}

/* Detours are as long before the step as after it: one row, of the right length. */
static void noise_is_judged_by_what_events_last_then(void)
{
    g_autoptr(noise_miner) m = mine(step, 0.01, false);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    g_autofree char *text = oracle_print(report);
    CHECK_I64(report->num_drifts, 1);
    if (CHECK(report->num_rows == 1, "%s", text)) {
        CHECK_NEAR(report->rows[0].t_noise, 2 * SIM_MS, 0.02 * (double)SIM_MS, "%s", text);
        CHECK_I64(report->rows[0].num_ranks, 4, "%s", text);
        CHECK_I64(report->rows[0].change.verdict, NOISE_MINER_NO_CHANGE, "%s", text);
    }
}

/* Wall-clock time grows, CPU time does not: somebody else has a share of the CPU. */
static void what_cpu_times_do_not_show_is_no_clock(void)
{
    g_autoptr(noise_miner) m = mine(step, 0, true);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_drifts, 0);
    CHECK(report->num_rows > 0);
}

/* One type of several has other work from the middle on; or each has two modes of data, one of
 * which comes more often with time; or so nearly a quarter of the events that chance decides which
 * mode is the lowest with a quarter. */
static void work_that_changes_is_no_clock(void)
{
    for (uint32_t seed = 0; seed < 30; seed++) {
        const uint32_t kind = seed % 3;
        g_autoptr(GRand) draw = g_rand_new_with_seed(seed);
        g_autoptr(noise_miner) m = modern_miner();
        uint64_t type = 0;
        for (sim_time t = 0; t < 10 * SIM_S; type = (type + 1) % TYPES) {
            const double now = (double)t / 1e13;
            const double often = kind == 1 ? 0.1 + 0.8 * now : 0.75;
            const bool other = kind == 0 ? type == 0 && now > 0.5 : g_rand_double(draw) < often;
            const sim_time work = (sim_time)(1 + type) * SIM_MS * (other ? 3 : 2) / 2;
            noise_miner_add(m, 0, type, t, t + work, -1);
            t += work + 100 * SIM_US;
        }
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        CHECK_I64(report->num_drifts, 0, "seed %u", seed);
    }
}

/* With one type alone it cannot be told from other work, and that is said: types is 1. */
static void one_type_alone_is_told_with_a_doubt(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    for (sim_time t = 0; t < 10 * SIM_S; t += 2 * SIM_MS) {
        noise_miner_add(m, 5, 1, t, t + (t < 5 * SIM_S ? SIM_MS : 11 * SIM_MS / 10), -1);
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    if (CHECK(report->num_drifts == 1)) {
        CHECK_I64(report->drifts[0].types, 1);
        CHECK_NEAR(report->drifts[0].size, 0.1, 1e-6, "size");
    }
}

SUITE_MAIN("miner_drift", TEST(a_steady_clock_is_no_row), TEST(steps_are_found_and_are_no_noise),
           TEST(noise_is_judged_by_what_events_last_then),
           TEST(what_cpu_times_do_not_show_is_no_clock), TEST(work_that_changes_is_no_clock),
           TEST(one_type_alone_is_told_with_a_doubt))
