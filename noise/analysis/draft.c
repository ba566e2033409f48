/* noise/analysis/draft.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_decompose. */
#include "analysis/draft.h"

#include "analysis/length_modes.h"

#include <math.h>
#include <string.h>

#define SAME_PERIOD 0.01 /* relative, on different CPUs */
#define SAME_LENGTH 2.0  /* ratio of the medians */
#define MOSTLY      0.8  /* of a class on its beat: all of it is one source */
enum { FEWEST = 3 };     /* detours of one length */

uint16_t noise_division_class(const noise_division *d, size_t c, size_t i)
{
    if (d->cpus[c].kind == NULL || d->cpus[c].kind[i] >= d->num_classes) {
        return NOISE_NO_CLASS;
    }
    const uint16_t class = d->cpus[c].kind[i];
    return strcmp(d->classes[class].kind, "not known") == 0 ? NOISE_NO_CLASS : class;
}

static bool are_alike(const noise_train *a, const noise_train *b)
{
    return fabs(a->beat.period - b->beat.period) <= SAME_PERIOD * a->beat.period &&
           (double)a->median <= SAME_LENGTH * (double)b->median &&
           (double)b->median <= SAME_LENGTH * (double)a->median;
}

/* Trains of one period and length on several CPUs are one source. Their detours, and they
 * themselves, are then in the order of the sources. */
void noise_draft_trains(noise_division *d)
{
    const guint n = d->trains->len;
    GArray *sorted = g_array_new(FALSE, FALSE, sizeof(noise_train));
    g_autofree uint16_t *draft_of = g_new(uint16_t, n + 1);
    g_autofree bool *done = g_new0(bool, n + 1);
    for (guint i = 0; i < n; i++) {
        if (done[i]) {
            continue;
        }
        const noise_train first = g_array_index(d->trains, noise_train, i);
        noise_draft draft = {.class_of = g_array_index(d->train_class, uint16_t, i),
                             .first_train = sorted->len};
        for (guint k = i; k < n; k++) {
            const noise_train *t = &g_array_index(d->trains, noise_train, k);
            /* Two of one CPU are two sources. */
            const bool same_cpu = k != i && t->cpu == first.cpu;
            if (!done[k] && !same_cpu && are_alike(&first, t) &&
                g_array_index(d->train_class, uint16_t, k) == draft.class_of) {
                done[k] = true;
                draft_of[k] = (uint16_t)d->drafts->len;
                draft.num_trains++;
                g_array_append_val(sorted, *t);
            }
        }
        g_array_append_val(d->drafts, draft);
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

/* What has a class and no beat. If nearly all of the class is on one beat, so is this. */
void noise_draft_class(noise_division *d, uint16_t class)
{
    size_t all = 0;
    size_t free_ones = 0;
    for (size_t c = 0; c < d->num_cpus; c++) {
        for (size_t i = 0; i < d->cpus[c].n; i++) {
            const bool is_of_it = noise_division_class(d, c, i) == class;
            all += is_of_it;
            free_ones += is_of_it && d->draft[c][i] == NOISE_NOBODY;
        }
    }
    noise_draft *only = NULL;
    size_t periodic = 0;
    for (guint s = 0; s < d->drafts->len; s++) {
        noise_draft *draft = &g_array_index(d->drafts, noise_draft, s);
        if (draft->class_of == class) {
            only = draft;
            periodic++;
        }
    }
    uint16_t into = (uint16_t)d->drafts->len;
    if (periodic == 1 && (double)free_ones <= (1 - MOSTLY) * (double)all) {
        only->is_whole = true;
        into = (uint16_t)(only - &g_array_index(d->drafts, noise_draft, 0));
    } else if (free_ones > 0) {
        const noise_draft draft = {.class_of = class, .is_whole = periodic == 0};
        g_array_append_val(d->drafts, draft);
    }
    for (size_t c = 0; c < d->num_cpus; c++) {
        for (size_t i = 0; i < d->cpus[c].n; i++) {
            if (d->draft[c][i] == NOISE_NOBODY && noise_division_class(d, c, i) == class) {
                d->draft[c][i] = into;
            }
        }
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
