/* noise/synopsis/histogram.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_synopsis, test_miner_modern, test_miner_simulated. */
#include "synopsis/histogram.h"

#include <string.h>

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint64_t add_64(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

static miner_u128 add_128(miner_u128 a, miner_u128 b)
{
    miner_u128 sum;
    return __builtin_add_overflow(a, b, &sum) ? ~(miner_u128)0 : sum;
}

void noise_miner_histogram_clear(miner_histogram *h, miner_memory *memory)
{
    for (uint32_t i = 0; i < h->num_windows; i++) {
        noise_synopsis_free(memory, h->window[i].hit, h->window[i].cap, sizeof *h->window[i].hit);
    }
    noise_synopsis_free(memory, h->window, h->cap_windows, sizeof *h->window);
    noise_synopsis_free(memory, h->cell, h->cap_cells, sizeof *h->cell);
    memset(h, 0, sizeof *h);
}

/* Where the cell of a bin is, or would be. Bins are few: a sorted array. */
static uint32_t find_cell(const miner_histogram *h, uint32_t bin)
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
    return low;
}

/* The cell of a bin; made empty where there is none. NULL: no memory. */
static miner_cell *cell_of(miner_histogram *h, miner_memory *memory, uint32_t bin)
{
    const uint32_t at = find_cell(h, bin);
    if (at < h->num_cells && h->cell[at].bin == bin) {
        return &h->cell[at];
    }
    miner_cell *cell =
        noise_synopsis_grow(memory, h->cell, &h->cap_cells, h->num_cells + 1ULL, sizeof *h->cell);
    if (cell == NULL) {
        return NULL;
    }
    h->cell = cell;
    memmove(&cell[at + 1], &cell[at], (h->num_cells - at) * sizeof *cell);
    h->num_cells++;
    cell[at] = (miner_cell){.bin = bin & 0xffffff};
    return &cell[at];
}

static void remove_cell(miner_histogram *h, const miner_cell *cell)
{
    const uint32_t at = (uint32_t)(cell - h->cell);
    memmove(&h->cell[at], &h->cell[at + 1], (h->num_cells - at - 1) * sizeof *h->cell);
    h->num_cells--;
}

static miner_window *window_of(miner_histogram *h, miner_memory *memory, uint32_t key)
{
    uint32_t i = 0;
    while (i < h->num_windows && h->window[i].key < key) {
        i++;
    }
    if (i < h->num_windows && h->window[i].key == key) {
        return &h->window[i];
    }
    miner_window *window = noise_synopsis_grow(memory, h->window, &h->cap_windows,
                                               h->num_windows + 1ULL, sizeof *h->window);
    if (window == NULL) {
        return NULL;
    }
    h->window = window;
    memmove(&window[i + 1], &window[i], (h->num_windows - i) * sizeof *window);
    h->num_windows++;
    window[i] = (miner_window){.key = key};
    return &window[i];
}

static void remove_window(miner_histogram *h, const miner_window *window)
{
    const uint32_t at = (uint32_t)(window - h->window);
    memmove(&h->window[at], &h->window[at + 1], (h->num_windows - at - 1) * sizeof *h->window);
    h->num_windows--;
}

static bool hit_before(const miner_hit *a, const miner_hit *b)
{
    if (a->start != b->start) {
        return a->start < b->start;
    }
    return a->end != b->end ? a->end < b->end : a->value < b->value;
}

/* Twice the limit is let in before the older half goes: amortised O(1). */
static bool window_push(miner_window *w, miner_memory *memory, miner_hit hit, uint32_t limit)
{
    if (w->num >= 2 * limit) {
        memmove(w->hit, w->hit + w->num - limit, limit * sizeof *w->hit);
        w->num = limit;
    }
    miner_hit *grown = noise_synopsis_grow(memory, w->hit, &w->cap, w->num + 1ULL, sizeof *w->hit);
    if (grown == NULL) {
        return false;
    }
    w->hit = grown;
    uint32_t i = w->num++;
    for (; i > 0 && hit_before(&hit, &w->hit[i - 1]); i--) {
        w->hit[i] = w->hit[i - 1];
    }
    w->hit[i] = hit;
    return true;
}

static bool window_merge(miner_window *w, miner_memory *memory, const miner_window *other,
                         uint32_t limit)
{
    const uint32_t keep = least(w->num + other->num, 2 * limit);
    miner_hit *merged = noise_synopsis_new(memory, keep, sizeof *merged);
    if (merged == NULL) {
        return false;
    }
    uint32_t a = w->num;
    uint32_t b = other->num;
    for (uint32_t i = keep; i-- > 0;) { /* the most recent first */
        const bool take_a = b == 0 || (a > 0 && hit_before(&other->hit[b - 1], &w->hit[a - 1]));
        merged[i] = take_a ? w->hit[--a] : other->hit[--b];
    }
    noise_synopsis_free(memory, w->hit, w->cap, sizeof *w->hit);
    w->hit = merged;
    w->num = keep;
    w->cap = keep;
    return true;
}

