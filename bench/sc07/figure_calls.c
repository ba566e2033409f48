/* bench/sc07/figure_calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_figures. */
#include "figure_calls.h"

#include "experiments.h"
#include "report/curves.h"
#include "report/page_figure.h"
#include "report/scatter.h"

#include <gsl/gsl_statistics_double.h>

void sc07_autocorrelation(const double *x, size_t n, double *out, size_t num_lags)
{
    const double mean = gsl_stats_mean(x, 1, n);
    double zero = 1;
    for (size_t lag = 0; lag < num_lags; lag++) {
        double sum = 0;
        for (size_t i = 0; i + lag < n; i++) {
            sum += (x[i] - mean) * (x[i + lag] - mean);
        }
        sum /= (double)(n - lag);
        zero = lag == 0 && sum > 0 ? sum : zero;
        out[lag] = sum / zero;
    }
}

/* ---- Figure 3 ---- */

/* Calls by whole numbers: function and peer, in the order in which they first come. Owned by the
 * caller. */
static double *encoded(const sc07_program *p)
{
    const uint32_t n = sc07_program_num_calls(p);
    double *out = g_new0(double, n);
    g_autoptr(GHashTable) codes = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t symbol = sc07_program_symbol(p, i);
        gpointer code = g_hash_table_lookup(codes, &symbol);
        if (code == NULL) {
            code = GUINT_TO_POINTER(g_hash_table_size(codes) + 1);
            g_hash_table_insert(codes, g_memdup2(&symbol, sizeof symbol), code);
        }
        out[i] = GPOINTER_TO_UINT(code);
    }
    return out;
}

enum { SHORT_LAGS = 122, LONG_LAGS = 1700 }; /* four periods of 30; two of 789 */

static bool draw_short(const double *like, const char *folder, app_page *page, GError **error)
{
    app_curve_point points[SHORT_LAGS];
    for (int i = 0; i < SHORT_LAGS; i++) {
        points[i] = (app_curve_point){.x = i, .y = like[i], .low = like[i], .high = like[i]};
    }
    const app_curve curve = {"CG", points, SHORT_LAGS};
    const app_curves all = {
        .name = "figure-3a-cg-period",
        .title = "Figure 3: CG, autocorrelation of the calls, to 121",
        .caption = "Of processor 1's calls, each function with its peer a whole number, counted in "
                   "the order in which they first come; less the mean. Peaks: every 30 calls.",
        .x = {.name = "lag, calls", .unit = APP_UNIT_NONE, .scale = APP_SCALE_LINEAR},
        .y = {.name = "autocorrelation", .unit = APP_UNIT_NONE, .scale = APP_SCALE_LINEAR},
        .series_name = "program",
        .curves = &curve,
        .num_curves = 1,
    };
    g_autoptr(app_chart) chart = app_curves_new(&all);
    return app_page_draw(page, chart, folder, error);
}

static bool draw_long(const double *like, const char *folder, app_page *page, GError **error)
{
    g_autofree double *lag = g_new(double, LONG_LAGS);
    for (int i = 0; i < LONG_LAGS; i++) {
        lag[i] = i;
    }
    const app_cloud cloud = {"CG", lag, like, LONG_LAGS};
    const app_scatter all = {
        .name = "figure-3b-cg-period",
        .title = "Figure 3: CG, autocorrelation of the calls, to 1699",
        .caption = "The same further on: the peaks every 30 calls are lower in between, and the "
                   "string is like itself again after 789 calls, and after 1578.",
        .x = {.name = "lag, calls", .unit = APP_UNIT_NONE, .scale = APP_SCALE_LINEAR},
        .y = {.name = "autocorrelation", .unit = APP_UNIT_NONE, .scale = APP_SCALE_LINEAR},
        .series_name = "program",
        .clouds = &cloud,
        .num_clouds = 1,
    };
    g_autoptr(app_chart) chart = app_scatter_new(&all);
    return app_page_draw(page, chart, folder, error);
}

bool sc07_draw_periods(const char *folder, app_page *page, GError **error)
{
    g_autoptr(sc07_program) cg = sc07_program_new(SC07_CG, 0);
    g_autofree double *calls = encoded(cg);
    g_autofree double *like = g_new(double, LONG_LAGS);
    sc07_autocorrelation(calls, sc07_program_num_calls(cg), like, LONG_LAGS);
    return draw_short(like, folder, page, error) && draw_long(like, folder, page, error);
}

/* ---- Figure 7 ---- */

/* Processors of sequences, and of calls; of a run; the fifth sequence, from 0. */
enum { SHOWN = 4, COMPARED = 2, PART = 4, FIFTH = 4 };

static const double NS_PER_PS = 1e-3;

/* What is computed before each call. */
typedef struct profile {
    GArray *ns[SHOWN]; /* of double */
} profile;

