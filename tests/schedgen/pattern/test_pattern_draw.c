/* tests/schedgen/pattern/test_pattern_draw.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "pattern/pattern_draw_private.h"

static void numbers_are_those_of_xxh3(void)
{
    /* by XXH3_64bits() of the xxHash 0.8.1 shared library, of three little-endian words */
    CHECK(sched_pattern_draw(0, 0, 0) == UINT64_C(0x743df94ee4c78a2a));
    CHECK(sched_pattern_draw(1, 2, 3) == UINT64_C(0x7c68b4906e7ea780));
}

/* Not the same numbers in another order, either: ranks and turns are small numbers, and so are
 * seeds. */
static void seeds_have_numbers_of_their_own(void)
{
    enum { SEEDS = 8, STREAMS = 32, COUNTERS = 32, ALL = SEEDS * STREAMS * COUNTERS };
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (uint32_t i = 0; i < ALL; i++) {
        const uint64_t draw =
            sched_pattern_draw(i / COUNTERS / STREAMS, i / COUNTERS % STREAMS, i % COUNTERS);
        g_hash_table_add(seen, g_memdup2(&draw, sizeof draw));
    }
    CHECK_I64(g_hash_table_size(seen), ALL);
}

static void times_stay_within_their_spread_and_reach_it(void)
{
    CHECK_I64(sched_pattern_draw_time(0, SIM_US, 50 * SIM_NS), 950 * SIM_NS);
    CHECK_I64(sched_pattern_draw_time(UINT64_MAX, SIM_US, 50 * SIM_NS), 1050 * SIM_NS);
    CHECK_I64(sched_pattern_draw_time(UINT64_MAX, SIM_US, 50 * SIM_NS + 999), 1050 * SIM_NS);
    CHECK_I64(sched_pattern_draw_time(UINT64_MAX, 1234, 0), 1234);
    CHECK_I64(sched_pattern_draw_time(0, SIM_US, SIM_US), 0);
    CHECK_I64(sched_pattern_draw_time(UINT64_C(1) << 63, SIM_TIME_MAX / 2, SIM_TIME_MAX / 2),
              SIM_TIME_MAX / 2);
    enum { DRAWS = 100000, CELLS = 11 };
    unsigned seen[CELLS] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        const uint64_t draw = sched_pattern_draw(1, i % 100, i / 100);
        seen[sched_pattern_draw_time(draw, 5 * SIM_NS, 5 * SIM_NS) / SIM_NS]++;
    }
    double chi = 0;
    for (int i = 0; i < CELLS; i++) {
        const double wanted = (double)DRAWS / CELLS;
        chi += (seen[i] - wanted) * (seen[i] - wanted) / wanted;
    }
    CHECK(chi < 29.6, "chi square %.1f with 10 degrees of freedom: above that in 0.1 %%", chi);
}

static void the_order_is_one_cycle_of_all_ranks(void)
{
    static const uint32_t RANKS[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 33, 100, 1000, 4097};
    for (size_t i = 0; i < G_N_ELEMENTS(RANKS); i++) {
        for (uint32_t turn = 0; turn < 20; turn++) {
            const pattern_cycle cycle = sched_pattern_cycle(turn % 3, turn, RANKS[i]);
            uint32_t rank = 0;
            uint32_t n = 0;
            do {
                const uint32_t to = sched_pattern_cycle_next(&cycle, rank);
                if (!CHECK(to < RANKS[i], "%u of %u", to, RANKS[i])) {
                    break;
                }
                CHECK_I64(sched_pattern_cycle_previous(&cycle, to), rank, "%u ranks", RANKS[i]);
                rank = to;
                n++;
            } while (rank != 0 && n <= RANKS[i]);
            CHECK_I64(n, RANKS[i], "the length of the cycle");
        }
    }
    const pattern_cycle most = sched_pattern_cycle(1, 1, UINT32_MAX - 1);
    for (uint32_t rank = 1; rank < UINT32_MAX / 2; rank *= 3) {
        CHECK_I64(sched_pattern_cycle_previous(&most, sched_pattern_cycle_next(&most, rank)), rank);
    }
}

/* Over many turns, each of the others is as often the next one. */
static void every_partner_is_equally_likely(void)
{
    enum { TURNS = 20000, MOST = 12 };
    for (uint32_t ranks = 3; ranks <= MOST; ranks++) {
        for (uint32_t rank = 0; rank < ranks; rank += ranks / 2) {
            unsigned seen[MOST] = {0};
            for (uint32_t turn = 0; turn < TURNS; turn++) {
                const pattern_cycle cycle = sched_pattern_cycle(1, turn, ranks);
                seen[sched_pattern_cycle_next(&cycle, rank)]++;
            }
            const double wanted = (double)TURNS / (ranks - 1);
            double chi = 0;
            for (uint32_t to = 0; to < ranks; to++) {
                chi += to == rank ? 0 : (seen[to] - wanted) * (seen[to] - wanted) / wanted;
            }
            CHECK_I64(seen[rank], 0, "%u ranks", ranks);
            /* the 0.1 % point of chi square with 11 degrees of freedom, and above that with less */
            CHECK(chi < 31.3, "%u ranks, rank %u: chi square %.1f", ranks, rank, chi);
        }
    }
}

static void turns_and_seeds_have_orders_of_their_own(void)
{
    enum { RANKS = 1000 };
    const pattern_cycle base = sched_pattern_cycle(1, 1, RANKS);
    const pattern_cycle others[] = {sched_pattern_cycle(1, 2, RANKS),
                                    sched_pattern_cycle(2, 1, RANKS)};
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        unsigned equal = 0;
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            equal +=
                sched_pattern_cycle_next(&base, rank) == sched_pattern_cycle_next(&others[i], rank);
        }
        CHECK(equal < 10, "%u of %u partners are the same; 1 is usual", equal, RANKS);
    }
}

SUITE_MAIN("pattern_draw", TEST(numbers_are_those_of_xxh3), TEST(seeds_have_numbers_of_their_own),
           TEST(times_stay_within_their_spread_and_reach_it),
           TEST(the_order_is_one_cycle_of_all_ranks), TEST(every_partner_is_equally_likely),
           TEST(turns_and_seeds_have_orders_of_their_own))
