/* noise/miner/excess.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_modern. */
#include "miner/excess.h"

#include <math.h>
#include <string.h>

#define MOST_SUM   0x1p127
#define MOST_TIMES 0x1p63 /* a sum of times, ps */
#define ROUNDING   1.5    /* ticks: both ends are rounded, and the expectation is a mean */

/* Move a cell of durations to where its excess over @p expected belongs; rounding is none. */
static void add_shifted(miner_histogram *to, miner_memory *memory, const miner_cell *cell,
                        const miner_mode *expected, double sign, double rounding)
{
    const double n = (double)cell->count;
    const double mean = sign * (miner_cell_mean(cell) - expected->duration);
    if (!(mean > rounding)) {
        return;
    }
    const miner_place place = miner_place_log((sim_time)mean);
    const double inner = fmax((double)cell->sum_2 / n - pow((double)cell->sum / n, 2), 0);
    const double above = mean - (double)place.floor;
    miner_cell shifted = *cell;
    shifted.bin = place.bin & 0xffffff;
    shifted.sum = (uint64_t)fmin(round(above * n), MOST_TIMES);
    shifted.sum_2 = (miner_u128)fmin((inner + above * above) * n, MOST_SUM);
    const double cpu = sign * ((double)cell->cpu - (double)cell->num_cpu * expected->cpu);
    shifted.cpu = (uint64_t)fmin(fmax(cpu, 0), MOST_TIMES); /* of the excess alone */
    shifted.num_cpu = expected->cpu >= 0 ? cell->num_cpu : 0;
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

/* How many events are known to have lasted about so much longer, or shorter. */
static uint64_t count_like(const miner_histogram *h, double excess)
{
    const uint32_t bin = miner_bin((sim_time)excess);
    uint64_t count = 0;
    for (uint32_t i = 0; i < h->num_cells; i++) {
        count += h->cell[i].bin + 1U >= bin && h->cell[i].bin <= bin + 1 ? h->cell[i].count : 0;
    }
    return count;
}

/* What an event of a cell is judged by in an epoch; NULL: it is as expected. Beside a step it is
 * not known on which side of it the event was: then by what makes it like more others. */
static const miner_mode *judge(const miner_excess *excess, const miner_tempo *tempo, uint32_t epoch,
                               const miner_cell *cell, bool *doubtful)
{
    const miner_mode *mode[MINER_EPOCHS];
    const uint32_t n = noise_tempo_references(tempo, epoch, cell->bin, mode);
    uint32_t best = 0;
    uint64_t most = 0;
    *doubtful = n > 1;
    for (uint32_t i = 0; n > 1 && i < n; i++) {
        const double off = miner_cell_mean(cell) - mode[i]->duration;
        const uint64_t count = count_like(off > 0 ? &excess->slower : &excess->faster, fabs(off));
        best = count > most ? i : best;
        most = MAX(count, most);
    }
    return n > 0 ? mode[best] : NULL;
}

/* Of its events those of the epochs that are judged by @p mode, with doubts or without. */
static miner_cell judged_by(const miner_excess *excess, const noise_miner *miner,
                            const miner_cell *cell, const miner_tempo *tempo,
                            const miner_mode *mode, bool doubtful)
{
    double all = 0;
    double some = 0;
    miner_cell part = *cell;
    for (uint32_t i = 0; i < MINER_EPOCHS; i++) {
        const uint32_t e = noise_epochs_find(miner_cell_grid(cell), i, miner->grid);
        bool doubt = false;
        all += cell->epoch[i];
        if (cell->epoch[i] > 0 && judge(excess, tempo, e, cell, &doubt) == mode &&
            doubt == doubtful) {
            some += cell->epoch[i];
        } else {
            part.epoch[i] = 0;
        }
    }
    const double share = some / all;
    part.count = (uint64_t)llround((double)cell->count * share);
    part.sum = (uint64_t)round((double)cell->sum * share);
    part.sum_2 = (miner_u128)round((double)cell->sum_2 * share);
    part.wall = (uint64_t)round((double)cell->wall * share);
    part.num_cpu = MIN(part.count, (uint64_t)llround((double)cell->num_cpu * share));
    part.cpu = (uint64_t)round((double)cell->cpu * share);
    return part;
}

/* A cell of durations, to where its excess belongs. */
static void add_cell(miner_excess *excess, const noise_miner *miner, const miner_cell *cell,
                     const miner_mode *mode)
{
    const double rounding = ROUNDING * (double)miner->options.tick;
    if (cell->count > 0 && cell->bin < mode->first) {
        add_shifted(&excess->faster, &excess->memory, cell, mode, -1, rounding);
    } else if (cell->count > 0 && cell->bin > mode->last) {
        add_shifted(&excess->slower, &excess->memory, cell, mode, 1, rounding);
    }
}

/* All of a type: by its tempo in each epoch, those that leave no doubt first. */
static void add_table(miner_excess *excess, const noise_miner *miner, const miner_histogram *h,
                      const miner_tempo *tempo)
{
    for (int doubtful = 0; doubtful < (tempo->num_parts > 1 ? 2 : 1); doubtful++) {
        for (uint32_t i = 0; i < h->num_cells; i++) {
            for (uint32_t p = 0; p < tempo->num_parts; p++) {
                const miner_mode *mode = &tempo->part[p];
                const miner_cell cell =
                    tempo->num_parts == 1
                        ? h->cell[i]
                        : judged_by(excess, miner, &h->cell[i], tempo, mode, doubtful == 1);
                add_cell(excess, miner, &cell, mode);
            }
        }
    }
}

void noise_miner_excess_init(miner_excess *excess, const noise_miner *miner, const miner_rank *rank)
{
    *excess = (miner_excess){.tempos = {.tempo = NULL}};
    const miner_detail *detail = rank->detail;
    if (detail == NULL) {
        return;
    }
    add_known(&excess->slower, &excess->memory, &detail->slower);
    add_known(&excess->faster, &excess->memory, &detail->faster);
    excess->tempos = noise_miner_tempos_find(miner, rank);
    for (uint32_t t = 0; t < detail->num_tables; t++) {
        add_table(excess, miner, &detail->table[t].durations, &excess->tempos.tempo[t]);
    }
}

void noise_miner_excess_clear(miner_excess *excess)
{
    noise_miner_histogram_clear(&excess->slower, &excess->memory);
    noise_miner_histogram_clear(&excess->faster, &excess->memory);
    noise_miner_tempos_clear(&excess->tempos);
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

/* What an event that began then is judged by; NULL: it is as expected. */
static const miner_mode *mode_at(const noise_miner *miner, const miner_excess *excess,
                                 const miner_tempo *tempo, sim_time start, const miner_cell *cell)
{
    if (tempo->num_parts == 1) {
        return &tempo->part[0];
    }
    const uint64_t epoch = noise_epochs_of(miner->grid, start);
    bool doubtful = false;
    return judge(excess, tempo, (uint32_t)MIN(epoch, MINER_EPOCHS), cell, &doubtful);
}

static void hits_of_table(const noise_miner *miner, const miner_excess *excess,
                          const miner_histogram *h, const miner_tempo *tempo, double sign,
                          GArray *hits)
{
    const uint32_t limit = noise_miner_window_limit(miner);
    const double rounding = ROUNDING * (double)miner->options.tick;
    const miner_cell *cell[MINER_BINS]; /* were moved as a whole: events go where they went */
    for (uint32_t i = 0; i < h->num_cells; i++) {
        cell[h->cell[i].bin] = &h->cell[i];
    }
    for (uint32_t w = 0; w < h->num_windows; w++) {
        miner_known_hit known;
        uint32_t n = 0;
        const miner_hit *hit = latest(h, &h->window[w], limit, &n, &known.from);
        for (uint32_t i = 0; i < n; i++) {
            const miner_cell *c = cell[miner_bin(hit[i].value)];
            const miner_mode *mode = mode_at(miner, excess, tempo, hit[i].start, c);
            if (mode == NULL) {
                continue;
            }
            const double mean = sign * (miner_cell_mean(c) - mode->duration);
            if (!(mean > rounding)) {
                continue;
            }
            known.hit = hit[i];
            known.hit.value = (sim_time)llround(sign * ((double)hit[i].value - mode->duration));
            known.bin = miner_bin((sim_time)mean);
            if (known.hit.value > 0) {
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
        hits_of_table(miner, excess, &detail->table[t].durations, &excess->tempos.tempo[t],
                      faster ? -1 : 1, hits);
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
            const miner_mode *mode =
                cell != NULL ? mode_at(miner, excess, &excess->tempos.tempo[t], event->start, cell)
                             : NULL;
            if (mode == NULL) {
                return false;
            }
            const double mean = sign * (miner_cell_mean(cell) - mode->duration);
            known->hit.value = (sim_time)llround(sign * ((double)duration - mode->duration));
            known->bin = miner_bin((sim_time)fmax(mean, 0));
            return mean > ROUNDING * (double)miner->options.tick && known->hit.value > 0;
        }
    }
    return false;
}
