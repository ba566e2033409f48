/* apps/ripple/knockout/knockout_findings.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_knockout, cli_knockout. */
#include "knockout/knockout_findings.h"

#include "output/number_text.h"
#include "output/sentences.h"

char *app_knockout_interval(const app_mean *mean)
{
    if (mean->level == 0 && mean->low == mean->high) { /* of one replica */
        return g_strdup("-");
    }
    g_autofree char *low = app_format_percent(mean->low);
    g_autofree char *high = app_format_percent(mean->high);
    return g_strconcat(low, " .. ", high, NULL);
}

char *app_knockout_rank_text(const app_knockout_gain *g)
{
    return g->worst == 0         ? g_strdup("-")
           : g->best == g->worst ? g_strdup_printf("%u", g->best)
                                 : g_strdup_printf("%u-%u", g->best, g->worst);
}

const char *app_knockout_remark(const app_knockout_gain *g)
{
    return g->few_met                           ? "few met"
           : g->gain.level == 0                 ? "no interval"
           : !app_knockout_told_apart(&g->gain) ? "not told apart from 0"
           : g->gain.high < 0                   ? "slower without it"
                                                : "";
}

char *app_knockout_name(const app_knockout *k, const app_knockout_gain *g)
{
    return g->other == SIZE_MAX
               ? g_strdup(k->parts[g->component].name)
               : g_strdup_printf("%s and %s", k->parts[g->component].name, k->parts[g->other].name);
}

/* "A, B and C". Owned by the caller. */
static char *join(const GPtrArray *names)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < names->len; i++) {
        g_string_append_printf(text, "%s%s",
                               i == 0               ? ""
                               : i + 1 < names->len ? ", "
                                                    : " and ",
                               (const char *)names->pdata[i]);
    }
    return g_string_free(text, FALSE);
}

static const char *why_none(const app_knockout_table *t)
{
    bool few = false;
    for (size_t i = 0; i < t->num_gains; i++) {
        few = few || t->gains[i].few_met;
        if (t->gains[i].gain.level == 0) {
            return "there are fewer than five replicas, so no gain has an interval (--replicas)";
        }
    }
    return few ? "no gain is told apart from 0, and of some components too few detours were met "
                 "(--repeat, --replicas)"
               : "no gain is told apart from 0";
}

/* "At 16Ki ranks, unsynchronized: ..." */
static void conclude(const app_knockout *k, const app_knockout_table *t, GPtrArray *out)
{
    g_autofree char *ranks = app_format_ranks(t->all->ranks);
    g_autofree char *slowdown = app_format_percent(t->slowdown.mean);
    const char *mode = app_mode_name(t->all->mode);
    g_autoptr(GPtrArray) first = g_ptr_array_new();
    g_autoptr(GPtrArray) few = g_ptr_array_new();
    const app_knockout_gain *top = NULL;
    for (size_t i = 0; i < t->num_gains; i++) {
        const app_knockout_gain *g = &t->gains[i];
        if (g->few_met) {
            g_ptr_array_add(few, k->parts[g->component].name);
        } else if (g->best == 1 && g->worst > 0) {
            top = top != NULL ? top : g;
            g_ptr_array_add(first, k->parts[g->component].name);
        }
    }
    g_autofree char *names = join(first);
    g_autofree char *rare = join(few);
    if (top == NULL && t->num_gains > 0 && t->gains[0].gain.level == 0 && !t->gains[0].few_met) {
        g_autofree char *most = app_format_percent(t->gains[0].gain.mean);
        app_sentences_add(out,
                          "What to switch off first, %s, at %s: %s, by %s; its gain there is %s "
                          "of the ideal time, of a slowdown of %s, without an interval: for one "
                          "there have to be five (--replicas, --budget).",
                          mode, ranks, k->parts[t->gains[0].component].name,
                          t->all->num_runs == 1 ? "one replica" : "too few replicas", most,
                          slowdown);
        return;
    }
    if (top == NULL) {
        app_sentences_add(out, "What to switch off first, %s, at %s: not known: %s.", mode, ranks,
                          why_none(t));
        return;
    }
    g_autofree char *gain = app_format_percent(top->gain.mean);
    g_autofree char *interval = app_knockout_interval(&top->gain);
    g_autoptr(GString) s = g_string_new(NULL);
    g_string_append_printf(s, "What to switch off first, %s, at %s: %s%s. ", mode, ranks, names,
                           first->len > 1   ? ", whose intervals overlap"
                           : top->worst > 1 ? ", whose interval overlaps others"
                                            : "");
    g_string_append_printf(s, "%s gain is %s (%s) of the ideal time, of a slowdown of %s.",
                           first->len > 1 ? "The largest" : "Its", gain, interval, slowdown);
    if (few->len > 0) {
        g_string_append_printf(s,
                               " Not ranked, as too few detours were met, and perhaps before "
                               "it: %s.",
                               rare);
    }
    g_ptr_array_add(out, g_string_free(g_steal_pointer(&s), FALSE));
}

static void conclude_pairs(const app_knockout *k, const app_knockout_table *t, GPtrArray *out)
{
    size_t apart = 0;
    const app_knockout_gain *top = NULL;
    for (size_t i = 0; i < t->num_pairs; i++) {
        if (!t->pairs[i].few_met && app_knockout_told_apart(&t->pairs[i].more)) {
            apart++;
            top = top != NULL ? top : &t->pairs[i];
        }
    }
    g_autofree char *ranks = app_format_ranks(t->all->ranks);
    if (top == NULL) {
        app_sentences_add(out, "Pairs, %s, at %s: of none is the gain told apart from the sum.",
                          app_mode_name(t->all->mode), ranks);
        return;
    }
    g_autofree char *pair = app_knockout_name(k, top);
    g_autofree char *more = app_format_percent(top->more.mean);
    g_autofree char *interval = app_knockout_interval(&top->more);
    app_sentences_add(out,
                      "Pairs, %s, at %s: without both %s the gain is not the sum of both: %s (%s) "
                      "%s.%s",
                      app_mode_name(t->all->mode), ranks, pair, more, interval,
                      top->more.mean > 0 ? "more, as each hides what the other costs"
                                         : "less, as leaving out one already saves part of what "
                                           "the other costs",
                      apart > 1 ? " Other pairs are in the table." : "");
}

