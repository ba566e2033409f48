/* noise/miner/modern.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Mode modern; docs/noise-miner.md, section 2: the excess of all ranks
 * on one grid, peaks, sources, and per source the ranks it hits and when. A function of the state
 * alone, in order of rank: the same bytes however the stream was split. */
#include "lengths/peaks.h"
#include "miner/excess.h"
#include "miner/row.h"
#include "miner/rows.h"
#include "miner/state.h"
#include "timing/rhythms.h"

#include <math.h>
#include <string.h>

#define CHANCE     1e-3 /* false alarms, for all ranks together */
#define EFFORT     1e9  /* hits times frequencies over all ranks: a second or two */
#define MAX_LONE   65536
#define MAX_VALUES 65536 /* per peak, to look for one that repeats exactly */

/* One direction of the whole: what was slower, or what was faster. */
typedef struct side {
    const noise_miner *miner;
    noise_miner_report *report;
    miner_blame blame;
    GArray **values;   /* [num_peaks] of sim_time: a sample of each peak's excesses */
    GArray **affected; /* [sources] of miner_affected */
    GArray *example;   /* miner_example, all there are, by rank … */
    guint next_example;
    GArray **examples; /* … and [sources] of miner_example */
    miner_lone lone;
} side;

static const miner_histogram *of_side(const side *s, const miner_excess *excess)
{
    return s->blame.faster ? &excess->faster : &excess->slower;
}

typedef void (*visit)(side *s, uint32_t rank, const miner_rank *r, const miner_excess *excess,
                      void *data);

static void for_each_rank(side *s, visit f, void *data)
{
    for (uint64_t i = 0; i < miner_rank_end(s->miner); i++) {
        const miner_rank *rank = miner_rank_at(s->miner, i);
        if (rank != NULL && rank->detail != NULL) {
            miner_excess excess;
            noise_miner_excess_init(&excess, s->miner, rank);
            f(s, (uint32_t)i, rank, &excess, data);
            noise_miner_excess_clear(&excess);
        }
    }
}

static void count_bins(side *s, uint32_t rank, const miner_rank *r, const miner_excess *excess,
                       void *data)
{
    (void)rank;
    (void)r;
    uint64_t *count = data;
    const miner_histogram *h = of_side(s, excess);
    for (uint32_t i = 0; i < h->num_cells; i++) {
        count[h->cell[i].bin] += h->cell[i].count;
    }
}

/* Of each peak, the events of this rank whose expected duration was given. */
static void count_known(side *s, const miner_detail *detail)
{
    const miner_histogram *known = s->blame.faster ? &detail->faster : &detail->slower;
    for (uint32_t i = 0; i < known->num_cells; i++) {
        const int32_t owner = s->blame.owner[known->cell[i].bin];
        if (owner >= 0) {
            s->blame.peak[owner].known += (double)known->cell[i].count;
        }
    }
}

/* Events of each peak on this rank, and what its peaks have in common with each other. */
static void count_peaks(side *s, uint32_t rank, const miner_rank *r, const miner_excess *excess,
                        void *data)
{
    (void)rank;
    double *overlap = data;
    g_autoptr(GArray) hits = noise_miner_excess_hits(s->miner, r, excess, s->blame.faster);
    for (guint i = 0; i < hits->len; i++) {
        const miner_known_hit *known = &g_array_index(hits, miner_known_hit, i);
        const int32_t owner = s->blame.owner[known->bin];
        if (owner >= 0 && s->values[owner]->len < MAX_VALUES) {
            g_array_append_val(s->values[owner], known->hit.value);
        }
    }
    const miner_histogram *h = of_side(s, excess);
    g_autofree uint64_t *count = g_new0(uint64_t, s->blame.num_peaks);
    for (uint32_t i = 0; i < h->num_cells; i++) {
        const int32_t owner = s->blame.owner[h->cell[i].bin];
        if (owner >= 0) {
            noise_miner_peak_add(&s->blame.peak[owner], &h->cell[i]);
            count[owner] += h->cell[i].count;
        }
    }
    count_known(s, r->detail);
    for (uint32_t i = 0; i < s->blame.num_peaks; i++) {
        s->blame.peak[i].span += count[i] > 0 ? (double)miner_rank_span(r) : 0;
        for (uint32_t j = 0; j < s->blame.num_peaks && count[i] > 0; j++) {
            overlap[(size_t)i * s->blame.num_peaks + j] += count[j] > 0 ? (double)count[i] : 0;
        }
    }
}

