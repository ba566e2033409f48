/* noise/miner/miner.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_modern, test_miner_merge. */
#include "noise/miner.h"

#include "miner/state.h"

#include <assert.h>
#include <string.h>

/* Windows: mode paper prints 50; mode modern keeps 512 while few histograms have anything to
 * remember, and 2^17 events per class of bins over all of them when they are many. */
#define PAPER_WINDOW   50
#define WINDOW_MAX     512
#define WINDOW_MIN     16
#define WINDOWS_BUDGET (1 << 17)

#define PAPER_BINS  5000
#define PAPER_WIDTH (10 * SIM_US)

void noise_miner_options_init(noise_miner_options *options, noise_miner_mode mode)
{
    *options = (noise_miner_options){
        .mode = mode,
        .min_share = 1e-4,
        .min_count = 3,
        .quantum = 100 * SIM_MS,
        .cutoff = 0,
    };
}

static void type_free(void *data)
{
    miner_type *type = data;
    g_free(type->name);
    g_free(type);
}

static void sink_events(sim_sink *sink, const sim_event *events, size_t n)
{
    noise_miner *miner = (noise_miner *)sink;
    for (size_t i = 0; i < n; i++) {
        const sim_event *e = &events[i];
        if (e->work > 0) { /* what takes no CPU time cannot be delayed */
            noise_miner_add(miner, e->rank, e->type, e->start, e->end, e->work);
        }
    }
}

noise_miner *noise_miner_new(const noise_miner_options *options)
{
    noise_miner *miner = g_new0(noise_miner, 1);
    miner->sink.events = sink_events;
    miner->options = *options;
    miner->types = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, type_free);
    return miner;
}

static void detail_free(miner_detail *detail)
{
    if (detail == NULL) {
        return;
    }
    noise_miner_histogram_clear(&detail->slower);
    noise_miner_histogram_clear(&detail->faster);
    for (uint32_t i = 0; i < detail->num_tables; i++) {
        noise_miner_histogram_clear(&detail->table[i].durations);
    }
    g_free(detail->table);
    g_free(detail);
}

void noise_miner_free(noise_miner *miner)
{
    if (miner == NULL) {
        return;
    }
    for (uint32_t p = 0; p < miner->num_pages; p++) {
        for (uint32_t i = 0; miner->page[p] != NULL && i < MINER_PAGE; i++) {
            detail_free(miner->page[p][i].detail);
        }
        g_free(miner->page[p]);
    }
    g_free(miner->page);
    g_hash_table_unref(miner->types);
    g_free(miner);
}

uint32_t noise_miner_window_limit(const noise_miner *miner)
{
    if (miner->options.mode == NOISE_MINER_PAPER) {
        return PAPER_WINDOW;
    }
    const uint64_t each = WINDOWS_BUDGET / MAX(miner->num_histograms, 1);
    return (uint32_t)CLAMP(each, WINDOW_MIN, WINDOW_MAX);
}

static miner_type *type_slow(noise_miner *miner, uint64_t type)
{
    miner_type *t = g_hash_table_lookup(miner->types, &type);
    if (t == NULL) {
        t = g_new0(miner_type, 1);
        t->type = type;
        g_hash_table_insert(miner->types, &t->type, t);
        if (type < MINER_FEW_TYPES) {
            miner->few[type] = t;
        }
    }
    return t;
}

static inline miner_type *type_of(noise_miner *miner, uint64_t type)
{
    miner_type *t = type < MINER_FEW_TYPES ? miner->few[type] : NULL;
    return t != NULL ? t : type_slow(miner, type);
}

static miner_rank *rank_slow(noise_miner *miner, uint32_t rank)
{
    const uint32_t page = rank / MINER_PAGE;
    if (page >= miner->num_pages) {
        miner->page = g_renew(miner_rank *, miner->page, page + 1);
        memset(miner->page + miner->num_pages, 0,
               (page + 1 - miner->num_pages) * sizeof(miner_rank *));
        miner->num_pages = page + 1;
    }
    if (miner->page[page] == NULL) {
        miner->page[page] = g_new0(miner_rank, MINER_PAGE);
    }
    return &miner->page[page][rank % MINER_PAGE];
}

static inline miner_rank *rank_of(noise_miner *miner, uint32_t rank)
{
    const uint32_t page = rank / MINER_PAGE;
    return page < miner->num_pages && miner->page[page] != NULL
               ? &miner->page[page][rank % MINER_PAGE]
               : rank_slow(miner, rank);
}

static miner_detail *detail_of(miner_rank *rank)
{
    if (rank->detail == NULL) {
        rank->detail = g_new0(miner_detail, 1);
    }
    return rank->detail;
}

