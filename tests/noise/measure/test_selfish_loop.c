/* tests/noise/measure/test_selfish_loop.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "measure/calibrate.h"
#include "measure/selfish_loop.h"

#include <inttypes.h>
#include <stdlib.h>

/* A clock that returns what stands in an array, then steps of one. */
typedef struct fake_clock {
    const uint64_t *ticks;
    size_t n;
    size_t at;
    uint64_t last;
} fake_clock;

static uint64_t read_fake(void *context)
{
    fake_clock *c = context;
    c->last = c->at < c->n ? c->ticks[c->at] : c->last + 1;
    c->at++;
    return c->last;
}

static void gaps_above_the_threshold_are_recorded(void)
{
    static const uint64_t ticks[] = {1000, 1010, 1020, 1120, 1130, 1231, 1241, 2000, 2010};
    noise_gap gaps[8];
    fake_clock clock = {ticks, G_N_ELEMENTS(ticks), 0, 0};
    noise_loop loop = {.threshold = 100, .duration = 1010, .capacity = 8, .gaps = gaps};
    CHECK_I64(noise_loop_run(&loop, read_fake, &clock), NOISE_LOOP_TIME);
    CHECK_I64(loop.n, 2); /* 100 is not above 100, 101 and 759 are */
    CHECK_I64(gaps[0].start, 1130);
    CHECK_I64(gaps[0].length, 101);
    CHECK_I64(gaps[1].start, 1241);
    CHECK_I64(gaps[1].length, 759);
    CHECK_I64(loop.iterations, 8);
    CHECK_I64(loop.first, 1000);
    CHECK_I64(loop.last, 2010);
    CHECK_I64(loop.backwards, 0);
}

static void the_run_ends_with_its_time_or_its_capacity(void)
{
    noise_gap gaps[2];
    fake_clock clock = {NULL, 0, 0, 0};
    noise_loop loop = {.threshold = 100, .duration = 5000, .capacity = 2, .gaps = gaps};
    CHECK_I64(noise_loop_run(&loop, read_fake, &clock), NOISE_LOOP_TIME);
    CHECK_I64(loop.iterations, 5000);
    CHECK_I64(loop.last - loop.first, 5000);

    static const uint64_t ticks[] = {0, 200, 400, 600, 800};
    clock = (fake_clock){ticks, G_N_ELEMENTS(ticks), 0, 0};
    CHECK_I64(noise_loop_run(&loop, read_fake, &clock), NOISE_LOOP_FULL);
    CHECK_I64(loop.n, 2);
    CHECK_I64(loop.last, 400);
}

static void a_gap_over_the_end_is_recorded(void)
{
    static const uint64_t ticks[] = {0, 10, 9999};
    noise_gap gaps[2];
    fake_clock clock = {ticks, G_N_ELEMENTS(ticks), 0, 0};
    noise_loop loop = {.threshold = 100, .duration = 50, .capacity = 2, .gaps = gaps};
    CHECK_I64(noise_loop_run(&loop, read_fake, &clock), NOISE_LOOP_TIME);
    CHECK_I64(loop.n, 1);
    CHECK_I64(gaps[0].length, 9989);
    CHECK_I64(loop.last, 9999);
}

static void the_counter_may_wrap_around(void)
{
    static const uint64_t ticks[] = {UINT64_MAX - 20, UINT64_MAX - 10, 300, 310, 320};
    noise_gap gaps[2];
    fake_clock clock = {ticks, G_N_ELEMENTS(ticks), 0, 0};
    noise_loop loop = {.threshold = 100, .duration = 335, .capacity = 2, .gaps = gaps};
    CHECK_I64(noise_loop_run(&loop, read_fake, &clock), NOISE_LOOP_TIME);
    CHECK_I64(loop.n, 1);
    CHECK_I64(gaps[0].start - loop.first, 10);
    CHECK_I64(gaps[0].length, 311);
    CHECK_I64(loop.last - loop.first, 341); /* 320, wrapped */
}

static void steps_back_in_time_are_counted_not_recorded(void)
{
    static const uint64_t ticks[] = {1000, 1010, 500, 1005, 1020, 1030};
    noise_gap gaps[4];
    fake_clock clock = {ticks, G_N_ELEMENTS(ticks), 0, 0};
    noise_loop loop = {.threshold = 100, .duration = 30, .capacity = 4, .gaps = gaps};
    CHECK_I64(noise_loop_run(&loop, read_fake, &clock), NOISE_LOOP_TIME);
    CHECK_I64(loop.backwards, 2);
    CHECK_I64(loop.n, 0);
    CHECK_I64(loop.last, 1030);
}

static uint64_t read_falling(void *context)
{
    uint64_t *tick = context;
    return *tick -= 1000;
}