static double all_span(const side *s)
{
    return s->report->run_time * (double)SIM_S;
}

/* Share out the cells of a rank: whole detours to their sources, rests to the culprit. */
static void share_out(side *s, const miner_histogram *h, const bool *on, miner_affected *sum)
{
    for (uint32_t i = 0; i < h->num_cells; i++) {
        const miner_cell *cell = &h->cell[i];
        const double n = (double)cell->count;
        const double length = miner_cell_sum(cell);
        const double time = length - (double)cell->missed;
        const int32_t owner = s->blame.owner[cell->bin];
        if (owner >= 0) {
            const miner_peak *p = &s->blame.peak[owner];
            double explained = 0;
            for (int part = 0; part < 2; part++) {
                const double each =
                    p->hits[part] > 0
                        ? g_array_index(s->blame.sources, miner_source, p->part[part]).length
                        : 0;
                explained += p->hits[part] * each;
            }
            for (int part = 0; part < 2 && p->hits[part] > 0; part++) {
                const double each =
                    g_array_index(s->blame.sources, miner_source, p->part[part]).length;
                const double off = length / n * each / explained - each;
                const double inner = (double)cell->sum_2 / n - pow((double)cell->sum / n, 2);
                miner_affected *to = &sum[p->part[part]];
                to->hits += n * p->hits[part];
                to->time += time * p->hits[part] * each / explained;
                to->whole += length * p->hits[part] * each / explained;
                to->square += n * (p->hits[part] * off * off + fmax(inner, 0));
                const double part_of_all = p->hits[part] * each / explained;
                to->cpu_time += time * part_of_all * (double)cell->num_cpu / n;
                to->cpu += (double)cell->cpu * part_of_all * (cell->num_cpu > 0);
            }
            continue;
        }
        const uint32_t source =
            noise_miner_blame_culprit(&s->blame, on, length / n, (double)cell->wall / n);
        if (source != MINER_NOBODY) {
            sum[source].partial += n;
            sum[source].time += time;
        } else if (!s->blame.faster) {
            s->report->residue_events += cell->count;
            s->report->residue_share += time / all_span(s);
            if (noise_miner_blame_is_beyond(&s->blame, on, length / n, (double)cell->wall / n)) {
                s->lone.events += cell->count;
                s->lone.share += time / all_span(s);
            }
        }
    }
}

static void add_seen(GArray *seen, sim_time first, sim_time last, double hits, sim_time wall)
{
    if (hits >= 1) {
        const miner_seen one = {first, MAX(first, last), (uint32_t)fmin(hits, UINT32_MAX), wall};
        g_array_append_val(seen, one);
    }
}

/* When the detours of a hit began: whole ones somewhere within the event; where it has the rest of
 * one as well, that one ended at a known instant and the others began later. */
static void see_hit(const side *s, const miner_known_hit *known, uint32_t source, GArray *seen)
{
    const miner_hit *hit = &known->hit;
    const double length = g_array_index(s->blame.sources, miner_source, source).length;
    const sim_time whole = noise_miner_round(length);
    const int32_t owner = s->blame.owner[known->bin];
    const miner_peak *p = owner >= 0 && s->blame.peak != NULL ? &s->blame.peak[owner] : NULL;
    if (p != NULL) {
        for (int part = 0; part < 2; part++) {
            if (p->hits[part] > 0 && p->part[part] == source) {
                const sim_time last = hit->end - MIN(whole, hit->value);
                add_seen(seen, hit->start, last, p->hits[part], hit->end - hit->start);
            }
        }
        return;
    }
    const double hits = floor((double)hit->value / length + 1e-6);
    const sim_time rest = hit->value - noise_miner_round(hits * length);
    add_seen(seen, hit->start + rest - whole, hit->start + rest - whole, 1, 0);
    add_seen(seen, hit->start + rest, hit->end - whole, hits, hit->end - hit->start - rest);
}

