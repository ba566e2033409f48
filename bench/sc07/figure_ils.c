/* bench/sc07/figure_ils.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_figures. */
#include "figure_ils.h"

#include "experiments.h"
#include "plain.h"
#include "report/curves.h"
#include "report/page_figure.h"

#include <math.h>

/* Of one program and node: none, full, on and off; full once more; the same of the other
 * configuration, and there the job on the second processor's CPU, as it happened to be in the
 * paper. */
typedef enum { N, F, O, AGAIN, N2, F2, O2, BOUND2, KINDS } kind;

typedef struct group {
    sc07_program_kind program;
    sc07_program_kind other;
    uint32_t node;
} group;

static const group GROUPS[] = {[SC07_GROUP_FT] = {SC07_FT, SC07_FT, 0},
                               [SC07_GROUP_CG] = {SC07_CG, SC07_CG, 0},
                               [SC07_GROUP_POP] = {SC07_POP, SC07_POP_SHORT, 1},
                               [SC07_GROUP_POP1] = {SC07_POP, SC07_POP_SHORT, 0}};

typedef struct drawn {
    sc07_figure_group group;
    const char *name;
    const char *title;
    kind kind;
    uint32_t which; /* of the two ranks of the node */
} drawn;

static const drawn FIGURES[] = {
    {SC07_GROUP_FT, "figure-1a-ft-full", "Figure 1: FT, full, processor 1", F, 0},
    {SC07_GROUP_FT, "figure-1b-ft-full", "Figure 1: FT, full, processor 2", F, 1},
    {SC07_GROUP_FT, "figure-2a-ft-on-off", "Figure 2: FT, on-off, processor 1", O, 0},
    {SC07_GROUP_FT, "figure-2b-ft-on-off", "Figure 2: FT, on-off, processor 2", O, 1},
    {SC07_GROUP_CG, "figure-4a-cg-full", "Figure 4: CG, full, processor 1", F, 0},
    {SC07_GROUP_CG, "figure-4b-cg-full", "Figure 4: CG, full, processor 2", F, 1},
    {SC07_GROUP_CG, "figure-5a-cg-full", "Figure 5: CG, full once more, processor 1", AGAIN, 0},
    {SC07_GROUP_CG, "figure-5b-cg-full", "Figure 5: CG, full once more, processor 2", AGAIN, 1},
    {SC07_GROUP_CG, "figure-6a-cg-on-off", "Figure 6: CG, on-off, processor 1", O, 0},
    {SC07_GROUP_CG, "figure-6b-cg-on-off", "Figure 6: CG, on-off, processor 2", O, 1},
    {SC07_GROUP_POP, "figure-8a-pop-full", "Figure 8: POP, full, processor 3", F, 0},
    {SC07_GROUP_POP, "figure-8b-pop-full", "Figure 8: POP, full, processor 4", F, 1},
    {SC07_GROUP_POP, "figure-9a-pop-full",
     "Figure 9: POP, 20 steps, full on processor 4's CPU, processor 3", BOUND2, 0},
    {SC07_GROUP_POP, "figure-9b-pop-full",
     "Figure 9: POP, 20 steps, full on processor 4's CPU, processor 4", BOUND2, 1},
    {SC07_GROUP_POP, "figure-10a-pop-on-off", "Figure 10: POP, 20 steps, on-off, processor 3", O2,
     0},
    {SC07_GROUP_POP, "figure-10b-pop-on-off", "Figure 10: POP, 20 steps, on-off, processor 4", O2,
     1},
    {SC07_GROUP_POP1, "figure-11a-pop-full", "Figure 11: POP, full, processor 1", F, 0},
    {SC07_GROUP_POP1, "figure-11b-pop-on-off", "Figure 11: POP, on-off, processor 1", O, 0},
    {SC07_GROUP_POP1, "figure-12a-pop-full", "Figure 12: POP, 20 steps, full, processor 1", F2, 0},
    {SC07_GROUP_POP1, "figure-12b-pop-on-off", "Figure 12: POP, 20 steps, on-off, processor 1", O2,
     0},
};

/* Everything that figures of a group are drawn from. */
typedef struct scene {
    sc07_rating rating;
    sc07_samples *run[KINDS]; /* NULL: no figure has it */
} scene;

/* Not all of many occurrences are drawn: those that the axis, of equal ratios, tells apart. */
static bool is_drawn(uint32_t t, uint32_t n, uint32_t last_drawn)
{
    static const double APART = 1.06;
    return t == 0 || t + 1 == n || t + 1 >= APART * (last_drawn + 1);
}