/* The last of its mode is its largest. */
static bool is_largest(const app_knockout *k, size_t i)
{
    for (size_t j = i + 1; j < k->num_tables; j++) {
        if (k->tables[j].all->mode == k->tables[i].all->mode) {
            return false;
        }
    }
    return true;
}

char **app_knockout_conclusions(const app_knockout *k)
{
    GPtrArray *out = g_ptr_array_new();
    if (k->is_invalid && k->num_tables > 0) {
        app_sentences_add(out, "What to switch off first: no conclusion, as the measurement of the "
                               "noise is not valid.");
    }
    for (size_t i = 0; i < k->num_tables && !k->is_invalid; i++) {
        if (is_largest(k, i)) {
            conclude(k, &k->tables[i], out);
            if (k->pairs && k->tables[i].num_pairs > 0) {
                conclude_pairs(k, &k->tables[i], out);
            }
        }
    }
    g_ptr_array_add(out, NULL);
    return (char **)g_ptr_array_free(out, FALSE);
}

static bool is_steady(const app_knockout *k)
{
    return k->num_tables > 0 && k->tables[0].all->quantity == APP_STEADY;
}

/* Which ones went together. */
static void add_together(const app_knockout *k, GPtrArray *out)
{
    for (size_t i = 0; i < k->num_parts; i++) {
        if (k->parts[i].is_rest) {
            g_autofree char *names = g_strjoinv(", ", k->parts[i].labels);
            app_sentences_add(out,
                              "%s: %s; each takes less than %g %% of what all components take. "
                              "--knock-out leaves them out one by one.",
                              k->parts[i].name, names, 100 * APP_KNOCKOUT_LARGE);
        }
    }
}

static void add_left_out(const app_knockout *k, GPtrArray *out)
{
    for (int mode = APP_IDEAL; mode <= APP_COSCHEDULED; mode++) {
        g_autofree uint32_t *ranks = g_new(uint32_t, k->num_left_out + 1);
        size_t n = 0;
        for (size_t i = 0; i < k->num_left_out; i++) {
            if (k->left_out[i].mode == (app_mode)mode) {
                ranks[n++] = k->left_out[i].ranks;
            }
        }
        if (n > 0) {
            g_autofree char *sizes = app_sizes_format(ranks, n);
            app_sentences_add(out,
                              "Nothing was left out at %s ranks, %s: there was no time for it "
                              "(--budget).",
                              sizes, app_mode_name((app_mode)mode));
        }
    }
}

static bool has_gain(const app_knockout_table *t, size_t component)
{
    for (size_t i = 0; i < t->num_gains; i++) {
        if (t->gains[i].component == component) {
            return true;
        }
    }
    return false;
}

/* Tables that have some components only. */
static void add_partial(const app_knockout *k, GPtrArray *out)
{
    for (size_t i = 0; i < k->num_tables; i++) {
        const app_knockout_table *t = &k->tables[i];
        if (t->num_gains == k->num_parts) {
            continue;
        }
        g_autoptr(GPtrArray) absent = g_ptr_array_new();
        for (size_t part = 0; part < k->num_parts; part++) {
            if (!has_gain(t, part)) {
                g_ptr_array_add(absent, k->parts[part].name);
            }
        }
        g_autofree char *names = join(absent);
        g_autofree char *ranks = app_format_ranks(t->all->ranks);
        app_sentences_add(out,
                          "At %s, %s, there was time (--budget) to leave out %zu of %zu in turn, "
                          "those with the largest gains at the size before; what the others cost "
                          "there is not known: %s.",
                          ranks, app_mode_name(t->all->mode), t->num_gains, k->num_parts, names);
    }
}

char **app_knockout_conditions(const app_knockout *k)
{
    GPtrArray *out = g_ptr_array_new();
    app_sentences_add(out, "Gain: the slowdown with all of the noise less that without the "
                           "component, as a share of the ideal time; mean of the replicas, each of "
                           "which draws the same in both runs.");
    app_sentences_add(out,
                      "Without: the slowdown that is left. Met: detours of the component that "
                      "%s on average.",
                      is_steady(k) ? "a run of all of its ranks meets"
                                   : "the runs of all replicas together meet");
    app_sentences_add(out, "Components whose intervals overlap share ranks. Each interval holds "
                           "its own gain in 95 %% of cases, not all of them together.");
    if (is_steady(k)) {
        app_sentences_add(out, "Steady: without a component the runs have as many passes and "
                               "replicas as with it, and the same warm-up is cut.");
    }
    if (k->pairs && k->num_parts > 2) {
        const size_t n = k->num_parts * (k->num_parts - 1) / 2;
        app_sentences_add(out, "Of %zu intervals of pairs, %.2g leave 0 out by chance, on average.",
                          n, 0.05 * (double)n);
    }
    add_together(k, out);
    add_partial(k, out);
    add_left_out(k, out);
    if (k->is_stopped) {
        app_sentences_add(out, "The knock-out was stopped: the sizes that are not there are not "
                               "finished.");
    }
    g_ptr_array_add(out, NULL);
    return (char **)g_ptr_array_free(out, FALSE);
}