static void take(void *data, uint32_t rank, const noise_sequence_call *call)
{
    const profile *p = data;
    if (rank < SHOWN) {
        const double ns = NS_PER_PS * (double)call->compute;
        g_array_append_val(p->ns[rank], ns);
    }
}

static const char *const PROCESSORS[SHOWN] = {"processor 1", "processor 2", "processor 3",
                                              "processor 4"};

static bool draw_calls(const sc07_program *program, const sc07_scene *scene, const char *folder,
                       app_page *page, GError **error)
{
    profile p;
    const uint32_t n = sc07_program_num_calls(program) / PART;
    g_autofree double *number = g_new(double, n);
    for (uint32_t i = 0; i < n; i++) {
        number[i] = 1e-3 * (i + 1);
    }
    app_cloud clouds[COMPARED];
    for (int r = 0; r < SHOWN; r++) {
        p.ns[r] = g_array_new(FALSE, FALSE, sizeof(double));
    }
    sc07_run(program, scene, take, &p);
    for (int r = 0; r < COMPARED; r++) {
        clouds[r] =
            (app_cloud){PROCESSORS[r], number, (const double *)(gconstpointer)p.ns[r]->data, n};
    }
    const app_scatter all = {
        .name = "figure-7a-pop-calls",
        .title = "Figure 7: POP, computed before each call, processors 1 and 2",
        .caption = "The first quarter of a run without a job. Processor 1 computes 0.3 of what the "
                   "others do in two of the four solvers; 3 and 4, which the paper shows too, are "
                   "like 2.",
        .x = {.name = "call, thousands", .unit = APP_UNIT_NONE, .scale = APP_SCALE_LINEAR},
        .y = {.name = "computation", .unit = APP_UNIT_TIME, .scale = APP_SCALE_LOG},
        .series_name = "processor",
        .clouds = clouds,
        .num_clouds = COMPARED,
    };
    g_autoptr(app_chart) chart = app_scatter_new(&all);
    const bool ok = app_page_draw(page, chart, folder, error);
    for (int r = 0; r < SHOWN; r++) {
        g_array_unref(p.ns[r]);
    }
    return ok;
}

typedef struct drawn_sequence {
    const char *name;
    const char *title;
    const char *caption;
    uint32_t sequence;
} drawn_sequence;

static const drawn_sequence SEQUENCES[] = {
    {"figure-7b-pop-sequence-1", "Figure 7: POP, computed in each occurrence of sequence 1",
     "The same run. So are seven more of the ten sequences: processors 2 to 4 alike, processor 1 "
     "below them.",
     0},
    {"figure-7c-pop-sequence-5", "Figure 7: POP, computed in each occurrence of sequence 5",
     "The same run. So is sequence 9: all but processor 1 vary from step to step, each by itself.",
     FIFTH},
};

static bool draw_sequence(const drawn_sequence *d, const sc07_samples *run, const char *folder,
                          app_page *page, GError **error)
{
    const sc07_series *s = &run->series[d->sequence];
    g_autofree app_curve_point *points = g_new0(app_curve_point, (gsize)SHOWN * s->n + 1);
    app_curve curves[SHOWN];
    for (uint32_t r = 0; r < SHOWN; r++) {
        app_curve_point *of = points + (size_t)r * s->n;
        for (uint32_t t = 0; t < s->n; t++) {
            const double ns = NS_PER_PS * (double)s->sample[(size_t)r * s->n + t].compute;
            of[t] = (app_curve_point){.x = t + 1, .y = ns, .low = ns, .high = ns};
        }
        curves[r] = (app_curve){PROCESSORS[r], of, s->n};
    }
    const app_curves all = {
        .name = d->name,
        .title = d->title,
        .caption = d->caption,
        .x = {.name = "occurrence", .unit = APP_UNIT_NONE, .scale = APP_SCALE_LINEAR},
        .y = {.name = "computation", .unit = APP_UNIT_TIME, .scale = APP_SCALE_LINEAR},
        .series_name = "processor",
        .curves = curves,
        .num_curves = SHOWN,
    };
    g_autoptr(app_chart) chart = app_curves_new(&all);
    return app_page_draw(page, chart, folder, error);
}

bool sc07_draw_profile(const sc07_lab *lab, const char *folder, app_page *page, GError **error)
{
    g_autoptr(sc07_program) pop = sc07_program_new(SC07_POP, 0);
    g_autoptr(sc07_set) set = sc07_paper_set(pop, SC07_POP);
    const sc07_scene scene = {lab->seed, NULL};
    sc07_samples *run = sc07_samples_new(set, &scene);
    bool ok = draw_calls(pop, &scene, folder, page, error);
    for (size_t i = 0; i < G_N_ELEMENTS(SEQUENCES) && ok; i++) {
        ok = draw_sequence(&SEQUENCES[i], run, folder, page, error);
    }
    sc07_samples_free(run);
    return ok;
}
