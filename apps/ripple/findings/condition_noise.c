/* apps/ripple/findings/condition_noise.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_condition. */
#include "findings/condition_private.h"
#include "findings/remark.h"
#include "findings/result_text.h"
#include "noise/tail.h"
#include "output/number_text.h"
#include "sim/unit.h"

#include <string.h>

static const double DECIDES = 0.1; /* of the slowdown: so much of it must come from the tail */

/* What is inferred, not measured. One sentence for each preset. */
static void add_preset(app_condition_maker *m, const noise_component *c, const char **last)
{
    if (c->origin == NOISE_ORIGIN_PRESET && c->preset != *last) {
        *last = c->preset;
        g_autofree char *brief = g_strdup_printf("'%s' is a model.", c->preset);
        app_condition_add(
            m, "model-preset", brief,
            "'%s' is a model of that machine's noise, inferred from what a paper says "
            "of it; it was not measured.",
            c->preset);
    }
}

static void add_validity(app_condition_maker *m, const noise_provenance *p)
{
    if (p->validity == NOISE_VALIDITY_VALID) {
        return;
    }
    g_autofree char *verdict = noise_provenance_verdict(p);
    if (p->validity == NOISE_VALIDITY_UNKNOWN) {
        app_condition_add(m, "validity-unknown", "Measurement of unknown validity.",
                          "%s: it does not say whether the measurement is valid.", p->path);
        return;
    }
    app_condition *c =
        app_condition_add(m, "invalid-measurement", "The measurement is not valid.",
                          "NOT VALID: the measurement of the noise must not be believed, and no "
                          "number below stands for that machine. %s: %s",
                          p->path, verdict);
    c->weight = APP_CONDITION_GRAVE;
}

/* How detours were made of what was measured. */
static void add_note(app_condition_maker *m, const noise_provenance *p)
{
    if (p->note != NULL) {
        app_condition_add(m, "measurement-note", "Detours were inferred from samples.", "%s: %s",
                          p->path, p->note);
    }
}

/* Simulated time of the longest run with noise, ps. */
static double longest_run(const app_results *results)
{
    double longest = 0;
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        longest = MAX(longest, s->mode != APP_IDEAL ? (double)s->times.mean : 0);
    }
    return longest;
}

static void add_repeated(app_condition_maker *m, const noise_component *c)
{
    const double run = longest_run(m->results);
    const double list = (double)c->list_length;
    if (run <= list) {
        return;
    }
    g_autofree char *holds = sim_unit_format_time_short(c->list_length);
    g_autofree char *lasts = sim_unit_format_time_short((sim_time)run);
    g_autofree char *times = app_format_times((uint64_t)(run / list + 1));
    app_condition_add(m, "file-repeated", "The measurement is repeated.",
                      "%s holds %s of detours, and a run lasts up to %s: they are repeated, %s. "
                      "What comes more seldom than that is not in it, and the ranks keep their "
                      "distance in it.",
                      c->provenance->path, holds, lasts, times);
}

/* The mode and size at which the tail of the measurement decides, the largest. */
static const app_series *decided_by_tail(const app_condition_maker *m, size_t component,
                                         noise_tail_reach *reach)
{
    const noise_component *c = noise_signature_component(m->noise->signature, component);
    const noise_tail *tail = &c->provenance->tail;
    const app_series *found = NULL;
    for (size_t i = 0; tail->count > 0 && i < m->results->num_series; i++) {
        const app_series *s = &m->results->series[i];
        if (s->mode == APP_IDEAL || s->met[component].by_rank <= 0) {
            continue;
        }
        /* Ranks that meet detours on their own. */
        const double ranks = MAX(s->met[component].by_run / s->met[component].by_rank, 1);
        const noise_tail_reach r = noise_tail_reach_of(tail, (uint32_t)ranks, s->times.mean);
        const double adds = ranks * (double)tail->longest * tail->count / (double)tail->measured;
        if (r.expected >= 1 && adds >= DECIDES * s->slowdown.mean &&
            (found == NULL || s->ranks > found->ranks)) {
            found = s;
            *reach = r;
        }
    }
    return found;
}

