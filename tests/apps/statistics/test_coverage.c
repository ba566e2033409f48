/* tests/apps/statistics/test_coverage.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Do the intervals of a mean hold what they say? Of simulated replicas, that is, of machines drawn
 * anew: how many of a thousand intervals, each from a few replicas, contain the mean of 10,000
 * others? docs/model.md, section 9.5, gives the numbers.
 *
 * The program computes and combines: allreduces one after the other, 100 us of work in each round.
 */
#include "check.h"
#include "coll/program.h"
#include "noise/lanes.h"
#include "sim/replica.h"
#include "statistics/mean.h"

enum { REFERENCE = 10000, GROUPS = 1000 };

static const sim_params MACHINE = {.L = SIM_US, .o = SIM_NS * 100, .g = SIM_NS * 100, .S = 65535};

typedef struct lab {
    sim_program *program;
    sim_replicas *replicas;
    double ideal;
} lab;

static lab lab_new(uint32_t ranks, uint32_t repeat)
{
    g_autoptr(GError) error = NULL;
    const coll_call call = {.kind = COLL_ALLREDUCE,
                            .size = ranks,
                            .bytes = 8,
                            .reduce = 100 * SIM_US / 8 * SIM_RATE_PER_PS};
    lab l = {0};
    l.program = coll_program_new(&call, coll_algorithm_get("dissemination"), repeat, &error);
    g_assert_no_error(error);
    const char *why = NULL;
    l.replicas = sim_replicas_new(l.program, &MACHINE, &why);
    g_assert_nonnull(l.replicas);
    sim_time makespan[SIM_LANES];
    (void)sim_replicas_run(l.replicas, NULL, NULL, makespan, NULL);
    l.ideal = (double)makespan[0];
    return l;
}

static void lab_clear(lab *l)
{
    sim_replicas_free(l->replicas);
    sim_program_free(l->program);
}

/* Slowdowns of @p n replicas of @p seed from number @p first on; @p n a multiple of SIM_LANES. */
static void run(const lab *l, const char *noise, uint64_t seed, noise_sync sync, uint32_t first,
                size_t n, double *slowdown)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_signature) signature = noise_signature_parse(noise, seed, &error);
    g_assert_no_error(error);
    for (size_t i = 0; i < n; i += SIM_LANES) {
        const noise_injection_options options = {
            .sync = sync, .seed = seed, .replica = first + (uint32_t)i};
        g_autoptr(noise_lanes) lanes =
            noise_lanes_new(signature, l->program->num_ranks, &options, SIM_LANES);
        sim_time makespan[SIM_LANES];
        (void)sim_replicas_run(l->replicas, noise_lanes_hook(lanes), NULL, makespan, NULL);
        for (size_t k = 0; k < SIM_LANES; k++) {
            slowdown[i + k] = (double)makespan[k] / l->ideal - 1;
        }
    }
}

static double mean_of(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += values[i];
    }
    return sum / (double)n;
}

enum { OF_A_SEED = 2 * SIM_LANES };

/* 1,000 seeds, five to ten replicas of each, against 10,000 replicas of other seeds. Seeds draw
 * phases anew, and the lists of random detours, too. @return the part of all intervals that hold
 * the mean; of those from n replicas in @p held[n - 5] */
static double coverage_of_seeds(uint32_t ranks, uint32_t repeat, const char *noise, noise_sync sync,
                                double *held)
{
    lab l = lab_new(ranks, repeat);
    g_autofree double *others = g_new(double, REFERENCE);
    for (size_t i = 0; i < REFERENCE; i += OF_A_SEED) {
        run(&l, noise, GROUPS + 1 + i, sync, 0, OF_A_SEED, others + i);
    }
    const double mean = mean_of(others, REFERENCE);
    memset(held, 0, 6 * sizeof *held);
    for (size_t seed = 1; seed <= GROUPS; seed++) {
        double slowdown[OF_A_SEED];
        run(&l, noise, seed, sync, 0, OF_A_SEED, slowdown);
        for (size_t n = 5; n <= 10; n++) {
            const app_mean m = app_mean_of(slowdown, n, seed);
            held[n - 5] += m.low <= mean && mean <= m.high ? 1.0 / GROUPS : 0;
        }
    }
    lab_clear(&l);
    return mean_of(held, 6);
}

