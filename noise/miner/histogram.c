/* noise/miner/histogram.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_modern, test_miner_simulated. */
#include "miner/histogram.h"

#include <glib.h>
#include <string.h>

static miner_u128 add_128(miner_u128 a, miner_u128 b)
{
    miner_u128 sum;
    return __builtin_add_overflow(a, b, &sum) ? ~(miner_u128)0 : sum;
}

void noise_miner_histogram_clear(miner_histogram *h)
{
    for (uint32_t i = 0; i < h->num_windows; i++) {
        g_free(h->window[i].hit);
    }
    g_free(h->window);
    g_free(h->cell);
    memset(h, 0, sizeof *h);
}

/* The cell of a bin; made empty where there is none. Bins are few: a sorted array. */
static miner_cell *cell_of(miner_histogram *h, uint32_t bin)
{
    uint32_t low = 0;
    uint32_t high = h->num_cells;
    while (low < high) {
        const uint32_t mid = (low + high) / 2;
        if (h->cell[mid].bin < bin) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    if (low < h->num_cells && h->cell[low].bin == bin) {
        return &h->cell[low];
    }
    if (h->num_cells == h->cap_cells) {
        h->cap_cells = h->cap_cells == 0 ? 2 : 2 * h->cap_cells;
        h->cell = g_renew(miner_cell, h->cell, h->cap_cells);
    }
    memmove(&h->cell[low + 1], &h->cell[low], (h->num_cells - low) * sizeof *h->cell);
    h->num_cells++;
    h->cell[low] = (miner_cell){.bin = bin};
    return &h->cell[low];
}

static miner_window *window_of(miner_histogram *h, uint32_t key)
{
    uint32_t i = 0;
    while (i < h->num_windows && h->window[i].key < key) {
        i++;
    }
    if (i < h->num_windows && h->window[i].key == key) {
        return &h->window[i];
    }
    if (h->num_windows == h->cap_windows) {
        h->cap_windows = h->cap_windows == 0 ? 1 : 2 * h->cap_windows;
        h->window = g_renew(miner_window, h->window, h->cap_windows);
    }
    memmove(&h->window[i + 1], &h->window[i], (h->num_windows - i) * sizeof *h->window);
    h->num_windows++;
    h->window[i] = (miner_window){.key = key};
    return &h->window[i];
}

static bool hit_before(const miner_hit *a, const miner_hit *b)
{
    if (a->start != b->start) {
        return a->start < b->start;
    }
    return a->end != b->end ? a->end < b->end : a->value < b->value;
}

/* Twice the limit is let in before the older half goes: amortised O(1). */
static void window_push(miner_window *w, miner_hit hit, uint32_t limit)
{
    if (w->num >= 2 * limit) {
        memmove(w->hit, w->hit + w->num - limit, limit * sizeof *w->hit);
        w->num = limit;
    }
    if (w->num == w->cap) {
        w->cap = w->cap == 0 ? 2 : 2 * w->cap;
        w->hit = g_renew(miner_hit, w->hit, w->cap);
    }
    uint32_t i = w->num++;
    for (; i > 0 && hit_before(&hit, &w->hit[i - 1]); i--) {
        w->hit[i] = w->hit[i - 1];
    }
    w->hit[i] = hit;
}

static void window_merge(miner_window *w, const miner_window *other, uint32_t limit)
{
    const uint32_t total = w->num + other->num;
    const uint32_t keep = MIN(total, 2 * limit);
    miner_hit *merged = g_new(miner_hit, MAX(keep, 1));
    uint32_t a = w->num;
    uint32_t b = other->num;
    for (uint32_t i = keep; i-- > 0;) { /* the most recent first */
        const bool take_a = b == 0 || (a > 0 && hit_before(&other->hit[b - 1], &w->hit[a - 1]));
        merged[i] = take_a ? w->hit[--a] : other->hit[--b];
    }
    g_free(w->hit);
    w->hit = merged;
    w->num = keep;
    w->cap = MAX(keep, 1);
}

void noise_miner_histogram_add_cell(miner_histogram *h, const miner_cell *cell)
{
    miner_cell *c = cell_of(h, cell->bin);
    if (c->count == 0) {
        *c = *cell;
        return;
    }
    c->count += cell->count;
    c->sum = add_128(c->sum, cell->sum);
    c->sum_2 = add_128(c->sum_2, cell->sum_2);
    c->wall = add_128(c->wall, cell->wall);
}

void noise_miner_histogram_add(miner_histogram *h, miner_place place, miner_hit hit, uint32_t limit)
{
    const miner_u128 above = (miner_u128)(hit.value - place.floor);
    const miner_cell one = {
        .bin = place.bin,
        .count = 1,
        .floor = place.floor,
        .sum = above,
        .sum_2 = above * above,
        .wall = (miner_u128)(hit.end - hit.start),
    };
    noise_miner_histogram_add_cell(h, &one);
    window_push(window_of(h, place.window), hit, limit);
}

void noise_miner_histogram_merge(miner_histogram *h, const miner_histogram *other, uint32_t limit)
{
    for (uint32_t i = 0; i < other->num_cells; i++) {
        noise_miner_histogram_add_cell(h, &other->cell[i]);
    }
    for (uint32_t i = 0; i < other->num_windows; i++) {
        window_merge(window_of(h, other->window[i].key), &other->window[i], limit);
    }
}
