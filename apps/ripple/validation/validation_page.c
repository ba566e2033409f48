/* apps/ripple/validation/validation_page.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_validate. */
#include "validation/validation_page.h"

#include "output/folder.h"
#include "output/number_text.h"
#include "report/bars.h"
#include "report/curves.h"
#include "report/page_figure.h"
#include "sim/unit.h"
#include "validation/validation_words.h"

#include <math.h>

/* Rows with a colour of their own; the others are one part. */
enum { MOST_PARTS = 6 };

typedef struct request {
    const app_validation *validation;
    const char *made_by;
} request;

/* ---- tables ---- */

static char *time_text(sim_time t)
{
    g_autofree char *text = sim_unit_format_time_short(ABS(t));
    return g_strconcat(t < 0 ? "-" : "", text, NULL);
}

static char *share_text(sim_time parts)
{
    return app_validation_percent(app_validation_fraction(parts));
}

static void add_summary_row(app_page *page, const char *name, const app_statistics *s,
                            char *format(sim_time value), const char *what)
{
    g_autofree char *median = format(s->median);
    g_autofree char *low = format(s->low);
    g_autofree char *high = format(s->high);
    app_page_table_row(page, (const char *const[]){name, median, low, high, what, NULL});
}

static void add_summary(app_page *page, const app_validation *v)
{
    const bool is_interval = v->wall.level >= APP_VALIDATION_LEVEL;
    g_autofree char *from =
        is_interval ? g_strdup_printf("%.3g %% from", 100 * v->wall.level) : g_strdup("least");
    const char *const columns[] = {"",           "median", from, is_interval ? "to" : "most",
                                   "what is it", NULL};
    app_page_table_begin(page, columns);
    add_summary_row(page, "wall clock", &v->wall, time_text,
                    "of timed runs, from MPI_Init to MPI_Finalize");
    add_summary_row(page, "recorded", &v->recorded, time_text, "the same of recorded runs");
    add_summary_row(page, "simulated", &v->simulated, time_text,
                    v->has_room ? "makespan of their records"
                                : "makespan of their records, were there a CPU for each rank");
    if (v->has_room) {
        add_summary_row(page, "error", &v->error, share_text,
                        "simulated over wall clock, less 1, of each pair");
        add_summary_row(page, "same run", &v->of_record, share_text,
                        "simulated over recorded, less 1, of one run");
    } else {
        add_summary_row(page, "at least", &v->bound, time_text,
                        "recorded computations over the CPUs");
    }
    add_summary_row(page, "recording", &v->recording, share_text,
                    "recorded over wall clock, less 1, of each pair");
    app_page_table_end(page);
}

static void add_rows(app_page *page, const app_validation *v)
{
    static const char *const COLUMNS[] = {
        "mean of the ranks", "calls", "recorded", "simulated", "difference", "of wall clock", NULL};
    app_page_table_begin(page, COLUMNS);
    for (guint i = 0; i < v->rows->len; i++) {
        const app_validation_row *row = &g_array_index(v->rows, app_validation_row, i);
        g_autofree char *calls =
            row->calls > 0 ? app_format_number((uint64_t)llround(row->calls)) : g_strdup("");
        g_autofree char *recorded = time_text(row->recorded.median);
        g_autofree char *simulated = time_text(row->simulated.median);
        g_autofree char *difference = time_text(row->difference.median);
        g_autofree char *share =
            app_validation_percent((double)row->difference.median / (double)v->wall.median);
        app_page_table_row(page, (const char *const[]){row->name, calls, recorded, simulated,
                                                       difference, share, NULL});
    }
    app_page_table_end(page);
}

/* ---- figures ---- */

static sim_time weight_of(const app_validation_row *row)
{
    return MAX(row->recorded.median, row->simulated.median);
}

static int heaviest_first(const void *a, const void *b)
{
    const app_validation_row *x = *(const app_validation_row *const *)a;
    const app_validation_row *y = *(const app_validation_row *const *)b;
    return (weight_of(x) < weight_of(y)) - (weight_of(x) > weight_of(y));
}

