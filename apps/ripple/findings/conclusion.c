/* apps/ripple/findings/conclusion.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "findings/conclusion.h"

#include "findings/remark.h"
#include "findings/result_text.h"
#include "output/number_text.h"
#include "output/sentences.h"
#include "sim/unit.h"
#include "steady/steady_series.h"

#include <math.h>

static const double BOTTLENECK = 0.1; /* a slowdown from which on noise is called that */

/* Is a slowdown above the threshold? */
typedef enum { BELOW, ABOVE, OPEN } side;

static side side_of(const app_series *s, double limit)
{
    const app_claim claim = app_series_claim(s);
    if ((claim != APP_CLAIM_LESS && claim != APP_CLAIM_INTERVAL) ||
        app_series_has(s, APP_REMARK_DRIFTS)) {
        return OPEN;
    }
    return s->slowdown.high < limit ? BELOW : s->slowdown.low > limit ? ABOVE : OPEN;
}

/* May it be a headline? A range may, if both of its ends say the same. */
static bool is_conclusive(const app_series *s)
{
    const app_mean *m = &s->slowdown;
    switch (app_series_claim(s)) {
    case APP_CLAIM_INTERVAL:
    case APP_CLAIM_LESS:
        return true;
    case APP_CLAIM_RANGE:
        return m->low > 0 && (m->low > BOTTLENECK) == (m->high > BOTTLENECK);
    case APP_CLAIM_ONE:
    case APP_CLAIM_NONE:
        break;
    }
    return false;
}

/* What has not settled is a headline only for want of another. */
static int weight(const app_series *s)
{
    return is_conclusive(s) ? 1 + !app_series_has(s, APP_REMARK_DRIFTS) : 0;
}

/* The series to speak of, the largest of those with most weight; or NULL. */
static const app_series *spokesman(const app_results *results, app_mode mode)
{
    const app_series *best = NULL;
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        const bool may_speak = s->mode == mode && !app_series_has(s, APP_REMARK_CHECK);
        if (may_speak && (best == NULL || weight(s) > weight(best) ||
                          (weight(s) == weight(best) && s->ranks > best->ranks))) {
            best = s;
        }
    }
    return best;
}

/* Why there is no conclusion, and what it would take. Owned by the caller. */
static char *why_not(const app_series *s, const app_noise *noise)
{
    double detours;
    const size_t rarest = app_series_rarest(s, &detours);
    if (rarest == SIZE_MAX) {
        return s->num_runs == 1
                   ? g_strdup("there is one replica, and an interval takes five (--replicas)")
                   : g_strdup_printf(
                         "%u replicas say one thing and the other, and an interval takes "
                         "five (--replicas)",
                         s->num_runs);
    }
    g_autofree char *met = app_format_met(detours);
    const noise_component *c = noise_signature_component(noise->signature, rarest);
    const char *what = c->is_rate ? "slow phases" : "detours";
    if (s->quantity == APP_STEADY) {
        return g_strdup_printf("a run meets %s of the %s of %s, and %d are needed (--budget)", met,
                               what, c->name, APP_STEADY_MET);
    }
    return g_strdup_printf("all replicas together meet %s of the %s of %s, and %d are needed "
                           "(--repeat, --replicas)",
                           met, what, c->name, APP_STEADY_MET);
}

char *app_conclusion_estimate(const app_series *s)
{
    const app_claim claim = app_series_claim(s);
    g_autofree char *number = app_format_slowdown(
        app_series_has(s, APP_REMARK_LESS_THAN) ? s->slowdown.high : s->slowdown.mean);
    g_autofree char *interval = app_format_interval(s->slowdown.low, s->slowdown.high);
    if (claim == APP_CLAIM_RANGE) {
        return g_strdup_printf("%s (%s, the range of %u replicas)", number, interval, s->num_runs);
    }
    if (claim != APP_CLAIM_LESS) {
        return g_strdup_printf("%s (%s, 95 %% interval, %u replicas)", number, interval,
                               s->num_runs);
    }
    return s->slowdown.high > 0 ? g_strdup_printf("less than %s (the 95 %% interval of %u replicas "
                                                  "holds 0)",
                                                  number, s->num_runs)
                                : g_strdup_printf("no effect in %u replicas", s->num_runs);
}

/* "; settled over 2.1s, 132 passes", "; of one pass from a cold start". */
static void append_condition(GString *text, const app_series *s)
{
    g_autofree char *passes = app_format_passes(s->passes);
    if (s->quantity == APP_PASS) {
        g_string_append_printf(text, "; of %s from a cold start", passes);
        return;
    }
    g_autofree char *lasts = sim_unit_format_time_short(s->times.mean);
    const bool wide = app_series_has(s, APP_REMARK_WIDE);
    const bool unknown = s->steady.state == APP_STEADY_FEW ||
                         (wide && !app_series_interval_is_wide(s)); /* whether it has settled */
    g_string_append_printf(text, "; %sover %s, %s",
                           app_series_has(s, APP_REMARK_DRIFTS) ? "not settled "
                           : unknown                            ? ""
                                                                : "settled ",
                           lasts, passes);
    if (wide) {
        g_autofree char *asked = app_format_percent(s->steady.half_width);
        g_string_append_printf(text, ", not as well known as the %s asked for", asked);
    }
    if (app_series_has(s, APP_REMARK_ABSORBED)) {
        g_autofree char *reference = app_format_percent(s->steady.reference);
        g_string_append_printf(text, "; absorbed: a rank that never waits would lose %s",
                               reference);
    }
}