static void intervals_of_a_thousand_seeds_hold_the_mean(void)
{
    static const struct {
        uint32_t ranks;
        uint32_t repeat;
        const char *noise;
        noise_sync sync;
    } row[] = {
        /* ticks whose phases are drawn once, short and long ones */
        {16, 25, "fixed:3ms:30us", NOISE_UNSYNCHRONIZED},
        {16, 25, "fixed:10ms:500us", NOISE_UNSYNCHRONIZED},
        {64, 25, "fixed:10ms:200us", NOISE_UNSYNCHRONIZED},
        /* random detours, 20 met by all ranks in a run; both */
        {16, 25, "poisson:8ms:100us", NOISE_UNSYNCHRONIZED},
        {4, 100, "poisson:4ms:100us", NOISE_UNSYNCHRONIZED},
        {16, 25, "poisson:8ms:100us+fixed:3ms:30us", NOISE_UNSYNCHRONIZED},
        /* at once on all ranks, 20 in a run */
        {16, 50, "poisson:1ms:50us", NOISE_COSCHEDULED},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        double held[6];
        const double all =
            coverage_of_seeds(row[i].ranks, row[i].repeat, row[i].noise, row[i].sync, held);
        CHECK(all >= 0.93 && all <= 0.97, "%s: %g", row[i].noise, all);
        for (size_t n = 5; n <= 10; n++) {
            CHECK(held[n - 5] >= 0.93 && held[n - 5] <= 0.97, "%s, %zu replicas: %g", row[i].noise,
                  n, held[n - 5]);
        }
    }
}

/* All ranks and replicas of a seed see one list of some hundred random detours, from places of
 * their own: intervals hold the mean of that list. With many ranks, lists differ about as much as
 * replicas do, and what another seed draws is not what the interval is of. */
static void intervals_are_those_of_the_list_that_was_drawn(void)
{
    double held[6];
    const double all = coverage_of_seeds(64, 100, "poisson:8ms:20us", NOISE_UNSYNCHRONIZED, held);
    CHECK(all > 0.6 && all < 0.85, "%g", all);
    lab l = lab_new(64, 100);
    g_autofree double *slowdown = g_new(double, REFERENCE + 5 * GROUPS);
    run(&l, "poisson:8ms:20us", 1, NOISE_UNSYNCHRONIZED, 0, REFERENCE + 5 * GROUPS, slowdown);
    const double mean = mean_of(slowdown, REFERENCE);
    size_t of_list = 0;
    for (size_t i = 0; i < GROUPS; i++) {
        const app_mean m = app_mean_of(slowdown + REFERENCE + 5 * i, 5, 1);
        of_list += m.low <= mean && mean <= m.high;
    }
    CHECK(of_list >= 0.93 * GROUPS && of_list <= 0.97 * GROUPS, "%zu", of_list);
    lab_clear(&l);
}

/** Slowdowns of the machines of one seed, and how many have been taken for intervals. */
typedef struct machines {
    double *slowdown;
    size_t taken;
    double mean; /* of the first REFERENCE */
    double step; /* slowdown by one detour of 50 us */
} machines;

static machines draw(const char *noise, noise_sync sync, size_t n)
{
    lab l = lab_new(16, 25);
    machines m = {.slowdown = g_new(double, REFERENCE + n), .taken = REFERENCE};
    run(&l, noise, 1, sync, 0, REFERENCE + n, m.slowdown);
    m.mean = mean_of(m.slowdown, REFERENCE);
    m.step = (double)(50 * SIM_US) / l.ideal;
    lab_clear(&l);
    return m;
}

