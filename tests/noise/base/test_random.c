/* tests/noise/base/test_random.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/random.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum { DRAWS = 100000 };

/* sum (seen - wanted)^2 / wanted of equally likely cells; false alarm once in 10^6 */
static void check_uniform(const unsigned *seen, size_t cells, const char *what)
{
    double total = 0;
    for (size_t i = 0; i < cells; i++) {
        total += seen[i];
    }
    const double wanted = total / (double)cells;
    double chi2 = 0;
    for (size_t i = 0; i < cells; i++) {
        chi2 += (seen[i] - wanted) * (seen[i] - wanted) / wanted;
    }
    CHECK(gsl_cdf_chisq_Q(chi2, (double)(cells - 1)) > 1e-6, "%s: chi2 %g", what, chi2);
}

static void same_key_gives_same_number_and_any_change_another(void)
{
    const uint64_t base = noise_random_u64(1, 2, 3);
    CHECK(base == noise_random_u64(1, 2, 3));
    CHECK(base != noise_random_u64(0, 2, 3));
    CHECK(base != noise_random_u64(1, 3, 3));
    CHECK(base != noise_random_u64(1, 2, 4));
    CHECK(noise_random_u64(1, 3, 2) != base, "stream and counter are not interchangeable");
    CHECK(noise_random_stream("tick") == noise_random_stream("tick"));
    CHECK(noise_random_stream("tick") != noise_random_stream("tock"));
}

static void numbers_are_those_of_xxh3(void)
{
    /* by XXH3_64bits_withSeed() of the xxHash 0.8.1 shared library, of two little-endian words, the
     * seed spread: 1 + (seed - 1) 0x9e3779b97f4a7c15 */
    CHECK(noise_random_u64(0, 0, 0) == UINT64_C(0x288bec39ddac125e));
    CHECK(noise_random_u64(1, 2, 3) == UINT64_C(0x26f2a1148cf52011));
}

static int compare_u64(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Neighbouring seeds, replicas and nodes, as offsets are drawn: no number comes twice. (Of a
 * million, two are alike with a chance of one in 30 million.) */
static void seeds_that_are_close_draw_other_numbers(void)
{
    enum { SEEDS = 32, REPLICAS = 32, NODES = 1024, ALL = SEEDS * REPLICAS * NODES };
    g_autofree uint64_t *drawn = g_new(uint64_t, ALL);
    size_t n = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        for (uint64_t replica = 0; replica < REPLICAS; replica++) {
            for (uint64_t node = 0; node < NODES; node++) {
                drawn[n++] = noise_random_u64(seed, UINT64_C(1) << 32 | replica, node);
            }
        }
    }
    qsort(drawn, n, sizeof *drawn, compare_u64);
    size_t twice = 0;
    for (size_t i = 1; i < n; i++) {
        twice += drawn[i] == drawn[i - 1];
    }
    CHECK_I64(twice, 0);
}

static void each_bit_is_set_half_the_time(void)
{
    unsigned ones[64] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        const uint64_t value = noise_random_u64(7, 1, i);
        for (unsigned bit = 0; bit < 64; bit++) {
            ones[bit] += (unsigned)(value >> bit) & 1;
        }
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        CHECK_NEAR(ones[bit], DRAWS / 2.0, 6 * sqrt(DRAWS / 4.0), "bit %u", bit);
    }
}

static void unit_is_uniform_and_open(void)
{
    unsigned seen[100] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        const double u = noise_random_unit(1, 5, i);
        CU_ASSERT_FATAL(u > 0 && u < 1);
        seen[(size_t)(u * 100)]++;
    }
    check_uniform(seen, 100, "unit");
}

static void below_is_uniform_for_any_bound(void)
{
    static const uint64_t bounds[] = {1, 2, 3, 7, 64, 97};
    for (size_t b = 0; b < G_N_ELEMENTS(bounds); b++) {
        unsigned seen[97] = {0};
        for (uint64_t i = 0; i < DRAWS; i++) {
            const uint64_t value = noise_random_below(1, b, i, bounds[b]);
            CU_ASSERT_FATAL(value < bounds[b]);
            seen[value]++;
        }
        if (bounds[b] > 1) {
            check_uniform(seen, bounds[b], "below");
        }
    }
}

static void below_has_no_bias_where_half_the_draws_must_be_repeated(void)
{
    /* bound = 2^63 + 1: without repeating, values of one half would come twice as often */
    const uint64_t bound = (UINT64_C(1) << 63) + 1;
    unsigned seen[16] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        seen[noise_random_below(3, 9, i, bound) >> 59 & 15]++;
    }
    check_uniform(seen, 16, "large bound");
}

static void normal_has_its_moments_and_tails(void)
{
    double sum = 0;
    double squares = 0;
    unsigned beyond2 = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const double z = noise_random_normal(1, 6, i);
        sum += z;
        squares += z * z;
        beyond2 += fabs(z) > 2;
    }
    CHECK_NEAR(sum / DRAWS, 0, 5 / sqrt(DRAWS));
    CHECK_NEAR(squares / DRAWS, 1, 5 * sqrt(2.0 / DRAWS));
    CHECK_NEAR((double)beyond2 / DRAWS, 0.0455, 0.0035); /* 2 (1 - Phi(2)) */
}

SUITE_MAIN("random", TEST(same_key_gives_same_number_and_any_change_another),
           TEST(numbers_are_those_of_xxh3), TEST(seeds_that_are_close_draw_other_numbers),
           TEST(each_bit_is_set_half_the_time), TEST(unit_is_uniform_and_open),
           TEST(below_is_uniform_for_any_bound),
           TEST(below_has_no_bias_where_half_the_draws_must_be_repeated),
           TEST(normal_has_its_moments_and_tails))
