/* tests/noise/miner/test_miner_simulated.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams as a simulation gives them, where the duration without noise is known. What must be
 * found is what was put in. */
#include "check.h"
#include "miner_oracle.h"
#include "seeds.h"

#define RANKS  16
#define NOISY  5
#define DETOUR (5700 * SIM_US)
#define PERIOD (21340 * SIM_US)

/* Issue: one rank has a detour of 5.7 ms every 21.34 ms, the others none. */
static noise_miner *one_noisy_rank(sim_time work, sim_time wait, sim_time until)
{
    noise_miner *m = modern_miner();
    for (uint32_t r = 0; r < RANKS; r++) {
        oracle o;
        oracle_init(&o, r);
        if (r == NOISY) {
            oracle_add_periodic(&o, 3 * SIM_MS + 217 * SIM_NS, PERIOD, DETOUR, 2 * until);
        }
        /* Quiet ranks matter only as ranks: fewer events spare time. */
        oracle_run(&o, m, r, r == NOISY || work > SIM_MS ? work : 10 * work, wait, until);
        oracle_clear(&o);
    }
    return m;
}

static void detour_on_one_rank_is_one_row_whatever_the_length_of_operations(void)
{
    static const sim_time work_us[] = {50,    100,   317,   1000,  3000,  5000,   7000,
                                       10000, 12000, 15000, 16000, 18000, 20000,  25000,
                                       31000, 40000, 50000, 70000, 99000, 150000, 200000};
    static const sim_time wait_us[] = {0, 3, 80};
    for (size_t i = 0; i < G_N_ELEMENTS(work_us); i++) {
        for (size_t k = 0; k < G_N_ELEMENTS(wait_us); k++) {
            const sim_time work = work_us[i] * SIM_US;
            g_autoptr(noise_miner) m =
                one_noisy_rank(work, wait_us[k] * SIM_US, MAX(10 * SIM_S, 80 * work));
            g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
            g_autofree char *text = oracle_print(report);
            const char *where = text;
            if (!CHECK(report->num_rows == 1, "work %" PRId64 " us wait %" PRId64 " us: %s",
                       work_us[i], wait_us[k], where)) {
                continue;
            }
            const noise_miner_row *row = &report->rows[0];
            CHECK_I64(row->t_noise, DETOUR, "work %" PRId64 " wait %" PRId64 ": %s", work_us[i],
                      wait_us[k], where);
            CHECK_NEAR(row->period, PERIOD, 1e-3 * PERIOD, "work %" PRId64 " wait %" PRId64 ": %s",
                       work_us[i], wait_us[k], where);
            CHECK(row->period_confidence > 0.999);
            CHECK_I64(row->num_ranks, 1);
            CHECK_I64(row->ranks[0][0], NOISY);
            CHECK_I64(report->residue_events, 0);
            CHECK_I64(report->dropped_rows, 0, "%s", where);
            CHECK(g_str_has_prefix(row->label, "periodic 21.3"), "%s", row->label);
            /* Every detour is seen, but for those a wait hides; share is what they stole. */
            CHECK_NEAR(row->share_affected, (double)DETOUR / PERIOD, 0.02);
            CHECK_NEAR(row->share * RANKS, row->share_affected, 0.02);
        }
    }
}

