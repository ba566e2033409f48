/* bench/sc10/figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "figures.h"

#include "experiments.h"
#include "noise/signature.h"
#include "report/box_plot.h"
#include "report/curves.h"
#include "report/page.h"
#include "sim/unit.h"
#include "statistics/statistics_box.h"

#include <math.h>
#include <string.h>

typedef struct drawing {
    sc10_lab *lab;
    app_page *page;
    const char *folder;
} drawing;

static bool put(const drawing *d, const app_chart *chart, GError **error)
{
    g_autofree char *svg = NULL;
    if (!app_figure_write(&chart->figure, d->folder, &svg, error)) {
        return false;
    }
    app_page_figure(d->page, &chart->figure, svg);
    return true;
}

/* ---- Figure 1 ---- */

enum { POINTS = 2000 }; /* of the frequent detours, drawn evenly spread; all of the rare ones */

static app_chart *scatter(const sc10_machine *m, const noise_detour_trace *trace, const char *name)
{
    const size_t n = noise_detour_trace_count(trace);
    const size_t step = MAX(n / POINTS, 1);
    sim_time longest = 0;
    for (size_t i = 0; i < n; i++) {
        longest = MAX(longest, noise_detour_trace_length(trace, i));
    }
    GString *csv = g_string_new("start_s,length_us\n");
    char number[2][G_ASCII_DTOSTR_BUF_SIZE];
    for (size_t i = 0; i < n; i++) {
        const sim_time length = noise_detour_trace_length(trace, i);
        if (i % step == 0 || length > longest / 4) {
            g_ascii_formatd(number[0], sizeof number[0], "%.6f",
                            (double)noise_detour_trace_start(trace, i) / (double)SIM_S);
            g_ascii_formatd(number[1], sizeof number[1], "%.3f", (double)length / (double)SIM_US);
            g_string_append_printf(csv, "%s,%s\n", number[0], number[1]);
        }
    }
    GString *script = g_string_new("set xlabel 'time, s'\nset ylabel 'detour, us'\nset logscale y\n"
                                   "set yrange [0.8:10000]\nunset key\n");
    g_string_append_printf(
        script, "plot '%s.csv' skip 1 using 1:2 with points pt 7 ps 0.25 lc '#1f5fa8'\n", name);
    g_autofree char *title = g_strdup_printf("Figure 1: detours of the %s model", m->name);
    g_autofree char *caption = g_strdup_printf(
        "All detours longer than a quarter of the longest, and every %zuth of the others (of %zu).",
        step, n);
    return app_chart_new(name, title, caption, csv, script);
}

static bool draw_noise(const drawing *d, GError **error)
{
    static const char *const NAMES[SC10_NUM_MACHINES] = {
        [SC10_CHIC] = "figure-1a-chic",
        [SC10_ALTIX] = "figure-1b-altix",
        [SC10_ZEPTOOS] = "figure-1c-zeptoos",
        [SC10_JAGUAR] = "figure-1d-jaguar",
    };
    for (size_t i = 0; i < SC10_NUM_MACHINES; i++) {
        g_autoptr(noise_signature) noise =
            noise_signature_parse(SC10_MACHINES[i].noise, sc10_lab_seed(d->lab), error);
        if (noise == NULL) {
            return false;
        }
        g_autoptr(app_chart) chart =
            scatter(&SC10_MACHINES[i], noise_signature_trace(noise, 0), NAMES[i]);
        if (!put(d, chart, error)) {
            return false;
        }
    }
    return true;
}

/* ---- box plots over the ranks ---- */

typedef struct boxes {
    const char *name;
    const char *title;
    sc10_case what;
} boxes;

/* The machine's 1-byte dissemination under its own noise. */
#define OWN(machine_, noise_) .collective = "allreduce", .machine = (machine_), .noise = (noise_)
#define EXTREME               "fixed:1000Hz:100us"

static const boxes BOXES[] = {
    {"figure-5a-fixed", "Figure 5a: 100 us at 1 kHz, unsynchronized", {OWN("cnl", EXTREME)}},
    {"figure-5b-chic", "Figure 5b: CHiC", {OWN("chic", "chic")}},
    {"figure-5c-zeptoos", "Figure 5c: ZeptoOS", {OWN("zeptoos", "zeptoos")}},
    {"figure-6a-jaguar", "Figure 6a: Jaguar", {OWN("xt4", "jaguar")}},
    {"figure-6c-large",
     "Figure 6c: 100 us at 1 kHz, 1 MiB",
     {OWN("cnl", EXTREME), .bytes = 1 << 20}},
    {"figure-7a-jaguar-large",
     "Figure 7a: Jaguar, 1 MiB",
     {OWN("xt4", "jaguar"), .bytes = 1 << 20}},
    {"figure-7b-altix-cosched",
     "Figure 7b: Altix, co-scheduled",
     {OWN("altix", "altix"), .cosched = true}},
    {"figure-7c-altix", "Figure 7c: Altix", {OWN("altix", "altix")}},
    {"figure-7d-altix-fast",
     "Figure 7d: Altix, network 10 times as fast",
     {OWN("altix", "altix"), .network = -10}},
    {"figure-7e-jaguar-fast",
     "Figure 7e: Jaguar, network 10 times as fast",
     {OWN("xt4", "jaguar"), .network = -10}},
    {"figure-7f-jaguar-slow",
     "Figure 7f: Jaguar, network 10 times as slow",
     {OWN("xt4", "jaguar"), .network = 10}},
};

