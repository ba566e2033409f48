/* noise/miner/excess.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_modern. */
#include "miner/excess.h"

#include "miner/peaks.h"

#include <math.h>
#include <string.h>

#define EXPECTED_SHARE 0.25
#define MOST_SUM       0x1p127
#define ROUNDING       1.5 /* ticks: both ends are rounded, and the expectation is a mean */

/* The hill of durations that noise did not touch. */
static miner_hill expected_hill(const miner_histogram *durations)
{
    g_autofree uint64_t *count = g_new0(uint64_t, MINER_BINS);
    uint64_t total = 0;
    for (uint32_t i = 0; i < durations->num_cells; i++) {
        count[durations->cell[i].bin] = durations->cell[i].count;
        total += durations->cell[i].count;
    }
    g_autoptr(GArray) hills = noise_miner_hills_new(count, MINER_BINS);
    const miner_hill *hill = &g_array_index(hills, miner_hill, 0);
    guint largest = 0;
    for (guint i = 0; i < hills->len; i++) {
        if ((double)hill[i].count >= EXPECTED_SHARE * (double)total) {
            return hill[i];
        }
        largest = hill[i].count > hill[largest].count ? i : largest;
    }
    return hill[largest];
}

/* Of an event without noise, ps. */
typedef struct expectation {
    double duration;
    double cpu; /* -1: not known */
} expectation;

/* Move a cell of durations to where its excess over @p expected belongs; rounding is none. */
static void add_shifted(miner_histogram *to, miner_memory *memory, const miner_cell *cell,
                        expectation expected, double sign, double rounding)
{
    const double n = (double)cell->count;
    const double mean = sign * (miner_cell_mean(cell) - expected.duration);
    if (!(mean > rounding)) {
        return;
    }
    const miner_place place = miner_place_log((sim_time)mean);
    const double inner = fmax((double)cell->sum_2 / n - pow((double)cell->sum / n, 2), 0);
    const double above = mean - (double)place.floor;
    miner_cell shifted = *cell;
    shifted.bin = place.bin;
    shifted.floor = place.floor;
    shifted.sum = (miner_u128)round(above * n);
    shifted.sum_2 = (miner_u128)fmin((inner + above * above) * n, MOST_SUM);
    const double cpu = sign * ((double)cell->cpu - (double)cell->num_cpu * expected.cpu);
    shifted.cpu = (miner_u128)fmin(fmax(cpu, 0), MOST_SUM); /* of the excess alone */
    shifted.num_cpu = expected.cpu >= 0 ? cell->num_cpu : 0;
    noise_miner_histogram_add_cell(to, memory, &shifted);
}

/* What their events were expected to use of a CPU is not known. */
static void add_known(miner_histogram *to, miner_memory *memory, const miner_histogram *known)
{
    for (uint32_t i = 0; i < known->num_cells; i++) {
        miner_cell cell = known->cell[i];
        cell.num_cpu = 0;
        noise_miner_histogram_add_cell(to, memory, &cell);
    }
}

static expectation find_expected(const miner_histogram *durations, miner_hill *hill)
{
    *hill = expected_hill(durations);
    double sum = 0;
    double count = 0;
    double cpu = 0;
    double num_cpu = 0;
    for (uint32_t i = 0; i < durations->num_cells; i++) {
        const miner_cell *cell = &durations->cell[i];
        if (cell->bin >= hill->first && cell->bin <= hill->last) {
            sum += miner_cell_sum(cell);
            count += (double)cell->count;
            cpu += (double)cell->cpu;
            num_cpu += (double)cell->num_cpu;
        }
    }
    return (expectation){sum / count, num_cpu > 0 ? cpu / num_cpu : -1};
}

void noise_miner_excess_init(miner_excess *excess, const noise_miner *miner, const miner_rank *rank)
{
    *excess = (miner_excess){.expected = NULL};
    const miner_detail *detail = rank->detail;
    if (detail == NULL) {
        return;
    }
    add_known(&excess->slower, &excess->memory, &detail->slower);
    add_known(&excess->faster, &excess->memory, &detail->faster);
    const double rounding = ROUNDING * (double)miner->options.tick;
    excess->expected = g_new0(double, detail->num_tables);
    for (uint32_t t = 0; t < detail->num_tables; t++) {
        const miner_histogram *durations = &detail->table[t].durations;
        miner_hill hill;
        const expectation expected = find_expected(durations, &hill);
        excess->expected[t] = expected.duration;
        for (uint32_t i = 0; i < durations->num_cells; i++) {
            const miner_cell *cell = &durations->cell[i];
            if (cell->bin < hill.first) {
                add_shifted(&excess->faster, &excess->memory, cell, expected, -1, rounding);
            } else if (cell->bin > hill.last) {
                add_shifted(&excess->slower, &excess->memory, cell, expected, 1, rounding);
            }
        }
    }
}

void noise_miner_excess_clear(miner_excess *excess)
{
    noise_miner_histogram_clear(&excess->slower, &excess->memory);
    noise_miner_histogram_clear(&excess->faster, &excess->memory);
    g_free(excess->expected);
}