static void a_clock_that_only_falls_ends_the_run(void)
{
    uint64_t tick = UINT64_MAX;
    noise_gap gaps[4];
    noise_loop loop = {.threshold = 100, .duration = 30, .capacity = 4, .gaps = gaps};
    (void)noise_loop_run(&loop, read_falling, &tick);
    CHECK(loop.backwards > 0);
}

/* Answers in turn: kept, switched, kept, ... */
static unsigned answer_in_turn(void *witness)
{
    size_t *asked = witness;
    return (*asked)++ % 2 == 0 ? NOISE_PRESENCE_KEPT : NOISE_PRESENCE_SWITCHED;
}

static void each_gap_is_asked_about_once(void)
{
    /* 1271 is read after the question that the kernel had to answer: 40 ticks nobody looked */
    static const uint64_t ticks[] = {1000, 1010, 1110, 1120, 1130 + 101, 1271, 1281, 1500, 1510};
    noise_gap gaps[8];
    uint8_t answers[8] = {0};
    size_t asked = 0;
    fake_clock clock = {ticks, G_N_ELEMENTS(ticks), 0, 0};
    noise_loop loop = {.threshold = 90,
                       .duration = 510,
                       .capacity = 8,
                       .gaps = gaps,
                       .ask = answer_in_turn,
                       .witness = &asked,
                       .answers = answers};
    CHECK_I64(noise_loop_run(&loop, read_fake, &clock), NOISE_LOOP_TIME);
    CHECK_I64(loop.n, 3);
    CHECK_I64(asked, 3);
    CHECK_I64(gaps[0].length, 100);
    CHECK_I64(gaps[1].length, 111);
    CHECK_I64(gaps[2].start, 1281); /* time went on at 1271 */
    CHECK_I64(gaps[2].length, 219);
    CHECK_I64(answers[0], NOISE_PRESENCE_KEPT);
    CHECK_I64(answers[1], NOISE_PRESENCE_SWITCHED);
    CHECK_I64(answers[2], NOISE_PRESENCE_KEPT);
    CHECK_I64(loop.blind, 40);
}

/* Plain reads of a modern counter: 1, 49, 1, 49 ... with a detour now and then. */
typedef struct zen_clock {
    uint64_t now;
    uint64_t reads;
} zen_clock;

static uint64_t read_zen(void *context)
{
    zen_clock *c = context;
    c->reads++;
    c->now += c->reads % 50000 == 0 ? 40000 : c->reads % 2 != 0 ? 1 : 49;
    return c->now;
}

static void reads_one_tick_apart_do_not_set_the_minimum(void)
{
    /* docs/noise.md, section 6: mean 25 ticks, smallest 1: nine times that would record half of
     * all iterations */
    enum { N = 100000 };
    static uint64_t differences[N];
    zen_clock clock = {0, 0};
    uint64_t previous = read_zen(&clock);
    for (size_t i = 0; i < N; i++) {
        const uint64_t now = read_zen(&clock);
        differences[i] = now - previous;
        previous = now;
    }
    const noise_iteration it = noise_calibrate_iteration(differences, N);
    CHECK_I64(it.t_min, 49);
    CHECK(!it.coarse_clock);
    const uint64_t threshold = noise_calibrate_threshold(&it, 9, 100 * SIM_NS, 2.596e9);
    CHECK_I64(threshold, 441);
    noise_gap gaps[64];
    noise_loop loop = {.threshold = threshold, .duration = 25000000, .capacity = 64, .gaps = gaps};
    CHECK_I64(noise_loop_run(&loop, read_zen, &clock), NOISE_LOOP_TIME);
    CHECK(loop.n > 10 && loop.n < 20, "%zu", loop.n); /* 25e6 / (50000 * 25 + 40000) = 19.4 */
}

static void a_threshold_that_is_too_low_stops_the_run(void)
{
    static noise_gap gaps[1 << 16];
    zen_clock clock = {0, 0};
    noise_loop loop = {.threshold = 9, .duration = 25000000, .capacity = 1 << 16, .gaps = gaps};
    CHECK_I64(noise_loop_run(&loop, read_zen, &clock), NOISE_LOOP_TOO_MANY);
    CHECK_I64(loop.n, NOISE_LOOP_PROBE);
}

