/* tests/noise/detours/test_model_job.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* docs/noise.md, section 2.2. */
#include "check.h"
#include "noise/injection.h"
#include "noise/signature.h"

#include <math.h>
#include <stdlib.h>

static noise_signature *parse(const char *text, uint64_t seed)
{
    noise_signature *s = noise_signature_parse(text, seed, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    return s;
}

static sim_time taken(const noise_detour_trace *t, sim_time from, sim_time to)
{
    sim_time sum = 0;
    for (size_t i = 0; i < noise_detour_trace_count(t); i++) {
        const sim_time start = noise_detour_trace_start(t, i);
        const sim_time end = start + noise_detour_trace_length(t, i);
        sum += MAX(MIN(end, to) - MAX(start, from), 0);
    }
    return sum;
}

/* Multiples of two slices: to the picosecond. */
static void it_takes_half_of_the_time_that_it_is_on(void)
{
    g_autoptr(noise_signature) full = parse("job:4ms:1s", 1);
    const noise_detour_trace *t = noise_signature_trace(full, 0);
    CHECK_I64(noise_detour_trace_period(t), 1000 * SIM_S); /* 100 times 10 stays */
    CHECK_I64(taken(t, 0, 1000 * SIM_S), 500 * SIM_S);
    CHECK_NEAR(noise_signature_component(full, 0)->share, 0.5, 0);
    g_autoptr(noise_signature) some = parse("job:4ms:1s:10s:5s", 1);
    t = noise_signature_trace(some, 0);
    CHECK_I64(noise_detour_trace_period(t), 1500 * SIM_S);
    for (int i = 0; i < 100; i++) { /* alone it begins with the period */
        const sim_time on = (sim_time)i * 15 * SIM_S;
        CHECK_I64(taken(t, on, on + 10 * SIM_S), 5 * SIM_S, "cycle %d", i);
        CHECK_I64(taken(t, on + 10 * SIM_S, on + 15 * SIM_S), 0, "cycle %d", i);
    }
    CHECK_NEAR(noise_signature_component(some, 0)->share, 1 / 3.0, 1e-15);
}

/* What the component says, against what was drawn: 1000 stays, of which about half end in a slice.
 */
static void it_says_how_often_it_comes(void)
{
    static const char *const texts[] = {"job:4ms:20ms", "job:4ms:1s", "job:100ms:1s:10s:5s"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(noise_signature) s = parse(texts[i], 1);
        const noise_component *c = noise_signature_component(s, 0);
        const noise_detour_trace *t = noise_signature_trace(s, 0);
        const double count = (double)noise_detour_trace_period(t) / c->interval;
        CHECK_NEAR((double)noise_detour_trace_count(t) / count, 1, 0.03, "%s", texts[i]);
        CHECK(c->is_locked, "%s", texts[i]);
    }
}

/* The first phase is the node's offset: uniform in a cycle. */
static void it_begins_at_any_time(void)
{
    enum { NODES = 400 };
    g_autoptr(noise_signature) s = parse("job:1ms:1s:3s:2s@node", 1);
    const noise_injection_options o = {.seed = 1};
    g_autoptr(noise_injection) in = noise_injection_new(s, NODES, &o);
    const sim_noise *hook = noise_injection_hook(in);
    unsigned early[5] = {0};
    for (uint32_t node = 0; node < NODES; node++) {
        const sim_time step = 10 * SIM_MS;
        const sim_time work = 2 * SIM_MS; /* longer than a slice: it meets one, if it is on */
        bool was_on = true;
        sim_time t = 0;
        for (; t < 6 * SIM_S; t += step) {
            const bool is_on = hook->finish(hook, node, t, work) > t + work;
            if (is_on && !was_on) {
                break;
            }
            was_on = is_on;
        }
        CHECK(t <= 5 * SIM_S + step, "node %u", node);
        early[MIN(t / SIM_S, 4)]++;
    }
    for (int k = 0; k < 5; k++) { /* 80 expected, standard deviation 8 */
        CHECK(early[k] > 52 && early[k] < 108, "%d: %u", k, early[k]);
    }
}

enum { CORES = 4, STAY_MS = 250, SECONDS = 600 };

typedef struct stays {
    double length[8 * SECONDS]; /* s, on one core */
    size_t n;
    unsigned next[CORES]; /* by how many cores it went on, modulo their number */
    size_t taken, both, probes;
} stays;

/* Which core is taken, a millisecond after the other, and for how long. */
static void follow(uint64_t seed, stays *out)
{
    *out = (stays){.n = 0};
    g_autoptr(noise_signature) s = parse("job:2ms:250ms@node", seed);
    const sim_placement placement = sim_placement_block(CORES, CORES);
    const noise_injection_options o = {.placement = &placement, .seed = seed};
    g_autoptr(noise_injection) in = noise_injection_new(s, CORES, &o);
    const sim_noise *hook = noise_injection_hook(in);
    uint32_t core = CORES;
    sim_time since = -1;
    for (sim_time t = 0; t < SECONDS * SIM_S; t += SIM_MS) {
        unsigned away = 0;
        for (uint32_t r = 0; r < CORES; r++) {
            if (hook->finish(hook, r, t, 1) == t + 1) {
                continue;
            }
            away++;
            if (core < CORES && r != core) {
                out->next[(r + CORES - core) % CORES]++;
                if (since >= 0) { /* the first began before 0 */
                    out->length[out->n++] = (double)(t - since) / SIM_S;
                }
                since = t;
            }
            core = r;
        }
        out->taken += away > 0;
        out->both += away > 1;
        out->probes++;
    }
}

static void at_any_time_one_core_is_taken_at_most(void)
{
    static stays s;
    follow(1, &s);
    CHECK_I64(s.both, 0);
    CHECK_NEAR((double)s.taken / (double)s.probes, 0.5, 0.01);
}

static int by_value(const void *pa, const void *pb)
{
    const double a = *(const double *)pa;
    const double b = *(const double *)pb;
    return (a > b) - (a < b);
}

/* Kolmogorov-Smirnov against an exponential distribution, times sqrt(n): above 1.63 in one of 100
 * samples of it. */
static double distance(stays *s, double mean)
{
    qsort(s->length, s->n, sizeof *s->length, by_value);
    double worst = 0;
    for (size_t i = 0; i < s->n; i++) {
        const double p = -expm1(-s->length[i] / mean);
        worst = fmax(worst, fabs(p - ((double)i + 0.5) / (double)s->n));
    }
    return worst * sqrt((double)s->n);
}

/* A geometric number of exponential times is one again. Less than 0.02 of it are stays that end
 * before a slice of theirs begins, which are not seen. */
static void it_leaves_a_core_after_an_exponential_time(void)
{
    static stays s;
    follow(2, &s);
    const double mean = STAY_MS / 1000.0 * CORES / (CORES - 1);
    CHECK(s.n > 1500, "%zu", s.n);
    CHECK(distance(&s, mean) < 1.63, "%g", distance(&s, mean));
    CHECK(distance(&s, mean * 1.2) > 1.63);
    CHECK(distance(&s, mean / 1.2) > 1.63);
    CHECK(distance(&s, STAY_MS / 1000.0) > 1.63);
    for (unsigned k = 1; k < CORES; k++) { /* to each of the others alike */
        CHECK_NEAR((double)s.next[k] / (double)(s.n + 1), 1.0 / (CORES - 1), 0.04, "%u", k);
    }
}

static void another_seed_hops_elsewhere(void)
{
    static stays a;
    static stays b;
    follow(3, &a);
    follow(4, &b);
    CHECK(a.n != b.n || a.length[0] != b.length[0]);
    follow(3, &b);
    CHECK_I64(a.n, b.n);
    for (size_t i = 0; i < a.n; i++) {
        CHECK_NEAR(a.length[i], b.length[i], 0);
    }
}

/* Left out among others: they stay where they were, and it is gone. */
static void it_can_be_left_out(void)
{
    g_autoptr(noise_signature) with = parse("job:1ms:100ms@node+fixed:10ms:10us@node", 1);
    g_autoptr(noise_signature) without =
        parse("job:1ms:100ms@node+fixed:10ms:10us@node+without=job:1ms:100ms", 1);
    CHECK_I64(noise_signature_num_components(with), 2);
    CHECK_I64(noise_signature_num_components(without), 1);
    const sim_placement placement = sim_placement_block(2, 2);
    const noise_injection_options o = {.placement = &placement, .seed = 1};
    g_autoptr(noise_injection) in = noise_injection_new(without, 2, &o);
    const sim_noise *hook = noise_injection_hook(in);
    sim_time lost = 0;
    for (uint32_t r = 0; r < 2; r++) {
        lost += hook->finish(hook, r, 0, 10 * SIM_S) - 10 * SIM_S;
    }
    CHECK_NEAR((double)lost / SIM_MS, 10, 0.02); /* 1000 of 10 us, on either */
}

SUITE_MAIN("model_job", TEST(it_takes_half_of_the_time_that_it_is_on),
           TEST(it_says_how_often_it_comes), TEST(it_begins_at_any_time),
           TEST(at_any_time_one_core_is_taken_at_most),
           TEST(it_leaves_a_core_after_an_exponential_time), TEST(another_seed_hops_elsewhere),
           TEST(it_can_be_left_out))
