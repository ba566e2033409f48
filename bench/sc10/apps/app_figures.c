/* bench/sc10/apps/app_figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: sc10_short. */
#include "app_figures.h"

#include "app_experiments.h"
#include "app_network.h"
#include "app_slowdown.h"
#include "call_pattern.h"
#include "parts.h"
#include "report/curves.h"
#include "report/page_figure.h"
#include "report/scatter.h"
#include "statistics/mean.h"

enum { MAX_CURVES = 4 };

typedef struct drawing {
    sc10_app_lab *lab;
    app_page *page;
    const char *folder;
} drawing;

static bool put(const drawing *d, const app_chart *chart, GError **error)
{
    return app_page_draw(d->page, chart, d->folder, error);
}

/* ---- Figure 8a ---- */

/* A line for each application, its collectives at their share of the run. */
static bool draw_calls(const drawing *d, GError **error)
{
    sc10_calls calls[SC10_NUM_PROXIES];
    double *ys[SC10_NUM_PROXIES];
    app_cloud clouds[SC10_NUM_PROXIES];
    const char *names[SC10_NUM_PROXIES]; /* from below */
    for (size_t i = 0; i < SC10_NUM_PROXIES; i++) {
        calls[i] = sc10_calls_of(d->lab, (sc10_proxy_id)i);
        ys[i] = g_new(double, calls[i].n);
        for (size_t k = 0; k < calls[i].n; k++) {
            calls[i].at[k] *= 100 / calls[i].makespan;
            ys[i][k] = (double)(SC10_NUM_PROXIES - i);
        }
        names[SC10_NUM_PROXIES - 1 - i] = SC10_PROXIES[i].name;
        clouds[i] = (app_cloud){SC10_PROXIES[i].name, calls[i].at, ys[i], calls[i].n};
    }
    const app_scatter scatter = {
        .name = "figure-8a-collectives",
        .title = "Figure 8a: when applications call collectives",
        .caption =
            "Each mark is a collective that rank 0 comes to, by the share of the run that has "
            "passed: sweep3d on 100 ranks, amg on 125, pop on 128, on CHiC without noise.",
        .x = {"of the run", APP_UNIT_PERCENT, APP_SCALE_LINEAR},
        .y = {"application", APP_UNIT_NONE, APP_SCALE_LINEAR},
        .series_name = "program",
        .clouds = clouds,
        .num_clouds = SC10_NUM_PROXIES,
        .rows = names,
        .num_rows = SC10_NUM_PROXIES,
    };
    g_autoptr(app_chart) chart = app_scatter_new(&scatter);
    for (size_t i = 0; i < SC10_NUM_PROXIES; i++) {
        sc10_calls_clear(&calls[i]);
        g_free(ys[i]);
    }
    return put(d, chart, error);
}

/* ---- curves over the ranks ---- */

typedef struct curve_case {
    const char *name;
    sc10_app_case what; /* at any size */
} curve_case;

/* Of one point, in the unit of the axis: the slowdown, or the time under noise, ns. */
static app_curve_point point_of(const drawing *d, const sc10_app_case *what, bool times)
{
    const sc10_app_times *t = sc10_app_times_of(d->lab, what);
    sc10_estimate e = sc10_app_slowdown(t, sc10_app_seed(d->lab));
    if (times) {
        const double ns = t->ideal * (double)SIM_S / (double)SIM_NS;
        e = (sc10_estimate){ns * (1 + e.value / 100), ns * (1 + e.low / 100),
                            ns * (1 + e.high / 100)};
    }
    return (app_curve_point){.x = t->ranks,
                             .y = e.value,
                             .low = e.low,
                             .high = e.high,
                             .hollow = t->n < APP_MEAN_LEAST,
                             .remark =
                                 t->n < APP_MEAN_LEAST ? "range of fewer than five runs" : ""};
}

static bool draw_curves(const drawing *d, const char *name, const char *title, const char *caption,
                        sc10_proxy_id proxy, const curve_case *cases, size_t n, bool times,
                        GError **error)
{
    uint32_t copies[SC10_PROXY_SIZES];
    const size_t sizes = sc10_app_sizes(d->lab, proxy, copies);
    app_curve_point points[MAX_CURVES][SC10_PROXY_SIZES];
    app_curve curves[MAX_CURVES];
    for (size_t c = 0; c < n; c++) {
        for (size_t i = 0; i < sizes; i++) {
            sc10_app_case what = cases[c].what;
            what.copies = copies[i];
            points[c][i] = point_of(d, &what, times);
        }
        curves[c] = (app_curve){.name = cases[c].name, .points = points[c], .num_points = sizes};
    }
    const app_curves all = {
        .name = name,
        .title = title,
        .caption = caption,
        /* Around one size alone, a logarithmic axis would show exponents of ten. */
        .x = {"ranks", APP_UNIT_NONE, sizes > 1 ? APP_SCALE_LOG : APP_SCALE_LINEAR},
        .y = times ? (app_axis){"time under noise", APP_UNIT_TIME, APP_SCALE_AUTO}
                   : (app_axis){"slowdown", APP_UNIT_PERCENT, APP_SCALE_AUTO},
        .series_name = "case",
        .band_name = "95 % interval of the mean; below five runs their range",
        .hollow_name = "fewer than five runs",
        .curves = curves,
        .num_curves = n,
    };
    g_autoptr(app_chart) chart = app_curves_new(&all);
    return put(d, chart, error);
}