static miner_histogram *table_of(miner_detail *detail, uint64_t type)
{
    uint32_t i = detail->num_tables;
    while (i > 0 && detail->table[i - 1].type > type) {
        i--;
    }
    if (i > 0 && detail->table[i - 1].type == type) {
        return &detail->table[i - 1].durations;
    }
    detail->table = g_renew(miner_table, detail->table, detail->num_tables + 1);
    memmove(&detail->table[i + 1], &detail->table[i],
            (detail->num_tables - i) * sizeof *detail->table);
    detail->num_tables++;
    detail->table[i] = (miner_table){.type = type};
    return &detail->table[i].durations;
}

static miner_place place_paper(sim_time duration)
{
    const uint32_t bin = (uint32_t)MIN(duration / PAPER_WIDTH, PAPER_BINS);
    return (miner_place){bin, bin, bin * PAPER_WIDTH};
}

/* An event that has something to tell; the others end in noise_miner_add(). */
static void add_detail(noise_miner *miner, miner_rank *rank, uint64_t type, miner_hit hit,
                       sim_time expected)
{
    miner_detail *detail = detail_of(rank);
    const sim_time duration = hit.end - hit.start;
    miner_histogram *histogram = NULL;
    if (miner->options.mode == NOISE_MINER_PAPER || expected < 0) {
        histogram = table_of(detail, type);
        hit.value = duration;
    } else {
        histogram = duration > expected ? &detail->slower : &detail->faster;
        hit.value = ABS(duration - expected);
    }
    miner->num_histograms += histogram->num_cells == 0;
    const miner_place place = miner->options.mode == NOISE_MINER_PAPER ? place_paper(hit.value)
                                                                       : miner_place_log(hit.value);
    noise_miner_histogram_add(histogram, place, hit, noise_miner_window_limit(miner));
}

void noise_miner_add(noise_miner *miner, uint32_t rank, uint64_t type, sim_time start, sim_time end,
                     sim_time expected)
{
    assert(end >= start);
    miner_type *t = type_of(miner, type);
    miner_rank *r = rank_of(miner, rank);
    t->events++;
    if (r->events++ == 0) {
        r->first = start;
        r->last = end;
    }
    r->first = MIN(r->first, start);
    r->last = MAX(r->last, end);
    const sim_time duration = end - start;
    if (duration == expected && miner->options.mode == NOISE_MINER_MODERN) {
        return; /* as nearly all of a simulated stream */
    }
    if (expected >= 0 && duration > expected) {
        t->slower++;
        t->excess += (miner_u128)(duration - expected);
    }
    add_detail(miner, r, type, (miner_hit){start, end, 0}, expected);
}

void noise_miner_name_type(noise_miner *miner, uint64_t type, const char *name)
{
    miner_type *t = type_of(miner, type);
    g_free(t->name);
    t->name = g_strdup(name);
}

static void merge_types(noise_miner *miner, const noise_miner *other)
{
    GHashTableIter iter;
    void *value;
    g_hash_table_iter_init(&iter, other->types);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const miner_type *from = value;
        miner_type *to = type_of(miner, from->type);
        to->events += from->events;
        to->slower += from->slower;
        to->excess += from->excess;
        if (from->name != NULL && (to->name == NULL || strcmp(from->name, to->name) < 0)) {
            g_free(to->name);
            to->name = g_strdup(from->name);
        }
    }
}

static void merge_histogram(noise_miner *miner, miner_histogram *to, const miner_histogram *from)
{
    if (from->num_cells > 0) {
        miner->num_histograms += to->num_cells == 0;
        noise_miner_histogram_merge(to, from, noise_miner_window_limit(miner));
    }
}

static void merge_rank(noise_miner *miner, miner_rank *to, const miner_rank *from)
{
    to->first = to->events == 0 ? from->first : MIN(to->first, from->first);
    to->last = to->events == 0 ? from->last : MAX(to->last, from->last);
    to->events += from->events;
    if (from->detail == NULL) {
        return;
    }
    miner_detail *detail = detail_of(to);
    merge_histogram(miner, &detail->slower, &from->detail->slower);
    merge_histogram(miner, &detail->faster, &from->detail->faster);
    for (uint32_t i = 0; i < from->detail->num_tables; i++) {
        const miner_table *table = &from->detail->table[i];
        merge_histogram(miner, table_of(detail, table->type), &table->durations);
    }
}

void noise_miner_merge(noise_miner *miner, const noise_miner *other)
{
    assert(miner != other && miner->options.mode == other->options.mode);
    merge_types(miner, other);
    for (uint64_t r = 0; r < miner_rank_end(other); r++) {
        const miner_rank *from = miner_rank_at(other, r);
        if (from != NULL) {
            merge_rank(miner, rank_of(miner, (uint32_t)r), from);
        }
    }
}

sim_sink *noise_miner_sink(noise_miner *miner)
{
    return &miner->sink;
}
