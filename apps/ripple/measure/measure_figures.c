/* apps/ripple/measure/measure_figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_measure_page. */
#include "measure/measure_figures.h"

#include "report/curves.h"
#include "report/scatter.h"

#include <math.h>

enum {
    MOST_CLOUDS = 8, /* colours; the smallest of more sources share the last one */
    SPECTRUM_POINTS = 160,
};

static double to_ns(sim_time time)
{
    return (double)time / (double)SIM_NS;
}

/* Of each detour its cloud: its source, or that of all sources for which there is no colour. */
static size_t cloud_of(const app_measure_analysis *a, size_t cpu, size_t i)
{
    return a->is_sampled ? 0 : MIN((size_t)a->division->source[cpu][i], MOST_CLOUDS - 1);
}

static const char *cloud_name(const app_measure_analysis *a, size_t cloud)
{
    if (a->is_sampled) {
        return "missing in a quantum";
    }
    return cloud == MOST_CLOUDS - 1 && a->division->num_sources > MOST_CLOUDS
               ? "all others"
               : a->division->sources[cloud].name;
}

/* Start or length of all detours of a cloud, ns. */
static double *values_of(const app_measure_analysis *a, size_t cloud, bool starts, size_t *n)
{
    double *values = g_new(double, a->num_detours + 1);
    *n = 0;
    for (size_t c = 0; c < a->num_cpus; c++) {
        const noise_observation *cpu = &a->cpus[c];
        for (size_t i = 0; i < cpu->n; i++) {
            if (cloud_of(a, c, i) == cloud) {
                values[(*n)++] = to_ns(starts ? cpu->start[i] : cpu->length[i]);
            }
        }
    }
    return values;
}

app_chart *app_measure_figure_detours(const app_measure_analysis *a)
{
    if (a->num_detours == 0) {
        return NULL;
    }
    const size_t num = a->is_sampled ? 1 : MIN(a->division->num_sources, MOST_CLOUDS);
    app_cloud clouds[MOST_CLOUDS] = {{NULL, NULL, NULL, 0}};
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
    for (size_t s = 0; s < num; s++) {
        size_t n = 0;
        double *xs = values_of(a, s, true, &n);
        double *ys = values_of(a, s, false, &n);
        g_ptr_array_add(kept, xs);
        g_ptr_array_add(kept, ys);
        clouds[s] = (app_cloud){cloud_name(a, s), xs, ys, n};
    }
    const app_scatter scatter = {
        .name = "detours",
        .title = "Detours over time",
        .caption = "Each detour by when it began and how long it took, of all CPUs.",
        .x = {"time", APP_UNIT_TIME, APP_SCALE_LINEAR},
        .y = {"length", APP_UNIT_TIME, APP_SCALE_LOG},
        .series_name = "source",
        .clouds = clouds,
        .num_clouds = num,
    };
    return app_scatter_new(&scatter);
}

/* One curve of @p n points without bands. */
static app_chart *curve(const char *name, const char *title, const char *caption, app_axis x,
                        app_axis y, app_curve_point *points, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        points[i].low = points[i].high = points[i].y;
    }
    const app_curve one = {"all CPUs", points, n};
    const app_curves curves = {.name = name,
                               .title = title,
                               .caption = caption,
                               .x = x,
                               .y = y,
                               .series_name = "of",
                               .curves = &one,
                               .num_curves = 1};
    return n > 0 ? app_curves_new(&curves) : NULL;
}

/* In the middle of a bin on a logarithmic axis. */
static double middle(const noise_length_bin *bin)
{
    return sqrt(fmax(to_ns(bin->from), 1) * to_ns(bin->to));
}

static double seconds(const app_measure_analysis *a)
{
    return (double)a->time / (double)SIM_S;
}

static const app_axis LENGTH = {"length", APP_UNIT_TIME, APP_SCALE_LOG};
static const app_axis RATE = {"per second", APP_UNIT_NONE, APP_SCALE_LOG};

