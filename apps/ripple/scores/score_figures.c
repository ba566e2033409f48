/* apps/ripple/scores/score_figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_score_page. */
#include "scores/score_figures.h"

#include "report/bars.h"
#include "report/curves.h"
#include "report/scatter.h"
#include "scores/score_words.h"
#include "sim/unit.h"

enum { MOST_CURVES = 8, MOST_BARS = 32 }; /* as many as there are colours; as have room */

static const char METRIC_NAME[] = "metric-by-rank";
static const char METRIC_TITLE[] = "Interference metric of each rank";
static const char METRIC_CAPTION[] =
    "The metric m(p) of the paper: the mean over its sequences, weighted by their lengths, of the "
    "share of occurrences above the threshold. 0: none was.";

/* Few enough for a bar each. */
static app_chart *metric_bars(const app_score *s)
{
    static const char *const PARTS[] = {"disturbed", "slower", "clean"};
    static const app_bar_series ONE = {"metric", ' '};
    g_autoptr(GPtrArray) labels = g_ptr_array_new_with_free_func(g_free);
    app_bar_group groups[MOST_BARS];
    app_bar bars[MOST_BARS];
    double parts[MOST_BARS][G_N_ELEMENTS(PARTS)] = {{0}};
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        char *label = g_strdup_printf("%u", r);
        g_ptr_array_add(labels, label);
        groups[r] = (app_bar_group){label, label};
        bars[r] = (app_bar){r, 0, parts[r]};
        const noise_interference_verdict v = s->judged[r].verdict;
        parts[r][v == NOISE_VERDICT_DISTURBED ? 0
                 : v == NOISE_VERDICT_SLOWER  ? 1
                                              : 2] = s->judged[r].metric;
    }
    const app_bars figure = {
        .name = METRIC_NAME,
        .title = METRIC_TITLE,
        .caption = METRIC_CAPTION,
        .group_name = "rank",
        .series_name = "what",
        .y = {"metric", APP_UNIT_NONE, APP_SCALE_LINEAR},
        .groups = groups,
        .num_groups = s->num_ranks,
        .series = &ONE,
        .num_series = 1,
        .parts = PARTS,
        .num_parts = G_N_ELEMENTS(PARTS),
        .bars = bars,
        .num_bars = s->num_ranks,
    };
    return app_bars_new(&figure);
}

static app_chart *metric_cloud(const app_score *s)
{
    static const noise_interference_verdict DRAWN[] = {NOISE_VERDICT_DISTURBED,
                                                       NOISE_VERDICT_SLOWER, NOISE_VERDICT_CLEAN};
    g_autofree double *values = g_new(double, 2 * G_N_ELEMENTS(DRAWN) * (gsize)s->num_ranks);
    app_cloud clouds[G_N_ELEMENTS(DRAWN)];
    size_t n = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(DRAWN); k++) {
        double *xs = values + 2 * k * s->num_ranks;
        double *ys = xs + s->num_ranks;
        size_t points = 0;
        for (uint32_t r = 0; r < s->num_ranks; r++) {
            if (s->judged[r].verdict == DRAWN[k]) {
                xs[points] = r;
                ys[points++] = s->judged[r].metric;
            }
        }
        if (points > 0) {
            clouds[n++] = (app_cloud){app_score_verdict(DRAWN[k]), xs, ys, points};
        }
    }
    const app_scatter figure = {
        .name = METRIC_NAME,
        .title = METRIC_TITLE,
        .caption = METRIC_CAPTION,
        .x = {"rank", APP_UNIT_NONE, APP_SCALE_LINEAR},
        .y = {"metric", APP_UNIT_NONE, APP_SCALE_LINEAR},
        .series_name = "verdict",
        .clouds = clouds,
        .num_clouds = n,
    };
    return n > 0 ? app_scatter_new(&figure) : NULL;
}

app_chart *app_score_metric_figure(const app_score *s)
{
    if (s->num_judged == 0) {
        return NULL;
    }
    return s->num_ranks <= MOST_BARS ? metric_bars(s) : metric_cloud(s);
}

static app_curve_point *points_of(const noise_interference_signal *g)
{
    app_curve_point *points = g_new0(app_curve_point, g->num_points + 1);
    for (uint32_t i = 0; i < g->num_points; i++) {
        const noise_interference_point *p = &g->points[i];
        const double ils = p->judged > 0 ? (double)p->exceeded / (double)p->judged : 0;
        points[i] = (app_curve_point){
            .x = (double)p->end / (double)SIM_NS, .y = ils, .low = ils, .high = ils};
    }
    return points;
}

app_chart *app_score_ils_figure(const app_score *s, uint32_t rank)
{
    app_curve curves[MOST_CURVES];
    g_autoptr(GPtrArray) owned = g_ptr_array_new_with_free_func(g_free);
    size_t n = 0;
    uint32_t used = 0;
    for (uint32_t l = 0; l < s->model->num_sequences; l++) {
        const noise_interference_signal *g = noise_interference_scorer_signal(s->scorer, rank, l);
        if (!noise_interference_model_row(s->model, rank, l)->used || g->num_points == 0) {
            continue;
        }
        if (used++ < MOST_CURVES) {
            char *name =
                g_strdup_printf("sequence %u (%u calls)", l, s->model->sequences[l].length);
            app_curve_point *points = points_of(g);
            g_ptr_array_add(owned, name);
            g_ptr_array_add(owned, points);
            curves[n++] = (app_curve){name, points, g->num_points};
        }
    }
    g_autofree char *name = g_strdup_printf("ils-rank-%u", rank);
    g_autofree char *title = g_strdup_printf("Interference level signals of rank %u", rank);
    g_autofree char *caption = g_strdup_printf(
        "Of each sequence, the share of its occurrences so far that were above the threshold%s.",
        used > n ? "; the longest ones" : "");
    const app_curves figure = {
        .name = name,
        .title = title,
        .caption = caption,
        .x = {"time", APP_UNIT_TIME, APP_SCALE_LINEAR},
        .y = {"ILS", APP_UNIT_NONE, APP_SCALE_LINEAR},
        .series_name = "sequence",
        .curves = curves,
        .num_curves = n,
    };
    return n > 0 ? app_curves_new(&figure) : NULL;
}
