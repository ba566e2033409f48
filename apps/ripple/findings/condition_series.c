/* apps/ripple/findings/condition_series.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_condition. */
#include "findings/condition_private.h"
#include "findings/remark.h"
#include "findings/result_text.h"
#include "output/number_text.h"
#include "sim/unit.h"
#include "steady/steady_series.h"

#include <math.h>

/* The series of one mode with the same remark. */
typedef struct group {
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
    group g = {.series = g_new(const app_series *, MAX(m->results->num_series, 1)),
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
    const bool is_rate = noise_signature_component(m->noise->signature, component)->is_rate;
    return g_strdup_printf("%s of the %s of %s", range, is_rate ? "slow phases" : "detours",
                           component_name(m, component));
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

static char *too_short(const app_condition_maker *m, const group *g)
{
    g_autofree char *met = rarest_text(m, g);
    return g_strdup_printf("A run meets %s on average, and %d are needed: what the noise costs "
                           "cannot be seen there.",
                           met, APP_STEADY_MET);
}

static char *few_met(const app_condition_maker *m, const group *g)
{
    g_autofree char *met = rarest_text(m, g);
    return g_strdup_printf("All replicas of a size together meet %s on average, and %d are needed: "
                           "a longer run, or other replicas, may be slower by far.",
                           met, APP_STEADY_MET);
}

static char *check(const app_condition_maker *m, G_GNUC_UNUSED const group *g)
{
    const app_series *s = settled_at(m->results);
    g_autofree char *where = s != NULL ? app_format_ranks(s->ranks) : g_strdup("another size");
    return g_strdup_printf("One run each; co-scheduled noise needs time, not ranks, and is "
                           "estimated at %s.",
                           where);
}

/* Of one series, in percentage points. */
static char *points_text(double slowdown)
{
    const double points = 100 * fabs(slowdown);
    return g_strdup_printf("%.2g percentage points %s", points, slowdown < 0 ? "faster" : "slower");
}

static char *drifts(G_GNUC_UNUSED const app_condition_maker *m, const group *g)
{
    double worst = 0;
    for (size_t i = 0; i < g->n; i++) {
        const double drift = g->series[i]->steady.drift;
        worst = fabs(drift) > fabs(worst) ? drift : worst;
    }
    g_autofree char *points = points_text(worst);
    return g_strdup_printf("The second half of the runs is up to %s than the first. A longer run "
                           "(--budget) would tell more.",
                           points);
}

static char *wide(G_GNUC_UNUSED const app_condition_maker *m, const group *g)
{
    double widest = 0;
    for (size_t i = 0; i < g->n; i++) {
        const app_mean *mean = &g->series[i]->slowdown;
        if (app_series_interval_is_wide(g->series[i])) {
            widest = MAX(widest, mean->half_width / mean->mean);
        }
    }
    g_autofree char *is = app_format_percent(widest);
    g_autofree char *asked = app_format_percent(g->series[0]->steady.half_width);
    return widest > 0
               ? g_strdup_printf("The interval reaches up to %s of the slowdown to either side; %s "
                                 "was asked for (--half-width), and takes more replicas "
                                 "(--budget).",
                                 is, asked)
               : g_strdup_printf("Whether both halves of the runs are equally slow is not known as "
                                 "well as the %s asked for (--half-width); that takes longer runs "
                                 "(--budget).",
                                 asked);
}

static char *absorbed(G_GNUC_UNUSED const app_condition_maker *m, const group *g)
{
    g_autofree char *reference = app_format_percent(g->series[0]->steady.reference);
    return g_strdup_printf("A rank that never waits would lose %s; here part of the noise falls "
                           "into waiting that there is anyway.",
                           reference);
}

/* "Head: 64 and 256 ranks, co-scheduled. What it means." */
typedef struct row {
    app_remark remark;
    const char *head;
    const char *brief; /* head in captions; NULL: it is not said there */
    const char *text;  /* what it means; NULL: what explain() gives */
    char *(*explain)(const app_condition_maker *m, const group *g);
} row;

static const row rows[] = {
    {APP_REMARK_TOO_SHORT, "Too short", "Too short", NULL, too_short},
    {APP_REMARK_FEW_MET, "Few met", "Few detours met", NULL, few_met},
    {APP_REMARK_ONE, "One replica", "One replica",
     "It is an example; how far another one may lie from it is not known.", NULL},
    {APP_REMARK_RANGE, "Range", "Ranges, not intervals",
     "Fewer than five replicas: what stands there is the least and the most that was seen, not an "
     "interval of the mean.",
     NULL},
    {APP_REMARK_DRIFTS, "Not settled", "Not settled", NULL, drifts},
    {APP_REMARK_WIDE, "Wide", NULL, NULL, wide},
    {APP_REMARK_ABSORBED, "Absorbed", NULL, NULL, absorbed},
    {APP_REMARK_LESS_THAN, "Less than", NULL,
     "The interval holds 0: the slowdown is less than its upper end, and may be none.", NULL},
    {APP_REMARK_NO_EFFECT, "No effect", NULL, "No run with noise took longer than the one without.",
     NULL},
    {APP_REMARK_CHECK, "Check", NULL, NULL, check},
};

static void add(app_condition_maker *m, const row *r, app_mode mode)
{
    g_auto(group) g = group_of(m, r->remark, mode);
    if (g.n == 0) {
        return;
    }
    g_autofree char *text = r->text != NULL ? g_strdup(r->text) : r->explain(m, &g);
    g_autofree char *brief =
        r->brief != NULL ? g_strdup_printf("%s: %s.", r->brief, g.sizes) : g_strdup("");
    app_condition *c = app_condition_add(m, app_remarks[r->remark].code, brief, "%s: %s. %s",
                                         r->head, g.sizes, text);
    c->mode = mode;
    c->ranks = g_steal_pointer(&g.ranks);
    c->num_ranks = g.n;
}

void app_condition_add_series(app_condition_maker *m)
{
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (int mode = APP_UNSYNCHRONIZED; mode < APP_NUM_MODES; mode++) {
            add(m, &rows[i], (app_mode)mode);
        }
    }
}
