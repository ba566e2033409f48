/* apps/ripple/findings/condition_series.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_condition. */
#include "findings/condition_private.h"
#include "findings/remark.h"
#include "findings/result_text.h"
#include "output/number_text.h"
#include "sim/unit.h"

#include <math.h>

/* The series of one mode with the same remark. */
typedef struct group {
    app_mode mode;
    size_t n;
    const app_series **series; /* [n] by size */
    uint32_t *ranks;           /* [n] */
    char *sizes;               /* "64 and 256 ranks, co-scheduled" */
} group;

static void group_clear(group *g)
{
    g_free(g->series);
    g_free(g->ranks);
    g_free(g->sizes);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(group, group_clear)

/* What is too short, or has met too few detours, is told to be that and nothing else. */
static bool concerns(const app_series *s, app_remark remark)
{
    const bool is_void = app_series_claim(s) == APP_CLAIM_NONE;
    const bool is_why = remark == APP_REMARK_TOO_SHORT || remark == APP_REMARK_FEW_MET ||
                        remark == APP_REMARK_CHECK;
    return s->mode != APP_IDEAL && app_series_has(s, remark) && (is_why || !is_void);
}

static group group_of(const app_condition_maker *m, app_remark remark, app_mode mode)
{
    group g = {.mode = mode,
               .series = g_new(const app_series *, MAX(m->results->num_series, 1)),
               .ranks = g_new(uint32_t, MAX(m->results->num_series, 1))};
    for (size_t i = 0; i < m->results->num_series; i++) {
        const app_series *s = &m->results->series[i];
        if (s->mode == mode && concerns(s, remark)) {
            g.series[g.n] = s;
            g.ranks[g.n++] = s->ranks;
        }
    }
    if (g.n > 0) {
        g_autofree char *sizes = app_format_sizes(g.ranks, g.n);
        g.sizes = g_strdup_printf("%s, %s", sizes, app_mode_name(mode));
    }
    return g;
}

/* "0.3", or from the least to the most. */
static char *range_text(double least, double most)
{
    g_autofree char *from = app_format_met(least);
    g_autofree char *to = app_format_met(most);
    return g_str_equal(from, to) ? g_strdup(from) : g_strdup_printf("%s to %s", from, to);
}

static const char *component_name(const app_condition_maker *m, size_t component)
{
    return noise_signature_component(m->noise->signature, component)->name;
}

/* How seldom the rarest component was met, over the group. */
static char *rarest_text(const app_condition_maker *m, const group *g)
{
    double least = INFINITY;
    double most = 0;
    size_t component = 0;
    for (size_t i = 0; i < g->n; i++) {
        double detours = 0;
        const size_t rarest = app_series_rarest(g->series[i], &detours);
        component = detours < least ? rarest : component;
        least = MIN(least, detours);
        most = MAX(most, detours);
    }
    g_autofree char *range = range_text(least, most);
    return g_strdup_printf("%s of the detours of %s", range, component_name(m, component));
}

static app_condition *add(app_condition_maker *m, const group *g, app_remark remark,
                          const char *brief, char *text)
{
    app_condition *c = app_condition_add(m, app_remarks[remark].code, brief, "%s", text);
    c->mode = g->mode;
    c->ranks = g_memdup2(g->ranks, g->n * sizeof *g->ranks);
    c->num_ranks = g->n;
    g_free(text);
    return c;
}

static void add_too_short(app_condition_maker *m, app_mode mode)
{
    g_auto(group) g = group_of(m, APP_REMARK_TOO_SHORT, mode);
    if (g.n > 0) {
        g_autofree char *met = rarest_text(m, &g);
        g_autofree char *brief = g_strdup_printf("Too short: %s.", g.sizes);
        add(m, &g, APP_REMARK_TOO_SHORT, brief,
            g_strdup_printf("Too short: %s. A run meets %s on average, and 20 are needed: what the "
                            "noise costs cannot be seen there.",
                            g.sizes, met));
    }
}

static void add_few_met(app_condition_maker *m, app_mode mode)
{
    g_auto(group) g = group_of(m, APP_REMARK_FEW_MET, mode);
    if (g.n > 0) {
        g_autofree char *met = rarest_text(m, &g);
        g_autofree char *brief = g_strdup_printf("Few detours met: %s.", g.sizes);
        add(m, &g, APP_REMARK_FEW_MET, brief,
            g_strdup_printf("Few met: %s. All replicas of a size together meet %s on average, and "
                            "20 are needed: a longer run, or other replicas, may be slower by far.",
                            g.sizes, met));
    }
}

/* Where the co-scheduled slowdown is settled; NULL: nowhere. */
static const app_series *settled_at(const app_results *results)
{
    for (size_t i = 0; i < results->num_series; i++) {
        const app_series *s = &results->series[i];
        if (s->mode == APP_COSCHEDULED && !app_series_has(s, APP_REMARK_CHECK)) {
            return s;
        }
    }
    return NULL;
}

static void add_check(app_condition_maker *m)
{
    g_auto(group) g = group_of(m, APP_REMARK_CHECK, APP_COSCHEDULED);
    const app_series *s = settled_at(m->results);
    if (g.n > 0) {
        g_autofree char *where = s != NULL ? app_format_ranks(s->ranks) : g_strdup("another size");
        add(m, &g, APP_REMARK_CHECK, "",
            g_strdup_printf(
                "Check: %s. One run each; co-scheduled noise needs time, not ranks, and "
                "is estimated at %s.",
                g.sizes, where));
    }
}

static void add_one(app_condition_maker *m, app_mode mode)
{
    g_auto(group) g = group_of(m, APP_REMARK_ONE, mode);
    if (g.n > 0) {
        g_autofree char *brief = g_strdup_printf("One replica: %s.", g.sizes);
        add(m, &g, APP_REMARK_ONE, brief,
            g_strdup_printf(
                "One replica: %s. It is an example; how far another one may lie from it "
                "is not known.",
                g.sizes));
    }
}

static void add_range(app_condition_maker *m, app_mode mode)
{
    g_auto(group) g = group_of(m, APP_REMARK_RANGE, mode);
    if (g.n > 0) {
        g_autofree char *brief = g_strdup_printf("Ranges, not intervals: %s.", g.sizes);
        add(m, &g, APP_REMARK_RANGE, brief,
            g_strdup_printf(
                "Range: %s. Fewer than five replicas: what stands there is the least and "
                "the most that was seen, not an interval of the mean.",
                g.sizes));
    }
}

/* Of one series, in percentage points. */
static char *points_text(double slowdown)
{
    const double points = 100 * fabs(slowdown);
    return g_strdup_printf("%.2g percentage points %s", points, slowdown < 0 ? "faster" : "slower");
}

static void add_drifts(app_condition_maker *m, app_mode mode)
{
    g_auto(group) g = group_of(m, APP_REMARK_DRIFTS, mode);
    if (g.n > 0) {
        const app_series *worst = g.series[0];
        for (size_t i = 1; i < g.n; i++) {
            worst =
                fabs(g.series[i]->steady.drift) > fabs(worst->steady.drift) ? g.series[i] : worst;
        }
        g_autofree char *points = points_text(worst->steady.drift);
        g_autofree char *brief = g_strdup_printf("Not settled: %s.", g.sizes);
        add(m, &g, APP_REMARK_DRIFTS, brief,
            g_strdup_printf("Not settled: %s. The second half of the runs is up to %s than the "
                            "first. A longer run (--budget) would tell more.",
                            g.sizes, points));
    }
}

static void add_wide(app_condition_maker *m, app_mode mode)
{
    g_auto(group) g = group_of(m, APP_REMARK_WIDE, mode);
    if (g.n == 0) {
        return;
    }
    double widest = 0;
    for (size_t i = 0; i < g.n; i++) {
        const app_mean *mean = &g.series[i]->slowdown;
        if (app_series_interval_is_wide(g.series[i])) {
            widest = MAX(widest, mean->half_width / mean->mean);
        }
    }
    g_autofree char *is = app_format_percent(widest);
    g_autofree char *asked = app_format_percent(g.series[0]->steady.half_width);
    add(m, &g, APP_REMARK_WIDE, "",
        widest > 0
            ? g_strdup_printf("Wide: %s. The interval reaches up to %s of the slowdown to either "
                              "side; %s was asked for (--half-width), and takes more replicas "
                              "(--budget).",
                              g.sizes, is, asked)
            : g_strdup_printf("Wide: %s. Whether both halves of the runs are equally slow is not "
                              "known as well as the %s asked for (--half-width); that takes longer "
                              "runs (--budget).",
                              g.sizes, asked));
}

static void add_absorbed(app_condition_maker *m, app_mode mode)
{
    g_auto(group) g = group_of(m, APP_REMARK_ABSORBED, mode);
    if (g.n > 0) {
        g_autofree char *reference = app_format_percent(g.series[0]->steady.reference);
        add(m, &g, APP_REMARK_ABSORBED, "",
            g_strdup_printf(
                "Absorbed: %s. A rank that never waits would lose %s; here part of the noise "
                "falls into waiting that there is anyway.",
                g.sizes, reference));
    }
}

static void add_less(app_condition_maker *m, app_mode mode)
{
    g_auto(group) g = group_of(m, APP_REMARK_LESS_THAN, mode);
    if (g.n > 0) {
        add(m, &g, APP_REMARK_LESS_THAN, "",
            g_strdup_printf("Less than: %s. The interval holds 0: the slowdown is less than its "
                            "upper end, and may be none.",
                            g.sizes));
    }
}

static void add_no_effect(app_condition_maker *m, app_mode mode)
{
    g_auto(group) g = group_of(m, APP_REMARK_NO_EFFECT, mode);
    if (g.n > 0) {
        add(m, &g, APP_REMARK_NO_EFFECT, "",
            g_strdup_printf("No effect: %s. No run with noise took longer than the one without.",
                            g.sizes));
    }
}

void app_condition_add_series(app_condition_maker *m)
{
    static void (*const adders[])(app_condition_maker *, app_mode) = {
        add_too_short, add_few_met,  add_one,  add_range,     add_drifts,
        add_wide,      add_absorbed, add_less, add_no_effect,
    };
    for (size_t i = 0; i < G_N_ELEMENTS(adders); i++) {
        for (int mode = APP_UNSYNCHRONIZED; mode < APP_NUM_MODES; mode++) {
            adders[i](m, (app_mode)mode);
        }
    }
    add_check(m);
}
