/* tests/noise/lengths/test_tempo.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes of durations epoch by epoch; more of what becomes of them: test_miner_drift. */
#include "check.h"
#include "lengths/tempo.h"
#include "sim/time.h"

#include <math.h>

enum { EPOCHS = 10 };

static const miner_grid GRID = {0, 20}; /* 2^20 ps each */

static const miner_mode WHOLE = {.first = 10, .last = 20, .duration = 1, .cpu = -1};

static void add(miner_histogram *h, miner_memory *memory, uint32_t epoch, sim_time duration,
                uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const sim_time begin = ((sim_time)epoch << 20) + i;
        const miner_sample sample = {.hit = {begin, begin + duration, duration},
                                     .begin = begin,
                                     .wall = duration,
                                     .cpu = -1};
        noise_miner_histogram_add(h, memory, miner_place_log(duration), &sample, 16);
    }
}

/* Of durations in us, 50 events of each epoch; @p other: how many of them last @p b instead. */
static miner_tempo tempo_of(const sim_time a[EPOCHS], sim_time b, const uint32_t other[EPOCHS])
{
    miner_memory memory = {0};
    miner_histogram h = {.cell = NULL};
    for (uint32_t e = 0; e < EPOCHS; e++) {
        add(&h, &memory, e, a[e] * SIM_US, 50 - other[e]);
        add(&h, &memory, e, b * SIM_US, other[e]);
    }
    const miner_tempo tempo = noise_tempo_find(&h, GRID, EPOCHS, &WHOLE);
    noise_miner_histogram_clear(&h, &memory);
    return tempo;
}

static void a_step_has_two_parts(void)
{
    const sim_time a[EPOCHS] = {100, 100, 100, 100, 110, 110, 110, 110, 110, 110};
    const uint32_t none[EPOCHS] = {0};
    const uint32_t mixed[EPOCHS] = {0, 0, 0, 0, 25, 0, 0, 0, 0, 0};
    for (int within = 0; within < 2; within++) {
        const miner_tempo p = tempo_of(a, 100, within == 1 ? mixed : none);
        if (CHECK(p.num_parts == 2, "%u", p.num_parts)) {
            CHECK_NEAR(p.part[0].duration, 100e6, 1, "first");
            CHECK_NEAR(p.part[1].duration, 110e6, 1, "second");
            CHECK_I64(p.end[0], 4);
            CHECK_I64(p.begin[1], 4 + within);
            CHECK_I64(p.end[1], EPOCHS);
            CHECK(noise_tempo_at(&p, 3) == &p.part[0] && noise_tempo_at(&p, 9) == &p.part[1]);
            CHECK((noise_tempo_at(&p, 4) == NULL) == (within == 1));
        }
    }
}

static uint32_t references(const miner_tempo *p, uint32_t epoch, uint32_t bin,
                           const miner_mode *first)
{
    const miner_mode *mode[MINER_EPOCHS];
    const uint32_t n = noise_tempo_references(p, epoch, bin, mode);
    CHECK(n == 0 || mode[0] == first, "epoch %u", epoch);
    return n;
}

/* Beside a step both modes are expected, and what is neither may be judged by both; further off
 * what lies above its own is slower. */
static void events_are_judged_by_their_epoch(void)
{
    const sim_time a[EPOCHS] = {100, 100, 100, 100, 130, 130, 130, 130, 130, 130};
    const uint32_t none[EPOCHS] = {0};
    const miner_tempo p = tempo_of(a, 100, none);
    const uint32_t low = miner_bin(100 * SIM_US);
    const uint32_t high = miner_bin(130 * SIM_US);
    if (CHECK(p.num_parts == 2)) {
        CHECK_I64(references(&p, 0, high, &p.part[0]), 1);
        CHECK_I64(references(&p, 8, low, &p.part[1]), 1);
        for (uint32_t e = 3; e <= 4; e++) {
            CHECK_I64(references(&p, e, high, NULL), 0);
            CHECK_I64(references(&p, e, low, NULL), 0);
            CHECK_I64(references(&p, e, low + 3, &p.part[0]), 1); /* between: slower */
            CHECK_I64(references(&p, e, high + 40, &p.part[0]), 2);
            CHECK_I64(references(&p, e, low - 40, &p.part[0]), 2);
        }
    }
}

static void two_modes_of_data_are_one_part(void)
{
    const sim_time a[EPOCHS] = {100, 100, 100, 100, 100, 100, 100, 100, 100, 100};
    const uint32_t rows[][EPOCHS] = {
        {37, 38, 37, 38, 37, 38, 38, 37, 38, 37}, /* the lower one near a quarter */
        {0, 5, 10, 15, 20, 25, 30, 35, 40, 45},   /* more and more often */
        {5, 5, 5, 5, 5, 45, 45, 45, 45, 45},      /* all at once, but not as a whole */
        {0, 0, 50, 0, 0, 50, 0, 50, 0, 0},        /* now this, now that: it comes back */
    };
    for (size_t i = 0; i + 1 < G_N_ELEMENTS(rows); i++) {
        const miner_tempo p = tempo_of(a, 130, rows[i]);
        CHECK(p.num_parts == 1 && p.part[0].duration == WHOLE.duration, "row %zu: %u", i,
              p.num_parts);
    }
    CHECK(tempo_of(a, 130, rows[3]).num_parts > 2); /* what a clock may do as well */
}

static void what_moves_by_less_than_two_per_cent_stays(void)
{
    const sim_time a[EPOCHS] = {1000, 1000, 1000, 1000, 1015, 1015, 1015, 1015, 1015, 1015};
    const uint32_t none[EPOCHS] = {0};
    CHECK_I64(tempo_of(a, 0, none).num_parts, 1);
}

SUITE_MAIN("tempo", TEST(a_step_has_two_parts), TEST(events_are_judged_by_their_epoch),
           TEST(two_modes_of_data_are_one_part), TEST(what_moves_by_less_than_two_per_cent_stays))
