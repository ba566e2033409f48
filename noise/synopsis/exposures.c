/* noise/synopsis/exposures.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_epochs, test_packed. */
#include "synopsis/exposures.h"

#include <string.h>

#define PAGE_BYTES sizeof(void *) /* of a pointer to one */

static uint64_t add_64(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

miner_exposure *noise_exposures_make(miner_exposures *x, miner_memory *memory, uint32_t index)
{
    const uint32_t page = index / MINER_SHARING;
    if (page >= x->num_pages) {
        miner_exposure **grown =
            noise_synopsis_grow(memory, x->page, &x->cap_pages, page + 1ULL, PAGE_BYTES);
        if (grown == NULL) {
            return NULL;
        }
        memset(grown + x->num_pages, 0, (page + 1 - x->num_pages) * PAGE_BYTES);
        x->page = grown;
        x->num_pages = page + 1;
    }
    if (x->page[page] == NULL) {
        x->page[page] = noise_synopsis_new(memory, MINER_SHARING, sizeof *x->page[page]);
    }
    return x->page[page] != NULL ? &x->page[page][index % MINER_SHARING] : NULL;
}

/* To epochs as wide or wider, or that begin earlier. */
static void move_to(miner_exposure *e, miner_grid grid)
{
    if (grid.from == e->grid.from && grid.shift == e->grid.shift) {
        return;
    }
    const miner_exposure old = *e;
    *e = (miner_exposure){.grid = grid};
    for (uint32_t i = 0; i < MINER_EPOCHS; i++) {
        if (old.count[i] > 0) {
            const uint32_t to = noise_epochs_index(old.grid, i, grid);
            e->count[to] = noise_epochs_add(e->count[to], old.count[i]);
            e->work[to] = add_64(e->work[to], old.work[i]);
        }
    }
}

static void make_room(miner_exposure *e, sim_time first, sim_time last, uint32_t shift)
{
    const sim_time own_last = noise_epochs_last(e->grid, e->count);
    move_to(e, noise_epochs_grid(first < e->grid.from ? first : e->grid.from,
                                 last > own_last ? last : own_last,
                                 shift > e->grid.shift ? shift : e->grid.shift));
}

void noise_exposure_reach(miner_exposure *e, sim_time start)
{
    if (e->count[0] == 0) {
        e->grid = (miner_grid){start, 0};
    } else {
        make_room(e, start, start, 0);
    }
}

void noise_exposure_merge(miner_exposure *e, const miner_exposure *other)
{
    if (e->count[0] == 0) {
        *e = *other;
        return;
    }
    make_room(e, other->grid.from, noise_epochs_last(other->grid, other->count), other->grid.shift);
    for (uint32_t i = 0; i < MINER_EPOCHS; i++) {
        if (other->count[i] > 0) {
            const uint32_t to = noise_epochs_index(other->grid, i, e->grid);
            e->count[to] = noise_epochs_add(e->count[to], other->count[i]);
            e->work[to] = add_64(e->work[to], other->work[i]);
        }
    }
}

bool noise_exposures_merge(miner_exposures *x, miner_memory *memory, const miner_exposures *other)
{
    bool whole = true;
    for (uint32_t i = 0; i < noise_exposures_end(other); i++) {
        const miner_exposure *from = noise_exposures_at(other, i);
        miner_exposure *to = from != NULL ? noise_exposures_get(x, memory, i) : NULL;
        if (to != NULL) {
            noise_exposure_merge(to, from);
        }
        whole &= from == NULL || to != NULL;
    }
    return whole;
}

void noise_exposures_clear(miner_exposures *x, miner_memory *memory)
{
    for (uint32_t p = 0; p < x->num_pages; p++) {
        noise_synopsis_free(memory, x->page[p], MINER_SHARING, sizeof *x->page[p]);
    }
    noise_synopsis_free(memory, x->page, x->cap_pages, PAGE_BYTES);
    *x = (miner_exposures){.page = NULL};
}