/* ---- Figures 8b, 8c, 9a ---- */

static const struct {
    const char *name;
    const char *title;
} SCALING[SC10_NUM_PROXIES] = {
    [SC10_SWEEP3D] = {"figure-8b-sweep3d", "Figure 8b: sweep3d under the noise of the machines"},
    [SC10_AMG] = {"figure-8c-amg", "Figure 8c: amg under the noise of the machines"},
    [SC10_POP] = {"figure-9a-pop", "Figure 9a: pop under the noise of the machines"},
};

static bool draw_scaling(const drawing *d, sc10_proxy_id proxy, GError **error)
{
    curve_case cases[SC10_NUM_MACHINES];
    for (size_t m = 0; m < SC10_NUM_MACHINES; m++) {
        cases[m] =
            (curve_case){SC10_MACHINES[m].name, sc10_app_case_of(proxy, &SC10_MACHINES[m], 1)};
    }
    if (!sc10_app_has(d->lab, &cases[SC10_JAGUAR].what)) {
        return true; /* other experiments run it on CHiC alone */
    }
    g_autofree char *caption = g_strdup_printf(
        "The record of %s on %u ranks in more and more copies, each machine under its own noise, "
        "unsynchronized, against the same without.",
        SC10_PROXIES[proxy].name, SC10_PROXIES[proxy].ranks);
    return draw_curves(d, SCALING[proxy].name, SCALING[proxy].title, caption, proxy, cases,
                       SC10_NUM_MACHINES, false, error);
}

/* ---- Figures 9b, 9c ---- */

static bool draw_parts(const drawing *d, sc10_proxy_id proxy, const char *name, const char *title,
                       GError **error)
{
    curve_case cases[SC10_NUM_PARTS];
    for (size_t part = 0; part < SC10_NUM_PARTS; part++) {
        cases[part] = (curve_case){SC10_PARTS[part], sc10_part_case(proxy, (sc10_part)part, 1)};
    }
    return !sc10_app_has(d->lab, &cases[SC10_NO_P2P].what) ||
           draw_curves(d, name, title,
                       "On CHiC under its noise: all calls; without point-to-point messages "
                       "(nop2p); without collectives (nocolls).",
                       proxy, cases, SC10_NUM_PARTS, false, error);
}

/* ---- Figure 10 ---- */

static bool draw_network(const drawing *d, GError **error)
{
    curve_case cases[SC10_NUM_NETWORKS];
    for (size_t k = 0; k < SC10_NUM_NETWORKS; k++) {
        cases[k] = (curve_case){SC10_NETWORKS[k].name, sc10_network_case(k, 1)};
    }
    return !sc10_app_has(d->lab, &cases[SC10_FAST].what) ||
           (draw_curves(d, "figure-10a-pop-time", "Figure 10: pop on CHiC, time under noise",
                        "L, g and G a tenth of CHiC's (network x 10), as they are, and ten times "
                        "as large (network / 10).",
                        SC10_POP, cases, SC10_NUM_NETWORKS, true, error) &&
            draw_curves(d, "figure-10b-pop-slowdown", "Figure 10: pop on CHiC, slowdown",
                        "The same runs, each against its own network's without noise.", SC10_POP,
                        cases, SC10_NUM_NETWORKS, false, error));
}

bool sc10_draw_app_figures(sc10_app_lab *lab, const sc10_table *table, app_page *page,
                           const char *folder, GError **error)
{
    const drawing d = {.lab = lab, .page = page, .folder = folder};
    return (!sc10_table_has(table, "E12") || draw_calls(&d, error)) &&
           draw_scaling(&d, SC10_SWEEP3D, error) && draw_scaling(&d, SC10_AMG, error) &&
           draw_scaling(&d, SC10_POP, error) &&
           draw_parts(&d, SC10_AMG, "figure-9b-amg-parts",
                      "Figure 9b: amg, point-to-point and collectives", error) &&
           draw_parts(&d, SC10_POP, "figure-9c-pop-parts",
                      "Figure 9c: pop, point-to-point and collectives", error) &&
           draw_network(&d, error);
}