static int by_first(const void *a, const void *b)
{
    const miner_seen *x = a;
    const miner_seen *y = b;
    const int first = (x->first > y->first) - (x->first < y->first);
    const int last = (x->last > y->last) - (x->last < y->last);
    return first != 0 ? first : last != 0 ? last : (x->hits > y->hits) - (x->hits < y->hits);
}

/* Is a whole detour of this source in it? */
static bool holds(const side *s, const miner_known_hit *known, uint32_t source)
{
    const int32_t owner = s->blame.owner[known->bin];
    const miner_peak *p = owner >= 0 ? &s->blame.peak[owner] : NULL;
    return p != NULL &&
           ((p->hits[0] > 0 && p->part[0] == source) || (p->hits[1] > 0 && p->part[1] == source));
}

/* All hits by one source that are still remembered, from the instant on from which all are. Rests
 * only where most are whole: what varies a little looks like rests, in the rhythm of the program.
 */
static GArray *seen_of(const side *s, const GArray *hits, const bool *on, uint32_t source)
{
    GArray *seen = g_array_new(FALSE, FALSE, sizeof(miner_seen));
    g_autoptr(GArray) mine = g_array_new(FALSE, FALSE, sizeof(miner_known_hit));
    sim_time from = INT64_MIN;
    guint whole = 0;
    for (guint i = 0; i < hits->len; i++) {
        const miner_known_hit *known = &g_array_index(hits, miner_known_hit, i);
        const double wall = (double)(known->hit.end - known->hit.start);
        const bool own = s->blame.owner[known->bin] >= 0
                             ? holds(s, known, source)
                             : noise_miner_blame_culprit(&s->blame, on, (double)known->hit.value,
                                                         wall) == source;
        if (own) {
            from = MAX(from, known->from);
            whole += s->blame.owner[known->bin] >= 0;
            g_array_append_val(mine, *known);
        }
    }
    for (guint i = 0; i < mine->len; i++) {
        const miner_known_hit *known = &g_array_index(mine, miner_known_hit, i);
        if (known->hit.start >= from &&
            (s->blame.owner[known->bin] >= 0 || 2 * whole >= mine->len)) {
            see_hit(s, known, source, seen);
        }
    }
    g_array_sort(seen, by_first);
    return seen;
}

/* How many of the remembered hits that hold detours of one source only are as long as these, to the
 * picosecond. */
static void look_for_exact(const side *s, const GArray *hits, uint32_t source, miner_affected *sum)
{
    const double length = g_array_index(s->blame.sources, miner_source, source).length;
    for (guint i = 0; i < hits->len; i++) {
        const miner_known_hit *known = &g_array_index(hits, miner_known_hit, i);
        const int32_t owner = s->blame.owner[known->bin];
        const miner_peak *p = owner >= 0 ? &s->blame.peak[owner] : NULL;
        if (p != NULL && p->part[0] == source && p->hits[0] > 0 && p->hits[1] == 0) {
            sum->looked += 1;
            sum->exact += known->hit.value == noise_miner_round(p->hits[0] * length);
        }
    }
}

/* Shorter delays of the rank that may be rests of this source's detours: when those began. */
static GArray *rests_of(const side *s, const GArray *hits, uint32_t source)
{
    const double length = g_array_index(s->blame.sources, miner_source, source).length;
    GArray *rests = g_array_new(FALSE, FALSE, sizeof(miner_seen));
    for (guint i = 0; i < hits->len; i++) {
        const miner_known_hit *known = &g_array_index(hits, miner_known_hit, i);
        if (!holds(s, known, source) && (double)known->hit.value < length) {
            const sim_time began = known->hit.start + known->hit.value - noise_miner_round(length);
            add_seen(rests, began, began, 1, 0);
        }
    }
    return rests;
}

