/* noise/analysis/draft.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_decompose. */
#include "analysis/draft.h"

#include "analysis/length_modes.h"

#include <math.h>
#include <string.h>

#define SAME_PERIOD 0.01 /* relative, on different CPUs */
#define SAME_LENGTH 4.0  /* ratio of the medians */
#define MULTIPLES   8.0  /* of a period: what comes at every 5th beat, say, of the same kernel */
enum { FEWEST = 3 };     /* detours of one length */

uint16_t noise_division_class(const noise_division *d, size_t c, size_t i)
{
    if (d->cpus[c].kind == NULL || d->cpus[c].kind[i] >= d->num_classes) {
        return NOISE_NO_CLASS;
    }
    const uint16_t class = d->cpus[c].kind[i];
    return strcmp(d->classes[class].kind, "not known") == 0 ? NOISE_NO_CLASS : class;
}

/* One period, or a whole multiple of it, and lengths that are not clearly different. */
static bool are_alike(const noise_train *a, const noise_train *b)
{
    const double ratio = b->beat.period / a->beat.period;
    const double times = round(fmax(ratio, 1 / ratio));
    return times <= MULTIPLES && fabs(fmax(ratio, 1 / ratio) - times) <= SAME_PERIOD * times &&
           (double)a->median <= SAME_LENGTH * (double)b->median &&
           (double)b->median <= SAME_LENGTH * (double)a->median;
}

/* The fullest first: the others are alike to that one. */
static int by_count(const void *a, const void *b, void *trains)
{
    const GArray *all = trains;
    const guint i = *(const guint *)a;
    const guint k = *(const guint *)b;
    const size_t x = g_array_index(all, noise_train, i).count;
    const size_t y = g_array_index(all, noise_train, k).count;
    return x != y ? (x > y ? -1 : 1) : (i > k) - (i < k);
}

/* Of the class of @p first, those alike to it, or all of them where the class is known: they are
 * one source, over CPUs and phases. They come into @p sorted. */
static noise_draft gather(const noise_division *d, guint first, const guint *order, uint16_t draft,
                          uint16_t *draft_of, GArray *sorted)
{
    const uint16_t class = g_array_index(d->train_class, uint16_t, first);
    noise_draft out = {.class_of = class, .first_train = sorted->len};
    for (guint k = 0; k < d->trains->len; k++) {
        const guint at = order[k];
        const noise_train *t = &g_array_index(d->trains, noise_train, at);
        if (draft_of[at] == NOISE_NOBODY && g_array_index(d->train_class, uint16_t, at) == class &&
            (class != NOISE_NO_CLASS ||
             are_alike(&g_array_index(d->trains, noise_train, first), t))) {
            draft_of[at] = draft;
            out.num_trains++;
            g_array_append_val(sorted, *t);
        }
    }
    return out;
}

void noise_draft_trains(noise_division *d)
{
    const guint n = d->trains->len;
    GArray *sorted = g_array_new(FALSE, FALSE, sizeof(noise_train));
    g_autofree uint16_t *draft_of = g_new(uint16_t, n + 1);
    g_autofree guint *order = g_new(guint, n + 1);
    for (guint i = 0; i < n; i++) {
        draft_of[i] = NOISE_NOBODY;
        order[i] = i;
    }
    g_qsort_with_data(order, (int)n, sizeof *order, by_count, d->trains);
    for (guint i = 0; i < n; i++) {
        if (draft_of[order[i]] == NOISE_NOBODY) {
            const noise_draft draft =
                gather(d, order[i], order, (uint16_t)d->drafts->len, draft_of, sorted);
            g_array_append_val(d->drafts, draft);
        }
    }
    g_array_unref(d->trains);
    d->trains = sorted;
    for (size_t c = 0; c < d->num_cpus; c++) {
        for (size_t i = 0; i < d->cpus[c].n; i++) {
            const uint16_t train = d->owner[c][i];
            d->draft[c][i] = train == NOISE_NOBODY ? NOISE_NOBODY : draft_of[train];
        }
    }
}

/* What the kernel names is one source, whatever its rhythms: that is what can be switched off. */
void noise_draft_class(noise_division *d, uint16_t class)
{
    uint16_t into = (uint16_t)d->drafts->len;
    for (guint s = 0; s < d->drafts->len; s++) {
        into = g_array_index(d->drafts, noise_draft, s).class_of == class ? (uint16_t)s : into;
    }
    bool any = false;
    for (size_t c = 0; c < d->num_cpus; c++) {
        for (size_t i = 0; i < d->cpus[c].n; i++) {
            if (d->draft[c][i] == NOISE_NOBODY && noise_division_class(d, c, i) == class) {
                d->draft[c][i] = into;
                any = true;
            }
        }
    }
    if (any && into == d->drafts->len) {
        const noise_draft draft = {.class_of = class};
        g_array_append_val(d->drafts, draft);
    }
}

/* Of what remains, those of one length; then the rest. */
void noise_draft_modes(noise_division *d)
{
    size_t n = 0;
    for (size_t c = 0; c < d->num_cpus; c++) {
        n += d->cpus[c].n;
    }
    g_autofree sim_time *length = g_new(sim_time, n + 1);
    g_autofree uint16_t *mode = g_new(uint16_t, n + 1);
    g_autofree uint16_t **place = g_new(uint16_t *, n + 1);
    n = 0;
    for (size_t c = 0; c < d->num_cpus; c++) {
        for (size_t i = 0; i < d->cpus[c].n; i++) {
            if (d->draft[c][i] == NOISE_NOBODY) {
                length[n] = d->cpus[c].length[i];
                place[n++] = &d->draft[c][i];
            }
        }
    }
    const size_t modes = noise_length_modes(length, n, mode);
    g_autofree size_t *count = g_new0(size_t, modes + 1);
    g_autofree uint16_t *draft_of = g_new(uint16_t, modes + 1);
    for (size_t i = 0; i < n; i++) {
        count[mode[i] < modes ? mode[i] : modes]++;
    }
    for (size_t m = 0; m < modes; m++) {
        draft_of[m] = NOISE_NOBODY;
        if (count[m] >= FEWEST) {
            const noise_draft draft = {.class_of = NOISE_NO_CLASS, .is_mode = true};
            draft_of[m] = (uint16_t)d->drafts->len;
            g_array_append_val(d->drafts, draft);
        }
    }
    const uint16_t rest = (uint16_t)d->drafts->len;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        const uint16_t found = mode[i] < modes ? draft_of[mode[i]] : NOISE_NOBODY;
        *place[i] = found != NOISE_NOBODY ? found : rest;
        any = any || found == NOISE_NOBODY;
    }
    if (any) {
        const noise_draft draft = {.class_of = NOISE_NO_CLASS, .is_rest = true};
        g_array_append_val(d->drafts, draft);
    }
}