static const double NS_PER_US = 1000;

static app_box_sample box_of(const sc10_times *t, GPtrArray *kept)
{
    g_autofree sim_time *values = g_new(sim_time, t->n);
    for (size_t i = 0; i < t->n; i++) {
        values[i] = llround((double)SIM_US * t->replica[i]);
    }
    const app_statistics times = app_statistics_of(values, t->n, 0.95);
    return app_statistics_box(&times, values, t->n, kept);
}

static app_chart *box_plot(sc10_lab *lab, const boxes *b)
{
    size_t n = 0;
    g_autofree uint32_t *sizes = sc10_lab_sizes(lab, &n);
    g_autofree app_box_group *groups = g_new0(app_box_group, n);
    g_autofree app_box_sample *samples = g_new0(app_box_sample, n);
    g_autoptr(GPtrArray) owned = g_ptr_array_new_with_free_func(g_free);
    size_t runs = 0;
    for (size_t i = 0; i < n; i++) {
        const sc10_times *t = sc10_lab_times(lab, &b->what, sizes[i]);
        char *label = sim_unit_format_count(sizes[i]);
        g_ptr_array_add(owned, label);
        groups[i] = (app_box_group){.label = label, .reference = NS_PER_US * t->ideal};
        samples[i] = box_of(t, owned);
        samples[i].group = i;
        runs = t->n;
    }
    g_autofree char *caption =
        g_strdup_printf("Time of one dissemination (allreduce) of %s, %zu runs for each size.",
                        b->what.bytes > 1 ? "1 MiB" : "1 byte", runs);
    static const char *const SERIES[] = {"noisy"};
    const app_box_plot plot = {
        .name = b->name,
        .title = b->title,
        .caption = caption,
        .group_name = "ranks",
        .series_name = "noise",
        .y = {.name = "time", .unit = APP_UNIT_TIME, .scale = APP_SCALE_AUTO},
        .reference_name = "no noise",
        .groups = groups,
        .num_groups = n,
        .series = SERIES,
        .num_series = 1,
        .samples = samples,
        .num_samples = n,
    };
    return app_box_plot_new(&plot);
}

/* ---- Figure 6b ---- */

enum { CURVES = 6, MAX_SIZES = 32 };
static const size_t SHOWN[] = {SC10_CHIC, SC10_ALTIX, SC10_JAGUAR};
static const char *const COLLECTIVES[] = {"allreduce", "bcast"};

static app_chart *latency_increase(sc10_lab *lab)
{
    size_t n = 0;
    g_autofree uint32_t *sizes = sc10_lab_sizes(lab, &n);
    app_curve curves[CURVES];
    app_curve_point points[CURVES][MAX_SIZES];
    char *names[CURVES];
    for (size_t c = 0; c < CURVES; c++) {
        const sc10_machine *m = &SC10_MACHINES[SHOWN[c / 2]];
        sc10_case what = sc10_case_of(m);
        what.collective = COLLECTIVES[c % 2];
        for (size_t i = 0; i < n; i++) {
            const sc10_times *t = sc10_lab_times(lab, &what, sizes[i]);
            const double y = NS_PER_US * (sc10_median(t) - t->ideal);
            points[c][i] = (app_curve_point){.x = sizes[i], .y = y, .low = y, .high = y};
        }
        names[c] = g_strdup_printf("%s, %s", m->name, COLLECTIVES[c % 2]);
        curves[c] = (app_curve){.name = names[c], .points = points[c], .num_points = n};
    }
    const app_curves all = {
        .name = "figure-6b-broadcast",
        .title = "Figure 6b: what noise adds to allreduce and broadcast",
        .caption = "Median time with noise less the time without. ZeptoOS is flat and left out.",
        .x = {.name = "ranks", .unit = APP_UNIT_COUNT, .scale = APP_SCALE_LOG},
        .y = {.name = "added time", .unit = APP_UNIT_TIME, .scale = APP_SCALE_LOG},
        .series_name = "machine and collective",
        .curves = curves,
        .num_curves = CURVES,
    };
    app_chart *chart = app_curves_new(&all);
    for (size_t c = 0; c < CURVES; c++) {
        g_free(names[c]);
    }
    return chart;
}

static bool draw_boxes(const drawing *d, GError **error)
{
    for (size_t i = 0; i < G_N_ELEMENTS(BOXES); i++) {
        g_autoptr(app_chart) chart = box_plot(d->lab, &BOXES[i]);
        if (!put(d, chart, error)) {
            return false;
        }
    }
    g_autoptr(app_chart) chart = latency_increase(d->lab);
    return put(d, chart, error);
}

static bool write_page(const drawing *d, const sc10_table *table, GError **error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    sc10_table_print(table, memory);
    (void)fclose(memory);
    app_page_heading(d->page, "Checks");
    app_page_code(d->page, text);
    free(text);
    g_autofree char *path = g_build_filename(d->folder, "report.html", NULL);
    return app_page_write(d->page, path, error);
}

bool sc10_draw_figures(sc10_lab *lab, const sc10_table *table, const char *folder, GError **error)
{
    g_autoptr(app_page) page =
        app_page_new("Characterizing the Influence of System Noise: SC'10 repeated");
    const drawing d = {.lab = lab, .page = page, .folder = folder};
    app_page_heading(page, "Figures");
    return draw_noise(&d, error) && draw_boxes(&d, error) && write_page(&d, table, error);
}