/* Its epochs become as wide as those of @p grid. */
static void widen(miner_cell *cell, miner_grid grid)
{
    const miner_grid old = miner_cell_grid(cell);
    uint32_t count[MINER_EPOCHS];
    if (old.from == grid.from && old.shift == grid.shift) {
        return;
    }
    memcpy(count, cell->epoch, sizeof count);
    memset(cell->epoch, 0, sizeof cell->epoch);
    cell->from = grid.from;
    cell->shift = grid.shift & 127;
    for (uint32_t i = 0; i < MINER_EPOCHS; i++) {
        if (count[i] > 0) {
            uint32_t *to = &cell->epoch[noise_epochs_index(old, i, grid)];
            *to = noise_epochs_add(*to, count[i]);
        }
    }
}

/* Its epochs reach from @p first to @p last, too. */
static void make_room(miner_cell *cell, sim_time first, sim_time last, uint32_t shift)
{
    const sim_time own_last = noise_epochs_last(miner_cell_grid(cell), cell->epoch);
    widen(cell, noise_epochs_grid(first < cell->from ? first : cell->from,
                                  last > own_last ? last : own_last,
                                  shift > cell->shift ? shift : cell->shift));
}

static void add_epochs(miner_cell *to, const miner_cell *cell)
{
    const miner_grid grid = miner_cell_grid(cell);
    make_room(to, cell->from, noise_epochs_last(grid, cell->epoch), cell->shift);
    for (uint32_t i = 0; i < MINER_EPOCHS; i++) {
        if (cell->epoch[i] > 0) {
            uint32_t *at = &to->epoch[noise_epochs_index(grid, i, miner_cell_grid(to))];
            *at = noise_epochs_add(*at, cell->epoch[i]);
        }
    }
}

/* One event that begins then, into a cell that knows of at least one. */
static void add_instant(miner_cell *cell, sim_time begin)
{
    uint64_t at = noise_epochs_of(miner_cell_grid(cell), begin);
    if (at >= MINER_EPOCHS) {
        make_room(cell, begin, begin, 0);
        at = noise_epochs_of(miner_cell_grid(cell), begin);
    }
    cell->epoch[at] = noise_epochs_add(cell->epoch[at], 1);
}

static void cell_add(miner_cell *to, const miner_cell *cell)
{
    if (to->count == 0) {
        *to = *cell;
        return;
    }
    add_epochs(to, cell);
    to->count += cell->count;
    to->sum = add_64(to->sum, cell->sum);
    to->sum_2 = add_128(to->sum_2, cell->sum_2);
    to->wall = add_64(to->wall, cell->wall);
    to->partial += cell->partial;
    to->missed = add_64(to->missed, cell->missed);
    to->num_cpu += cell->num_cpu;
    to->cpu = add_64(to->cpu, cell->cpu);
}

static void cell_add_sample(miner_cell *c, miner_place place, const miner_sample *sample)
{
    const uint64_t above = (uint64_t)(sample->hit.value - place.floor);
    if (c->count == 0) {
        *c = (miner_cell){
            .bin = place.bin & 0xffffff, .linear = place.linear, .from = sample->begin};
    }
    add_instant(c, sample->begin);
    c->count++;
    c->sum = add_64(c->sum, above);
    c->sum_2 = add_128(c->sum_2, (miner_u128)above * above);
    c->wall = add_64(c->wall, (uint64_t)sample->wall);
    c->partial += sample->missed > 0;
    c->missed = add_64(c->missed, (uint64_t)sample->missed);
    c->num_cpu += sample->cpu >= 0;
    c->cpu = add_64(c->cpu, sample->cpu >= 0 ? (uint64_t)sample->cpu : 0);
}

bool noise_miner_histogram_add_cell(miner_histogram *h, miner_memory *memory,
                                    const miner_cell *cell)
{
    miner_cell *c = cell_of(h, memory, cell->bin);
    if (c != NULL) {
        cell_add(c, cell);
    }
    return c != NULL;
}

bool noise_miner_histogram_has(const miner_histogram *h, uint32_t bin)
{
    const uint32_t at = find_cell(h, bin);
    return at < h->num_cells && h->cell[at].bin == bin;
}

bool noise_miner_histogram_add_hit(miner_histogram *h, miner_memory *memory, uint32_t window,
                                   miner_hit hit, uint32_t limit)
{
    miner_window *w = window_of(h, memory, window);
    return w != NULL && window_push(w, memory, hit, limit);
}

bool noise_miner_histogram_add(miner_histogram *h, miner_memory *memory, miner_place place,
                               const miner_sample *sample, uint32_t limit)
{
    miner_cell *c = cell_of(h, memory, place.bin);
    miner_window *w = c != NULL ? window_of(h, memory, place.window) : NULL;
    if (w == NULL || !window_push(w, memory, sample->hit, limit)) {
        if (w != NULL && w->num == 0) {
            remove_window(h, w);
        }
        if (c != NULL && c->count == 0) {
            remove_cell(h, c);
        }
        return false;
    }
    cell_add_sample(c, place, sample);
    return true;
}

bool noise_miner_histogram_merge(miner_histogram *h, miner_memory *memory,
                                 const miner_histogram *other, uint32_t limit)
{
    bool whole = true;
    for (uint32_t i = 0; i < other->num_cells; i++) {
        whole &= noise_miner_histogram_add_cell(h, memory, &other->cell[i]);
    }
    for (uint32_t i = 0; i < other->num_windows; i++) {
        miner_window *w = window_of(h, memory, other->window[i].key);
        whole &= w != NULL && window_merge(w, memory, &other->window[i], limit);
    }
    return whole;
}