/* One entry for each rhythm, which takes its share of all there is. */
static void append_rhythms(const side *s, const GArray *seen, const GArray *rests,
                           const miner_affected *all, GArray *affected)
{
    miner_rhythm rhythm[MINER_MAX_RHYTHMS];
    const double ranks = s->report->ranks_seen;
    const size_t n = noise_miner_rhythms_find((const miner_seen *)(void *)seen->data, seen->len,
                                              CHANCE / ranks, EFFORT / ranks, all->visible, rhythm);
    if (n == 1 && all->visible > 0) { /* elsewhere the length of detours is known */
        rhythm[0].period =
            noise_miner_rhythm_with_rests((const miner_seen *)(void *)seen->data, seen->len,
                                          (const miner_seen *)(void *)rests->data, rests->len,
                                          CHANCE / ranks, EFFORT / ranks, rhythm[0].period);
    }
    for (size_t i = 0; i < n; i++) {
        const double share = rhythm[i].share;
        miner_affected one = *all;
        one.hits *= share;
        one.partial *= share;
        one.time *= share;
        one.whole *= share;
        one.square *= share;
        one.looked *= share;
        one.exact *= share;
        one.cpu_time *= share;
        one.cpu *= share;
        one.period = rhythm[i].period;
        one.split = n > 1;
        g_array_append_val(affected, one);
    }
}

/* Events of this rank that no source explains, of those that are remembered. */
static void add_lone_hits(side *s, uint32_t rank, const miner_rank *r, const GArray *hits,
                          const bool *on)
{
    for (guint i = 0; i < hits->len && s->lone.hit->len < MAX_LONE; i++) {
        const miner_known_hit *known = &g_array_index(hits, miner_known_hit, i);
        const double wall = (double)(known->hit.end - known->hit.start);
        if (s->blame.owner[known->bin] < 0 &&
            noise_miner_blame_is_beyond(&s->blame, on, (double)known->hit.value, wall)) {
            const miner_lone_hit one = {rank, known->hit, (double)miner_rank_span(r)};
            g_array_append_val(s->lone.hit, one);
        }
    }
}

/* The examples of this rank to their sources; to both where one event has two. */
static void share_out_examples(side *s, uint32_t rank, const miner_rank *r,
                               const miner_excess *excess, const bool *on)
{
    for (; s->next_example < s->example->len; s->next_example++) {
        miner_example *e = &g_array_index(s->example, miner_example, s->next_example);
        if (e->event.rank > rank) {
            return;
        }
        miner_known_hit known;
        if (e->event.rank < rank ||
            !noise_miner_excess_of(s->miner, r, excess, &e->event, s->blame.faster, &known)) {
            continue;
        }
        e->value = known.hit.value;
        const int32_t owner = s->blame.owner[known.bin];
        for (int part = 0; owner >= 0 && part < 2; part++) {
            if (s->blame.peak[owner].hits[part] > 0) {
                g_array_append_val(s->examples[s->blame.peak[owner].part[part]], *e);
            }
        }
        const double wall = (double)(e->event.end - e->event.start);
        const uint32_t source =
            owner < 0 ? noise_miner_blame_culprit(&s->blame, on, (double)e->value, wall)
                      : MINER_NOBODY;
        if (source != MINER_NOBODY) {
            g_array_append_val(s->examples[source], *e);
        }
    }
}

static void attribute(side *s, uint32_t rank, const miner_rank *r, const miner_excess *excess,
                      void *data)
{
    (void)data;
    const miner_histogram *h = of_side(s, excess);
    g_autofree bool *on = noise_miner_blame_known(&s->blame, h);
    g_autofree miner_affected *sum = g_new0(miner_affected, s->blame.sources->len + 1);
    share_out(s, h, on, sum);
    share_out_examples(s, rank, r, excess, on);
    g_autoptr(GArray) hits = noise_miner_excess_hits(s->miner, r, excess, s->blame.faster);
    add_lone_hits(s, rank, r, hits, on);
    for (guint i = 0; i < s->blame.sources->len; i++) {
        if (sum[i].hits + sum[i].partial > 0) {
            g_autoptr(GArray) seen = seen_of(s, hits, on, i);
            look_for_exact(s, hits, i, &sum[i]);
            sum[i].rank = rank;
            sum[i].span = (double)miner_rank_span(r);
            sum[i].visible = noise_miner_excess_visible(
                r, g_array_index(s->blame.sources, miner_source, i).length);
            g_autoptr(GArray) rests = rests_of(s, hits, i);
            append_rhythms(s, seen, rests, &sum[i], s->affected[i]);
        }
    }
}

