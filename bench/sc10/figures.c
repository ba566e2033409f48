/* bench/sc10/figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "figures.h"

#include "experiments.h"
#include "report/box_plot.h"
#include "report/curves.h"
#include "report/page.h"
#include "report/page_figure.h"
#include "scatter.h"
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
    return app_page_draw(d->page, chart, d->folder, error);
}

/* ---- Figure 1 ---- */

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
        g_autofree char *title = g_strdup_printf("Figure 1%c: detours of the %s model",
                                                 (char)('a' + i), SC10_MACHINES[i].name);
        g_autoptr(app_chart) chart = sc10_scatter(noise, NAMES[i], title, sc10_lab_seed(d->lab));
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
    {"figure-5a-fixed", "Figure 5a: 100 us at 1 kHz, 1 byte", {OWN("cnl", EXTREME)}},
    {"figure-5b-chic", "Figure 5b: CHiC, 1 byte", {OWN("chic", "chic")}},
    {"figure-5c-zeptoos", "Figure 5c: ZeptoOS, 1 byte", {OWN("zeptoos", "zeptoos")}},
    {"figure-6a-jaguar", "Figure 6a: Jaguar, 1 byte", {OWN("xt4", "jaguar")}},
    {"figure-6c-large",
     "Figure 6c: 100 us at 1 kHz, 1 MiB",
     {OWN("cnl", EXTREME), .bytes = 1 << 20}},
    {"figure-7a-jaguar-large",
     "Figure 7a: Jaguar, 1 MiB",
     {OWN("xt4", "jaguar"), .bytes = 1 << 20}},
    {"figure-7b-altix-cosched",
     "Figure 7b: Altix, 1 byte, co-scheduled",
     {OWN("altix", "altix"), .cosched = true}},
    {"figure-7c-altix", "Figure 7c: Altix, 1 byte", {OWN("altix", "altix")}},
    {"figure-7d-altix-fast",
     "Figure 7d: Altix, 1 byte, network 10 times as fast",
     {OWN("altix", "altix"), .network = -10}},
    {"figure-7e-jaguar-fast",
     "Figure 7e: Jaguar, 1 byte, network 10 times as fast",
     {OWN("xt4", "jaguar"), .network = -10}},
    {"figure-7f-jaguar-slow",
     "Figure 7f: Jaguar, 1 byte, network 10 times as slow",
     {OWN("xt4", "jaguar"), .network = 10}},
};

static const double LEVEL = 0.95;

static const double NS_PER_US = 1000;

/* @return owned by the caller */
static sim_time *in_ps(const sc10_times *t)
{
    sim_time *values = g_new(sim_time, t->n);
    for (size_t i = 0; i < t->n; i++) {
        values[i] = llround((double)SIM_US * t->replica[i]);
    }
    return values;
}

static app_box_sample box_of(const sc10_times *t, GPtrArray *kept)
{
    g_autofree sim_time *values = in_ps(t);
    const app_statistics times = app_statistics_of(values, t->n, LEVEL);
    return app_statistics_box(&times, values, t->n, kept);
}

