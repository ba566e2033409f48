/* noise/lengths/tempo.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_tempo, test_miner_drift. */
#include "lengths/tempo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_EVENTS 16   /* in an epoch, to have a mode */
#define LEAST_STEP   0.02 /* relative */
#define ERRORS       5.0
/* Of the events of an epoch: more, and the mode has not moved as a whole. */
#define LEFT_BEHIND  0.05
#define MOST_BETWEEN 1 /* epochs in which a step may be */

miner_hill noise_tempo_hill(const uint64_t count[MINER_BINS])
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < MINER_BINS; i++) {
        total += count[i];
    }
    g_autoptr(GArray) hills = noise_miner_hills_new(count, MINER_BINS);
    const miner_hill *hill = &g_array_index(hills, miner_hill, 0);
    guint largest = 0;
    for (guint i = 0; i < hills->len; i++) {
        if ((double)hill[i].count >= MINER_EXPECTED_SHARE * (double)total) {
            return hill[i];
        }
        largest = hill[i].count > hill[largest].count ? i : largest;
    }
    return hill[largest];
}

/* How many events of each cell began in each epoch. */
typedef struct table {
    const miner_histogram *h;
    uint32_t num;    /* epochs */
    uint32_t *count; /* [num][cells] */
    double events[MINER_EPOCHS];
} table;

static void table_init(table *t, const miner_histogram *h, miner_grid grid, uint32_t num)
{
    *t = (table){.h = h, .num = num, .count = g_new0(uint32_t, (size_t)num * h->num_cells + 1)};
    for (uint32_t c = 0; c < h->num_cells; c++) {
        for (uint32_t i = 0; i < MINER_EPOCHS; i++) {
            const uint32_t n = h->cell[c].epoch[i];
            const uint32_t e = noise_epochs_find(miner_cell_grid(&h->cell[c]), i, grid);
            if (n > 0 && e < num) {
                t->count[(size_t)e * h->num_cells + c] += n;
                t->events[e] += n;
            }
        }
    }
}

static uint32_t events_of(const table *t, uint32_t epoch, uint32_t cell)
{
    return t->count[(size_t)epoch * t->h->num_cells + cell];
}

/* Share of the events of an epoch in some bins, those of another mode left out. */
static double share_in(const table *t, uint32_t epoch, const miner_mode *in,
                       const miner_mode *without)
{
    double sum = 0;
    for (uint32_t c = 0; c < t->h->num_cells; c++) {
        const uint32_t bin = t->h->cell[c].bin;
        if (bin >= in->first && bin <= in->last && (bin < without->first || bin > without->last)) {
            sum += events_of(t, epoch, c);
        }
    }
    return sum / t->events[epoch];
}

/* Cheap, and nearly always true: the fullest cells of all epochs are one, or as long. */
static bool stays(const table *t)
{
    double least = INFINITY;
    double most = 0;
    for (uint32_t e = 0; e < t->num; e++) {
        uint32_t fullest = 0;
        for (uint32_t c = 1; c < t->h->num_cells; c++) {
            fullest = events_of(t, e, c) > events_of(t, e, fullest) ? c : fullest;
        }
        if (t->events[e] >= LEAST_EVENTS) {
            least = fmin(least, miner_cell_mean(&t->h->cell[fullest]));
            most = fmax(most, miner_cell_mean(&t->h->cell[fullest]));
        }
    }
    return !(most > (1 + LEAST_STEP) * least);
}

/* Its cells are taken to be alike in all epochs: within 3 % they are. */
static miner_mode mode_of(const table *t, uint32_t epoch)
{
    g_autofree uint64_t *count = g_new0(uint64_t, MINER_BINS);
    for (uint32_t c = 0; c < t->h->num_cells; c++) {
        count[t->h->cell[c].bin] = events_of(t, epoch, c);
    }
    const miner_hill hill = noise_tempo_hill(count);
    miner_mode mode = {.first = hill.first, .last = hill.last, .cpu = -1};
    double square = 0;
    double cpu = 0;
    double num_cpu = 0;
    for (uint32_t c = 0; c < t->h->num_cells; c++) {
        const miner_cell *cell = &t->h->cell[c];
        const double n = events_of(t, epoch, c);
        if (n > 0 && cell->bin >= hill.first && cell->bin <= hill.last) {
            const double above = (double)cell->sum / (double)cell->count;
            const double inner = fmax((double)cell->sum_2 / (double)cell->count - above * above, 0);
            const double step = miner_cell_mean(cell) - mode.duration;
            mode.events += n;
            mode.duration += step * n / mode.events;
            square += n * inner + step * step * n * (mode.events - n) / mode.events;
            cpu += cell->num_cpu > 0 ? n * (double)cell->cpu / (double)cell->num_cpu : 0;
            num_cpu += cell->num_cpu > 0 ? n : 0;
        }
    }
    mode.spread = sqrt(square / mode.events);
    mode.cpu = num_cpu > 0 ? cpu / num_cpu : -1;
    return mode;
}

