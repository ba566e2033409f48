/* apps/ripple/mining/exemplar_choice.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_exemplar. */
#include "mining/exemplar_choice.h"

#include <stdlib.h>

#define CLOSE 0.15 /* of t_noise */

/* An event of a row, with what it is chosen by. */
typedef struct candidate {
    app_chosen chosen;
    sim_time excess;
    uint64_t draw;
} candidate;

#define COMPARE(x, y)                                                                              \
    if ((x) != (y)) {                                                                              \
        return (x) < (y) ? -1 : 1;                                                                 \
    }

static int by_type_and_duration(const void *a, const void *b)
{
    const noise_miner_event *x = &((const noise_call_event *)a)->event;
    const noise_miner_event *y = &((const noise_call_event *)b)->event;
    COMPARE(x->type, y->type)
    COMPARE(noise_miner_event_duration(x), noise_miner_event_duration(y))
    COMPARE(x->start, y->start)
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const app_chosen *x = &((const candidate *)a)->chosen;
    const app_chosen *y = &((const candidate *)b)->chosen;
    COMPARE(x->row, y->row)
    COMPARE(x->event.event.start, y->event.event.start)
    COMPARE(x->event.event.rank, y->event.event.rank)
    COMPARE(x->event.event.type, y->event.event.type)
    return 0;
}

static int by_recency(const void *a, const void *b)
{
    return by_place(b, a);
}

static int by_size(const void *a, const void *b)
{
    COMPARE(((const candidate *)b)->excess, ((const candidate *)a)->excess)
    return by_place(a, b);
}

static int by_draw(const void *a, const void *b)
{
    COMPARE(((const candidate *)a)->draw, ((const candidate *)b)->draw)
    return by_place(a, b);
}

static bool has_rank(const noise_miner_row *row, uint32_t rank)
{
    for (uint32_t i = 0; i < row->num_ranges; i++) {
        if (rank >= row->ranks[i][0] && rank <= row->ranks[i][1]) {
            return true;
        }
    }
    return false;
}

/* The row of its rank whose t_noise is closest; SIZE_MAX: none is close. */
static size_t row_of(const noise_miner_report *report, uint32_t rank, sim_time excess)
{
    size_t best = SIZE_MAX;
    double least = CLOSE;
    for (size_t i = 0; i < report->num_rows; i++) {
        const double t_noise = (double)report->rows[i].t_noise;
        const double away = t_noise > 0 ? ABS((double)excess - t_noise) / t_noise : CLOSE;
        if (away < least && has_rank(&report->rows[i], rank)) {
            least = away;
            best = i;
        }
    }
    return best;
}

static bool is_hit(const noise_miner_report *report, uint32_t rank)
{
    for (size_t i = 0; i < report->num_rows; i++) {
        if (has_rank(&report->rows[i], rank)) {
            return true;
        }
    }
    return false;
}

static void keep(void *data, const noise_call_event *event)
{
    g_array_append_val((GArray *)data, *event);
}

/* Of the events of one rank, those that belong to a row. */
static void add_candidates(const noise_miner_report *report, uint32_t rank, GArray *events,
                           GArray *candidates)
{
    g_array_sort(events, by_type_and_duration);
    noise_call_event *all = (noise_call_event *)(void *)events->data;
    for (guint i = 0; i < events->len;) {
        guint n = 1;
        while (i + n < events->len && all[i + n].event.type == all[i].event.type) {
            n++;
        }
        const sim_time expected = noise_miner_event_duration(&all[i + n / 4].event);
        for (guint k = i; k < i + n; k++) {
            noise_miner_event *e = &all[k].event;
            e->expected = expected;
            const sim_time excess = noise_miner_event_duration(e) - expected;
            const size_t row = row_of(report, rank, excess);
            const candidate c = {
                {row, all[k]},
                excess,
                noise_event_mix((uint64_t)e->start + noise_event_mix(e->type + rank))};
            if (row != SIZE_MAX) {
                g_array_append_val(candidates, c);
            }
        }
        i += n;
    }
}

/* The first of a row in each of three orders. @p all [n] candidates of one row. */
static void choose(candidate *all, guint n, GArray *chosen)
{
    static int (*const ORDERS[])(const void *, const void *) = {by_recency, by_size, by_draw};
    const guint most = APP_EXEMPLARS_OF_EACH;
    const guint before = chosen->len;
    for (size_t k = 0; k < G_N_ELEMENTS(ORDERS); k++) {
        qsort(all, n, sizeof *all, ORDERS[k]);
        for (guint i = 0; i < MIN(n, most); i++) {
            bool there = false;
            for (guint c = before; c < chosen->len && !there; c++) {
                there = by_place(&g_array_index(chosen, candidate, c), &all[i]) == 0;
            }
            if (!there) {
                g_array_append_val(chosen, all[i]);
            }
        }
    }
}

GArray *app_exemplars_choose(const sched_trace *trace, app_calls calls, const app_waits *waits,
                             const noise_event_function *functions,
                             const noise_miner_report *report)
{
    g_autoptr(GArray) events = g_array_new(FALSE, FALSE, sizeof(noise_call_event));
    g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(candidate));
    g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(candidate));
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        if (is_hit(report, rank)) {
            g_array_set_size(events, 0);
            app_trace_events(trace, rank, calls, waits, functions, keep, events);
            add_candidates(report, rank, events, candidates);
        }
    }
    g_array_sort(candidates, by_place);
    candidate *all = (candidate *)(void *)candidates->data;
    for (guint i = 0; i < candidates->len;) {
        guint n = 1;
        while (i + n < candidates->len && all[i + n].chosen.row == all[i].chosen.row) {
            n++;
        }
        choose(&all[i], n, chosen);
        i += n;
    }
    g_array_sort(chosen, by_place);
    GArray *result = g_array_new(FALSE, FALSE, sizeof(app_chosen));
    for (guint i = 0; i < chosen->len; i++) {
        g_array_append_val(result, g_array_index(chosen, candidate, i).chosen);
    }
    return result;
}