/* Of its latest events; a window that has lost some is complete from its first one on. */
static const miner_hit *latest(const miner_histogram *h, const miner_window *w, uint32_t limit,
                               uint32_t *n, sim_time *from)
{
    uint64_t seen = 0;
    for (uint32_t i = 0; i < h->num_cells; i++) {
        seen += h->cell[i].bin / MINER_BINS_PER_CLASS == w->key ? h->cell[i].count : 0;
    }
    *n = MIN(w->num, limit);
    const miner_hit *hit = w->hit + w->num - *n;
    *from = seen > *n ? hit[0].start : INT64_MIN;
    return hit;
}

static void hits_of_known(const miner_histogram *h, uint32_t limit, GArray *hits)
{
    for (uint32_t w = 0; w < h->num_windows; w++) {
        miner_known_hit known;
        uint32_t n = 0;
        const miner_hit *hit = latest(h, &h->window[w], limit, &n, &known.from);
        for (uint32_t i = 0; i < n; i++) {
            known.hit = hit[i];
            known.bin = miner_bin(hit[i].value);
            g_array_append_val(hits, known);
        }
    }
}

double noise_miner_excess_visible(const miner_rank *rank, double length)
{
    const miner_detail *detail = rank->detail;
    const double span = (double)miner_rank_span(rank);
    double seen = 0;
    if (detail->slower.num_cells > 0 || detail->faster.num_cells > 0 || span <= 0) {
        return 0;
    }
    for (uint32_t t = 0; t < detail->num_tables; t++) {
        const miner_histogram *h = &detail->table[t].durations;
        for (uint32_t i = 0; i < h->num_cells; i++) {
            seen += (double)h->cell[i].wall + (double)h->cell[i].count * length;
        }
    }
    return fmin(seen / span, 1);
}

static void hits_of_table(const miner_histogram *h, uint32_t limit, double expected, double sign,
                          double rounding, GArray *hits)
{
    double bin_mean[MINER_BINS]; /* cells were moved as a whole: their events go where they went */
    for (uint32_t i = 0; i < h->num_cells; i++) {
        bin_mean[h->cell[i].bin] = miner_cell_mean(&h->cell[i]);
    }
    for (uint32_t w = 0; w < h->num_windows; w++) {
        miner_known_hit known;
        uint32_t n = 0;
        const miner_hit *hit = latest(h, &h->window[w], limit, &n, &known.from);
        for (uint32_t i = 0; i < n; i++) {
            const double mean = sign * (bin_mean[miner_bin(hit[i].value)] - expected);
            known.hit = hit[i];
            known.hit.value = (sim_time)llround(sign * ((double)hit[i].value - expected));
            if (mean > rounding && known.hit.value > 0) {
                known.bin = miner_bin((sim_time)mean);
                g_array_append_val(hits, known);
            }
        }
    }
}

GArray *noise_miner_excess_hits(const noise_miner *miner, const miner_rank *rank,
                                const miner_excess *excess, bool faster)
{
    GArray *hits = g_array_new(FALSE, FALSE, sizeof(miner_known_hit));
    const miner_detail *detail = rank->detail;
    if (detail == NULL) {
        return hits;
    }
    const uint32_t limit = noise_miner_window_limit(miner);
    hits_of_known(faster ? &detail->faster : &detail->slower, limit, hits);
    for (uint32_t t = 0; t < detail->num_tables; t++) {
        hits_of_table(&detail->table[t].durations, limit, excess->expected[t], faster ? -1 : 1,
                      ROUNDING * (double)miner->options.tick, hits);
    }
    return hits;
}

/* The cell of a bin; NULL: none. */
static const miner_cell *cell_at(const miner_histogram *h, uint32_t bin)
{
    for (uint32_t i = 0; i < h->num_cells; i++) {
        if (h->cell[i].bin == bin) {
            return &h->cell[i];
        }
    }
    return NULL;
}

bool noise_miner_excess_of(const noise_miner *miner, const miner_rank *rank,
                           const miner_excess *excess, const noise_miner_event *event, bool faster,
                           miner_known_hit *known)
{
    const sim_time duration = noise_miner_event_duration(event);
    const double sign = faster ? -1 : 1;
    *known = (miner_known_hit){.hit = {event->start, event->end, 0}};
    if (event->expected >= 0) {
        const sim_time value = faster ? event->expected - duration : duration - event->expected;
        known->hit.value = faster ? value : MAX(value, event->detour);
        known->bin = miner_bin(MAX(known->hit.value, 0));
        return value > 0;
    }
    for (uint32_t t = 0; t < rank->detail->num_tables; t++) {
        if (rank->detail->table[t].type == event->type) {
            const miner_cell *cell =
                cell_at(&rank->detail->table[t].durations, miner_bin(duration));
            const double mean =
                cell != NULL ? sign * (miner_cell_mean(cell) - excess->expected[t]) : 0;
            known->hit.value = (sim_time)llround(sign * ((double)duration - excess->expected[t]));
            known->bin = miner_bin((sim_time)fmax(mean, 0));
            return mean > ROUNDING * (double)miner->options.tick && known->hit.value > 0;
        }
    }
    return false;
}
