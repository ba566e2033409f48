/* apps/ripple/stretches/causes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_causes. */
#include "stretches/causes.h"

#include <stdlib.h>
#include <string.h>

#define NONE    APP_CAUSES_NONE
#define UNKNOWN (UINT32_MAX - 1) /* not looked at yet */

typedef struct finder {
    const app_observed_stretch *s;
    size_t n;
    uint32_t *previous; /* [n] on the same rank */
    uint32_t *last;     /* [ranks] its last stretch */
    bool *is_late;      /* [n] it begins later than without noise */
    size_t *first_op;   /* [ranks + 1] where those of a rank begin in */
    uint32_t *by_op;    /* which stretch did an operation */
    uint32_t *after;
} finder;

static bool is_lengthened(const app_observed_stretch *s)
{
    return s->end - s->start > s->work;
}

static void link_up(finder *f, uint32_t num_ranks)
{
    g_autofree sim_time *usual_end = g_new0(sim_time, num_ranks);
    memset(f->last, 0xff, num_ranks * sizeof *f->last);
    for (size_t i = 0; i < f->n; i++) {
        const app_observed_stretch *s = &f->s[i];
        const sim_time usual = usual_end[s->rank] + s->usual_idle;
        f->previous[i] = f->last[s->rank];
        f->last[s->rank] = (uint32_t)i;
        f->is_late[i] = s->start > usual;
        usual_end[s->rank] = usual + s->work;
    }
}

/* Of operations that have a number: those that nobody has posted yet have none. */
static void index_ops(finder *f, uint32_t num_ranks)
{
    memset(f->first_op, 0, (num_ranks + (size_t)1) * sizeof *f->first_op);
    for (size_t i = 0; i < f->n; i++) {
        size_t *ops = &f->first_op[f->s[i].rank + 1];
        *ops = f->s[i].op != NONE ? MAX(*ops, (size_t)f->s[i].op + 1) : *ops;
    }
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        f->first_op[rank + 1] += f->first_op[rank];
    }
    f->by_op = g_new(uint32_t, f->first_op[num_ranks] + 1);
    memset(f->by_op, 0xff, f->first_op[num_ranks] * sizeof *f->by_op);
    for (size_t i = 0; i < f->n; i++) {
        if (f->s[i].op != NONE) {
            f->by_op[f->first_op[f->s[i].rank] + f->s[i].op] = (uint32_t)i;
        }
    }
}

static uint32_t find(const finder *f, uint32_t rank, uint32_t op)
{
    const size_t at = f->first_op[rank] + op;
    return op != NONE && at < f->first_op[rank + 1] ? f->by_op[at] : NONE;
}

/* What another rank did before that instant: an answer that is waited for goes out when its
 * operation is posted, which may be long before its own stretch. */
static uint32_t last_before(const finder *f, uint32_t from, sim_time at)
{
    while (from != NONE && f->s[from].start >= at) {
        from = f->previous[from];
    }
    return from;
}

/* What made it begin when it did. */
static uint32_t cause_of(const finder *f, size_t i)
{
    const app_observed_stretch *s = &f->s[i];
    if (s->start == s->idle_from || s->cause_rank == s->rank) {
        return f->previous[i];
    }
    return last_before(f, find(f, s->cause_rank, s->cause_op), s->start);
}

/* Back from a stretch until one is known, and forth again. */
static void follow(finder *f, uint32_t i, GArray *way)
{
    g_array_set_size(way, 0);
    uint32_t after = NONE;
    while (i != NONE) {
        if (f->after[i] != UNKNOWN) {
            after = f->after[i];
            break;
        }
        g_array_append_val(way, i);
        i = f->is_late[i] ? cause_of(f, i) : NONE;
    }
    if (i != NONE && is_lengthened(&f->s[i])) {
        after = i;
    }
    for (guint k = way->len; k > 0; k--) {
        const uint32_t each = g_array_index(way, uint32_t, k - 1);
        f->after[each] = f->is_late[each] ? after : NONE;
        after = is_lengthened(&f->s[each]) ? each : f->after[each];
    }
}

typedef struct hit {
    sim_time start;
    uint32_t index;
} hit;

static int latest_first(const void *a, const void *b)
{
    const hit *x = a;
    const hit *y = b;
    return x->start != y->start ? (x->start < y->start ? 1 : -1)
                                : (x->index < y->index) - (x->index > y->index);
}

/* What has made the rank late whose idle time before a stretch is shorter for it. */
static uint32_t relieves(const finder *f, size_t i)
{
    const app_observed_stretch *s = &f->s[i];
    const uint32_t before = f->previous[i];
    if (s->start - s->idle_from >= s->usual_idle || before == NONE) {
        return NONE;
    }
    return is_lengthened(&f->s[before]) ? before : f->after[before];
}

static void add_ripple(app_ripple *to, const app_ripple *from)
{
    to->waits += from->waits;
    to->waited += from->waited;
    to->absorbed += from->absorbed;
    to->until = MAX(to->until, from->until);
}

/* What waits after a stretch waits after those that it is after, too. */
static void sum_up(const finder *f, app_causes *causes)
{
    app_ripple *ripples = causes->ripples;
    g_autoptr(GArray) hits = g_array_new(FALSE, FALSE, sizeof(hit));
    for (size_t i = 0; i < f->n; i++) {
        const app_observed_stretch *s = &f->s[i];
        const sim_time waited = s->start - s->idle_from - s->usual_idle;
        if (waited > 0 && f->after[i] != NONE) {
            const app_ripple one = {1, waited, s->start, 0};
            add_ripple(&ripples[f->after[i]], &one);
        }
        causes->relieved[i] = relieves(f, i);
        if (causes->relieved[i] != NONE) {
            ripples[causes->relieved[i]].absorbed -= waited;
        }
        if (is_lengthened(s)) {
            const hit h = {s->start, (uint32_t)i};
            g_array_append_val(hits, h);
        }
    }
    g_array_sort(hits, latest_first);
    for (guint k = 0; k < hits->len; k++) {
        const uint32_t i = g_array_index(hits, hit, k).index;
        if (f->after[i] != NONE) {
            add_ripple(&ripples[f->after[i]], &ripples[i]);
        }
    }
}

void app_causes_find(const app_observed_stretch *s, size_t n, uint32_t num_ranks,
                     app_causes *causes)
{
    g_autofree uint32_t *previous = g_new(uint32_t, n + 1);
    g_autofree uint32_t *last = g_new(uint32_t, num_ranks);
    g_autofree bool *is_late = g_new(bool, n + 1);
    g_autofree size_t *first_op = g_new(size_t, num_ranks + (size_t)1);
    *causes =
        (app_causes){g_new(uint32_t, n + 1), g_new(uint32_t, n + 1), g_new0(app_ripple, n + 1)};
    finder f = {s, n, previous, last, is_late, first_op, NULL, causes->after};
    link_up(&f, num_ranks);
    index_ops(&f, num_ranks);
    g_autoptr(GArray) way = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (size_t i = 0; i < n; i++) {
        f.after[i] = UNKNOWN;
    }
    for (size_t i = 0; i < n; i++) {
        follow(&f, (uint32_t)i, way);
    }
    sum_up(&f, causes);
    g_free(f.by_op);
}

void app_causes_clear(app_causes *causes)
{
    g_free(causes->after);
    g_free(causes->relieved);
    g_free(causes->ripples);
    *causes = (app_causes){0};
}
