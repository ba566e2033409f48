/* tests/noise/places/test_drift.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/detour_tables.h"
#include "noise/detour_trace.h"
#include "noise/injection.h"
#include "noise/random.h"
#include "places/drift.h"

#include <math.h>

enum { MOST = 6 };

static uint64_t below(uint64_t seed, uint64_t what, uint64_t bound)
{
    return noise_random_below(seed, what, 0, bound);
}

/* A few short detours, some touching, in a short period. */
static noise_detour_trace *small_trace(uint64_t seed)
{
    const size_t n = 1 + below(seed, 1, MOST);
    sim_time start[MOST];
    sim_time length[MOST];
    sim_time at = 0;
    for (size_t i = 0; i < n; i++) {
        start[i] = at + (sim_time)noise_random_below(seed, 2, i, 12);
        length[i] = 1 + (sim_time)noise_random_below(seed, 3, i, 9);
        at = start[i] + length[i];
    }
    return noise_detour_trace_new(start, length, n, at + 1 + (sim_time)below(seed, 4, 10), NULL);
}

/* Half to one and a half, often next to the true rate or at an end. */
static uint64_t some_rate(uint64_t seed)
{
    static const uint64_t ENDS[] = {NOISE_DRIFT_TRUE, NOISE_DRIFT_TRUE - 1, NOISE_DRIFT_TRUE + 1,
                                    NOISE_DRIFT_TRUE / 2, NOISE_DRIFT_TRUE / 2 * 3};
    const uint64_t kind = below(seed, 5, 10);
    return kind < G_N_ELEMENTS(ENDS) ? ENDS[kind]
                                     : NOISE_DRIFT_TRUE / 2 + below(seed, 6, NOISE_DRIFT_TRUE);
}

static bool is_free(const noise_detour_trace *trace, uint64_t rate, sim_time offset, sim_time t)
{
    /* i + floor(i eps), with eps = rate - 1 as a rational and a floor that is spelled out */
    const sim_int128 one = (sim_int128)NOISE_DRIFT_TRUE;
    const sim_int128 product = (sim_int128)t * ((sim_int128)rate - one);
    sim_int128 gained = product / one;
    gained -= product % one < 0;
    const sim_time place =
        (sim_time)(((sim_int128)offset + t + gained) % noise_detour_trace_period(trace));
    for (size_t i = 0; i < noise_detour_trace_count(trace); i++) {
        const sim_time start = noise_detour_trace_start(trace, i);
        if (place >= start && place < start + noise_detour_trace_length(trace, i)) {
            return false;
        }
    }
    return true;
}

/* Picosecond by picosecond. */
static sim_time judge(const noise_detour_trace *trace, uint64_t rate, sim_time offset,
                      sim_time ready, sim_time work)
{
    sim_time t = ready;
    while (work > 0) {
        work -= is_free(trace, rate, offset, t++);
    }
    return t;
}

static void it_is_what_a_picosecond_after_the_other_says(void)
{
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        g_autoptr(noise_detour_trace) trace = small_trace(seed);
        CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
        const sim_detours *d = noise_detour_trace_tables(trace);
        const uint64_t rate = some_rate(seed);
        const sim_time offset =
            (sim_time)below(seed, 7, (uint64_t)noise_detour_trace_period(trace) + 1);
        const sim_time ready = (sim_time)below(seed, 8, 200);
        const sim_time work = (sim_time)below(seed, 9, 100);
        CHECK_I64(noise_drift_finish(d, rate, offset, ready, work),
                  judge(trace, rate, offset, ready, work),
                  "seed %" G_GUINT64_FORMAT ", rate %" G_GUINT64_FORMAT, seed, rate);
    }
}