/* Peaks of the whole, and the sources that explain them. */
static void find_sources(side *s)
{
    g_autofree uint64_t *count = g_new0(uint64_t, MINER_BINS);
    for_each_rank(s, count_bins, count);
    g_autoptr(GArray) cores = noise_miner_cores_new(count, s->blame.owner);
    s->blame.num_peaks = cores->len;
    s->blame.peak = g_new0(miner_peak, s->blame.num_peaks);
    s->values = g_new0(GArray *, s->blame.num_peaks);
    for (uint32_t i = 0; i < s->blame.num_peaks; i++) {
        s->values[i] = g_array_new(FALSE, FALSE, sizeof(sim_time));
    }
    g_autofree double *overlap = g_new0(double, (size_t)s->blame.num_peaks * s->blame.num_peaks);
    for_each_rank(s, count_peaks, overlap);
    for (uint32_t i = 0; i < s->blame.num_peaks; i++) {
        GArray *values = s->values[i];
        noise_miner_peak_find_exact(&s->blame.peak[i], (sim_time *)(void *)values->data,
                                    values->len);
        g_array_unref(values);
    }
    g_free(s->values);
    noise_miner_fold_drop_rests(s->blame.peak, s->blame.num_peaks, overlap);
    for (uint32_t b = 0; b < MINER_BINS; b++) {
        s->blame.owner[b] = s->blame.owner[b] >= 0 && s->blame.peak[s->blame.owner[b]].count > 0
                                ? s->blame.owner[b]
                                : -1;
    }
    s->blame.sources = noise_miner_fold(s->blame.peak, s->blame.num_peaks, overlap);
}

static GArray *mine_side(const noise_miner *miner, noise_miner_report *report, bool faster)
{
    side s = {.miner = miner, .report = report, .blame = {.faster = faster}};
    find_sources(&s);
    s.affected = g_new0(GArray *, s.blame.sources->len);
    s.examples = g_new0(GArray *, s.blame.sources->len);
    s.example = noise_miner_examples_new(miner);
    for (guint i = 0; i < s.blame.sources->len; i++) {
        s.examples[i] = g_array_new(FALSE, FALSE, sizeof(miner_example));
        s.affected[i] = g_array_new(FALSE, FALSE, sizeof(miner_affected));
    }
    s.lone.hit = g_array_new(FALSE, FALSE, sizeof(miner_lone_hit));
    for_each_rank(&s, attribute, NULL);
    GArray *rows = g_array_new(FALSE, TRUE, sizeof(noise_miner_row));
    for (guint i = 0; i < s.blame.sources->len; i++) {
        noise_miner_rows_append(miner, &s.blame, i, (miner_affected *)(void *)s.affected[i]->data,
                                s.affected[i]->len, s.examples[i], report, rows);
        g_array_unref(s.affected[i]);
        g_array_unref(s.examples[i]);
    }
    noise_miner_rows_append_lone(miner, &s.lone, report, rows);
    g_array_unref(s.lone.hit);
    noise_miner_rows_sort(rows);
    g_array_unref(s.blame.sources);
    g_array_unref(s.example);
    g_free(s.affected);
    g_free(s.examples);
    g_free(s.blame.peak);
    return rows;
}

void noise_miner_modern_report(const noise_miner *miner, noise_miner_report *report)
{
    GArray *rows = mine_side(miner, report, false);
    GArray *faster = mine_side(miner, report, true);
    report->num_rows = rows->len;
    report->rows = (noise_miner_row *)(void *)g_array_free(rows, FALSE);
    report->num_faster = faster->len;
    report->faster = (noise_miner_row *)(void *)g_array_free(faster, FALSE);
}