/* What was run, and how to read it. Owned by the caller. */
static char *caption_of(const boxes *b, size_t runs)
{
    const char *network = b->what.network > 0   ? " with L, g and G ten times as large"
                          : b->what.network < 0 ? " with L, g and G a tenth as large"
                                                : "";
    return g_strdup_printf(
        "%zu runs of each size of one allreduce (dissemination) of %s on machine '%s'%s under "
        "noise '%s', %s. Boxes hold the middle half of the runs, the bar in them is the median, "
        "whiskers reach to the last run within 1.5 times the box, circles are runs beyond; dashed: "
        "without noise.",
        runs, b->what.bytes > 1 ? "1 MiB" : "1 byte", b->what.machine, network, b->what.noise,
        b->what.cosched ? "co-scheduled: all ranks begin at the same place in it"
                        : "unsynchronized: every rank begins at a place of its own in it");
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
        char *number = g_strdup_printf("%" G_GUINT32_FORMAT, sizes[i]);
        g_ptr_array_add(owned, label);
        g_ptr_array_add(owned, number);
        groups[i] = (app_box_group){label, NS_PER_US * t->ideal, number};
        samples[i] = box_of(t, owned);
        samples[i].group = i;
        runs = t->n;
    }
    g_autofree char *caption = caption_of(b, runs);
    static const char *const SERIES[] = {"with noise"};
    const app_box_plot plot = {
        .name = b->name,
        .title = b->title,
        .caption = caption,
        .group_name = "ranks",
        .series_name = "noise",
        .y = {.name = "time of one allreduce", .unit = APP_UNIT_TIME, .scale = APP_SCALE_AUTO},
        .reference_name = "without noise",
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

/* At the median, with its interval. */
static app_curve_point added_by_noise(const sc10_times *t)
{
    g_autofree sim_time *values = in_ps(t);
    const app_statistics times = app_statistics_of(values, t->n, LEVEL);
    const double ideal = NS_PER_US * t->ideal;
    return (app_curve_point){.x = t->ranks,
                             .y = NS_PER_US * sc10_median(t) - ideal,
                             .low = (double)times.low / (double)SIM_NS - ideal,
                             .high = (double)times.high / (double)SIM_NS - ideal};
}

static app_chart *latency_increase(sc10_lab *lab)
{
    size_t n = 0;
    size_t runs = 0;
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
            points[c][i] = added_by_noise(t);
            runs = t->n;
        }
        names[c] = g_strdup_printf("%s, %s", m->name, COLLECTIVES[c % 2]);
        curves[c] = (app_curve){.name = names[c], .points = points[c], .num_points = n};
    }
    g_autofree char *caption = g_strdup_printf(
        "Median time of %zu runs under each machine's own noise, unsynchronized, less the time "
        "without; the bars are 95 %% intervals of the median (binomial). Allreduce is a "
        "dissemination, the broadcast a binomial tree. ZeptoOS is flat and left out. The axis is "
        "linear around 0.",
        runs);
    const app_curves all = {
        .name = "figure-6b-broadcast",
        .title = "Figure 6b: what noise adds to allreduce and broadcast of 1 byte",
        .caption = caption,
        .x = {.name = "ranks", .unit = APP_UNIT_COUNT, .scale = APP_SCALE_LOG},
        .y = {.name = "time added at the median", .unit = APP_UNIT_TIME, .scale = APP_SCALE_LOG},
        .series_name = "machine and collective",
        .band_name = "95 % interval of the median",
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

/* ---- the page ---- */

static const struct {
    const char *id;
    const char *name;
} EXPERIMENTS[] = {
    {"E1", "noise of the machines (Table I, Figure 1)"},
    {"E2", "who waits for whom (Figures 2 to 4)"},
    {"E3", "noise that Beckman et al. injected (IV-B)"},
    {"E4", "from outliers to the median (Figure 5a)"},
    {"E5", "broadcast and reduce (IV-B)"},
    {"E6", "noise that Ferreira et al. injected (IV-B.2)"},
    {"E7", "machines under their own noise (Figures 5b, 5c, 6a, 7c)"},
    {"E8", "broadcasts on the machines (Figure 6b)"},
    {"E9", "messages of 1 MiB (Figures 6c, 7a)"},
    {"E10", "co-scheduled noise (Figure 7b)"},
    {"E11", "networks ten times as fast and as slow (Figures 7d to 7f)"},
    {"E12", "when applications call collectives (Figure 8a)"},
    {"E13", "sweep3d (Figure 8b)"},
    {"E14", "amg (Figure 8c)"},
    {"E15", "pop (Figure 9a)"},
    {"E16", "point-to-point and collectives apart (Figures 9b, 9c)"},
    {"E17", "pop with other networks (Figure 10)"},
};

static bool write_page(const drawing *d, const sc10_table *table, const char *command,
                       GError **error)
{
    app_page_heading(d->page, "Checks");
    app_page_paragraph(
        d->page,
        "Ours, with its 95 % interval (percentile bootstrap of the runs) where a statistic of "
        "the runs is compared, against a band around what the paper says; of fewer than five "
        "runs of an application, which the row says, their range. Inside: the whole "
        "interval lies in the band. Compatible: part of it does, and the runs do not tell. "
        "Outside: none of it does. A statement, or a number without interval, is inside or "
        "outside. Rows without a verdict are notes.");
    for (size_t i = 0; i < G_N_ELEMENTS(EXPERIMENTS); i++) {
        if (!sc10_table_has(table, EXPERIMENTS[i].id)) {
            continue;
        }
        g_autofree char *heading =
            g_strdup_printf("%s: %s", EXPERIMENTS[i].id, EXPERIMENTS[i].name);
        app_page_heading(d->page, heading);
        sc10_table_add(table, EXPERIMENTS[i].id, d->page);
    }
    app_page_heading(d->page, "Repeat it");
    app_page_command(d->page, command);
    g_autofree char *path = g_build_filename(d->folder, "report.html", NULL);
    return app_page_write(d->page, path, error);
}

bool sc10_draw_figures(sc10_lab *lab, const sc10_table *table, const char *command,
                       const char *folder, bool collectives, sc10_more_figures *more, void *data,
                       GError **error)
{
    g_autoptr(app_page) page =
        app_page_new("Characterizing the Influence of System Noise: SC'10 repeated");
    const drawing d = {.lab = lab, .page = page, .folder = folder};
    g_autofree char *sum = sc10_table_sum_up(table);
    app_page_finding(page, sum);
    app_page_paragraph(page,
                       "The experiments of T. Hoefler, T. Schneider and A. Lumsdaine (SC'10) on "
                       "collectives and on applications, simulated by Ripple with noise models "
                       "that stand for traces that are not public, and with records of programs "
                       "after the applications; docs/sc10.md says how, and what differs.");
    app_page_heading(page, "Figures");
    const bool ok = !collectives || (draw_noise(&d, error) && draw_boxes(&d, error));
    return ok && more(data, page, folder, error) && write_page(&d, table, command, error);
}
