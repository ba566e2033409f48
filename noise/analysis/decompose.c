/* noise/analysis/decompose.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/decomposition.h"

#include "analysis/draft.h"
#include "analysis/trains.h"

#include <string.h>

enum { OTHERS = NOISE_NOBODY - 1 };
#define SMALLEST 0.01 /* of the stolen time */

/* Beats of the detours of one class on one CPU: the others have other owners meanwhile. */
static void find_trains(noise_division *d, size_t c, uint16_t class)
{
    const noise_observation *cpu = &d->cpus[c];
    g_autofree uint16_t *owner = g_new(uint16_t, cpu->n + 1);
    size_t n = 0;
    for (size_t i = 0; i < cpu->n; i++) {
        const bool is_of_it = noise_division_class(d, c, i) == class;
        owner[i] = is_of_it ? NOISE_NOBODY : OTHERS;
        n += is_of_it;
    }
    if (n == 0) {
        return;
    }
    noise_trains_find(cpu, c, owner, d->trains);
    while (d->train_class->len < d->trains->len) {
        g_array_append_val(d->train_class, class);
    }
    for (size_t i = 0; i < cpu->n; i++) {
        if (owner[i] < OTHERS) {
            d->owner[c][i] = owner[i];
        }
    }
}

/* Drafts with most of the time first, the rest last. */
static int by_share(const void *a, const void *b, void *data)
{
    const noise_division *d = ((void **)data)[0];
    const noise_source *source = ((void **)data)[1];
    const guint x = *(const guint *)a;
    const guint y = *(const guint *)b;
    const bool x_rest = g_array_index(d->drafts, noise_draft, x).is_rest;
    const bool y_rest = g_array_index(d->drafts, noise_draft, y).is_rest;
    if (x_rest != y_rest) {
        return x_rest ? 1 : -1;
    }
    if (source[x].share != source[y].share) {
        return source[x].share > source[y].share ? -1 : 1;
    }
    return (x > y) - (x < y);
}

/* The tick: small, and the first that everybody looks for. */
static bool must_have_row(const noise_division *d, const noise_source *source, guint i)
{
    const noise_draft *draft = &g_array_index(d->drafts, noise_draft, i);
    if (draft->class_of != NOISE_NO_CLASS) {
        return strcmp(d->classes[draft->class_of].name, "tick") == 0;
    }
    return draft->num_trains > 0 && noise_source_is_tick(d, source, &source[i]);
}

/* Is it worth a row? */
static bool may_have_row(const noise_division *d, const noise_source *source, guint i,
                         double stolen)
{
    const noise_draft *draft = &g_array_index(d->drafts, noise_draft, i);
    return !draft->is_rest &&
           (draft->class_of != NOISE_NO_CLASS || source[i].share >= SMALLEST * stolen);
}

/* Put the drafts in order; those that are too small, or for which there is no place any more, join
 * the rest. */
static void put_in_order(noise_division *d)
{
    const guint n = d->drafts->len;
    g_autofree noise_source *source = g_new(noise_source, n + 1);
    g_autofree guint *order = g_new(guint, n + 1);
    g_autofree uint16_t *place = g_new(uint16_t, n + 1);
    noise_sources_figure(d, source);
    double stolen = 0;
    guint reserved = 0; /* rows for ticks that have not come yet */
    for (guint i = 0; i < n; i++) {
        order[i] = i;
        stolen += source[i].share;
        reserved += must_have_row(d, source, i);
    }
    void *data[] = {d, source};
    g_qsort_with_data(order, (int)n, sizeof *order, by_share, data);
    GArray *drafts = g_array_new(FALSE, FALSE, sizeof(noise_draft));
    guint rest = 0;
    for (guint i = 0; i < n; i++) {
        const bool must = must_have_row(d, source, order[i]);
        reserved -= must;
        const bool has = must || (drafts->len + reserved < NOISE_MOST_SOURCES - 1 &&
                                  may_have_row(d, source, order[i], stolen));
        place[order[i]] = has ? (uint16_t)drafts->len : NOISE_NOBODY;
        rest += !has;
        if (has) {
            g_array_append_val(drafts, g_array_index(d->drafts, noise_draft, order[i]));
        }
    }
    for (guint i = 0; i < n; i++) {
        place[i] = place[i] == NOISE_NOBODY ? (uint16_t)drafts->len : place[i];
    }
    if (rest > 0) {
        const noise_draft draft = {.class_of = NOISE_NO_CLASS, .is_rest = true};
        g_array_append_val(drafts, draft);
    }
    g_array_unref(d->drafts);
    d->drafts = drafts;
    for (size_t c = 0; c < d->num_cpus; c++) {
        for (size_t i = 0; i < d->cpus[c].n; i++) {
            d->draft[c][i] = place[d->draft[c][i]];
        }
    }
}

noise_decomposition *noise_decompose(const noise_observation *cpus, size_t num_cpus,
                                     const noise_detour_source *classes, size_t num_classes)
{
    noise_division d = {
        .cpus = cpus,
        .num_cpus = num_cpus,
        .classes = classes,
        .num_classes = num_classes,
        .trains = g_array_new(FALSE, FALSE, sizeof(noise_train)),
        .train_class = g_array_new(FALSE, FALSE, sizeof(uint16_t)),
        .drafts = g_array_new(FALSE, FALSE, sizeof(noise_draft)),
        .owner = g_new0(uint16_t *, num_cpus + 1),
        .draft = g_new0(uint16_t *, num_cpus + 1),
    };
    for (size_t c = 0; c < num_cpus; c++) {
        d.owner[c] = g_new(uint16_t, cpus[c].n + 1);
        d.draft[c] = g_new(uint16_t, cpus[c].n + 1);
        for (size_t i = 0; i < cpus[c].n; i++) {
            d.owner[c][i] = NOISE_NOBODY;
        }
        for (size_t class = 0; class < num_classes; class ++) {
            find_trains(&d, c, (uint16_t) class);
        }
        find_trains(&d, c, NOISE_NO_CLASS);
    }
    noise_draft_trains(&d);
    for (size_t class = 0; class < num_classes; class ++) {
        noise_draft_class(&d, (uint16_t) class);
    }
    noise_draft_modes(&d);
    put_in_order(&d);
    noise_decomposition *out = g_new0(noise_decomposition, 1);
    out->num_sources = d.drafts->len;
    out->sources = g_new0(noise_source, out->num_sources + 1);
    noise_sources_figure(&d, out->sources);
    noise_sources_name(&d, out->sources);
    out->num_cpus = num_cpus;
    out->source = d.draft;
    for (size_t c = 0; c < num_cpus; c++) {
        g_free(d.owner[c]);
    }
    g_free(d.owner);
    g_array_unref(d.trains);
    g_array_unref(d.train_class);
    g_array_unref(d.drafts);
    return out;
}

void noise_decomposition_free(noise_decomposition *d)
{
    if (d == NULL) {
        return;
    }
    for (size_t s = 0; s < d->num_sources; s++) {
        g_free(d->sources[s].name);
        g_free(d->sources[s].kind);
        g_free(d->sources[s].evidence);
    }
    for (size_t c = 0; c < d->num_cpus; c++) {
        g_free(d->source[c]);
    }
    g_free(d->sources);
    g_free(d->source);
    g_free(d);
}
