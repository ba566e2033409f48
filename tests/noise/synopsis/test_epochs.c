/* tests/noise/synopsis/test_epochs.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Epochs are a function of the set of instants, however they come; the oracle sorts them. */
#include "check.h"
#include "random_events.h"

#include <string.h>

enum { SEEDS = 200, INSTANTS = 300, PARTS = 5 };

/* Instants of all magnitudes, of both signs, some of them together. */
static sim_time instant_of(uint64_t seed, uint64_t i)
{
    const uint64_t width = random_below(seed, 1, 60);
    const uint64_t any = random_below(seed, 3 * i + 2, UINT64_C(1) << width);
    return (sim_time)any - (seed % 3 == 0 ? (sim_time)1 << (width > 0 ? width - 1 : 0) : 0);
}

/* The narrowest grid that does, by trying all. */
static miner_exposure oracle(uint64_t seed, uint64_t n)
{
    miner_exposure e = {.count = {0}};
    sim_time first = INT64_MAX;
    sim_time last = INT64_MIN;
    for (uint64_t i = 0; i < n; i++) {
        const sim_time t = instant_of(seed, i);
        first = t < first ? t : first;
        last = t > last ? t : last;
    }
    while ((last >> e.grid.shift) - (first >> e.grid.shift) > MINER_EPOCHS - 1) {
        e.grid.shift++;
    }
    e.grid.from = (first >> e.grid.shift) * ((sim_time)1 << e.grid.shift);
    for (uint64_t i = 0; i < n; i++) {
        const sim_time t = instant_of(seed, i);
        e.count[(t - e.grid.from) >> e.grid.shift]++;
        e.work[(t - e.grid.from) >> e.grid.shift] += 7 + i;
    }
    return e;
}

static void check_same(const miner_exposure *got, const miner_exposure *want, uint64_t seed)
{
    CHECK(got->grid.from == want->grid.from && got->grid.shift == want->grid.shift, "seed %u",
          (unsigned)seed);
    CHECK(memcmp(got->count, want->count, sizeof got->count) == 0, "seed %u", (unsigned)seed);
    CHECK(memcmp(got->work, want->work, sizeof got->work) == 0, "seed %u", (unsigned)seed);
}

static void any_order_and_any_tree_gives_the_narrowest_epochs(void)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const uint64_t n = 1 + random_below(seed, 0, INSTANTS);
        const miner_exposure want = oracle(seed, n);
        miner_exposure part[PARTS] = {{.count = {0}}};
        for (uint64_t k = 0; k < n; k++) { /* 7919 is prime: each once */
            const uint64_t i = (k * 7919 + seed) % n;
            const uint64_t p = random_below(seed, 5000 + i, PARTS);
            noise_exposure_add(&part[p], instant_of(seed, i), (sim_time)(7 + i));
        }
        for (uint64_t left = PARTS; left > 1; left--) {
            const uint64_t to = random_below(seed, 9000 + left, left - 1);
            if (part[left - 1].count[0] > 0) {
                noise_exposure_merge(&part[to], &part[left - 1]);
            }
        }
        check_same(&part[0], &want, seed);
    }
}

static void of_a_long_run_at_least_eight_are_in_use(void)
{
    miner_exposure e = {.count = {0}};
    for (sim_time t = 0; t < 40 * (sim_time)1000000; t += 997) {
        noise_exposure_add(&e, t, 1);
        const sim_time last = noise_epochs_last(e.grid, e.count);
        const int64_t used = ((last - e.grid.from) >> e.grid.shift) + 1;
        CHECK(used <= MINER_EPOCHS && (e.grid.shift == 0 || used >= 8), "at %d: %d", (int)t,
              (int)used);
    }
}

static void counts_saturate_and_still_add_up_in_any_order(void)
{
    miner_exposure a = {.count = {UINT32_MAX - 1}, .work = {UINT64_MAX - 5}};
    miner_exposure b = {.count = {3}, .work = {4}};
    miner_exposure c = {.count = {1}, .work = {9}};
    miner_exposure ab = a;
    noise_exposure_merge(&ab, &b);
    noise_exposure_merge(&ab, &c);
    noise_exposure_merge(&c, &b);
    noise_exposure_merge(&c, &a);
    check_same(&ab, &c, 0);
    CHECK(ab.count[0] == UINT32_MAX && ab.work[0] == UINT64_MAX);
}

/* Cells of histograms keep theirs by the same rules. */
static void cells_and_exposures_agree(void)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const uint64_t n = 1 + random_below(seed, 0, INSTANTS);
        const miner_exposure want = oracle(seed, n);
        miner_memory memory = {0};
        miner_histogram whole = {.cell = NULL};
        miner_histogram rest = {.cell = NULL};
        for (uint64_t i = 0; i < n; i++) {
            const miner_sample sample = {.begin = instant_of(seed, i), .cpu = -1};
            noise_miner_histogram_add(i % 3 == 0 ? &rest : &whole, &memory, miner_place_log(0),
                                      &sample, 16);
        }
        CHECK(noise_miner_histogram_merge(&whole, &memory, &rest, 16));
        CHECK(whole.num_cells == 1 && whole.cell[0].from == want.grid.from &&
                  whole.cell[0].shift == want.grid.shift &&
                  memcmp(whole.cell[0].epoch, want.count, sizeof want.count) == 0,
              "seed %u", (unsigned)seed);
        noise_miner_histogram_clear(&whole, &memory);
        noise_miner_histogram_clear(&rest, &memory);
    }
}

static void many_ranks_share_their_exposures(void)
{
    CHECK_I64(noise_exposures_index(0), 0);
    CHECK_I64(noise_exposures_index(MINER_OWN_EXPOSURES - 1), MINER_OWN_EXPOSURES - 1);
    CHECK_I64(noise_exposures_index(MINER_OWN_EXPOSURES), MINER_OWN_EXPOSURES);
    CHECK_I64(noise_exposures_index(MINER_OWN_EXPOSURES + 63), MINER_OWN_EXPOSURES);
    CHECK_I64(noise_exposures_index(MINER_OWN_EXPOSURES + 64), MINER_OWN_EXPOSURES + 1);
    miner_exposures x = {.page = NULL};
    miner_memory memory = {0};
    for (uint32_t rank = 0; rank < 1 << 20; rank += 64) {
        noise_exposure_add(noise_exposures_get(&x, &memory, noise_exposures_index(rank)), 5, 1);
    }
    CHECK(memory.used < 6 << 20, "%u", (unsigned)memory.used);
    noise_exposures_clear(&x, &memory);
    CHECK_I64(memory.used, 0);
}

SUITE_MAIN("epochs", TEST(any_order_and_any_tree_gives_the_narrowest_epochs),
           TEST(of_a_long_run_at_least_eight_are_in_use),
           TEST(counts_saturate_and_still_add_up_in_any_order), TEST(cells_and_exposures_agree),
           TEST(many_ranks_share_their_exposures))