static void it_is_monotone_and_additive(void)
{
    g_autoptr(noise_signature) s = noise_signature_parse("jaguar+fixed:1kHz:100us", 1, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    const noise_detour_trace *trace = noise_signature_trace(s, 0);
    const sim_detours *d = noise_detour_trace_tables(trace);
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        const uint64_t rate = some_rate(seed);
        const sim_time offset =
            (sim_time)below(seed, 7, (uint64_t)noise_detour_trace_period(trace));
        const sim_time ready = (sim_time)below(seed, 8, UINT64_C(1) << below(seed, 10, 62));
        const sim_time first = (sim_time)below(seed, 9, 20 * (uint64_t)SIM_MS);
        const sim_time second = (sim_time)below(seed, 11, 20 * (uint64_t)SIM_MS);
        const sim_time later = ready + (sim_time)below(seed, 12, 2 * (uint64_t)SIM_MS);
        const sim_time half = noise_drift_finish(d, rate, offset, ready, first);
        const sim_time whole = noise_drift_finish(d, rate, offset, ready, first + second);
        CHECK(half >= ready + first);
        CHECK_I64(noise_drift_finish(d, rate, offset, half, second), whole, "seed %d", (int)seed);
        CHECK(noise_drift_finish(d, rate, offset, later, first) >= half, "seed %d", (int)seed);
        CHECK_I64(noise_drift_finish(d, rate, offset, ready, 0), ready);
    }
}

static void a_true_clock_changes_nothing(void)
{
    g_autoptr(noise_signature) s = noise_signature_parse("jaguar+fixed:1kHz:100us", 1, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    const noise_detour_trace *trace = noise_signature_trace(s, 0);
    const sim_detours *d = noise_detour_trace_tables(trace);
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        const sim_time offset =
            (sim_time)below(seed, 7, (uint64_t)noise_detour_trace_period(trace) + 1);
        const sim_time ready = (sim_time)below(seed, 8, UINT64_C(1) << below(seed, 10, 63));
        const sim_time work = (sim_time)below(seed, 9, 100 * (uint64_t)SIM_MS);
        CHECK_I64(noise_drift_finish(d, NOISE_DRIFT_TRUE, offset, ready, work),
                  noise_detour_trace_finish(trace, offset, ready, work), "seed %d", (int)seed);
    }
}

static void beyond_the_range_of_time_is_its_end(void)
{
    g_autoptr(noise_detour_trace) trace = noise_detour_trace_new(
        (sim_time[]){SIM_TIME_MAX / 4}, (sim_time[]){SIM_TIME_MAX / 4}, 1, SIM_TIME_MAX, NULL);
    const sim_detours *d = noise_detour_trace_tables(trace);
    static const uint64_t RATES[] = {NOISE_DRIFT_TRUE / 2, NOISE_DRIFT_TRUE,
                                     NOISE_DRIFT_TRUE / 2 * 3};
    for (size_t i = 0; i < G_N_ELEMENTS(RATES); i++) {
        CHECK_I64(noise_drift_finish(d, RATES[i], SIM_TIME_MAX, 2 * SIM_TIME_MAX, SIM_TIME_MAX),
                  2 * SIM_TIME_MAX);
        CHECK_I64(noise_drift_finish(d, RATES[i], 0, 2 * SIM_TIME_MAX - 5, SIM_TIME_MAX),
                  2 * SIM_TIME_MAX);
        CHECK_I64(noise_drift_finish(d, RATES[i], 0, 2 * SIM_TIME_MAX - 5, 100), 2 * SIM_TIME_MAX);
    }
}

static void rates_are_normal(void)
{
    enum { NODES = 20000 };
    double sum = 0;
    double squares = 0;
    for (uint64_t node = 0; node < NODES; node++) {
        const uint64_t rate = noise_drift_rate(20, 1, 2, node);
        const double gained = ldexp((double)((int64_t)rate - (int64_t)NOISE_DRIFT_TRUE), -60);
        sum += gained / 20e-6;
        squares += gained / 20e-6 * (gained / 20e-6);
    }
    CHECK_NEAR(sum / NODES, 0, 5 / sqrt(NODES));
    CHECK_NEAR(squares / NODES, 1, 5 * sqrt(2.0 / NODES));
    CHECK(noise_drift_rate(0, 1, 2, 3) == NOISE_DRIFT_TRUE);
    for (uint64_t node = 0; node < NODES; node++) { /* wild ones are cut */
        const uint64_t rate = noise_drift_rate(1e6, 1, 2, node);
        CHECK(rate >= NOISE_DRIFT_TRUE / 2 && rate <= NOISE_DRIFT_TRUE / 2 * 3);
    }
}

static const noise_injection_options UNSYNC = {
    .sync = NOISE_UNSYNCHRONIZED, .seed = 1, .replica = 3};