/* The part of GROUPS intervals from @p n machines each that hold the mean; made at least @p least
 * wide to either side. */
static double coverage(machines *m, size_t n, double least)
{
    size_t held = 0;
    for (size_t i = 0; i < GROUPS; i++) {
        app_mean mean = app_mean_of(m->slowdown + m->taken, n, i);
        app_mean_widen(&mean, least);
        held += mean.low <= m->mean && m->mean <= mean.high;
        m->taken += n;
    }
    return (double)held / GROUPS;
}

static void detours_that_are_too_rare_make_intervals_too_narrow(void)
{
    /* Detours met by the 16 ranks in the 10.1 ms of a run; coverage of five replicas, of 30. */
    static const struct {
        const char *noise;
        double met;
        double least[2];
        double most[2];
    } row[] = {
        {"poisson:1600ms:100us", 0.1, {0.35, 0.90}, {0.45, 0.97}},
        {"poisson:533ms:100us", 0.3, {0.75, 0.91}, {0.85, 0.97}},
        {"poisson:80ms:100us", 2, {0.92, 0.92}, {0.97, 0.97}},
        {"poisson:32ms:100us", 5, {0.92, 0.92}, {0.97, 0.97}},
        /* many of one component do not make up for the other */
        {"fixed:1ms:10us+poisson:1600ms:3ms", 0.1, {0.40, 0.91}, {0.55, 0.97}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        machines m = draw(row[i].noise, NOISE_UNSYNCHRONIZED, (size_t)GROUPS * (5 + 30));
        for (size_t k = 0; k < 2; k++) {
            const double held = coverage(&m, k == 0 ? 5 : 30, 0);
            CHECK(held >= row[i].least[k] && held <= row[i].most[k], "%s, %zu: %g", row[i].noise, k,
                  held);
        }
        g_free(m.slowdown);
    }
}

/* 16 detours of 50 us in 1 ms: most machines lose nearly all of these 0.8 ms, few with overlapping
 * detours lose much less. Skewed to the left: intervals of few replicas lie too high. */
static void skewed_machines_take_twenty_replicas(void)
{
    machines m = draw("fixed:1ms:50us", NOISE_UNSYNCHRONIZED, (size_t)GROUPS * (5 + 10 + 20 + 30));
    static const struct {
        size_t n;
        double least;
        double most;
    } row[] = {{5, 0.88, 0.93}, {10, 0.89, 0.94}, {20, 0.92, 0.97}, {30, 0.92, 0.97}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const double held = coverage(&m, row[i].n, 0);
        CHECK(held >= row[i].least && held <= row[i].most, "%zu: %g", row[i].n, held);
    }
    g_free(m.slowdown);
}

static void values_in_steps_take_half_a_step(void)
{
    static const char *const noise[] = {"fixed:10ms:50us", "fixed:3ms:50us", "fixed:1ms:50us",
                                        "fixed:0.7ms:50us"};
    for (size_t i = 0; i < G_N_ELEMENTS(noise); i++) {
        machines m = draw(noise[i], NOISE_COSCHEDULED, (size_t)GROUPS * 2 * (5 + 10 + 20));
        for (size_t n = 5; n <= 20; n *= 2) {
            const double narrow = coverage(&m, n, 0);
            const double wide = coverage(&m, n, m.step / 2);
            CHECK(wide >= 0.95, "%s, %zu replicas: %g", noise[i], n, wide);
            CHECK(i > 0 || narrow < 0.4, "%s, %zu replicas: %g", noise[i], n, narrow);
        }
        g_free(m.slowdown);
    }
}

SUITE_MAIN("coverage", TEST(intervals_of_a_thousand_seeds_hold_the_mean),
           TEST(intervals_are_those_of_the_list_that_was_drawn),
           TEST(detours_that_are_too_rare_make_intervals_too_narrow),
           TEST(skewed_machines_take_twenty_replicas), TEST(values_in_steps_take_half_a_step))