/* One signal, over the number of the occurrence; when each ended is a remark. */
static app_curve course_of(const scene *s, kind k, uint32_t which, uint32_t sequence,
                           const char *name, GPtrArray *owned)
{
    const sc07_series *series = &s->run[k]->series[sequence];
    const uint32_t rank = s->rating.node * SC07_RANKS_PER_NODE + which;
    g_autofree double *ils = g_new(double, (gsize)series->n + 1);
    sc07_plain_course(series, rank, s->rating.k[which][sequence], ils);
    app_curve_point *points = g_new0(app_curve_point, (gsize)series->n + 1);
    g_ptr_array_add(owned, points);
    size_t n = 0;
    uint32_t last = 0;
    for (uint32_t t = 0; t < series->n; t++) {
        if (is_drawn(t, series->n, last)) {
            const sim_time end = series->sample[(size_t)rank * series->n + t].end;
            char *ended = g_strdup_printf("ended at %.1f s", (double)end / (double)SIM_S);
            g_ptr_array_add(owned, ended);
            points[n++] = (app_curve_point){
                .x = t + 1, .y = ils[t], .low = ils[t], .high = ils[t], .remark = ended};
            last = t;
        }
    }
    return (app_curve){name, points, n};
}

static kind clean_of(kind k)
{
    return k >= N2 ? N2 : N;
}

/* Of sequences first..end-1 that are used: the highest signal of the run without a job, at each
 * number of the occurrence. */
static app_curve highest_of(const scene *s, const drawn *d, uint32_t first, uint32_t end,
                            GPtrArray *owned)
{
    const sc07_samples *run = s->run[clean_of(d->kind)];
    app_curve_point *points = NULL;
    uint32_t n = 0;
    for (uint32_t l = first; l < end; l++) {
        const sc07_series *series = &run->series[l];
        if (!s->rating.used[d->which][l]) {
            continue;
        }
        g_autofree double *ils = g_new(double, (gsize)series->n + 1);
        sc07_plain_course(series, s->rating.node * SC07_RANKS_PER_NODE + d->which,
                          s->rating.k[d->which][l], ils);
        points = g_renew(app_curve_point, points, MAX(n, series->n) + 1);
        for (uint32_t t = 0; t < series->n; t++) {
            const double y = t < n ? MAX(points[t].y, ils[t]) : ils[t];
            points[t] = (app_curve_point){.x = t + 1, .y = y, .low = y, .high = y};
        }
        n = MAX(n, series->n);
    }
    g_ptr_array_add(owned, points);
    size_t drawn_points = 0;
    uint32_t last = 0;
    for (uint32_t t = 0; t < n; t++) {
        if (is_drawn(t, n, last)) {
            points[drawn_points++] = points[t];
            last = t;
        }
    }
    return (app_curve){"no job", points, drawn_points};
}

/* "Sequences 5 and 9 tell nothing of this processor and are left out." */
static char *left_out(const sc07_rating *r, uint32_t which)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (uint32_t l = 0; l < r->num; l++) {
        if (!r->used[which][l]) {
            g_string_append_printf(text, "%s%u", text->len > 0 ? ", " : "", l + 1);
        }
    }
    return text->len == 0 ? g_strdup("")
                          : g_strdup_printf(" Left out, since they tell nothing of this "
                                            "processor: sequence %s.",
                                            text->str);
}

static char *caption_of(const drawn *d, const scene *s)
{
    g_autofree char *out = left_out(&s->rating, d->which);
    return g_strdup_printf(
        "Interference level signal of each typical sequence: the share of its occurrences so far "
        "that are above their threshold, over the number of the occurrence. One run; thresholds "
        "learned from %d runs without and %d with a full job.%s 'no job': the highest of "
        "these signals in a run without one. Of many occurrences those are drawn that are 6 %% "
        "apart.",
        SC07_CLEAN_RUNS, SC07_DISTURBED_RUNS, out);
}