static sim_time as_time(double ps)
{
    return (sim_time)MIN(ps, (double)SIM_TIME_MAX);
}

/* A component whose tail decides, and where. */
typedef struct tail_at {
    size_t component;
    const app_series *series;
    noise_tail_reach reach;
} tail_at;

/* "2ms", "1ms to 2ms". Owned by the caller. */
static char *lengths_of(const noise_tail *tail)
{
    g_autofree char *shortest = sim_unit_format_time_short(tail->shortest);
    g_autofree char *longest = sim_unit_format_time_short(tail->longest);
    return tail->shortest < tail->longest ? g_strdup_printf("%s to %s", shortest, longest)
                                          : g_strdup(longest);
}

static void concern(app_condition *c, const app_series *s)
{
    size_t i = 0;
    while (i < c->num_ranks && c->ranks[i] != s->ranks) {
        i++;
    }
    if (i == c->num_ranks) {
        c->ranks = g_renew(uint32_t, c->ranks, ++c->num_ranks);
        c->ranks[i] = s->ranks;
    }
}

/* Of one file. Which ones there are follows from their order in it, so the text does not change. */
static void add_tails(app_condition_maker *m, const GArray *tails)
{
    const tail_at *all = (const tail_at *)(const void *)tails->data;
    const noise_signature *signature = m->noise->signature;
    const noise_provenance *p = noise_signature_component(signature, all[0].component)->provenance;
    g_autofree char *measured = sim_unit_format_time_short(p->tail.measured);
    g_autoptr(GString) list = g_string_new(NULL);
    double needed = 0;
    for (guint i = 0; i < tails->len; i++) {
        const noise_component *of = noise_signature_component(signature, all[i].component);
        g_autofree char *lengths = lengths_of(&of->provenance->tail);
        g_autofree char *times = app_format_times(of->provenance->tail.count);
        g_autofree char *size = app_format_ranks(all[i].series->ranks);
        g_autofree char *every = sim_unit_format_time_short(as_time(all[i].reach.every));
        g_string_append_printf(list, "%s%s (%s, %s; at %s, %s, every %s)", i > 0 ? ", " : "",
                               of->source != NULL ? of->source : of->name, lengths, times, size,
                               app_mode_name(all[i].series->mode), every);
        needed = MAX(needed, all[i].reach.needed);
    }
    g_autofree char *time = sim_unit_format_time_short(as_time(needed));
    app_condition *c = app_condition_add(
        m, "rare-tail", "Tails seen too seldom decide.",
        "The longest detours of %u sources of %s were seen fewer than %d times each in %s of "
        "measurement, and decide the result at the sizes where one is expected as often as said: "
        "%s. %s of measurement would be needed to know how often they all come.",
        tails->len, p->path, NOISE_TAIL_ENOUGH, measured, list->str, time);
    c->mode = all[0].series->mode;
    for (guint i = 0; i < tails->len; i++) {
        c->mode = all[i].series->mode == c->mode ? c->mode : APP_IDEAL;
        concern(c, all[i].series);
    }
}

