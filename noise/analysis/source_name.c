/* noise/analysis/source_name.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_decompose. */
#include "analysis/draft.h"

#include "sim/unit.h"

#include <math.h>
#include <string.h>

static const sim_time LONGEST_TICK = 200 * SIM_US; /* programs take turns at ticks, too */
#define SAME_TICK  0.001                           /* of the frequency: clocks are better */
#define ALL        0.995
#define HALF       0.5  /* less of a class is not worth a word */
#define SAME_TWICE 0.05 /* of twice a length */

/* Is it a frequency that a Linux kernel's tick can have (CONFIG_HZ)? 0: no. */
static int tick_of(double period)
{
    static const int ticks[] = {100, 250, 300, 1000};
    for (size_t i = 0; i < G_N_ELEMENTS(ticks); i++) {
        const double hz = (double)SIM_S / period;
        if (fabs(hz - ticks[i]) <= SAME_TICK * ticks[i]) {
            return ticks[i];
        }
    }
    return 0;
}

static char *short_time(double time)
{
    return sim_unit_format_time_short((sim_time)llround(time));
}

static const noise_detour_source *class_of(const noise_division *d, const noise_draft *draft)
{
    return draft->class_of == NOISE_NO_CLASS ? NULL : &d->classes[draft->class_of];
}

/* Letters that a signature and a list of names take. */
static char *plain(const char *name)
{
    char *text = g_strdup(name);
    g_strdelimit(text, ",+@:", '-');
    g_strcanon(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/()[] ",
               '-');
    return g_strstrip(text);
}

static bool may_be_tick(const noise_source *s)
{
    return tick_of(s->period) != 0 && s->median <= LONGEST_TICK;
}

/* A kernel has one tick: of several sources that come as one does, that which comes most often. */
bool noise_source_is_tick(const noise_division *d, const noise_source *source,
                          const noise_source *s)
{
    for (guint i = 0; i < d->drafts->len; i++) {
        const noise_draft *draft = &g_array_index(d->drafts, noise_draft, i);
        if (draft->num_trains > 0 && tick_of(source[i].period) != 0 && source[i].count > s->count) {
            return false;
        }
    }
    return may_be_tick(s);
}

/* Before it is known whether another one is called so, too. */
static char *first_name(const noise_division *d, const noise_draft *draft,
                        const noise_source *source, const noise_source *s)
{
    const noise_detour_source *class = class_of(d, draft);
    if (draft->is_rest) {
        return g_strdup("rest");
    }
    if (class != NULL) {
        return plain(class->name);
    }
    if (draft->num_trains > 0) {
        g_autofree char *period = short_time(s->period);
        return noise_source_is_tick(d, source, s) ? g_strdup("tick")
                                                  : g_strdup_printf("every-%s", period);
    }
    g_autofree char *length = short_time((double)s->median);
    return g_strdup_printf("about-%s", length);
}

/* The source, more frequent, of which two at once would be as long; NULL: none. */
static const noise_source *half_of(const noise_division *d, const noise_source *source,
                                   const noise_source *s)
{
    for (guint i = 0; i < d->drafts->len; i++) {
        const double twice = 2 * (double)source[i].median;
        if (source[i].count > s->count && fabs((double)s->median - twice) <= SAME_TWICE * twice) {
            return &source[i];
        }
    }
    return NULL;
}

static char *evidence_of(const noise_division *d, const noise_draft *draft,
                         const noise_source *source, const noise_source *s)
{
    GString *text = g_string_new(NULL);
    const noise_detour_source *class = class_of(d, draft);
    if (class != NULL && class->evidence != NULL && class->evidence[0] != '\0') {
        g_string_append_printf(text, "%s; ", class->evidence);
    }
    if (draft->num_trains > 0 && (class == NULL || s->on_beat >= HALF)) {
        g_autofree char *period = short_time(s->period);
        g_autofree char *jitter = short_time(s->jitter);
        const int hz = noise_source_is_tick(d, source, s) ? tick_of(s->period) : 0;
        if (s->on_beat < ALL) {
            g_string_append_printf(text, "%.3g %% of them ", 100 * s->on_beat);
        }
        g_string_append_printf(text, "every %s +- %s, at %.3g %% of the beats", period, jitter,
                               100 * s->met);
        if (hz != 0) {
            g_string_append_printf(text, "; %d Hz, as a kernel's tick", hz);
        }
        if (s->over_beat > 0) {
            g_string_append_printf(text, "; %zu detours of others cover a beat, not told apart",
                                   s->over_beat);
        }
    } else if (draft->is_mode) {
        g_autofree char *median = short_time((double)s->median);
        g_string_append_printf(text, "told by its length alone, about %s", median);
        const noise_source *half = half_of(d, source, s);
        if (half != NULL) {
            g_autofree char *single = short_time((double)half->median);
            g_string_append_printf(text, "; that is two of %s, one after the other, not told apart",
                                   single);
        }
    } else if (draft->is_rest) {
        g_string_append(
            text, "neither a rhythm nor a frequent length, or less than 1 % of the stolen time");
    } else if (text->len > 2) {
        g_string_truncate(text, text->len - 2);
    }
    return g_string_free(text, FALSE);
}

static bool is_taken(const noise_source *source, guint n, const char *name)
{
    for (guint i = 0; i < n; i++) {
        if (g_strcmp0(source[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

void noise_sources_name(const noise_division *d, noise_source *source)
{
    for (guint i = 0; i < d->drafts->len; i++) {
        const noise_draft *draft = &g_array_index(d->drafts, noise_draft, i);
        const noise_detour_source *class = class_of(d, draft);
        g_autofree char *first = first_name(d, draft, source, &source[i]);
        char *name = g_strdup(first);
        for (unsigned k = 2; is_taken(source, i, name); k++) {
            g_free(name);
            name = g_strdup_printf("%s-%u", first, k);
        }
        source[i].name = name;
        source[i].kind = g_strdup(class != NULL ? class->kind : "not known");
        source[i].evidence = evidence_of(d, draft, source, &source[i]);
    }
}
