/* bench/sc07/methods/roc_figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_figures. */
#include "roc_figures.h"

#include "report/curves.h"

#include <glib.h>
#include <math.h>

/* As short as a legend with an area and its interval asks for. */
static const char *const SHORT[SC07_NUM_METHODS] = {
    [SC07_BY_METRIC] = "metric", [SC07_BY_LOST] = "lost",   [SC07_BY_MINER] = "miner",
    [SC07_BY_CALLS] = "call z",  [SC07_BY_TOTAL] = "run z",
};

static char *legend_of(int method, sc07_interval area)
{
    return g_strdup_printf("%s %.3f (%.3f–%.3f)", SHORT[method], area.value, area.low, area.high);
}

app_chart *sc07_roc_chart(const sc07_comparison *c, int program)
{
    const sc07_roc *roc = program < 0 ? c->all : c->program[program];
    const sc07_roc_line *line = c->line[1 + program];
    const char *who = program < 0 ? "all programs" : sc07_compared_names[program];
    app_curve curves[SC07_NUM_METHODS];
    app_curve_point points[SC07_NUM_METHODS][SC07_ROC_POINTS];
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (int m = 0; m < SC07_NUM_METHODS; m++) {
        for (int i = 0; i < SC07_ROC_POINTS; i++) {
            const double y = 100 * line[m].at[i].true_share;
            points[m][i] = (app_curve_point){
                .x = 100 * line[m].at[i].false_share, .y = y, .low = y, .high = y};
        }
        char *name = legend_of(m, roc[m].area);
        g_ptr_array_add(names, name);
        curves[m] = (app_curve){name, points[m], SC07_ROC_POINTS};
    }
    g_autofree char *lower = g_ascii_strdown(program < 0 ? "all" : who, -1);
    g_autofree char *name = g_strdup_printf("roc-%s", lower);
    g_autofree char *title =
        g_strdup_printf("Disturbed ranks found, and clean ones blamed: %s", who);
    g_autofree char *caption = g_strdup_printf(
        "Receiver operating characteristic of five scores, %u runs of all programs. metric, lost: "
        "typical sequences, by the paper's metric and by the time lost in disturbed stretches; "
        "miner: NoiseMiner; call z, run z: z-score of each call and of the whole run. Behind each "
        "the area under its curve, with its 95 %% interval (1,000 resamples of whole groups of "
        "runs). The lower axis is logarithmic, and linear around 0.",
        c->runs);
    const app_curves all = {
        .name = name,
        .title = title,
        .caption = caption,
        .x = {.name = "false positives", .unit = APP_UNIT_PERCENT, .scale = APP_SCALE_LOG},
        .y = {.name = "true positives", .unit = APP_UNIT_PERCENT, .scale = APP_SCALE_LINEAR},
        .series_name = "method",
        .curves = curves,
        .num_curves = SC07_NUM_METHODS,
    };
    return app_curves_new(&all);
}
