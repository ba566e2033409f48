/* apps/ripple/scores/explain.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "scores/explain.h"

#include "detection/recorded_calls.h"
#include "mining/system_lane.h"
#include "scores/score_words.h"
#include "sim/unit.h"
#include "view/recorded.h"

enum {
    MOST_CALLS = 100000, /* of the rank: more would not fit on a page */
    CALLS_BEFORE = 20000,
    MOST_LANES = 4,
};

typedef struct explaining {
    const app_score *score;
    uint32_t rank;
    app_picture *picture;
    GArray *slices;     /* the new ones */
    GHashTable *number; /* of a component's name, + 1 */
    GArray *components; /* of app_picture_component */
} explaining;

static uint32_t component_of(explaining *x, const char *name)
{
    gpointer found = g_hash_table_lookup(x->number, name);
    if (found == NULL) {
        const app_picture_component c = {.name = g_strdup(name)};
        g_array_append_val(x->components, c);
        found = GUINT_TO_POINTER(x->components->len);
        g_hash_table_insert(x->number, g_strdup(name), found);
    }
    return GPOINTER_TO_UINT(found) - 1;
}

static void append(explaining *x, app_picture_slice slice, sim_time begin, sim_time end)
{
    if (begin < end) {
        slice.begin = begin;
        slice.end = end;
        if (slice.component != APP_PICTURE_NONE) {
            app_picture_component *c =
                &g_array_index(x->components, app_picture_component, slice.component);
            c->detours++;
            c->length += end - begin;
        }
        g_array_append_val(x->slices, slice);
    }
}

static const char *const KINDS[] = {"disturbed", "slower"};

static noise_interference_kind kind_of(const noise_interference_judgement *j)
{
    return j->verdict == NOISE_VERDICT_SLOWER ? NOISE_INTERFERENCE_SLOWER
                                              : NOISE_INTERFERENCE_DISTURBED;
}

/* In which sequence's stretch a computation is, of the sequence by which the onset is said. */
static bool is_disturbed(const explaining *x, const app_picture_slice *slice, uint32_t *sequence)
{
    const noise_interference_judgement *j = &x->score->judged[x->rank];
    const noise_interference_kind kind = kind_of(j);
    const uint32_t by[] = {j->of[kind].by_onset, j->of[kind].by_lost};
    for (size_t k = 0; k < G_N_ELEMENTS(by) && by[k] < x->score->model->num_sequences; k++) {
        const noise_interference_loss *g =
            &noise_interference_scorer_signal(x->score->scorer, x->rank, by[k])->loss[kind];
        for (uint32_t i = 0; i < g->num_stretches; i++) {
            if (slice->begin < g->stretches[i].end && slice->end > g->stretches[i].begin) {
                *sequence = by[k];
                return true;
            }
        }
    }
    return false;
}

/* A slice of the rank without what it was off its CPU; @p off are in order of time. */
static void cut(explaining *x, app_picture_slice slice, const GArray *off, guint *at)
{
    uint32_t sequence = 0;
    if (slice.kind == APP_PICTURE_COMPUTE && is_disturbed(x, &slice, &sequence)) {
        g_autofree char *name =
            g_strdup_printf("sequence %u %s", sequence, KINDS[kind_of(&x->score->judged[x->rank])]);
        slice.component = component_of(x, name);
    }
    sim_time from = slice.begin;
    while (*at < off->len && g_array_index(off, app_exemplar_slice, *at).end <= slice.begin) {
        ++*at;
    }
    for (guint i = *at; i < off->len; i++) {
        const app_exemplar_slice *o = &g_array_index(off, app_exemplar_slice, i);
        if (o->begin >= slice.end) {
            break;
        }
        if (slice.kind != APP_PICTURE_COMPUTE) {
            continue; /* within a call it may have waited: the call says more */
        }
        const sim_time begin = MAX(o->begin, from);
        const sim_time end = MIN(o->end, slice.end);
        append(x, slice, from, begin);
        app_picture_slice away = slice;
        away.kind = APP_PICTURE_DETOUR;
        away.component = component_of(x, o->name);
        append(x, away, begin, end);
        from = MAX(from, end);
    }
    append(x, slice, from, slice.end);
}