/* More curves than there are colours are two drawings: sequences first..end-1. */
static app_chart *chart_of(const drawn *d, const scene *s, uint32_t first, uint32_t end)
{
    app_curve curves[NOISE_SEQUENCES_MOST + 1];
    g_autoptr(GPtrArray) owned = g_ptr_array_new_with_free_func(g_free);
    const bool part = end - first < s->rating.num;
    size_t n = 0;
    for (uint32_t l = first; l < end; l++) {
        if (s->rating.used[d->which][l]) {
            char *name = g_strdup_printf("%u: %u calls", l + 1, s->rating.length[l]);
            g_ptr_array_add(owned, name);
            curves[n++] = course_of(s, d->kind, d->which, l, name, owned);
        }
    }
    curves[n++] = highest_of(s, d, first, end, owned);
    g_autofree char *caption = caption_of(d, s);
    g_autofree char *name = part ? g_strdup_printf("%s-%u", d->name, first + 1) : g_strdup(d->name);
    g_autofree char *title =
        part ? g_strdup_printf("%s, sequences %u to %u", d->title, first + 1, end)
             : g_strdup(d->title);
    const app_curves all = {
        .name = name,
        .title = title,
        .caption = caption,
        .x = {.name = "occurrence", .unit = APP_UNIT_NONE, .scale = APP_SCALE_LOG},
        .y = {.name = "interference level", .unit = APP_UNIT_NONE, .scale = APP_SCALE_LINEAR},
        .series_name = "sequence",
        .hollow_name = "", /* none is: there are remarks */
        .curves = curves,
        .num_curves = n,
    };
    return app_curves_new(&all);
}

enum { MOST_CURVES = 6 };

static bool draw(const drawn *d, const scene *s, const char *folder, app_page *page, GError **error)
{
    uint32_t used = 0;
    for (uint32_t l = 0; l < s->rating.num; l++) {
        used += s->rating.used[d->which][l];
    }
    const uint32_t half = used > MOST_CURVES ? (s->rating.num + 1) / 2 : s->rating.num;
    bool ok = true;
    for (uint32_t first = 0; first < s->rating.num && ok; first += half) {
        g_autoptr(app_chart) chart = chart_of(d, s, first, MIN(first + half, s->rating.num));
        ok = app_page_draw(page, chart, folder, error);
    }
    return ok;
}

static bool is_shown(sc07_figure_group which, kind k)
{
    bool shown = false;
    for (size_t i = 0; i < G_N_ELEMENTS(FIGURES); i++) {
        const kind has = FIGURES[i].kind;
        shown = shown || (FIGURES[i].group == which && (k == has || k == clean_of(has)));
    }
    return shown;
}

static scene scene_of(const sc07_lab *lab, sc07_figure_group number)
{
    const group *g = &GROUPS[number];
    g_autoptr(sc07_program) program = sc07_program_new(g->program, 0);
    g_autoptr(sc07_program) other = sc07_program_new(g->other, 0);
    g_autoptr(sc07_set) set = sc07_paper_set(program, g->program);
    g_autofree char *full = g_strdup_printf("job:4ms:500ms@node:%u", g->node);
    g_autofree char *some = g_strdup_printf("job:4ms:500ms:10s:5s@node:%u", g->node);
    g_autofree char *bound = g_strdup_printf("job:4ms:500ms@%u", SC07_RANKS_PER_NODE * g->node + 1);
    const sc07_kind kinds[KINDS] = {
        [N] = {NULL, NULL},     [F] = {full, NULL},       [O] = {some, NULL},
        [AGAIN] = {full, NULL}, [N2] = {NULL, other},     [F2] = {full, other},
        [O2] = {some, other},   [BOUND2] = {bound, other}};
    const sc07_plan plan = {.set = set,
                            .rule = NOISE_LEARNED_GAIN,
                            .node = g->node,
                            .lesson = full,
                            .kinds = kinds,
                            .num_kinds = KINDS,
                            .stream = 900 + (uint64_t)number};
    scene s = {.rating = sc07_lab_learn(lab, &plan, 0)};
    for (int k = 0; k < KINDS; k++) {
        s.run[k] = is_shown(number, (kind)k) ? sc07_lab_run(lab, &plan, 0, (size_t)k) : NULL;
    }
    return s;
}

static void scene_clear(scene *s)
{
    for (int k = 0; k < KINDS; k++) {
        sc07_samples_free(s->run[k]);
    }
    sc07_rating_clear(&s->rating);
}

bool sc07_draw_ils(const sc07_lab *lab, sc07_figure_group which, const char *folder, app_page *page,
                   GError **error)
{
    scene s = scene_of(lab, which);
    bool ok = true;
    for (size_t i = 0; i < G_N_ELEMENTS(FIGURES) && ok; i++) {
        if (FIGURES[i].group == which) {
            ok = draw(&FIGURES[i], &s, folder, page, error);
        }
    }
    scene_clear(&s);
    return ok;
}