/* How many there are in each second of a CPU, by length; takes @p sorted. */
static app_chart *rates(const app_measure_analysis *a, sim_time *sorted, size_t num,
                        const char *name, const char *title, const char *caption, app_axis x)
{
    size_t n = 0;
    g_autofree sim_time *owned = sorted;
    g_autofree noise_length_bin *bins = noise_length_histogram(owned, num, &n);
    g_autofree app_curve_point *points = g_new0(app_curve_point, n + 1);
    for (size_t i = 0; i < n; i++) {
        points[i].x = middle(&bins[i]);
        points[i].y = (double)bins[i].count / seconds(a);
    }
    return curve(name, title, caption, x, RATE, points, n);
}

app_chart *app_measure_figure_lengths(const app_measure_analysis *a)
{
    size_t num = 0;
    sim_time *sorted = noise_sorted_lengths(a->cpus, a->num_cpus, &num);
    return rates(a, sorted, num, "lengths", "How long detours are",
                 "Detours in each second of a CPU by length, in bins of an eighth of an octave; "
                 "bins without one are left out.",
                 LENGTH);
}

app_chart *app_measure_figure_ccdf(const app_measure_analysis *a)
{
    size_t num = 0;
    size_t n = 0;
    g_autofree sim_time *sorted = noise_sorted_lengths(a->cpus, a->num_cpus, &num);
    g_autofree noise_length_bin *bins = noise_length_histogram(sorted, num, &n);
    g_autofree app_curve_point *points = g_new0(app_curve_point, n + 1);
    for (size_t i = 0; i < n; i++) {
        points[i].x = to_ns(MAX(bins[i].from, sorted[0]));
        points[i].y = (double)bins[i].above / seconds(a);
    }
    return curve("ccdf", "How often detours are at least so long",
                 "Detours in each second of a CPU that are as long or longer. The lower right end "
                 "stands on single detours.",
                 LENGTH, RATE, points, n);
}

app_chart *app_measure_figure_gaps(const app_measure_analysis *a)
{
    size_t num = 0;
    sim_time *sorted = noise_sorted_gaps(a->cpus, a->num_cpus, &num);
    const app_axis gap = {"start to start", APP_UNIT_TIME, APP_SCALE_LOG};
    return rates(a, sorted, num, "gaps", "How far detours are apart",
                 "Times from the start of a detour to that of the next on the same CPU, in bins of "
                 "an eighth of an octave; what comes at regular intervals is a peak.",
                 gap);
}

app_chart *app_measure_figure_spectrum(const app_measure_analysis *a, size_t cpu)
{
    const noise_spectrum *s = a->spectra[cpu];
    if (s == NULL) {
        return NULL;
    }
    app_curve_point points[SPECTRUM_POINTS];
    size_t n = 0;
    size_t from = 1;
    for (size_t p = 0; p < SPECTRUM_POINTS && from < s->num_bins; p++) {
        /* The highest of each stretch of equal ratio: no peak is lost. */
        const double end = pow((double)s->num_bins, (double)(p + 1) / SPECTRUM_POINTS);
        const size_t to = MIN((size_t)fmax(end, (double)from), s->num_bins - 1);
        size_t highest = from;
        for (size_t k = from; k <= to; k++) {
            highest = s->density[k] > s->density[highest] ? k : highest;
        }
        if ((double)from <= end && s->density[highest] > 0) {
            points[n++] =
                (app_curve_point){.x = (double)highest * s->bin, .y = s->density[highest]};
            from = to + 1;
        }
    }
    g_autofree char *name = g_strdup_printf("spectrum-%zu", cpu);
    g_autofree char *title = g_strdup_printf("Spectrum of the work missing, %s", a->names[cpu]);
    const app_axis frequency = {"frequency in Hz", APP_UNIT_NONE, APP_SCALE_LOG};
    const app_axis density = {"density per Hz", APP_UNIT_NONE, APP_SCALE_LOG};
    g_autofree char *caption = g_strdup_printf("Of stretches of frequency the highest density "
                                               "each. What comes more often than %g Hz shows "
                                               "at another frequency.",
                                               s->nyquist);
    return curve(name, title, caption, frequency, density, points, n);
}
