/* tests/noise/synopsis/test_exemplars.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "random_events.h"
#include "synopsis/exemplars.h"

#include <stdlib.h>

static int by_start(const void *a, const void *b)
{
    const noise_miner_event *x = a;
    const noise_miner_event *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static int by_duration(const void *a, const void *b)
{
    const noise_miner_event *x = a;
    const noise_miner_event *y = b;
    const sim_time p = noise_miner_event_duration(x);
    const sim_time q = noise_miner_event_duration(y);
    return p != q ? (p > q) - (p < q) : by_start(a, b);
}

/* The slow way: sort all, take the last. Starts are all different here. */
static void the_latest_and_the_largest_are_kept(void)
{
    enum { EVENTS = 500 };
    for (uint64_t seed = 0; seed < 20; seed++) {
        miner_memory memory = {0};
        miner_exemplars x = {.num = 0};
        noise_miner_event all[EVENTS];
        for (uint64_t i = 0; i < EVENTS; i++) {
            all[i] = random_event(seed, i);
            all[i].type = 1;
            all[i].start = (sim_time)random_below(seed, 7000 + i, 1000000) * 1000 + (sim_time)i;
            all[i].end = all[i].start + 1 + (sim_time)random_below(seed, 9000 + i, 50);
            CHECK(noise_synopsis_exemplars_add(&x, &memory, MINER_SLOWER, 0, 5, &all[i]));
        }
        CHECK_I64(x.num, 1);
        for (int c = 0; c < MINER_DRAWN; c++) {
            qsort(all, EVENTS, sizeof *all, c == MINER_RECENT ? by_start : by_duration);
            uint32_t num = 0;
            const noise_miner_event *e =
                noise_synopsis_exemplars_of(&x, x.bin, (miner_choice)c, &num);
            CHECK_I64(num, MINER_EXEMPLARS);
            for (uint32_t i = 0; i < num; i++) {
                CHECK_I64(e[i].start, all[EVENTS - num + i].start, "seed %u", (unsigned)seed);
            }
        }
        noise_synopsis_exemplars_clear(&x, &memory);
        CHECK_I64(memory.used, 0);
    }
}

/* Every event should have the same chance to be drawn: 12 of 240, in each tenth of the stream. */
static void draws_are_spread_over_the_stream(void)
{
    enum { EVENTS = 240, BINS = 400, TENTHS = 10 };
    miner_memory memory = {0};
    miner_exemplars x = {.num = 0};
    int count[TENTHS] = {0};
    for (uint32_t bin = 0; bin < BINS; bin++) {
        for (int i = 0; i < EVENTS; i++) {
            const noise_miner_event e = {.rank = bin, .type = 1, .start = i, .end = i + 1};
            noise_synopsis_exemplars_add(&x, &memory, MINER_DURATIONS, 0, bin, &e);
        }
    }
    for (uint32_t bin = 0; bin < BINS; bin++) {
        uint32_t num = 0;
        const noise_miner_event *e =
            noise_synopsis_exemplars_of(&x, &x.bin[bin], MINER_DRAWN, &num);
        CHECK_I64(num, MINER_EXEMPLARS);
        for (uint32_t i = 0; i < num; i++) {
            count[e[i].start * TENTHS / EVENTS]++;
        }
    }
    for (int t = 0; t < TENTHS; t++) { /* 480 expected, standard deviation 21 */
        CHECK(abs(count[t] - BINS * MINER_EXEMPLARS / TENTHS) < 110, "tenth %d: %d", t, count[t]);
    }
    noise_synopsis_exemplars_clear(&x, &memory);
}

static void many_bins_have_fewer_each(void)
{
    static const struct {
        uint32_t bins, each;
    } rows[] = {{1, 12}, {512, 12}, {513, 11}, {1024, 6}, {6144, 1}, {9000, 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const miner_exemplars x = {.num = rows[i].bins};
        CHECK_I64(noise_synopsis_exemplar_limit(&x), rows[i].each, "%u bins", rows[i].bins);
    }
}

static void kinds_of_bins_are_kept_apart(void)
{
    miner_memory memory = {0};
    miner_exemplars x = {.num = 0};
    const noise_miner_event e = {.type = 9, .end = 1};
    for (int round = 0; round < 2; round++) {
        for (int side = 0; side <= MINER_FASTER; side++) {
            for (uint32_t bin = 0; bin < 5; bin++) {
                noise_synopsis_exemplars_add(&x, &memory, (miner_side)side, 0, bin, &e);
                noise_synopsis_exemplars_add(&x, &memory, (miner_side)side, 1, bin, &e);
            }
        }
    }
    CHECK_I64(x.num, 30);
    noise_synopsis_exemplars_clear(&x, &memory);
}

SUITE_MAIN("exemplars", TEST(the_latest_and_the_largest_are_kept),
           TEST(draws_are_spread_over_the_stream), TEST(many_bins_have_fewer_each),
           TEST(kinds_of_bins_are_kept_apart))