static void the_minimum_is_robust(void)
{
    enum { N = 1000 };
    static uint64_t d[N];
    /* all alike, but a few artefacts and detours */
    for (size_t i = 0; i < N; i++) {
        d[i] = i < 5 ? i % 2 : i < 10 ? 100000 : 26;
    }
    noise_iteration it = noise_calibrate_iteration(d, N);
    CHECK_I64(it.t_min, 26);
    CHECK_I64(it.typical, 26);
    CHECK(!it.two_speeds);
    /* a clock of 24 MHz: an iteration is a fraction of its tick */
    for (size_t i = 0; i < N; i++) {
        d[i] = i % 4 == 0 ? 1 : 0;
    }
    it = noise_calibrate_iteration(d, N);
    CHECK(it.coarse_clock);
    CHECK_I64(it.t_min, 1);
    CHECK_I64(noise_calibrate_threshold(&it, 9, 100 * SIM_NS, 24e6), 9);
    CHECK_I64(noise_calibrate_threshold(&it, 1.5, 0, 24e6), 2);
    /* a busy sibling: two thirds of the iterations are slower */
    for (size_t i = 0; i < N; i++) {
        d[i] = i % 3 == 0 ? 26 : 40;
    }
    it = noise_calibrate_iteration(d, N);
    CHECK_I64(it.t_min, 26);
    CHECK(it.two_speeds);
    /* two hundredths are much too fast: not believed, the median is */
    for (size_t i = 0; i < N; i++) {
        d[i] = i % 50 == 0 ? 3 : 26;
    }
    it = noise_calibrate_iteration(d, N);
    CHECK_I64(it.t_min, 26);
}

static void ticks_are_converted_to_the_picosecond(void)
{
    CHECK_I64(noise_ticks_to_time(5, 2.5e9), 2000);
    CHECK_I64(noise_ticks_to_time(0, 2.5e9), 0);
    CHECK_I64(noise_ticks_to_time(UINT64_C(36000000000001), 1e9), 36000 * SIM_S + 1000);
    const noise_anchor a = {.ticks = 1000};
    const noise_anchor b = {.ticks = 1000 + UINT64_C(2596134942), .ns = 1000000000};
    CHECK_NEAR(noise_anchor_rate(&a, &b), 2596134942.0, 1e-3);
}

/* A real clock, and a busy wait of exactly so many ticks at every k-th read. */
typedef struct injector {
    noise_clock clock;
    uint64_t every;
    uint64_t burst;
    uint64_t reads;
    size_t n;
    uint64_t begin[256]; /* ticks */
    uint64_t end[256];
} injector;

static uint64_t read_injected(void *context)
{
    injector *in = context;
    uint64_t now = noise_clock_read(in->clock);
    if (++in->reads % in->every == 0 && in->n < G_N_ELEMENTS(in->begin)) {
        in->begin[in->n++] = now;
        const uint64_t begin = now;
        while ((now = noise_clock_read(in->clock)) - begin < in->burst) {
        }
        in->end[in->n - 1] = now;
    }
    return now;
}

/* A clock of steps of @p step, and a burst of exactly so many ticks at every k-th read. */
typedef struct exact_injector {
    uint64_t step;
    uint64_t every;
    uint64_t burst;
    uint64_t reads;
    uint64_t now;
} exact_injector;

static uint64_t read_exact(void *context)
{
    exact_injector *in = context;
    in->now += in->step + (++in->reads % in->every == 0 ? in->burst : 0);
    return in->now;
}

/* Where nothing else disturbs, the number is exact, and lengths are to two periods of the clock. */
static void exact_bursts_are_found_exactly(void)
{
    static noise_gap gaps[1 << 12];
    static const uint64_t bursts[] = {500, 5000, 519201, 26000000};
    for (size_t i = 0; i < G_N_ELEMENTS(bursts); i++) {
        exact_injector in = {.step = 26, .every = 2000, .burst = bursts[i], .now = 1000};
        const uint64_t period = 1999 * in.step + in.step + in.burst;
        noise_loop loop = {
            .threshold = 234, .duration = 1000 * period, .capacity = 1 << 12, .gaps = gaps};
        CHECK_I64(noise_loop_run(&loop, read_exact, &in), NOISE_LOOP_TIME);
        CHECK(loop.n == 1000 || loop.n == 1001, "%zu", loop.n);
        for (size_t g = 0; g < loop.n; g++) {
            const int64_t over = (int64_t)(gaps[g].length - in.step) - (int64_t)in.burst;
            CU_ASSERT_FATAL(over >= -2 && over <= 2);
            CU_ASSERT_FATAL(g == 0 || gaps[g].start - gaps[g - 1].start == period);
        }
    }
}

/* An iteration of 26 ticks; a busy wait of 26-tick reads for at least 1000 ticks in every 5000th.
 */
typedef struct even_clock {
    uint64_t now;
    uint64_t reads;
    uint64_t injected;
} even_clock;

static uint64_t read_even(void *context)
{
    even_clock *c = context;
    c->now += 26;
    if (++c->reads % 5000 == 0) {
        const uint64_t begin = c->now;
        while ((c->now += 26) - begin < 1000) {
        }
        c->injected++;
    }
    return c->now;
}