static void no_noise_finds_nothing(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    for (uint32_t r = 0; r < RANKS; r++) {
        oracle o;
        oracle_init(&o, r);
        oracle_run(&o, m, r, 317 * SIM_US, 5 * SIM_US, SIM_S);
        oracle_clear(&o);
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    CHECK_I64(report->num_rows, 0);
    CHECK_I64(report->num_faster, 0);
    CHECK_I64(report->dropped_rows, 0);
    CHECK_I64(report->residue_events, 0);
    CHECK_I64(report->ranks_seen, RANKS);
}

static void poisson_noise_has_a_rate_and_no_period(void)
{
    for (guint64 seed = 1; seed <= SEEDS(20); seed++) {
        g_autoptr(noise_miner) m = modern_miner();
        double detours = 0;
        const sim_time until = 20 * SIM_S;
        for (uint32_t r = 0; r < 8; r++) {
            oracle o;
            oracle_init(&o, seed * 100 + r);
            oracle_add_poisson(&o, 50 * SIM_MS, 300 * SIM_US, until);
            oracle_sort(&o);
            detours += o.detours->len;
            oracle_run(&o, m, r, SIM_MS, 0, until);
            oracle_clear(&o);
        }
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        g_autofree char *text = oracle_print(report);
        CHECK(report->num_rows == 1, "seed %u: %s", (unsigned)seed, text);
        CHECK_I64(report->rows[0].t_noise, 300 * SIM_US);
        CHECK_I64(report->rows[0].period, 0, "seed %u", (unsigned)seed);
        CHECK_NEAR(report->rows[0].count, detours, 0.005 * detours, "%s", text);
        CHECK_NEAR(report->rows[0].rate, detours / 8 / 20, 0.01 * detours / 8 / 20);
        CHECK_I64(report->rows[0].num_ranks, 8);
        CHECK_STR(report->rows[0].label, "Poisson-like");
    }
}

/* Operations of 0.2 s with eight detours each on average, and waits that hide some: a rhythm is a
 * rhythm, to 1 %; without one none is found. */
static void long_operations_tell_rhythm_from_chance(void)
{
    for (int poisson = 0; poisson < 2; poisson++) {
        g_autoptr(noise_miner) m = modern_miner();
        const sim_time until = 30 * SIM_S;
        const sim_time period = 25020 * SIM_US;
        for (uint32_t r = 0; r < 4; r++) {
            oracle o;
            oracle_init(&o, 50 + r);
            if (poisson == 1) {
                oracle_add_poisson(&o, period, 500 * SIM_US, 2 * until);
                oracle_sort(&o);
            } else {
                oracle_add_periodic(&o, r * SIM_MS, period, 500 * SIM_US, 2 * until);
            }
            oracle_run(&o, m, r, 200 * SIM_MS, 2 * SIM_MS, until);
            oracle_clear(&o);
        }
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        g_autofree char *text = oracle_print(report);
        if (CHECK(report->num_rows == 1, "%s", text)) {
            CHECK_NEAR(report->rows[0].t_noise, 500 * SIM_US, 5 * SIM_US, "%s", text);
            const double wanted = poisson == 1 ? 0 : (double)period;
            CHECK_NEAR(report->rows[0].period, wanted, 0.01 * wanted, "%s", text);
            CHECK_NEAR(report->rows[0].rate, 1 / 0.02502, poisson == 1 ? 4 : 1.2, "%s", text);
            CHECK_I64(report->rows[0].num_ranks, 4);
        }
    }
}

/* Preset jaguar, docs/noise.md, section 7, on 64 ranks; its rare daemon ten times as often (every
 * 2 s), so that 60 s hold enough of it on every rank. */
static void three_sources_are_three_rows(void)
{
    static const sim_time work_us[] = {200, 2000};
    for (size_t i = 0; i < G_N_ELEMENTS(work_us); i++) {
        g_autoptr(noise_miner) m = modern_miner();
        const sim_time until = 60 * SIM_S;
        for (uint32_t r = 0; r < 64; r++) {
            oracle o;
            oracle_init(&o, 7 + r);
            oracle_add_poisson(&o, 2 * SIM_S, 2500 * SIM_US, until);
            const sim_time phase = (sim_time)(oracle_unit(&o) * (double)SIM_S);
            oracle_add_periodic(&o, phase / 10, 100 * SIM_MS, 6 * SIM_US, until);
            oracle_add_periodic(&o, phase, SIM_S, 15 * SIM_US, until);
            oracle_sort(&o);
            oracle_run(&o, m, r, work_us[i] * SIM_US, 20 * SIM_US, until);
            oracle_clear(&o);
        }
        g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
        g_autofree char *text = oracle_print(report);
        /* share of the 15 us: 1.5e-5, below the default limit of 1e-4 together with 6e-5 */
        CHECK(report->num_rows == 1 && report->dropped_rows == 2, "%s", text);
        noise_miner_options options;
        noise_miner_options_init(&options, NOISE_MINER_MODERN);
        options.min_share = 1e-6;
        g_autoptr(noise_miner) all = noise_miner_new(&options);
        noise_miner_merge(all, m);
        g_autoptr(noise_miner_report) full = noise_miner_report_new(all);
        g_autofree char *rows = oracle_print(full);
        if (!CHECK(full->num_rows == 3, "%s", rows)) {
            continue;
        }
        CHECK_I64(full->rows[0].t_noise, 2500 * SIM_US, "%s", rows);
        CHECK_I64(full->rows[0].period, 0, "%s", rows);
        CHECK_NEAR(full->rows[0].rate, 0.5, 0.05);
        CHECK_I64(full->rows[1].t_noise, 6 * SIM_US, "%s", rows);
        CHECK_NEAR(full->rows[1].period, 100 * SIM_MS, 100 * SIM_US, "%s", rows);
        CHECK_I64(full->rows[2].t_noise, 15 * SIM_US, "%s", rows);
        CHECK_NEAR(full->rows[2].period, SIM_S, SIM_MS, "%s", rows);
        for (int k = 0; k < 3; k++) {
            CHECK_I64(full->rows[k].num_ranks, 64, "%s", rows);
        }
    }
}

static void equal_lengths_with_two_periods_are_two_rows(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    for (uint32_t r = 0; r < 12; r++) {
        oracle o;
        oracle_init(&o, r);
        oracle_add_periodic(&o, (sim_time)(r + 1) * 321 * SIM_US,
                            r % 3 == 0 ? 4 * SIM_MS : 70 * SIM_MS, 20 * SIM_US, 10 * SIM_S);
        oracle_run(&o, m, r, 150 * SIM_US, 2 * SIM_US, 10 * SIM_S);
        oracle_clear(&o);
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    g_autofree char *text = oracle_print(report);
    if (!CHECK(report->num_rows == 2, "%s", text)) {
        return;
    }
    CHECK_NEAR(report->rows[0].period, 4 * SIM_MS, 4 * SIM_US, "%s", text);
    CHECK_I64(report->rows[0].num_ranks, 4);
    CHECK_I64(report->rows[0].num_ranges, 4);
    CHECK_I64(report->rows[0].ranks[3][0], 9);
    CHECK_STR(report->rows[0].label, "periodic 4ms (250 Hz tick)");
    CHECK_NEAR(report->rows[1].period, 70 * SIM_MS, 70 * SIM_US, "%s", text);
    CHECK_I64(report->rows[1].num_ranks, 8);
    CHECK_I64(report->rows[1].t_noise, 20 * SIM_US);
}

/* Ranks that mostly wait get mostly rests of detours, of any length up to a whole one. */
static void rests_of_detours_are_no_rows_but_count_in_the_share(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    double lost = 0;
    double span = 0;
    for (uint32_t r = 0; r < 8; r++) {
        oracle o;
        oracle_init(&o, 3 + r);
        oracle_add_periodic(&o, (sim_time)(r + 1) * SIM_MS, 20 * SIM_MS, 2 * SIM_MS, 30 * SIM_S);
        sim_time t = 0;
        while (t < 20 * SIM_S) {
            const sim_time end = oracle_finish(&o, t, SIM_MS);
            noise_miner_add(m, r, 0, t, end, SIM_MS);
            lost += (double)(end - t - SIM_MS);
            span = fmax(span, (double)end);
            t = end + (sim_time)(oracle_unit(&o) * 4.0 * (double)SIM_MS);
        }
        oracle_clear(&o);
    }
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    g_autofree char *text = oracle_print(report);
    if (!CHECK(report->num_rows == 1, "%s", text)) {
        return;
    }
    CHECK_I64(report->rows[0].t_noise, 2 * SIM_MS, "%s", text);
    CHECK_NEAR(report->rows[0].period, 20 * SIM_MS, 20 * SIM_US, "%s", text);
    CHECK(report->rows[0].partial > 100, "%s", text);
    CHECK_NEAR(report->rows[0].share, lost / 8 / span, 1e-3 * lost / 8 / span, "%s", text);
    CHECK_I64(report->residue_events, 0);
}

static void sink_skips_what_takes_no_time(void)
{
    g_autoptr(noise_miner) m = modern_miner();
    noise_miner_name_type(m, 0, "calc");
    sim_event events[20];
    for (int i = 0; i < 20; i++) {
        events[i] = (sim_event){.start = i * SIM_S,
                                .end = i * SIM_S + SIM_MS,
                                .work = i % 2 == 0 ? 900 * SIM_US : 0,
                                .rank = 1,
                                .type = 0};
    }
    sim_sink *sink = noise_miner_sink(m);
    sink->events(sink, events, 20);
    g_autoptr(noise_miner_report) report = noise_miner_report_new(m);
    g_autofree char *text = oracle_print(report);
    CHECK_I64(report->events, 10);
    CHECK_I64(report->num_types, 1);
    CHECK_STR(report->types[0].name, "calc");
    CHECK_I64(report->types[0].slower, 10);
    CHECK_NEAR(report->types[0].excess, 1e-3, 1e-12);
    if (CHECK(report->dropped_rows == 1 && report->num_rows == 0, "%s", text)) { /* 1 ms of 18 s */
        CHECK_NEAR(report->dropped_share, 1e-3 / 18.001, 1e-9, "%s", text);
    }
}

SUITE_MAIN("miner_simulated", TEST(detour_on_one_rank_is_one_row_whatever_the_length_of_operations),
           TEST(no_noise_finds_nothing), TEST(poisson_noise_has_a_rate_and_no_period),
           TEST(long_operations_tell_rhythm_from_chance), TEST(three_sources_are_three_rows),
           TEST(equal_lengths_with_two_periods_are_two_rows),
           TEST(rests_of_detours_are_no_rows_but_count_in_the_share),
           TEST(sink_skips_what_takes_no_time))
