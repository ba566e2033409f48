/* bench/sc07/figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "figures.h"

#include "plain.h"
#include "report/curves.h"
#include "report/page.h"

#include <math.h>

/* Of one program and node: the kinds are none, full, on and off, the last two also of the other
 * configuration. */
enum { N, F, O, F2, O2, KINDS };

typedef struct group {
    const char *name; /* "FT" */
    sc07_program_kind kind;
    uint32_t node;
} group;

static const group GROUPS[] = {
    {"FT", SC07_FT, 0}, {"CG", SC07_CG, 0}, {"POP", SC07_POP, 1}, {"POP", SC07_POP, 0}};

typedef struct drawn {
    size_t group;
    const char *name;
    const char *title;
    size_t kind;
    uint32_t which; /* of the two ranks of the node */
} drawn;

static const drawn FIGURES[] = {
    {0, "figure-1a-ft-full", "Figure 1: FT, full, processor 1", F, 0},
    {0, "figure-1b-ft-full", "Figure 1: FT, full, processor 2", F, 1},
    {0, "figure-2a-ft-on-off", "Figure 2: FT, on-off, processor 1", O, 0},
    {0, "figure-2b-ft-on-off", "Figure 2: FT, on-off, processor 2", O, 1},
    {1, "figure-4a-cg-full", "Figure 4: CG, full, processor 1", F, 0},
    {1, "figure-4b-cg-full", "Figure 4: CG, full, processor 2", F, 1},
    {1, "figure-6a-cg-on-off", "Figure 6: CG, on-off, processor 1", O, 0},
    {1, "figure-6b-cg-on-off", "Figure 6: CG, on-off, processor 2", O, 1},
    {2, "figure-8a-pop-full", "Figure 8: POP, full, processor 3", F, 0},
    {2, "figure-8b-pop-full", "Figure 8: POP, full, processor 4", F, 1},
    {2, "figure-9-pop-full", "Figure 9: POP, 20 steps, full, processor 3", F2, 0},
    {2, "figure-10-pop-on-off", "Figure 10: POP, 20 steps, on-off, processor 3", O2, 0},
    {3, "figure-11a-pop-full", "Figure 11: POP, full, processor 1", F, 0},
    {3, "figure-11b-pop-on-off", "Figure 11: POP, on-off, processor 1", O, 0},
    {3, "figure-12a-pop-full", "Figure 12: POP, 20 steps, full, processor 1", F2, 0},
    {3, "figure-12b-pop-on-off", "Figure 12: POP, 20 steps, on-off, processor 1", O2, 0},
};

/* One curve of ILS over time. */
static app_curve_point *course_of(const sc07_rating *rating, const sc07_samples *run,
                                  uint32_t which, uint32_t sequence)
{
    const sc07_series *s = &run->series[sequence];
    const uint32_t rank = rating->node * SC07_RANKS_PER_NODE + which;
    g_autofree double *ils = g_new(double, (gsize)s->n + 1);
    sc07_plain_course(s, rank, rating->k[which][sequence], ils);
    app_curve_point *points = g_new0(app_curve_point, (gsize)s->n + 1);
    for (uint32_t t = 0; t < s->n; t++) {
        const sim_time end = s->sample[(size_t)rank * s->n + t].end;
        points[t] = (app_curve_point){
            .x = (double)end / (double)SIM_NS, .y = ils[t], .low = ils[t], .high = ils[t]};
    }
    return points;
}

/* The largest ILS that the run without a job comes to at any time. */
static double highest(const sc07_rating *rating, const sc07_samples *run, uint32_t which)
{
    double most = 0;
    for (uint32_t l = 0; l < rating->num; l++) {
        if (rating->used[which][l]) {
            g_autofree app_curve_point *points = course_of(rating, run, which, l);
            for (uint32_t t = 0; t < run->series[l].n; t++) {
                most = MAX(most, points[t].y);
            }
        }
    }
    return most;
}

static app_chart *chart_of(const drawn *d, const sc07_rating *rating, const sc07_samples *run,
                           double clean)
{
    app_curve curves[NOISE_SEQUENCES_MOST];
    g_autoptr(GPtrArray) owned = g_ptr_array_new_with_free_func(g_free);
    size_t n = 0;
    for (uint32_t l = 0; l < rating->num; l++) {
        if (rating->used[d->which][l]) {
            char *name = g_strdup_printf("%u: %u calls", l + 1, rating->length[l]);
            app_curve_point *points = course_of(rating, run, d->which, l);
            g_ptr_array_add(owned, name);
            g_ptr_array_add(owned, points);
            curves[n++] = (app_curve){name, points, run->series[l].n};
        }
    }
    g_autofree char *caption = g_strdup_printf(
        "Share of occurrences of each typical sequence above its threshold, up to the time at "
        "which each ended. One run; thresholds learned from %d runs without and %d with a full "
        "job. Sequences that tell nothing of this processor are left out. In a run without a job "
        "no signal comes above %.3f.",
        SC07_CLEAN_RUNS, SC07_DISTURBED_RUNS, clean);
    const app_curves all = {
        .name = d->name,
        .title = d->title,
        .caption = caption,
        .x = {.name = "time", .unit = APP_UNIT_TIME, .scale = APP_SCALE_LINEAR},
        .y = {.name = "interference level", .unit = APP_UNIT_NONE, .scale = APP_SCALE_LINEAR},
        .series_name = "sequence",
        .curves = curves,
        .num_curves = n,
    };
    return app_curves_new(&all);
}