static void add_tail(app_condition_maker *m, const tail_at *at)
{
    const app_series *s = at->series;
    const noise_tail_reach reach = at->reach;
    const noise_component *of = noise_signature_component(m->noise->signature, at->component);
    const noise_tail *tail = &of->provenance->tail;
    const bool one = tail->count == 1;
    g_autofree char *name = of->source != NULL
                                ? g_strdup_printf("%s: %s", of->provenance->path, of->source)
                                : g_strdup(of->provenance->path);
    g_autofree char *lengths = lengths_of(tail);
    g_autofree char *times = app_format_times(tail->count);
    g_autofree char *measured = sim_unit_format_time_short(tail->measured);
    g_autofree char *size = app_format_ranks(s->ranks);
    g_autofree char *every = sim_unit_format_time_short(as_time(reach.every));
    g_autofree char *lived = sim_unit_format_time_short(as_time(reach.lived));
    g_autofree char *needed = sim_unit_format_time_short(as_time(reach.needed));
    g_autofree char *met = app_format_met(reach.expected);
    app_condition *c = app_condition_add(
        m, "rare-tail", "A tail seen too seldom decides.",
        "The longest detour%s of %s (%s) %s seen %s in %s of measurement; at %s one is expected "
        "every %s: %s decide%s the result there, %s. Such a run lives %s of CPU time and meets %s "
        "of them; %s of measurement would be needed to know how often they come.",
        one ? "" : "s", name, lengths, one ? "was" : "were", times, measured, size, every,
        one ? "it" : "they", one ? "s" : "", app_mode_name(s->mode), lived, met, needed);
    c->mode = s->mode;
    concern(c, s);
}

/* What is known of the tails of a file, when all of its components have been looked at. */
static void flush_tails(app_condition_maker *m, GArray *tails)
{
    if (tails->len == 1) {
        add_tail(m, &g_array_index(tails, tail_at, 0));
    } else if (tails->len > 1) {
        add_tails(m, tails);
    }
    g_array_set_size(tails, 0);
}

/* Does any unsynchronized series estimate the long run? There phases matter. */
static bool has_steady(const app_results *results)
{
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (s->mode == APP_UNSYNCHRONIZED && s->quantity == APP_STEADY) {
            return true;
        }
    }
    return false;
}

/* Which of two questions is answered: one machine as its phases were drawn, or all of them. */
static void add_phases(app_condition_maker *m)
{
    const double drift = noise_signature_drift(m->noise->signature);
    g_autoptr(GString) names = g_string_new(NULL);
    for (size_t i = 0; i < noise_signature_num_components(m->noise->signature); i++) {
        const noise_component *c = noise_signature_component(m->noise->signature, i);
        const char *source = c->provenance != NULL ? strstr(c->name, ": ") : NULL;
        const int length = source != NULL ? (int)(source - c->name) : (int)strlen(c->name);
        /* sources of a file are in step: they have one phase */
        if (c->is_locked &&
            (source == NULL || noise_signature_begins_file(m->noise->signature, i))) {
            g_string_append_printf(names, "%s%.*s", names->len > 0 ? ", " : "", length, c->name);
        }
    }
    if (names->len == 0 || !has_steady(m->results)) {
        return;
    }
    if (drift > 0) {
        app_condition_add(m, "drift-of-clocks", "",
                          "The clocks of the nodes drift apart (standard deviation %g ppm): in the "
                          "long run a machine goes through all phases of %s.",
                          drift, names->str);
    } else {
        app_condition_add(m, "phases-locked", "",
                          "The clocks of the ranks do not drift (drift=PPM): each rank keeps the "
                          "phase of %s that it has drawn. Intervals are of the mean over machines "
                          "drawn anew; one machine stays where it is, anywhere in the range of the "
                          "replicas.",
                          names->str);
    }
}

void app_condition_add_noise(app_condition_maker *m)
{
    const size_t n = noise_signature_num_components(m->noise->signature);
    const char *last = NULL;
    g_autoptr(GArray) tails = g_array_new(FALSE, FALSE, sizeof(tail_at));
    for (size_t i = 0; i < n; i++) {
        const noise_component *c = noise_signature_component(m->noise->signature, i);
        if (noise_signature_begins_file(m->noise->signature, i)) {
            flush_tails(m, tails);
            add_validity(m, c->provenance);
            add_note(m, c->provenance);
            add_repeated(m, c);
        }
        tail_at at = {.component = i};
        at.series = c->provenance != NULL ? decided_by_tail(m, i, &at.reach) : NULL;
        if (at.series != NULL) {
            g_array_append_val(tails, at);
        }
        add_preset(m, c, &last);
    }
    flush_tails(m, tails);
    add_phases(m);
}
