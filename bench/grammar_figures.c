/* bench/grammar_figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "grammar_figures.h"

#include "report/curves.h"
#include "report/page_figure.h"

#include <glib/gstdio.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdio.h>

enum { LEAST_FITTED = 3, MOST_SERIES = 8 };

grammar_growth grammar_growth_fit(const uint64_t *symbols, const double *y, size_t num)
{
    double log_n[GRAMMAR_MOST_LENGTHS];
    double log_y[GRAMMAR_MOST_LENGTHS];
    for (size_t i = 0; i < num; i++) {
        log_n[i] = log((double)symbols[i]);
        log_y[i] = log(y[i]);
    }
    double c0;
    double c1;
    double cov00;
    double cov01;
    double cov11;
    double squares;
    gsl_fit_linear(log_n, 1, log_y, 1, num, &c0, &c1, &cov00, &cov01, &cov11, &squares);
    return (grammar_growth){c1, gsl_cdf_tdist_Pinv(0.975, (double)num - 2) * sqrt(cov11)};
}

static char *growth_text(const uint64_t *symbols, const double *y, size_t num)
{
    const grammar_growth g = grammar_growth_fit(symbols, y, num);
    return g_strdup_printf("%.3f +- %.3f", g.exponent, g.half_width);
}

void grammar_growth_print(const grammar_series *series, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        const grammar_series *s = &series[i];
        if (s->num >= LEAST_FITTED) {
            g_autofree char *time = growth_text(s->symbols, s->seconds, s->num);
            g_autofree char *bytes = growth_text(s->symbols, s->bytes, s->num);
            printf("# %s: time ~ n^b, b = %s; bytes ~ n^b, b = %s (95 %% intervals)\n", s->name,
                   time, bytes);
        }
    }
}

/* One of the two figures, of what is had per symbol. */
typedef struct drawing {
    const char *name, *title, *caption;
    app_axis y;
    bool bytes;
} drawing;

static const drawing DRAWINGS[] = {
    {"time",
     "Sequitur: time per symbol",
     "CPU time of building the grammar, divided by the symbols: a horizontal line is growth in "
     "proportion to the string.",
     {"CPU time per symbol", APP_UNIT_TIME, APP_SCALE_LOG},
     false},
    {"memory",
     "Sequitur: memory per symbol",
     "Bytes that the grammar holds at the end, divided by the symbols. What the grammar "
     "compresses well takes no more memory when the string gets longer.",
     {"bytes per symbol", APP_UNIT_NONE, APP_SCALE_LOG},
     true},
};

static bool draw(const drawing *d, const grammar_series *series, size_t num, const char *folder,
                 app_page *page, GError **error)
{
    app_curve curves[MOST_SERIES];
    app_curve_point points[MOST_SERIES][GRAMMAR_MOST_LENGTHS];
    for (size_t i = 0; i < num; i++) {
        const grammar_series *s = &series[i];
        for (size_t k = 0; k < s->num; k++) {
            const double n = (double)s->symbols[k];
            const double y = d->bytes ? s->bytes[k] / n : 1e9 * s->seconds[k] / n;
            points[i][k] = (app_curve_point){.x = n, .y = y, .low = y, .high = y};
        }
        curves[i] = (app_curve){.name = s->name, .points = points[i], .num_points = s->num};
    }
    const app_curves all = {.name = d->name,
                            .title = d->title,
                            .caption = d->caption,
                            .x = {"symbols", APP_UNIT_NONE, APP_SCALE_LOG},
                            .y = d->y,
                            .series_name = "string",
                            .curves = curves,
                            .num_curves = num};
    g_autoptr(app_chart) chart = app_curves_new(&all);
    return app_page_draw(page, chart, folder, error);
}

static void tabulate(const grammar_series *series, size_t num, app_page *page)
{
    static const char *const COLUMNS[] = {"string", "b of time ~ n^b", "b of bytes ~ n^b", NULL};
    app_page_table_begin(page, COLUMNS);
    for (size_t i = 0; i < num; i++) {
        const grammar_series *s = &series[i];
        if (s->num >= LEAST_FITTED) {
            g_autofree char *time = growth_text(s->symbols, s->seconds, s->num);
            g_autofree char *bytes = growth_text(s->symbols, s->bytes, s->num);
            const char *const cells[] = {s->name, time, bytes, NULL};
            app_page_table_row(page, cells);
        }
    }
    app_page_table_end(page);
}

bool grammar_figures_write(const grammar_series *series, size_t num, const char *folder,
                           GError **error)
{
    g_assert(num <= MOST_SERIES);
    if (g_mkdir_with_parents(folder, 0755) != 0) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: cannot be made", folder);
        return false;
    }
    g_autoptr(app_page) page = app_page_new("Sequitur: time and memory");
    for (size_t i = 0; i < G_N_ELEMENTS(DRAWINGS); i++) {
        if (!draw(&DRAWINGS[i], series, num, folder, page, error)) {
            return false;
        }
    }
    app_page_paragraph(page,
                       "Exponents by least squares of logarithms, with 95 % intervals by Student's "
                       "distribution, which take deviations from a power law for chance; steps "
                       "where a cache is outgrown are none. One run each.");
    tabulate(series, num, page);
    g_autofree char *path = g_build_filename(folder, "index.html", NULL);
    return app_page_write(page, path, error);
}
