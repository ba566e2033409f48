/* apps/ripple/impact/exemplar_again.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "impact/exemplar_again.h"

#include "noise/event_type.h"
#include "sim/unit.h"
#include "stretches/detours.h"
#include "view/rank_ops.h"

#include <stdlib.h>

enum {
    MOST_KEPT = 256,    /* stretches of an example */
    MOST_ROWS = 64,     /* those with the largest share */
    MOST_OPS = 1 << 20, /* of a rank, to find bytes and partners in */
};

/* An example, and what of the run it needs. */
typedef struct window {
    size_t row;
    noise_miner_event event;
    sim_time from, to;
    uint32_t num;      /* stretches kept */
    uint64_t left_out; /* there was no room for */
    sim_event *kept;   /* [MOST_KEPT] in order of start; NULL: none yet */
} window;

struct app_exemplar_again {
    sim_sink sink;
    window *windows; /* [num_windows] by rank */
    size_t num_windows;
    uint32_t *first; /* [num_ranks + 1] of the windows of each rank */
};

static int by_rank(const void *a, const void *b)
{
    const window *x = a;
    const window *y = b;
    if (x->event.rank != y->event.rank) {
        return x->event.rank < y->event.rank ? -1 : 1;
    }
    return (x->from > y->from) - (x->from < y->from);
}

/* What is far from the event goes first: of what came before it, the oldest. */
static void keep(window *w, const sim_event *e)
{
    if (w->kept == NULL) {
        w->kept = g_new0(sim_event, MOST_KEPT);
    }
    if (w->num == MOST_KEPT && w->kept[0].end <= w->event.start && e->start < w->event.end) {
        memmove(w->kept, w->kept + 1, (MOST_KEPT - 1) * sizeof *w->kept);
        w->num--;
        w->left_out++;
    }
    if (w->num < MOST_KEPT) {
        w->kept[w->num++] = *e;
    } else {
        w->left_out++;
    }
}

/* The windows of a rank are touched by the thread that has the rank alone. */
static void take_events(sim_sink *sink, const sim_event *events, size_t n)
{
    app_exemplar_again *again = (app_exemplar_again *)sink; /* its first member */
    for (size_t i = 0; i < n; i++) {
        const sim_event *e = &events[i];
        for (uint32_t k = again->first[e->rank]; k < again->first[e->rank + 1]; k++) {
            window *w = &again->windows[k];
            if (e->end > w->from && e->start < w->to && e->end > e->start) {
                keep(w, e);
            }
        }
    }
}

static sim_sink *part_of(sim_sink *sink, const sim_noise *noise, uint32_t part)
{
    (void)noise;
    (void)part;
    return sink;
}

app_exemplar_again *app_exemplar_again_new(const noise_miner_report *report, uint32_t num_ranks)
{
    app_exemplar_again *again = g_new0(app_exemplar_again, 1);
    again->sink = (sim_sink){.events = take_events, .part = part_of, .is_brief = true};
    GArray *windows = g_array_new(FALSE, FALSE, sizeof(window));
    for (size_t row = 0; row < MIN(report->num_rows, (size_t)MOST_ROWS); row++) {
        for (uint32_t i = 0; i < report->rows[row].num_exemplars; i++) {
            const noise_miner_event *e = &report->rows[row].exemplars[i];
            const sim_time length = e->end - e->start;
            const window w = {
                .row = row, .event = *e, .from = MAX(e->start - length, 0), .to = e->end + length};
            if (e->rank < num_ranks) {
                g_array_append_val(windows, w);
            }
        }
    }
    g_array_sort(windows, by_rank);
    again->num_windows = windows->len;
    again->windows = (window *)(void *)g_array_free(windows, FALSE);
    again->first = g_new0(uint32_t, (gsize)num_ranks + 1);
    for (size_t i = 0; i < again->num_windows; i++) {
        again->first[again->windows[i].event.rank + 1]++;
    }
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        again->first[rank + 1] += again->first[rank];
    }
    return again;
}

