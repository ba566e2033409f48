/* noise/miner/examples.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_examples. */
#include "miner/examples.h"

#include <stdlib.h>
#include <string.h>

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* By time; a total order, so that nothing depends on where they were kept. */
static int by_time(const noise_miner_event *a, const noise_miner_event *b)
{
    int order = compare(a->start, b->start);
    order = order != 0 ? order : compare(a->rank, b->rank);
    order = order != 0 ? order : (a->type > b->type) - (a->type < b->type);
    return order != 0 ? order : compare(a->end, b->end);
}

static int by_rank(const void *pa, const void *pb)
{
    const miner_example *a = pa;
    const miner_example *b = pb;
    int order = compare(a->event.rank, b->event.rank);
    order = order != 0 ? order : by_time(&a->event, &b->event);
    return order != 0 ? order : compare(a->choice, b->choice);
}

static int latest_first(const void *pa, const void *pb)
{
    return by_time(&((const miner_example *)pb)->event, &((const miner_example *)pa)->event);
}

static int largest_first(const void *pa, const void *pb)
{
    const int order =
        compare(((const miner_example *)pb)->value, ((const miner_example *)pa)->value);
    return order != 0 ? order : latest_first(pa, pb);
}

/* Scatters what is alike: the finaliser of MurmurHash3, public domain. */
static uint64_t scatter(uint64_t x)
{
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdU;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53U;
    return x ^ (x >> 33);
}

static uint64_t lot_of(const noise_miner_event *e)
{
    return scatter((uint64_t)e->start ^ scatter(e->rank ^ scatter(e->type)));
}

static int by_lot(const void *pa, const void *pb)
{
    const uint64_t a = lot_of(&((const miner_example *)pa)->event);
    const uint64_t b = lot_of(&((const miner_example *)pb)->event);
    return a != b ? (a > b ? 1 : -1) : latest_first(pa, pb);
}

GArray *noise_miner_examples_new(const noise_miner *miner)
{
    const miner_exemplars *exemplars = &miner->synopsis.exemplars;
    GArray *all = g_array_new(FALSE, FALSE, sizeof(miner_example));
    for (uint32_t b = 0; b < exemplars->num; b++) {
        for (int choice = 0; choice < MINER_CHOICES; choice++) {
            uint32_t n = 0;
            const noise_miner_event *event = noise_synopsis_exemplars_of(
                exemplars, &exemplars->bin[b], (miner_choice)choice, &n);
            for (uint32_t i = 0; i < n; i++) {
                const miner_example one = {.event = event[i], .choice = (miner_choice)choice};
                g_array_append_val(all, one);
            }
        }
    }
    g_array_sort(all, by_rank);
    return all;
}

static bool is_on(uint32_t rank, const uint32_t *ranks, size_t n)
{
    size_t low = 0;
    size_t high = n;
    while (low < high) {
        const size_t mid = (low + high) / 2;
        if (ranks[mid] < rank) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low < n && ranks[low] == rank;
}

static void add_once(GArray *chosen, const noise_miner_event *event)
{
    for (guint i = 0; i < chosen->len; i++) {
        if (by_time(&g_array_index(chosen, noise_miner_event, i), event) == 0) {
            return;
        }
    }
    g_array_append_val(chosen, *event);
}

static int events_by_time(const void *a, const void *b)
{
    return by_time(a, b);
}

void noise_miner_examples_choose(const miner_example *example, size_t n, const uint32_t *ranks,
                                 size_t num_ranks, noise_miner_row *row)
{
    static int (*const orders[MINER_CHOICES])(const void *, const void *) = {
        [MINER_RECENT] = latest_first, [MINER_LARGEST] = largest_first, [MINER_DRAWN] = by_lot};
    g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(noise_miner_event));
    g_autoptr(GArray) mine = g_array_new(FALSE, FALSE, sizeof(miner_example));
    for (int choice = 0; choice < MINER_CHOICES; choice++) {
        g_array_set_size(mine, 0);
        for (size_t i = 0; i < n; i++) {
            if (example[i].choice == (miner_choice)choice &&
                is_on(example[i].event.rank, ranks, num_ranks)) {
                g_array_append_val(mine, example[i]);
            }
        }
        g_array_sort(mine, orders[choice]);
        for (guint i = 0; i < MIN(mine->len, MINER_EXEMPLARS); i++) {
            add_once(chosen, &g_array_index(mine, miner_example, i).event);
        }
    }
    g_array_sort(chosen, events_by_time);
    row->num_exemplars = chosen->len;
    row->exemplars = (noise_miner_event *)(void *)g_array_free(g_steal_pointer(&chosen), FALSE);
}