static void injected_detours_are_exact_on_an_even_clock(void)
{
    /* count exact, lengths to two iterations: one before, one turn of the busy wait */
    static noise_gap gaps[256];
    even_clock clock = {UINT64_MAX - 3000000, 0, 0}; /* wraps around within the run */
    noise_loop loop = {.threshold = 234, .duration = 26000000, .capacity = 256, .gaps = gaps};
    CHECK_I64(noise_loop_run(&loop, read_even, &clock), NOISE_LOOP_TIME);
    CHECK(clock.injected > 150);
    CHECK_I64(loop.n, clock.injected);
    CHECK_I64(loop.backwards, 0);
    for (size_t i = 0; i < loop.n; i++) {
        const uint64_t length = gaps[i].length - 26;
        CHECK(length >= 1000 && length <= 1000 + 2 * 26, "%" PRIu64, length);
        CHECK(i == 0 || gaps[i].start - gaps[i - 1].start == 5000 * 26 + 1014);
    }
}

static int by_value(const void *pa, const void *pb)
{
    const uint64_t a = *(const uint64_t *)pa;
    const uint64_t b = *(const uint64_t *)pb;
    return (a > b) - (a < b);
}

static void injected_detours_are_found_all_and_in_length(void)
{
    /* docs/noise.md, section 6. Others may run here: only what was injected is checked. */
    static noise_gap gaps[1 << 16];
    const char *why;
    injector in = {.clock = noise_clock_choose(&why), .every = 20000};
    const noise_anchor a = noise_anchor_take(in.clock);
    g_usleep(100000);
    const noise_anchor b = noise_anchor_take(in.clock);
    const double rate = noise_anchor_rate(&a, &b);
    in.burst = (uint64_t)(20e-6 * rate);
    noise_loop loop = {.threshold = (uint64_t)(5e-6 * rate),
                       .duration = (uint64_t)(0.5 * rate),
                       .capacity = 1 << 16,
                       .gaps = gaps};
    CHECK_I64(noise_loop_run(&loop, read_injected, &in), NOISE_LOOP_TIME);
    CHECK(in.n >= 10, "%zu injected", in.n);
    /* An undisturbed iteration, with this way of reading. */
    enum { SAMPLES = 1000 };
    uint64_t differences[SAMPLES];
    injector none = {.clock = in.clock, .every = UINT64_MAX};
    for (size_t i = 0; i < SAMPLES; i++) {
        const uint64_t before = read_injected(&none);
        differences[i] = read_injected(&none) - before;
    }
    const uint64_t t_min = noise_calibrate_iteration(differences, SAMPLES).t_min;
    size_t exact = 0;
    uint64_t over[G_N_ELEMENTS(in.begin)];
    size_t g = 0;
    for (size_t i = 0; i < in.n; i++) {
        while (g < loop.n && gaps[g].start + gaps[g].length < in.begin[i]) {
            g++;
        }
        const bool found = g < loop.n && gaps[g].start <= in.begin[i] && gaps[g].length >= in.burst;
        CHECK(found, "injected detour %zu", i);
        const int64_t off =
            found ? (int64_t)(gaps[g].length - t_min) - (int64_t)(in.end[i] - in.begin[i]) : 0;
        exact += found && off >= -2 * (int64_t)t_min && off <= 2 * (int64_t)t_min;
        over[i] = found ? gaps[g].length - in.burst : UINT64_MAX;
        g++; /* each is a gap of its own */
    }
    /* What the loop says of a burst is what the burst says of itself, unless something else came in
     * the one iteration between them. */
    CHECK(exact >= in.n - in.n / 5, "%zu of %zu are exact to two iterations", exact, in.n);
    qsort(over, in.n, sizeof *over, by_value);
    const uint64_t median = over[in.n / 2];
    /* an iteration before it, and the last turn of the busy wait */
    /* the nearest shows what the loop itself adds: two iterations, here with the injector's own */
    const uint64_t iteration = MAX(loop.duration / loop.iterations, 1);
    CHECK(over[0] <= 3 * iteration, "%" PRIu64 " ticks over, an iteration takes %" PRIu64, over[0],
          iteration);
    CHECK((double)median < 1e-6 * rate, "median excess %.0f ns", (double)median / rate * 1e9);
}

SUITE_MAIN("selfish_loop", TEST(gaps_above_the_threshold_are_recorded),
           TEST(the_run_ends_with_its_time_or_its_capacity), TEST(a_gap_over_the_end_is_recorded),
           TEST(the_counter_may_wrap_around), TEST(steps_back_in_time_are_counted_not_recorded),
           TEST(a_clock_that_only_falls_ends_the_run), TEST(each_gap_is_asked_about_once),
           TEST(reads_one_tick_apart_do_not_set_the_minimum),
           TEST(a_threshold_that_is_too_low_stops_the_run), TEST(the_minimum_is_robust),
           TEST(ticks_are_converted_to_the_picosecond), TEST(exact_bursts_are_found_exactly),
           TEST(injected_detours_are_exact_on_an_even_clock),
           TEST(injected_detours_are_found_all_and_in_length))