void app_exemplar_again_free(app_exemplar_again *again)
{
    if (again != NULL) {
        for (size_t i = 0; i < again->num_windows; i++) {
            g_free(again->windows[i].kept);
        }
        g_free(again->windows);
        g_free(again->first);
        g_free(again);
    }
}

sim_sink *app_exemplar_again_sink(app_exemplar_again *again)
{
    return &again->sink;
}

/* ---- after the run ---- */

/* The operations of a rank that stretches name. */
typedef struct lookup {
    GHashTable *ops; /* index to sim_op */
} lookup;

static void note_op(uint32_t index, const sim_op *op, void *user)
{
    const lookup *l = user;
    if (g_hash_table_contains(l->ops, GUINT_TO_POINTER(index))) {
        (void)g_hash_table_replace(l->ops, GUINT_TO_POINTER(index), g_memdup2(op, sizeof *op));
    }
}

/* Of rank windows [from, to). */
static GHashTable *ops_of(const app_exemplar_again *again, const sim_program *program,
                          uint32_t from, uint32_t to)
{
    lookup l = {g_hash_table_new_full(NULL, NULL, NULL, g_free)};
    for (uint32_t k = from; k < to; k++) {
        for (uint32_t i = 0; i < again->windows[k].num; i++) {
            (void)g_hash_table_insert(l.ops, GUINT_TO_POINTER(again->windows[k].kept[i].op), NULL);
        }
    }
    app_rank_ops_visit(program, again->windows[from].event.rank, MOST_OPS, note_op, &l);
    return l.ops;
}

static const char *verb_of(const sim_event *e)
{
    return e->type == SIM_OP_SEND ? "send" : e->type == SIM_OP_RECV ? "receive" : "computation";
}

static void add_detour(sim_time begin, sim_time end, void *user)
{
    const app_exemplar_slice s = {.begin = begin,
                                  .end = end,
                                  .kind = APP_EXEMPLAR_SYSTEM,
                                  .name = g_strdup("detour"),
                                  .bytes = -1,
                                  .peer = -1,
                                  .cpu = -1,
                                  .cpu_number = -1};
    g_array_append_val((GArray *)user, s);
}

static void add_slice(const sim_event *e, const sim_op *op, const sim_noise *noise, GArray *slices)
{
    const bool is_call = e->type != SIM_OP_CALC;
    const app_exemplar_slice s = {
        .begin = e->start,
        .end = e->end,
        .kind = is_call ? APP_EXEMPLAR_CALL : APP_EXEMPLAR_COMPUTE,
        .name = g_strdup(verb_of(e)),
        .bytes = is_call && op != NULL ? op->size : -1,
        .peer = is_call && op != NULL && op->peer != SIM_ANY ? (int64_t)op->peer : -1,
        .cpu = e->work,
        .cpu_number = -1};
    g_array_append_val(slices, s);
    if (noise != NULL && e->end - e->start > e->work) {
        app_detours_find(noise, e->rank, e->start, e->work, 1, add_detour, slices);
    }
}

static int by_begin(const void *a, const void *b)
{
    const app_exemplar_slice *x = a;
    const app_exemplar_slice *y = b;
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    return (int)x->kind - (int)y->kind;
}

static void add_fact(GArray *facts, const char *key, char *value)
{
    char *fact[2] = {g_strdup(key), value};
    g_array_append_val(facts, fact);
}

