/* schedgen/pattern/pattern_draw.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "pattern/pattern_draw_private.h"

#include <endian.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/*
 * The cyclic order is that of the numbers which a random permutation gives to the ranks. The
 * permutation is a Feistel network, which can be gone through both ways (Luby and Rackoff, SIAM
 * J. Comput. 17(2), 1988), over the least power of two that holds all ranks; what falls outside is
 * permuted again until it is a rank (cycle walking: Black and Rogaway, CT-RSA 2002), on average
 * less than once.
 */

/* Four are random enough where halves are large; with 8, partners on 5 ranks are unevenly likely.
 */
static uint32_t num_rounds(const pattern_cycle *cycle)
{
    return cycle->bits < 8 ? 24 : 8;
}

__extension__ typedef unsigned __int128 wide;

uint64_t sched_pattern_draw(uint64_t seed, uint64_t stream, uint64_t counter)
{
    /* As a part of what is hashed: XXH3's own seed is but added to it, so that on short keys
     * another seed would give the same numbers to other streams. */
    const uint64_t key[3] = {htole64(seed), htole64(stream), htole64(counter)};
    return XXH3_64bits(key, sizeof key);
}

sim_time sched_pattern_draw_time(uint64_t draw, sim_time middle, sim_time spread)
{
    const uint64_t steps = (uint64_t)(spread / SIM_NS);
    const sim_time step = (sim_time)((wide)draw * (2 * steps + 1) >> 64) - (sim_time)steps;
    return middle + step * SIM_NS;
}

pattern_cycle sched_pattern_cycle(uint64_t seed, uint32_t turn, uint32_t ranks)
{
    pattern_cycle cycle = {.ranks = ranks};
    cycle.key = sched_pattern_draw(seed, UINT64_MAX, turn); /* no rank has that number */
    while (cycle.bits < 32 && (ranks - 1) >> cycle.bits > 0) {
        cycle.bits++;
    }
    return cycle;
}

/* One round: the halves take turns in being changed by the other one. */
static uint32_t round_of(const pattern_cycle *cycle, uint32_t x, uint32_t round)
{
    const uint32_t low_bits = cycle->bits / 2;
    const uint32_t low = (UINT32_C(1) << low_bits) - 1; /* at most 16 bits */
    if (round % 2 == 0) {
        return x ^ ((uint32_t)sched_pattern_draw(cycle->key, round, x >> low_bits) & low);
    }
    const uint32_t high = (uint32_t)((UINT64_C(1) << (cycle->bits - low_bits)) - 1);
    return x ^ (((uint32_t)sched_pattern_draw(cycle->key, round, x & low) & high) << low_bits);
}

static uint32_t permute(const pattern_cycle *cycle, uint32_t x)
{
    do {
        for (uint32_t round = 0; round < num_rounds(cycle); round++) {
            x = round_of(cycle, x, round);
        }
    } while (x >= cycle->ranks);
    return x;
}

static uint32_t permute_back(const pattern_cycle *cycle, uint32_t x)
{
    do {
        for (uint32_t round = num_rounds(cycle); round > 0; round--) {
            x = round_of(cycle, x, round - 1);
        }
    } while (x >= cycle->ranks);
    return x;
}

uint32_t sched_pattern_cycle_next(const pattern_cycle *cycle, uint32_t rank)
{
    const uint32_t number = permute(cycle, rank);
    return permute_back(cycle, number + 1 < cycle->ranks ? number + 1 : 0);
}

uint32_t sched_pattern_cycle_previous(const pattern_cycle *cycle, uint32_t rank)
{
    const uint32_t number = permute(cycle, rank);
    return permute_back(cycle, number > 0 ? number - 1 : cycle->ranks - 1);
}