static bool differs(const miner_mode *a, const miner_mode *b)
{
    const double off = fabs(a->duration - b->duration);
    const double error =
        sqrt(a->spread * a->spread / a->events + b->spread * b->spread / b->events);
    return off > LEAST_STEP * fmin(a->duration, b->duration) && off > fmax(a->spread, b->spread) &&
           off > ERRORS * error;
}

/* The mode of two epochs of a part together. */
static miner_mode joined(const miner_mode *a, const miner_mode *b)
{
    const double events = a->events + b->events;
    const double share = b->events / events;
    const double step = b->duration - a->duration;
    miner_mode both = *a;
    both.first = MIN(a->first, b->first);
    both.last = MAX(a->last, b->last);
    both.events = events;
    both.duration += step * share;
    both.spread = sqrt((1 - share) * a->spread * a->spread + share * b->spread * b->spread +
                       step * step * share * (1 - share));
    both.cpu = a->cpu >= 0 && b->cpu >= 0 ? a->cpu + (b->cpu - a->cpu) * share : -1;
    return both;
}

/* Was nearly nothing of a new mode there before? The step may be in what was the last epoch of the
 * part, which then is between the two. */
static bool leave(const table *t, miner_tempo *tempo, uint32_t p, const miner_mode *mode)
{
    const uint32_t last = tempo->end[p] - 1;
    if (share_in(t, last, mode, &tempo->part[p]) <= LEFT_BEHIND) {
        return true;
    }
    for (uint32_t e = last; e-- > tempo->begin[p];) {
        if (t->events[e] >= LEAST_EVENTS) {
            tempo->end[p] = e + 1;
            return share_in(t, e, mode, &tempo->part[p]) <= LEFT_BEHIND;
        }
    }
    return false;
}

/* One epoch more. @return false: some of the events have changed sides, and some have not */
static bool take(const table *t, uint32_t epoch, miner_tempo *tempo, uint32_t *between)
{
    const miner_mode mode = mode_of(t, epoch);
    const uint32_t p = tempo->num_parts - 1;
    if (tempo->num_parts > 0 && !differs(&mode, &tempo->part[p])) {
        tempo->part[p] = joined(&tempo->part[p], &mode);
        tempo->end[p] = epoch + 1;
        *between = 0;
        return true;
    }
    if (tempo->num_parts > 0) {
        if (share_in(t, epoch, &tempo->part[p], &mode) > LEFT_BEHIND) {
            return ++*between <= MOST_BETWEEN;
        }
        if (!leave(t, tempo, p, &mode)) {
            return false;
        }
    }
    tempo->part[tempo->num_parts] = mode;
    tempo->begin[tempo->num_parts] = epoch;
    tempo->end[tempo->num_parts] = epoch + 1;
    tempo->num_parts++;
    *between = 0;
    return true;
}

miner_tempo noise_tempo_find(const miner_histogram *durations, miner_grid grid, uint32_t num,
                             const miner_mode *whole)
{
    table t;
    miner_tempo tempo = {.num_parts = 0};
    uint32_t between = 0;
    table_init(&t, durations, grid, num);
    bool moves = !stays(&t);
    for (uint32_t e = 0; moves && e < num; e++) {
        if (t.events[e] >= LEAST_EVENTS) {
            moves = take(&t, e, &tempo, &between);
        }
    }
    g_free(t.count);
    if (!moves || tempo.num_parts < 2) {
        tempo = (miner_tempo){.num_parts = 1, .part = {*whole}, .end = {num}};
    }
    return tempo;
}

/* The last epoch before a part, and the first after it, may hold some of its events, too. */
static bool may_hold(const miner_tempo *tempo, uint32_t part, uint32_t epoch)
{
    return (part == 0 || epoch + 1 >= tempo->end[part - 1]) &&
           (part + 1 == tempo->num_parts || epoch <= tempo->begin[part + 1]);
}

uint32_t noise_tempo_references(const miner_tempo *tempo, uint32_t epoch, uint32_t bin,
                                const miner_mode *mode[MINER_EPOCHS])
{
    uint32_t n = 0;
    bool slower = false;
    for (uint32_t p = 0; p < tempo->num_parts; p++) {
        const miner_mode *one = &tempo->part[p];
        if (!may_hold(tempo, p, epoch)) {
            continue;
        }
        if (bin >= one->first && bin <= one->last) {
            return 0;
        }
        if (bin > one->last && !slower) { /* rather slower than some than faster than others */
            slower = true;
            n = 0;
        }
        if ((bin > one->last) == slower) {
            mode[n++] = one;
        }
    }
    return n;
}

const miner_mode *noise_tempo_at(const miner_tempo *tempo, uint32_t epoch)
{
    for (uint32_t p = 0; p < tempo->num_parts; p++) {
        if (epoch >= tempo->begin[p] && epoch < tempo->end[p]) {
            return &tempo->part[p];
        }
    }
    return NULL;
}