/* Recorded beside simulated, by what the rank did: the largest rows, and what is left. */
static app_chart *parts_figure(const app_validation *v)
{
    static const app_bar_series ONE[] = {{"ideal", 'i'}};
    static const app_bar_group SIDES[] = {{"recorded", "recorded"}, {"simulated", "simulated"}};
    g_autoptr(GPtrArray) rows = g_ptr_array_new();
    for (guint i = 0; i < v->rows->len; i++) {
        g_ptr_array_add(rows, &g_array_index(v->rows, app_validation_row, i));
    }
    g_ptr_array_sort(rows, heaviest_first);
    const char *names[MOST_PARTS + 1];
    double parts[2][MOST_PARTS + 1] = {{0}};
    size_t n = 0;
    for (guint i = 0; i < rows->len; i++) {
        const app_validation_row *row = g_ptr_array_index(rows, i);
        const size_t part = MIN(i, MOST_PARTS);
        names[part] = part < MOST_PARTS ? row->name : "all other rows";
        parts[0][part] += (double)row->recorded.median / SIM_NS;
        parts[1][part] += (double)row->simulated.median / SIM_NS;
        n = part + 1;
    }
    const app_bar bars[] = {{0, 0, parts[0]}, {1, 0, parts[1]}};
    const app_bars figure = {.name = "parts",
                             .title = "Where the time went, and where it goes when simulated",
                             .caption = "Means of the ranks, of each part the median over the "
                                        "runs, so that the parts add up to about the makespan.",
                             .group_name = "run",
                             .series_name = "noise",
                             .y = {"time", APP_UNIT_TIME, APP_SCALE_LINEAR},
                             .groups = SIDES,
                             .num_groups = G_N_ELEMENTS(SIDES),
                             .series = ONE,
                             .num_series = G_N_ELEMENTS(ONE),
                             .parts = names,
                             .num_parts = n,
                             .bars = bars,
                             .num_bars = G_N_ELEMENTS(bars)};
    return app_bars_new(&figure);
}

/* One point for each run; no band: it is no estimate. */
static app_curve_point *points_of(const app_validation *v, size_t offset)
{
    app_curve_point *points = g_new0(app_curve_point, v->num_pairs);
    for (size_t i = 0; i < v->num_pairs; i++) {
        const double y = (double)G_STRUCT_MEMBER(sim_time, &v->runs[i], offset) / SIM_NS;
        points[i] = (app_curve_point){.x = (double)i + 1, .y = y, .low = y, .high = y};
    }
    return points;
}

/* Each run by itself: whether they drift, and how far they lie apart. */
static app_chart *runs_figure(const app_validation *v)
{
    g_autofree app_curve_point *wall = points_of(v, G_STRUCT_OFFSET(app_validation_run, wall));
    g_autofree app_curve_point *recorded =
        points_of(v, G_STRUCT_OFFSET(app_validation_run, recorded));
    g_autofree app_curve_point *simulated =
        points_of(v, G_STRUCT_OFFSET(app_validation_run, simulated));
    const app_curve curves[] = {{"wall clock", wall, v->num_pairs},
                                {"recorded", recorded, v->num_pairs},
                                {"simulated", simulated, v->num_pairs}};
    const app_curves figure = {.name = "runs",
                               .title = "Run by run",
                               .caption = "A timed run, the recorded one after it, and the "
                                          "makespan of that record.",
                               .x = {"pair of runs", APP_UNIT_NONE, APP_SCALE_LINEAR},
                               .y = {"time", APP_UNIT_TIME, APP_SCALE_LINEAR},
                               .series_name = "kind",
                               .curves = curves,
                               .num_curves = G_N_ELEMENTS(curves)};
    return app_curves_new(&figure);
}

static bool add_figure(app_page *page, app_chart *made, const char *folder, GError **error)
{
    g_autoptr(app_chart) chart = made;
    return app_page_draw(page, chart, folder, error);
}

/* ---- the page ---- */

static bool make(const void *data, const char *folder, GError **error)
{
    const request *r = data;
    const app_validation *v = r->validation;
    g_autofree char *ranks = app_format_ranks(v->num_ranks);
    g_autofree char *title = g_strdup_printf("%s against the clock", ranks);
    g_autoptr(GPtrArray) sentences = app_validation_sentences(v);
    g_autoptr(app_page) page = app_page_new(title);
    app_page_finding(page, g_ptr_array_index(sentences, 0));
    add_summary(page, v);
    if (!add_figure(page, parts_figure(v), folder, error) ||
        !add_figure(page, runs_figure(v), folder, error)) {
        return false;
    }
    add_rows(page, v);
    g_ptr_array_add(sentences, NULL);
    app_page_list(page, "What this says, and what it stands on",
                  (const char *const *)sentences->pdata + 1);
    app_page_heading(page, "Made by");
    app_page_command(page, r->made_by);
    g_autofree char *path = g_build_filename(folder, APP_VALIDATION_PAGE, NULL);
    return app_page_write(page, path, error);
}

bool app_validation_page_write(const app_validation *v, const char *made_by, const char *folder,
                               GError **error)
{
    const request r = {v, made_by};
    return app_folder_fill(folder, make, &r, error);
}
