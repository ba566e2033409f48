/* bench/sc10/apps/weak_scaling.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* E13 to E15: the applications on more and more ranks, under the noise of the machines. */
#include "app_experiments.h"
#include "app_slowdown.h"
#include "causes.h"
#include "cosched.h"
#include "output/number_text.h"
#include "statistics/mean.h"

#include <math.h>

/* What the paper says of a machine, and what is accepted at the paper's size, %. */
typedef struct band {
    const char *paper;
    double low, high;
} band;

static const band BANDS[SC10_NUM_PROXIES][SC10_NUM_MACHINES] = {
    [SC10_SWEEP3D] = {[SC10_CHIC] = {"up to 0.7 %", 0, 1.5},
                      [SC10_ALTIX] = {"nearly none", 0, 1.5},
                      [SC10_ZEPTOOS] = {"nearly none", 0, 1.5},
                      [SC10_JAGUAR] = {"rises from 0.02 %", 0, 1.5}},
    [SC10_AMG] = {[SC10_CHIC] = {"nearly 5 %", 2, 10},
                  [SC10_ALTIX] = {"below 1 %", 0, 1},
                  [SC10_ZEPTOOS] = {"below 1 %", 0, 1},
                  [SC10_JAGUAR] = {"below 1 %", 0, 1}},
    [SC10_POP] = {[SC10_CHIC] = {"above 100 %", 60, 160},
                  [SC10_ALTIX] = {"above 1 %", 0.5, 3},
                  [SC10_ZEPTOOS] = {"none", -0.7, 0.7},
                  [SC10_JAGUAR] = {"up to 5 %", -INFINITY, INFINITY}},
};
static const char *const MESSAGES[SC10_NUM_PROXIES] = {"289 M", "222 M", "625 M"};

sc10_app_case sc10_app_case_of(sc10_proxy_id proxy, const sc10_machine *machine, uint32_t copies)
{
    return (sc10_app_case){
        .proxy = proxy, .copies = copies, .machine = machine->machine, .noise = machine->noise};
}

/* With half its 95 % interval, or the range of a few runs, which says less. */
static void append_slowdown(GString *text, const char *separator, const sc10_app_times *t,
                            const sc10_estimate *e)
{
    g_string_append_printf(text, "%s%.2g ", separator, e->value);
    if (t->n >= APP_MEAN_LEAST) {
        g_string_append_printf(text, "±%.2g", (e->high - e->low) / 2);
    } else if (t->n > 1) {
        g_string_append_printf(text, "(%zu runs: %.2g .. %.2g)", t->n, e->low, e->high);
    } else {
        g_string_append(text, "(1 run)");
    }
}

/* One machine at the sizes below the largest, in one row. */
static void note_sizes(sc10_app_lab *lab, sc10_proxy_id proxy, const sc10_machine *m,
                       const uint32_t *copies, size_t n, sc10_table *table)
{
    g_autoptr(GString) ranks = g_string_new(NULL);
    g_autoptr(GString) ours = g_string_new(NULL);
    for (size_t i = 0; i + 1 < n; i++) {
        const sc10_app_case what = sc10_app_case_of(proxy, m, copies[i]);
        const sc10_app_times *t = sc10_app_times_of(lab, &what);
        const sc10_estimate e = sc10_app_slowdown(t, sc10_app_seed(lab));
        g_autofree char *size = app_format_number(t->ranks);
        g_string_append_printf(ranks, "%s%s", i > 0 ? ", " : "", size);
        append_slowdown(ours, i > 0 ? ", " : "", t, &e);
    }
    g_autofree char *what = g_strdup_printf("%s: slowdown at %s ranks, %%", m->name, ranks->str);
    if (n > 1) {
        sc10_note(table, SC10_PROXIES[proxy].experiment, what, "", "%s", ours->str);
    }
}

static double slowdown_at(sc10_app_lab *lab, sc10_proxy_id proxy, size_t machine, uint32_t copies)
{
    const sc10_app_case what = sc10_app_case_of(proxy, &SC10_MACHINES[machine], copies);
    return sc10_app_slowdown(sc10_app_times_of(lab, &what), sc10_app_seed(lab)).value;
}

/* A statement on the paper's size is a note at others. */
static void state(sc10_table *table, const char *id, const char *what, bool is_whole, bool holds,
                  const char *ours)
{
    if (is_whole) {
        sc10_check_that(table, id, what, "holds", holds, "%s", ours);
    } else {
        sc10_note(table, id, what, "holds", "%s", ours);
    }
}