/* What the run itself knows: nothing of it is estimated. */
static void add_facts(const window *w, const sim_event *own, app_exemplar *e)
{
    GArray *facts = g_array_new(FALSE, FALSE, sizeof(char *[2]));
    sim_time lost = 0;
    unsigned times = 0;
    for (size_t i = 0; i < e->num_slices; i++) {
        const app_exemplar_slice *s = &e->slices[i];
        const bool within = s->begin < e->event.end && s->end > e->event.start;
        if (s->kind == APP_EXEMPLAR_SYSTEM && within) {
            lost += MIN(s->end, e->event.end) - MAX(s->begin, e->event.start);
            times++;
        }
    }
    g_autofree char *text = sim_unit_format_time_short(lost);
    add_fact(facts, "detours", g_strdup_printf("%u, %s within it", times, text));
    if (w->event.detour > lost) {
        add_fact(facts, "began while it waited: whole",
                 sim_unit_format_time_short(w->event.detour));
    }
    if (own != NULL && own->cause_rank != own->rank) {
        add_fact(facts, "waited for", g_strdup_printf("rank %u", own->cause_rank));
    }
    if (w->left_out > 0) {
        add_fact(facts, "left out",
                 g_strdup_printf("%" G_GUINT64_FORMAT " stretches around it", w->left_out));
    }
    e->num_facts = facts->len;
    e->facts = (char *(*)[2])(void *)g_array_free(facts, FALSE);
}

/* "send 8 B to rank 4" */
static char *type_of(const sim_event *own, const sim_op *op)
{
    if (own->type == SIM_OP_CALC || op == NULL) {
        return g_strdup(verb_of(own));
    }
    g_autofree char *bytes = g_strdup_printf("%" G_GINT64_FORMAT " B", op->size);
    return op->peer == SIM_ANY
               ? g_strdup_printf("%s %s", verb_of(own), bytes)
               : g_strdup_printf("%s %s %s rank %u", verb_of(own), bytes,
                                 own->type == SIM_OP_SEND ? "to" : "from", op->peer);
}

static app_exemplar make(const window *w, GHashTable *ops, const sim_noise *noise)
{
    app_exemplar e = {.row = w->row, .event = w->event, .from = w->from, .to = w->to};
    GArray *slices = g_array_new(FALSE, FALSE, sizeof(app_exemplar_slice));
    const sim_event *own = NULL;
    for (uint32_t i = 0; i < w->num; i++) {
        const sim_event *k = &w->kept[i];
        const bool is_own =
            k->start == w->event.start && k->end == w->event.end && k->type == w->event.type;
        own = is_own ? k : own;
        add_slice(k, g_hash_table_lookup(ops, GUINT_TO_POINTER(k->op)), noise, slices);
    }
    g_array_sort(slices, by_begin);
    e.num_slices = slices->len;
    e.slices = (app_exemplar_slice *)(void *)g_array_free(slices, FALSE);
    if (own != NULL) {
        e.type = type_of(own, g_hash_table_lookup(ops, GUINT_TO_POINTER(own->op)));
        e.event.type = noise_event_typed(
            own->type == SIM_OP_CALC ? NOISE_EVENT_COMPUTATION : NOISE_EVENT_CALL, own->type);
    } else {
        e.type = g_strdup("operation");
    }
    add_facts(w, own, &e);
    return e;
}

static int by_place(const void *a, const void *b)
{
    const app_exemplar *x = a;
    const app_exemplar *y = b;
    if (x->row != y->row) {
        return x->row < y->row ? -1 : 1;
    }
    if (x->event.start != y->event.start) {
        return x->event.start < y->event.start ? -1 : 1;
    }
    return (x->event.rank > y->event.rank) - (x->event.rank < y->event.rank);
}

app_exemplar *app_exemplar_again_find(const app_exemplar_again *again, const sim_program *program,
                                      const sim_noise *noise, size_t *n)
{
    app_exemplar *all = g_new0(app_exemplar, again->num_windows + 1);
    for (uint32_t i = 0; i < again->num_windows;) {
        const uint32_t end = again->first[again->windows[i].event.rank + 1];
        g_autoptr(GHashTable) ops = ops_of(again, program, i, end);
        for (; i < end; i++) {
            all[i] = make(&again->windows[i], ops, noise);
        }
    }
    *n = again->num_windows;
    if (*n > 0) {
        qsort(all, *n, sizeof *all, by_place);
    }
    return all;
}