static bool draw(const drawn *d, const sc07_rating *rating, sc07_samples *const *runs,
                 const char *folder, app_page *page, GError **error)
{
    const double clean = highest(rating, runs[N], d->which);
    g_autoptr(app_chart) chart = chart_of(d, rating, runs[d->kind], clean);
    g_autofree char *svg = NULL;
    if (!app_figure_write(&chart->figure, folder, &svg, error)) {
        return false;
    }
    app_page_figure(page, &chart->figure, svg);
    return true;
}

static bool draw_group(const sc07_lab *lab, size_t number, const char *folder, app_page *page,
                       GError **error)
{
    const group *g = &GROUPS[number];
    g_autoptr(sc07_program) program = sc07_program_new(g->kind, 0);
    g_autoptr(sc07_program) other =
        sc07_program_new(g->kind == SC07_POP ? SC07_POP_SHORT : g->kind, 0);
    g_autoptr(sc07_set) set = sc07_paper_set(program, g->kind);
    g_autofree char *full = g_strdup_printf("job:4ms:500ms@node:%u", g->node);
    g_autofree char *some = g_strdup_printf("job:4ms:500ms:10s:5s@node:%u", g->node);
    const sc07_kind kinds[KINDS] = {
        {NULL, NULL}, {full, NULL}, {some, NULL}, {full, other}, {some, other}};
    const sc07_plan plan = {.set = set,
                            .rule = NOISE_LEARNED_GAIN,
                            .node = g->node,
                            .lesson = full,
                            .kinds = kinds,
                            .num_kinds = KINDS,
                            .stream = 900 + number};
    sc07_rating rating = sc07_lab_learn(lab, &plan, 0);
    sc07_samples *runs[KINDS];
    for (size_t i = 0; i < KINDS; i++) {
        runs[i] = sc07_lab_run(lab, &plan, 0, i);
    }
    bool ok = true;
    for (size_t i = 0; i < G_N_ELEMENTS(FIGURES) && ok; i++) {
        ok = FIGURES[i].group != number || draw(&FIGURES[i], &rating, runs, folder, page, error);
    }
    for (size_t i = 0; i < KINDS; i++) {
        sc07_samples_free(runs[i]);
    }
    sc07_rating_clear(&rating);
    return ok;
}

static void add_tables(const sc07_report *report, app_page *page)
{
    static const struct {
        const char *id;
        const char *name;
    } EACH[] = {{"E1", "typical sequences (Tables 1, 2, 5 and 7)"},
                {"E2", "FT (Tables 3 and 4)"},
                {"E3", "CG (Table 6)"},
                {"E4", "POP, job on node 1 (Table 9)"},
                {"E5", "POP, job on node 2 (Table 8)"},
                {"E6", "what explains the differences"}};
    for (size_t i = 0; i < G_N_ELEMENTS(EACH); i++) {
        g_autofree char *heading = g_strdup_printf("%s: %s", EACH[i].id, EACH[i].name);
        app_page_heading(page, heading);
        app_page_paragraph(page, "What must hold:");
        sc10_table_add(report->rules, EACH[i].id, page);
        app_page_paragraph(page, "Numbers of the paper, each of one run, and ours: median (least "
                                 ".. greatest). Compatible: the paper's lies among ours.");
        sc10_table_add(report->numbers, EACH[i].id, page);
    }
}

bool sc07_draw_figures(const sc07_lab *lab, const sc07_report *report, const char *command,
                       const char *folder, GError **error)
{
    g_autoptr(app_page) page = app_page_new("Software Interference Detection: SC07 repeated");
    g_autofree char *sum = sc10_table_sum_up(report->rules);
    app_page_finding(page, sum);
    app_page_paragraph(page, "The experiments of V. Tabatabaee and J. K. Hollingsworth (SC07), on "
                             "simulated programs that make the calls of theirs; docs/sc07.md.");
    app_page_heading(page, "Figures");
    for (size_t i = 0; i < G_N_ELEMENTS(GROUPS); i++) {
        if (!draw_group(lab, i, folder, page, error)) {
            return false;
        }
    }
    add_tables(report, page);
    app_page_heading(page, "Repeat it");
    app_page_command(page, command);
    g_autofree char *path = g_build_filename(folder, "report.html", NULL);
    return app_page_write(page, path, error);
}
