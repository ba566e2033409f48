/* noise/synopsis/pack.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_packed. */
#include "synopsis/packed.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

typedef struct packing {
    uint8_t *bytes; /* NULL: memory has run out */
    size_t used;
    size_t cap;
} packing;

static void put_bytes(packing *p, const void *bytes, size_t n)
{
    if (p->bytes != NULL && p->used + n > p->cap) {
        const size_t cap = 2 * (p->used + n);
        uint8_t *grown = realloc(p->bytes, cap);
        if (grown == NULL) {
            free(p->bytes);
        }
        p->bytes = grown;
        p->cap = cap;
    }
    if (p->bytes != NULL) {
        memcpy(p->bytes + p->used, bytes, n);
        p->used += n;
    }
}

/* Seven bits a byte, the lowest first; the highest bit says that more follow. */
static void put(packing *p, uint64_t value)
{
    uint8_t out[10];
    size_t n = 0;
    for (; value >= 128; value >>= 7) {
        out[n++] = (uint8_t)(value | 128);
    }
    out[n++] = (uint8_t)value;
    put_bytes(p, out, n);
}

/* Small of either sign: 0, -1, 1, -2, ... */
static void put_signed(packing *p, int64_t value)
{
    put(p, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static void put_sum(packing *p, miner_u128 sum)
{
    put(p, (uint64_t)sum);
    put(p, (uint64_t)(sum >> 64));
}

/* Those that count something, and what lies between them. */
static void put_epochs(packing *p, miner_grid grid, const uint32_t *count)
{
    const uint32_t num = (uint32_t)((noise_epochs_last(grid, count) - grid.from) >> grid.shift) + 1;
    put(p, grid.shift);
    put_signed(p, grid.from >> grid.shift);
    put(p, num);
    for (uint32_t i = 0; i < num; i++) {
        put(p, count[i]);
    }
}

static void put_cells(packing *p, const miner_histogram *h)
{
    uint32_t next = 0;
    put(p, h->num_cells);
    for (uint32_t i = 0; i < h->num_cells; i++) {
        const miner_cell *cell = &h->cell[i];
        put(p, cell->bin - next);
        next = cell->bin + 1;
        put(p, cell->count);
        put(p, cell->sum);
        put_sum(p, cell->sum_2);
        put(p, cell->wall);
        put(p, cell->partial);
        put(p, cell->missed);
        put(p, cell->num_cpu);
        put(p, cell->cpu);
        put_epochs(p, miner_cell_grid(cell), cell->epoch);
    }
}

/* Of each window what may be used: how much more there is depends on how it came about. */
static void put_windows(packing *p, const miner_histogram *h, uint32_t limit)
{
    put(p, h->num_windows);
    for (uint32_t i = 0; i < h->num_windows; i++) {
        const miner_window *w = &h->window[i];
        const uint32_t num = w->num < limit ? w->num : limit;
        put(p, w->key);
        put(p, num);
        sim_time before = 0;
        for (const miner_hit *hit = w->hit + (w->num - num); hit < w->hit + w->num; hit++) {
            put_signed(p, hit->start - before);
            before = hit->start;
            put(p, (uint64_t)(hit->end - hit->start));
            put(p, (uint64_t)hit->value);
        }
    }
}

static void put_histogram(packing *p, const miner_histogram *h, uint32_t limit)
{
    put_cells(p, h);
    put_windows(p, h, limit);
}

static void put_detail(packing *p, const miner_detail *detail, uint32_t limit)
{
    put_histogram(p, &detail->slower, limit);
    put_histogram(p, &detail->faster, limit);
    uint32_t tables = 0;
    for (uint32_t i = 0; i < detail->num_tables; i++) {
        tables += detail->table[i].durations.num_cells > 0;
    }
    put(p, tables);
    for (uint32_t i = 0; i < detail->num_tables; i++) {
        if (detail->table[i].durations.num_cells > 0) {
            put(p, detail->table[i].type);
            put_histogram(p, &detail->table[i].durations, limit);
        }
    }
}

static void put_ranks(packing *p, const noise_synopsis *s)
{
    const uint32_t limit = noise_synopsis_window_limit(s);
    uint64_t num = 0;
    for (uint64_t r = 0; r < noise_synopsis_rank_end(s); r++) {
        num += noise_synopsis_rank(s, r) != NULL;
    }
    put(p, num);
    uint64_t next = 0;
    for (uint64_t r = 0; r < noise_synopsis_rank_end(s); r++) {
        const miner_rank *rank = noise_synopsis_rank(s, r);
        if (rank == NULL) {
            continue;
        }
        put(p, r - next);
        next = r + 1;
        put(p, rank->events);
        put_signed(p, rank->first);
        put(p, (uint64_t)(rank->last - rank->first));
        put(p, rank->detail != NULL);
        if (rank->detail != NULL) {
            put_detail(p, rank->detail, limit);
        }
    }
}

static void put_exposures(packing *p, const miner_exposures *x)
{
    uint32_t num = 0;
    for (uint32_t i = 0; i < noise_exposures_end(x); i++) {
        num += noise_exposures_at(x, i) != NULL;
    }
    put(p, num);
    uint32_t next = 0;
    for (uint32_t i = 0; i < noise_exposures_end(x); i++) {
        const miner_exposure *e = noise_exposures_at(x, i);
        if (e != NULL) {
            put(p, i - next);
            next = i + 1;
            put_epochs(p, e->grid, e->count);
            for (uint32_t k = 0; k < MINER_EPOCHS; k++) {
                if (e->count[k] > 0) {
                    put(p, e->work[k]);
                }
            }
        }
    }
}

static void put_types(packing *p, const miner_types *types, const miner_type **sorted)
{
    put(p, types->num);
    for (uint32_t i = 0; i < types->num; i++) {
        const miner_type *t = sorted[i];
        const size_t length = t->name != NULL ? strlen(t->name) : 0;
        put(p, t->type);
        put(p, t->name != NULL ? length + 1 : 0);
        put_bytes(p, t->name != NULL ? t->name : "", length);
        put(p, t->events);
        put(p, t->slower);
        put_sum(p, t->excess);
    }
}

static void put_exemplars(packing *p, const miner_exemplars *x, const miner_exemplar_bin **sorted)
{
    put(p, x->num);
    for (uint32_t i = 0; i < x->num; i++) {
        put(p, sorted[i]->side);
        put(p, sorted[i]->type);
        put(p, sorted[i]->bin);
        for (int c = 0; c < MINER_CHOICES; c++) {
            uint32_t num = 0;
            const noise_miner_event *e =
                noise_synopsis_exemplars_of(x, sorted[i], (miner_choice)c, &num);
            put(p, num);
            for (uint32_t k = 0; k < num; k++) {
                put(p, e[k].rank);
                put_signed(p, e[k].start);
                put(p, (uint64_t)(e[k].end - e[k].start));
                put_signed(p, e[k].expected);
                put_signed(p, e[k].cpu);
                put_signed(p, e[k].waited);
                put_signed(p, e[k].detour);
            }
        }
    }
}

static void store(uint8_t *to, uint64_t value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        to[i] = (uint8_t)(value >> (8 * i));
    }
}

static void put_header(packing *p)
{
    const size_t size = p->used - NOISE_SYNOPSIS_HEADER;
    memcpy(p->bytes, NOISE_SYNOPSIS_MAGIC, 8);
    store(p->bytes + 8, NOISE_SYNOPSIS_VERSION, 4);
    store(p->bytes + 12, size, 8);
    store(p->bytes + 20, XXH3_64bits(p->bytes + NOISE_SYNOPSIS_HEADER, size), 8);
}

uint8_t *noise_synopsis_pack(const noise_synopsis *s, size_t *size)
{
    miner_memory memory = {.most = UINT64_MAX}; /* what cannot be had must not end the process */
    const miner_type **types = noise_synopsis_types_sorted(&s->types, &memory);
    const miner_exemplar_bin **bins = noise_synopsis_exemplars_sorted(&s->exemplars, &memory);
    packing p = {.cap = 4096};
    p.bytes = types != NULL && bins != NULL ? malloc(p.cap) : NULL;
    if (p.bytes != NULL) {
        p.used = NOISE_SYNOPSIS_HEADER;
        put(&p, (uint64_t)s->form.width);
        put(&p, s->form.last_bin);
        put(&p, s->form.window);
        put(&p, s->form.durations);
        put(&p, (uint64_t)s->tick);
        put(&p, s->lost);
        put_types(&p, &s->types, types);
        put_ranks(&p, s);
        put_exposures(&p, &s->exposures);
        put_exemplars(&p, &s->exemplars, bins);
    }
    if (p.bytes != NULL) {
        put_header(&p);
    }
    free(types);
    free(bins);
    *size = p.used;
    return p.bytes;
}