/* What the paper says of the machines beside each other. */
static void check_order(sc10_app_lab *lab, sc10_proxy_id proxy, uint32_t first, uint32_t last,
                        sc10_table *table)
{
    const char *id = SC10_PROXIES[proxy].experiment;
    const bool whole = sc10_app_is_whole(lab, proxy);
    double at[SC10_NUM_MACHINES];
    for (size_t m = 0; m < SC10_NUM_MACHINES; m++) {
        at[m] = slowdown_at(lab, proxy, m, last);
    }
    const double low = fmax(at[SC10_ALTIX], at[SC10_ZEPTOOS]);
    g_autofree char *most =
        g_strdup_printf("%.3g %% and %.3g %%", at[SC10_CHIC], fmax(low, at[SC10_JAGUAR]));
    state(table, id, "CHiC's noise costs most", whole, at[SC10_CHIC] > fmax(low, at[SC10_JAGUAR]),
          most);
    if (proxy != SC10_SWEEP3D) { /* of which the paper does not say it */
        g_autofree char *more = g_strdup_printf("%.3g %%; %.3g %%, %.3g %%", at[SC10_JAGUAR],
                                                at[SC10_ALTIX], at[SC10_ZEPTOOS]);
        state(table, id, "Jaguar's costs more than Altix' and ZeptoOS'", whole,
              at[SC10_JAGUAR] > low, more);
    }
    const double few = slowdown_at(lab, proxy, SC10_JAGUAR, first);
    g_autofree char *rise = g_strdup_printf("%.3g %% to %.3g %%", few, at[SC10_JAGUAR]);
    state(table, id, "Jaguar: it rises from the record's size", whole, at[SC10_JAGUAR] > few, rise);
}

static void ask(sc10_app_lab *lab, sc10_proxy_id proxy)
{
    uint32_t copies[SC10_PROXY_SIZES];
    const size_t n = sc10_app_sizes(lab, proxy, copies);
    for (size_t i = 0; i < n; i++) {
        for (size_t m = 0; m < SC10_NUM_MACHINES; m++) {
            const sc10_app_case what = sc10_app_case_of(proxy, &SC10_MACHINES[m], copies[i]);
            sc10_app_ask(lab, &what);
        }
    }
    sc10_ask_cosched(lab, proxy);
    sc10_ask_causes(lab, proxy);
}

static void check(sc10_app_lab *lab, sc10_proxy_id proxy, sc10_table *table)
{
    const sc10_proxy *p = &SC10_PROXIES[proxy];
    uint32_t copies[SC10_PROXY_SIZES];
    const size_t n = sc10_app_sizes(lab, proxy, copies);
    const bool whole = sc10_app_is_whole(lab, proxy);
    double met = INFINITY;
    double off = 0; /* a parabola, from the time without noise, % */
    const sc10_app_times *last = NULL;
    for (size_t m = 0; m < SC10_NUM_MACHINES; m++) {
        const sc10_machine *machine = &SC10_MACHINES[m];
        const sc10_app_case what = sc10_app_case_of(proxy, machine, copies[n - 1]);
        last = sc10_app_times_of(lab, &what);
        off = fmax(off, 100 * last->ideal_off / last->ideal);
        const band *b = &BANDS[proxy][m];
        sc10_app_check(table, p->experiment, machine->name, b->paper, last, sc10_app_seed(lab),
                       whole && isfinite(b->high), b->low, b->high);
        note_sizes(lab, proxy, machine, copies, n, table);
        const sc10_app_case least = sc10_app_case_of(proxy, machine, copies[0]);
        met = fmin(met, sc10_app_times_of(lab, &least)->fewest_met);
    }
    check_order(lab, proxy, copies[0], copies[n - 1], table);
    sc10_note(table, p->experiment, "detours of its rarest component that a run meets, at least",
              "", "%.0f", met);
    if (off > 0) {
        sc10_note(table, p->experiment,
                  "time without noise there, extrapolated; a parabola differs by", "", "%.2g %%",
                  off);
    }
    g_autofree char *ranks = app_format_number(last->ranks);
    g_autofree char *text = g_strdup_printf("messages at %s ranks", ranks);
    sc10_note(table, p->experiment, text, MESSAGES[proxy], "%.0f M", (double)last->messages / 1e6);
    sc10_check_cosched(lab, proxy, table);
    sc10_note_causes(lab, proxy, table);
}

static void ask_sweep3d(sc10_app_lab *lab)
{
    ask(lab, SC10_SWEEP3D);
}

static void ask_more_sweep3d(sc10_app_lab *lab)
{
    sc10_ask_passes(lab, SC10_SWEEP3D);
}

static void check_sweep3d(sc10_app_lab *lab, sc10_table *table)
{
    check(lab, SC10_SWEEP3D, table);
}

static void ask_amg(sc10_app_lab *lab)
{
    ask(lab, SC10_AMG);
}

static void ask_more_amg(sc10_app_lab *lab)
{
    sc10_ask_passes(lab, SC10_AMG);
}

static void check_amg(sc10_app_lab *lab, sc10_table *table)
{
    check(lab, SC10_AMG, table);
}

static void ask_pop(sc10_app_lab *lab)
{
    ask(lab, SC10_POP);
}

static void ask_more_pop(sc10_app_lab *lab)
{
    sc10_ask_passes(lab, SC10_POP);
}

static void check_pop(sc10_app_lab *lab, sc10_table *table)
{
    check(lab, SC10_POP, table);
}

const sc10_app_experiment sc10_scale_sweep3d = {ask_sweep3d, ask_more_sweep3d, check_sweep3d};
const sc10_app_experiment sc10_scale_amg = {ask_amg, ask_more_amg, check_amg};
const sc10_app_experiment sc10_scale_pop = {ask_pop, ask_more_pop, check_pop};