static void clear_off(gpointer data)
{
    g_free(((app_exemplar_slice *)data)->name);
}

static gint by_begin(gconstpointer a, gconstpointer b)
{
    const app_exemplar_slice *x = a;
    const app_exemplar_slice *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* When the rank was off its CPU, from the first instant of the record on. */
static GArray *off_times(const explaining *x, const sched_trace *trace, const char *folder)
{
    GArray *off = g_array_new(FALSE, FALSE, sizeof(app_exemplar_slice));
    g_array_set_clear_func(off, clear_off);
    const sim_time origin = app_recorded_origin(trace);
    app_system_lanes *lanes = app_system_lanes_new(trace, folder);
    if (app_system_lanes_has(lanes, x->rank)) {
        app_system_lanes_add(lanes, x->rank, x->picture->from + origin, x->picture->to + origin,
                             off);
    }
    app_system_lanes_free(lanes);
    for (guint i = 0; i < off->len; i++) {
        app_exemplar_slice *o = &g_array_index(off, app_exemplar_slice, i);
        o->begin -= origin;
        o->end -= origin;
    }
    g_array_sort(off, by_begin);
    return off;
}

/* All slices anew: those of the first lane, which is the rank's, are cut. */
static void rewrite(explaining *x, const GArray *off)
{
    app_picture *p = x->picture;
    guint at = 0;
    for (uint32_t i = 0; i < p->num_lanes; i++) {
        app_picture_lane *lane = &p->lanes[i];
        const app_picture_slice *from = &p->slices[lane->first_slice];
        const size_t n = lane->num_slices;
        lane->first_slice = x->slices->len;
        for (size_t k = 0; k < n; k++) {
            if (i == 0) {
                cut(x, from[k], off, &at);
            } else {
                append(x, from[k], from[k].begin, from[k].end);
            }
        }
        lane->num_slices = x->slices->len - lane->first_slice;
    }
    g_free(p->slices);
    p->num_slices = x->slices->len;
    p->slices = (app_picture_slice *)(void *)g_array_free(x->slices, FALSE);
    p->num_components = x->components->len;
    p->components = (app_picture_component *)(void *)g_array_free(x->components, FALSE);
}

static void add_fact(GArray *facts, const char *key, char *value)
{
    const app_picture_fact f = {g_strdup(key), value};
    g_array_append_val(facts, f);
}

static void add_stretch(GArray *facts, uint32_t sequence, noise_interference_kind kind,
                        const noise_interference_stretch *t)
{
    g_autofree char *key = g_strdup_printf("sequence %u", sequence);
    g_autofree char *begin = sim_unit_format_time_short(t->begin);
    g_autofree char *end = sim_unit_format_time_short(t->end);
    g_autofree char *lost = sim_unit_format_time_short(t->lost);
    add_fact(facts, key,
             t->open ? g_strdup_printf("%s from %s on, lost %s", KINDS[kind], begin, lost)
                     : g_strdup_printf("%s from %s to %s, lost %s", KINDS[kind], begin, end, lost));
}

/* What was found of the rank, sequence by sequence. */
static void add_facts(const explaining *x)
{
    const app_score *s = x->score;
    GArray *facts = g_array_new(FALSE, FALSE, sizeof(app_picture_fact));
    const noise_interference_verdict verdict = s->judged[x->rank].verdict;
    add_fact(facts, "found",
             verdict == NOISE_VERDICT_CLEAN ? g_strdup_printf("rank %u was not disturbed", x->rank)
                                            : app_score_rank_text(s, x->rank));
    for (uint32_t l = 0; l < s->model->num_sequences; l++) {
        const noise_interference_signal *g =
            noise_interference_scorer_signal(s->scorer, x->rank, l);
        for (int kind = 0; kind < NOISE_INTERFERENCE_KINDS; kind++) {
            const noise_interference_loss *loss = &g->loss[kind];
            for (uint32_t i = 0; i < loss->num_stretches; i++) {
                add_stretch(facts, l, (noise_interference_kind)kind, &loss->stretches[i]);
            }
        }
    }
    x->picture->num_facts = facts->len;
    x->picture->facts = (app_picture_fact *)(void *)g_array_free(facts, FALSE);
}

/* As much of the run as a page holds, around the onset. */
static void choose_time(const app_score *s, uint32_t rank, const sched_rank *r, sim_time origin,
                        sim_time *from, sim_time *to)
{
    *from = 0;
    *to = 0;
    if (r->num_calls <= MOST_CALLS) {
        return;
    }
    const noise_interference_judgement *j = &s->judged[rank];
    const noise_interference_finding *f = &j->of[kind_of(j)];
    uint64_t at = 0;
    while (f->has_onset && at < r->num_calls && r->calls[at].enter - origin < f->onset) {
        at++;
    }
    const uint64_t first = at > CALLS_BEFORE ? at - CALLS_BEFORE : 0;
    const uint64_t last = MIN(first + MOST_CALLS, r->num_calls) - 1;
    *from = MAX(r->calls[first].enter - origin, 0);
    *to = r->calls[last].leave - origin;
}

/* The rank, and some that come after it for comparison. */
static uint32_t choose_lanes(const sched_trace *trace, uint32_t rank, uint32_t *lanes)
{
    const uint32_t n = MIN(trace->num_ranks, MOST_LANES);
    for (uint32_t i = 0; i < n; i++) {
        lanes[i] = (uint32_t)(((uint64_t)rank + i) % trace->num_ranks);
    }
    return n;
}

static void add_notes(const explaining *x, bool knows_off, bool is_whole)
{
    GPtrArray *notes = g_ptr_array_new();
    g_ptr_array_add(notes,
                    g_strdup_printf("A bar below the lane of rank %u marks computations of a "
                                    "sequence while it was disturbed.",
                                    x->rank));
    g_ptr_array_add(notes,
                    g_strdup(knows_off ? "Detours are when the rank was off its CPU while it "
                                         "computed, by its own switch records; their source is who "
                                         "ran there, as far as the watch of the node saw."
                                       : "When the rank was off its CPU was not recorded "
                                         "(trace --watch)."));
    if (!is_whole) {
        g_ptr_array_add(notes, g_strdup_printf("Of the run, %d calls of the rank around the onset "
                                               "are shown: more do not fit on a page.",
                                               MOST_CALLS));
    }
    x->picture->num_notes = notes->len;
    x->picture->notes = (char **)g_ptr_array_free(notes, FALSE);
}

app_picture *app_explain_rank(const app_score *score, uint32_t rank, const sched_trace *trace,
                              const char *folder)
{
    uint32_t lanes[MOST_LANES];
    sim_time from = 0;
    sim_time to = 0;
    const uint32_t n = choose_lanes(trace, rank, lanes);
    choose_time(score, rank, &trace->ranks[rank], app_recorded_origin(trace), &from, &to);
    explaining x = {.score = score,
                    .rank = rank,
                    .picture = app_recorded_picture(trace, lanes, n, from, to),
                    .slices = g_array_new(FALSE, FALSE, sizeof(app_picture_slice)),
                    .number = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                    .components = g_array_new(FALSE, FALSE, sizeof(app_picture_component))};
    g_autoptr(GArray) off = off_times(&x, trace, folder);
    rewrite(&x, off);
    add_facts(&x);
    add_notes(&x, off->len > 0, to == 0);
    g_hash_table_unref(x.number);
    return x.picture;
}