static void add_mode(GPtrArray *sentences, const app_results *results, const app_noise *noise,
                     app_mode mode)
{
    const app_series *s = spokesman(results, mode);
    if (s == NULL) {
        return;
    }
    g_autofree char *ranks = app_format_ranks(s->ranks);
    if (!is_conclusive(s)) {
        g_autofree char *why = why_not(s, noise);
        app_sentences_add(sentences, "%s: no conclusion. At %s %s.", app_mode_name(mode), ranks,
                          why);
        return;
    }
    g_autofree char *estimate = app_conclusion_estimate(s);
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text, "%s at %s: %s", app_mode_name(mode), ranks, estimate);
    append_condition(text, s);
    app_sentences_add(sentences, "%s.", text->str);
}

static int by_ranks(const void *a, const void *b)
{
    const app_series *x = *(const app_series *const *)a;
    const app_series *y = *(const app_series *const *)b;
    return (x->ranks > y->ranks) - (x->ranks < y->ranks);
}

/* The sizes below, and those above, as far as the intervals say so: the sides change once. @p more:
 * there are larger ones, of which nothing is known. */
static void add_threshold(GPtrArray *sentences, const app_series *const *s, size_t n, bool more,
                          double limit)
{
    size_t below = 0;
    while (below < n && side_of(s[below], limit) == BELOW) {
        below++;
    }
    size_t above = n;
    while (above > 0 && side_of(s[above - 1], limit) == ABOVE) {
        above--;
    }
    g_autofree char *percent = app_format_percent(limit);
    g_autofree char *first = app_format_ranks(above < n ? s[above]->ranks : 0);
    g_autofree char *last = app_format_ranks(below > 0 ? s[below - 1]->ranks : 0);
    g_autofree char *known = app_format_ranks(s[n - 1]->ranks);
    g_autofree char *beyond =
        more ? g_strdup_printf(" Sizes above %s are not known well enough.", known) : g_strdup("");
    if (below == n) {
        app_sentences_add(sentences,
                          "Unsynchronized noise costs less than %s at every size "
                          "simulated.",
                          percent);
    } else if (above == 0) {
        app_sentences_add(sentences,
                          "Unsynchronized noise is a bottleneck (more than %s) at "
                          "every size simulated%s%s.%s",
                          percent, more ? " up to " : "", more ? known : "", beyond);
    } else if (below > 0 && below == above) {
        app_sentences_add(sentences,
                          "Unsynchronized noise is a bottleneck (more than %s) from %s on, of the "
                          "sizes simulated; at %s it is not.%s",
                          percent, first, last, beyond);
    } else if (below > 0 && above < n) {
        app_sentences_add(sentences,
                          "Unsynchronized noise becomes a bottleneck (more than %s) between %s "
                          "and %s: what lies between is not known well enough.%s",
                          percent, last, first, beyond);
    } else if (above < n) {
        app_sentences_add(sentences,
                          "Unsynchronized noise is a bottleneck (more than %s) at %s, at the "
                          "latest; smaller sizes are not known well enough.%s",
                          percent, first, beyond);
    } else if (below > 0) {
        app_sentences_add(sentences,
                          "Unsynchronized noise costs less than %s up to %s; larger sizes are not "
                          "known well enough.",
                          percent, last);
    } else {
        app_sentences_add(sentences,
                          "From how many ranks on noise is a bottleneck (more than %s) "
                          "cannot be said: no size is known well enough.",
                          percent);
    }
}

static void add_bottleneck(GPtrArray *sentences, const app_results *results)
{
    g_autofree const app_series **sizes = g_new(const app_series *, MAX(results->num_series, 1));
    size_t n = 0;
    for (size_t i = 0; i < results->num_series; i++) {
        if (results->series[i].mode == APP_UNSYNCHRONIZED) {
            sizes[n++] = &results->series[i];
        }
    }
    qsort(sizes, n, sizeof(const app_series *), by_ranks);
    while (n > 0 && app_series_claim(sizes[n - 1]) == APP_CLAIM_ONE) {
        n--;
    }
    const double asked = results->threshold.slowdown;
    const double limit = asked > 0 ? asked : BOTTLENECK;
    /* Sizes beyond the largest that is known to be above do not take the answer back. */
    size_t known = n;
    while (known > 0 && side_of(sizes[known - 1], limit) == OPEN) {
        known--;
    }
    const bool more = known < n && known > 0 && side_of(sizes[known - 1], limit) == ABOVE;
    if (n > 1 || (n > 0 && asked > 0)) {
        add_threshold(sentences, sizes, more ? known : n, more, limit);
    }
}

char **app_conclusions_new(const app_results *results, const app_noise *noise,
                           const app_conditions *conditions)
{
    GPtrArray *sentences = g_ptr_array_new();
    if (results->noisy && app_conditions_find(conditions, "invalid-measurement") != NULL) {
        app_sentences_add(sentences, "No conclusion: the measurement of the noise is not valid.");
    } else if (results->noisy) {
        add_mode(sentences, results, noise, APP_COSCHEDULED);
        add_mode(sentences, results, noise, APP_UNSYNCHRONIZED);
        add_bottleneck(sentences, results);
    }
    g_ptr_array_add(sentences, NULL);
    return (char **)g_ptr_array_free(sentences, FALSE);
}
