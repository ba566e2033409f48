/* tests/bench/test_thin.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "thin.h"

#include "check.h"

enum { N = 20000, MOST = 500 };

/* Nine short detours and a longer one, in turns, as a tick and one in ten of another. */
static void fill(sim_time lengths[N])
{
    for (size_t i = 0; i < N; i++) {
        lengths[i] = i % 10 == 0 ? 15 * SIM_US : 6 * SIM_US;
    }
    lengths[777] = 2500 * SIM_US;
    lengths[18888] = 2500 * SIM_US;
}

static void rare_detours_are_all_kept(void)
{
    sim_time lengths[N];
    fill(lengths);
    size_t n = 0;
    g_autofree size_t *kept = sc10_thin(lengths, N, MOST, 1, &n);
    size_t of[3] = {0};
    for (size_t i = 0; i < n; i++) {
        CHECK(kept[i] < N && (i == 0 || kept[i] > kept[i - 1]), "ascending at %zu", i);
        of[lengths[kept[i]] > 100 * SIM_US ? 2 : lengths[kept[i]] > 10 * SIM_US]++;
    }
    CHECK_I64(of[0], MOST);
    CHECK_I64(of[1], MOST);
    CHECK_I64(of[2], 2);
}

/* Every 11th of them would be of one kind for ten in a row: no stretch of time may lack a kind. */
static void no_component_comes_in_clumps(void)
{
    sim_time lengths[N];
    fill(lengths);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t n = 0;
        g_autofree size_t *kept = sc10_thin(lengths, N, MOST, seed, &n);
        size_t count[10][2] = {{0}}; /* of 50 each, in tenths of the time */
        for (size_t i = 0; i < n; i++) {
            count[kept[i] / (N / 10)][lengths[kept[i]] > 10 * SIM_US]++;
        }
        for (size_t k = 0; k < 20; k++) { /* 50 +- 5 of its standard deviations, 6.7 */
            const size_t n_kind = count[k / 2][k % 2];
            CHECK(n_kind >= 16 && n_kind <= 84, "%zu, seed %d, tenth %zu, kind %zu", n_kind,
                  (int)seed, k / 2, k % 2);
        }
    }
}

static void the_choice_follows_the_seed(void)
{
    sim_time lengths[N];
    fill(lengths);
    size_t n[3];
    g_autofree size_t *first = sc10_thin(lengths, N, MOST, 1, &n[0]);
    g_autofree size_t *same = sc10_thin(lengths, N, MOST, 1, &n[1]);
    g_autofree size_t *other = sc10_thin(lengths, N, MOST, 2, &n[2]);
    CHECK(n[0] == n[1] && memcmp(first, same, n[0] * sizeof *first) == 0);
    CHECK(n[0] == n[2] && memcmp(first, other, n[0] * sizeof *first) != 0);
}

static void few_detours_are_all_kept(void)
{
    static const sim_time LENGTHS[] = {1, 9, 10, 99, SIM_US, SIM_TIME_MAX};
    size_t n = 0;
    g_autofree size_t *kept = sc10_thin(LENGTHS, G_N_ELEMENTS(LENGTHS), 2, 1, &n);
    CHECK_I64(n, G_N_ELEMENTS(LENGTHS));
    g_autofree size_t *none = sc10_thin(LENGTHS, 0, 2, 1, &n);
    CHECK_I64(n, 0);
}

SUITE_MAIN("thin", TEST(rare_detours_are_all_kept), TEST(no_component_comes_in_clumps),
           TEST(the_choice_follows_the_seed), TEST(few_detours_are_all_kept))
