/* tests/apps/statistics/test_warm_up.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics/warm_up.h"

#include "check.h"
#include "noise/random.h"

#include <math.h>

/* Every cut, each by the definition: batches of five, the squared distances of those that are left
 * from their mean, over the square of their number. */
static size_t brute_force(const double *increments, size_t n, bool *refused)
{
    const size_t batches = n / 5;
    double best = INFINITY;
    size_t best_cut = 0;
    for (size_t cut = 0; cut + 5 <= batches; cut++) {
        const double left = (double)(batches - cut);
        double mean = 0;
        for (size_t i = 5 * cut; i < 5 * batches; i++) {
            mean += increments[i] / (5 * left);
        }
        double squares = 0;
        for (size_t b = cut; b < batches; b++) {
            double batch = 0;
            for (size_t i = 5 * b; i < 5 * b + 5; i++) {
                batch += increments[i] / 5;
            }
            squares += (batch - mean) * (batch - mean);
        }
        if (squares / (left * left) < best) {
            best = squares / (left * left);
            best_cut = 5 * cut;
        }
    }
    *refused = 2 * best_cut > n;
    return *refused ? 0 : best_cut;
}

static void the_cut_is_the_one_of_all_cuts_tried(void)
{
    double increments[300];
    size_t some = 0;
    size_t refusals = 0;
    for (uint64_t round = 0; round < 3000; round++) {
        const size_t n = noise_random_below(1, round, 0, 300);
        const double height = 10 * noise_random_unit(1, round, 1);
        const double decay = 200 * noise_random_unit(1, round, 2);
        for (uint64_t i = 0; i < n; i++) {
            increments[i] =
                100 + noise_random_normal(2, round, i) + height * exp(-(double)i / decay);
        }
        bool refused = false;
        bool wanted = false;
        const size_t cut = app_warm_up_of(increments, n, &refused);
        CHECK_I64(cut, brute_force(increments, n, &wanted), "round %" PRIu64, round);
        CHECK(refused == wanted, "round %" PRIu64, round);
        CHECK(cut <= n / 2 && cut % 5 == 0, "round %" PRIu64, round);
        some += cut > 0;
        refusals += refused;
    }
    CHECK(some > 300 && refusals > 30, "%zu cut, %zu refused", some, refusals);
}

static void a_step_is_cut_where_it_ends(void)
{
    for (size_t end = 0; end <= 100; end++) {
        double increments[200];
        for (size_t i = 0; i < 200; i++) {
            increments[i] = i < end ? 1.5 : 0.1;
        }
        bool refused = true;
        const size_t cut = app_warm_up_of(increments, 200, &refused);
        CHECK_I64(cut, (end + 4) / 5 * 5, "step of %zu", end);
        CHECK(!refused, "step of %zu", end);
    }
}

static void what_never_settles_is_refused(void)
{
    double increments[200];
    for (size_t i = 0; i < 200; i++) {
        increments[i] = i < 101 ? 2 : 1;
    }
    bool refused = false;
    CHECK_I64(app_warm_up_of(increments, 200, &refused), 0);
    CHECK(refused);
    for (size_t i = 0; i < 200; i++) {
        increments[i] = (double)(i * i); /* ever longer */
    }
    CHECK_I64(app_warm_up_of(increments, 200, &refused), 0);
    CHECK(refused);
}

/* An ideal run repeats itself to the picosecond, in double precision to the last bit or so. */
static void an_even_run_loses_nothing(void)
{
    for (size_t n = 0; n < 200; n++) {
        double increments[200];
        for (size_t i = 0; i < n; i++) {
            increments[i] = 15.4 + (i % 2 ? 1e-14 : 0);
        }
        bool refused = true;
        CHECK_I64(app_warm_up_of(increments, n, &refused), 0, "n %zu", n);
        CHECK(!refused, "n %zu", n);
    }
}

static void too_few_increments_are_left_alone(void)
{
    double increments[30] = {100, 100, 100, 100, 100};
    bool refused = true;
    CHECK_I64(app_warm_up_of(increments, 29, &refused), 0);
    CHECK(!refused);
    CHECK_I64(app_warm_up_of(increments, 30, &refused), 5);
    CHECK(!refused);
}

/* Why the header forbids it: in a noisy run that is even but for rare detours, MSER-5 cuts the
 * first of them away, and what is left is too fast. Over the average of replicas it does not. */
static void one_noisy_run_would_lose_its_detours(void)
{
    enum { N = 1000, REPLICAS = 20, DETOURS = 20, ROUNDS = 200 };
    double of_each = 0;
    double of_average = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        double average[N] = {0};
        double each = 0;
        for (uint64_t r = 0; r < REPLICAS; r++) {
            double run[N];
            for (size_t i = 0; i < N; i++) {
                const bool hit = noise_random_unit(3, round * REPLICAS + r, i) <
                                 (double)DETOURS / N; /* one slice in 50 */
                run[i] = hit ? 2 : 1;
                average[i] += run[i] / REPLICAS;
            }
            bool refused = false;
            const size_t cut = app_warm_up_of(run, N, &refused);
            double sum = 0;
            for (size_t i = cut; i < N; i++) {
                sum += run[i] - 1;
            }
            each += sum / (double)(N - cut) / REPLICAS;
        }
        bool refused = false;
        const size_t cut = app_warm_up_of(average, N, &refused);
        double sum = 0;
        for (size_t i = cut; i < N; i++) {
            sum += average[i] - 1;
        }
        of_each += each / ROUNDS;
        of_average += sum / (double)(N - cut) / ROUNDS;
    }
    CHECK_NEAR(of_average, (double)DETOURS / N, 0.01 * DETOURS / N);
    CHECK(of_each < 0.99 * of_average, "%g of %g", of_each, of_average);
}

SUITE_MAIN("warm_up", TEST(the_cut_is_the_one_of_all_cuts_tried), TEST(a_step_is_cut_where_it_ends),
           TEST(what_never_settles_is_refused), TEST(an_even_run_loses_nothing),
           TEST(too_few_increments_are_left_alone), TEST(one_noisy_run_would_lose_its_detours))