static void each_node_reads_at_its_own_rate(void)
{
    g_autoptr(noise_signature) s =
        noise_signature_parse("fixed:1ms:100us@node-all+drift=500", 1, NULL);
    g_autoptr(noise_signature) still = noise_signature_parse("fixed:1ms:100us@node-all", 1, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CHECK_NEAR(noise_signature_drift(s), 500, 0);
    CHECK_NEAR(noise_signature_drift(still), 0, 0);
    const sim_placement few = sim_placement_block(64, 2);
    const sim_placement many = sim_placement_block(4096, 2);
    noise_injection_options o = UNSYNC;
    o.placement = &few;
    g_autoptr(noise_injection) in = noise_injection_new(s, 64, &o);
    g_autoptr(noise_injection) locked = noise_injection_new(still, 64, &o);
    o.placement = &many;
    g_autoptr(noise_injection) more = noise_injection_new(s, 4096, &o);
    const sim_noise *hook = noise_injection_hook(in);
    const sim_noise *others = noise_injection_hook(more);
    unsigned moved = 0;
    for (uint32_t r = 0; r < 64; r++) {
        CHECK_I64(noise_injection_offset(in, r), noise_injection_offset(locked, r));
        const sim_time at = 100 * SIM_S;
        const sim_time end = hook->finish(hook, r, at, 10 * SIM_MS);
        CHECK_I64(end, hook->finish(hook, r ^ 1, at, 10 * SIM_MS), "ranks of a node");
        CHECK_I64(end, others->finish(others, r, at, 10 * SIM_MS), "of however many ranks");
        moved += end != noise_injection_hook(locked)->finish(noise_injection_hook(locked), r, at,
                                                             10 * SIM_MS);
    }
    CHECK(moved > 0, "phases have wandered in 100 s");
}

/* One tick of 1 ms per node: at 20 ppm, phases that began together lie anywhere after 500 s. */
static void phases_wander(void)
{
    g_autoptr(noise_signature) s = noise_signature_parse("fixed:1ms:100us+drift=20", 1, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    const noise_detour_trace *trace = noise_signature_trace(s, 0);
    const sim_detours *d = noise_detour_trace_tables(trace);
    enum { NODES = 4000 };
    double busy = 0;
    for (uint64_t node = 0; node < NODES; node++) {
        const uint64_t rate = noise_drift_rate(20, 1, 4, node);
        busy += noise_drift_finish(d, rate, 0, 500 * SIM_S, 1) > 500 * SIM_S + 1;
    }
    CHECK_NEAR(busy / NODES, 0.1, 5 * sqrt(0.1 * 0.9 / NODES)); /* the share that it steals */
}

static void co_scheduled_noise_has_one_clock(void)
{
    g_autoptr(noise_signature) s = noise_signature_parse("fixed:1ms:100us+drift=500", 1, NULL);
    g_autoptr(noise_signature) still = noise_signature_parse("fixed:1ms:100us", 1, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    const noise_injection_options o = {.sync = NOISE_COSCHEDULED, .seed = 1, .sigma = SIM_US};
    g_autoptr(noise_injection) in = noise_injection_new(s, 64, &o);
    g_autoptr(noise_injection) locked = noise_injection_new(still, 64, &o);
    const sim_noise *hook = noise_injection_hook(in);
    const sim_noise *other = noise_injection_hook(locked);
    for (uint32_t r = 0; r < 64; r++) {
        CHECK_I64(hook->finish(hook, r, 100 * SIM_S, 10 * SIM_MS),
                  other->finish(other, r, 100 * SIM_S, 10 * SIM_MS));
    }
}

static void ranks_without_noise_stay_without(void)
{
    g_autoptr(noise_signature) s = noise_signature_parse("fixed:1ms:100us@1+drift=500", 1, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    g_autoptr(noise_injection) in = noise_injection_new(s, 3, &UNSYNC);
    const sim_noise *hook = noise_injection_hook(in);
    CHECK_I64(hook->finish(hook, 0, SIM_S, SIM_S), 2 * SIM_S);
    CHECK(hook->finish(hook, 1, SIM_S, SIM_S) > 2 * SIM_S);
}

SUITE_MAIN("drift", TEST(it_is_what_a_picosecond_after_the_other_says),
           TEST(it_is_monotone_and_additive), TEST(a_true_clock_changes_nothing),
           TEST(beyond_the_range_of_time_is_its_end), TEST(rates_are_normal),
           TEST(each_node_reads_at_its_own_rate), TEST(phases_wander),
           TEST(co_scheduled_noise_has_one_clock), TEST(ranks_without_noise_stay_without))
