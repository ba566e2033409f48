/* apps/ripple/sweep/sweep_figures.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/sweep_figures.h"

#include "findings/remark.h"
#include "report/box_plot.h"
#include "report/curves.h"
#include "report/heat_map.h"
#include "statistics/statistics_box.h"
#include "sweep/sweep_conditions.h"
#include "sweep/sweep_rows.h"

#include <math.h>

enum {
    MOST_CURVES = 6,  /* in a figure */
    MOST_BOXES = 3,   /* side by side */
    MOST_GROUPS = 40, /* of boxes */
    MOST_FIGURES = 8, /* of a kind; the number of others is reported */
    STANDING_FOR = 3, /* values of a numeric dimension that represent all */
};
static const size_t ALL = SIZE_MAX;

/* What the figures show. */
typedef struct quantity {
    bool slowdown; /* else the makespan without noise: there is none in the whole study */
    app_axis axis;
} quantity;

/* What goes into each of the figures of a kind, and what makes them different. */
typedef struct layout {
    const app_sweep_space *space;
    size_t x;
    size_t y; /* or SIZE_MAX */
    app_sweep_combinations series;
    app_sweep_combinations panels;
} layout;

static quantity quantity_of(const app_sweep_space *space)
{
    for (size_t i = 0; i < space->table->num_points; i++) {
        const app_sweep_point *p = &space->table->points[i];
        if (p->done && p->result.series.mode != APP_IDEAL) {
            return (quantity){true, {"slowdown", APP_UNIT_PERCENT, APP_SCALE_AUTO}};
        }
    }
    return (quantity){false, {"makespan", APP_UNIT_TIME, APP_SCALE_AUTO}};
}

static double in_ns(sim_time t)
{
    return (double)t / (double)SIM_NS;
}

/* Can that quantity be shown of this point? */
static bool has_quantity(const quantity *q, const app_sweep_point *p)
{
    return p != NULL && (!q->slowdown || p->result.series.mode != APP_IDEAL);
}

static double value_at(const quantity *q, const app_sweep_result *r)
{
    return q->slowdown ? 100 * r->series.slowdown.mean : in_ns(r->series.times.median);
}

static app_axis axis_of(const app_sweep_dimension *d)
{
    return (app_axis){app_parameters[d->id].name, app_parameter_unit(d->id), APP_SCALE_AUTO};
}

/* Words first, while all their values fit into one figure; then numbers; the rest makes panels. */
static void lay_out(layout *l, size_t most_series)
{
    const app_sweep_space *space = l->space;
    l->series = (app_sweep_combinations){.total = 1};
    l->panels = (app_sweep_combinations){.total = 1};
    for (int numbers = 0; numbers < 2; numbers++) {
        for (size_t d = 0; d < space->num_dimensions; d++) {
            const app_sweep_dimension *dimension = &space->dimensions[d];
            if (d == l->x || d == l->y || dimension->number != (numbers == 1)) {
                continue;
            }
            const size_t most = dimension->number ? STANDING_FOR : ALL;
            const size_t all = dimension->num_values;
            if (l->series.total * all <= most_series) {
                app_sweep_combinations_add(&l->series, space, d, ALL);
            } else if (l->series.total * MIN(all, most) <= most_series) {
                app_sweep_combinations_add(&l->series, space, d, most);
            } else {
                app_sweep_combinations_add(&l->panels, space, d, most);
            }
        }
    }
}

static void layout_clear(layout *l)
{
    app_sweep_combinations_clear(&l->series);
    app_sweep_combinations_clear(&l->panels);
}

/* "slowdown-ranks", or "slowdown-ranks-3" of several panels. */
static char *name_of(const layout *l, const char *kind, size_t panel)
{
    const app_sweep_dimension *dimensions = l->space->dimensions;
    GString *name = g_string_new(kind);
    g_string_append_printf(name, "-%s", app_parameters[dimensions[l->x].id].name);
    if (l->y != SIZE_MAX) {
        g_string_append_printf(name, "-%s", app_parameters[dimensions[l->y].id].name);
    }
    if (l->panels.total > 1) {
        g_string_append_printf(name, "-%zu", panel + 1);
    }
    return g_string_free(name, FALSE);
}

/* "Slowdown over ranks: jaguar". */
static char *title_of(const layout *l, const char *what, size_t panel)
{
    g_autofree char *label = app_sweep_combinations_label(&l->panels, l->space, panel);
    return g_strdup_printf("%s%s%s", what, label[0] != '\0' ? ": " : "", label);
}

/* By what the series differ: "noise, cosched". */
static char *series_name_of(const layout *l)
{
    GString *name = g_string_new(NULL);
    for (size_t i = 0; i < l->series.num_dimensions; i++) {
        const app_parameter_id id = l->space->dimensions[l->series.dimensions[i]].id;
        g_string_append_printf(name, "%s%s", i > 0 ? "+" : "", app_parameters[id].name);
    }
    return g_string_free(name->len > 0 ? name : g_string_append(name, "series"), FALSE);
}

static char *series_label(const layout *l, const quantity *q, size_t series)
{
    g_autofree char *label = app_sweep_combinations_label(&l->series, l->space, series);
    if (label[0] != '\0') {
        return g_steal_pointer(&label);
    }
    return g_strdup(q->slowdown ? "under noise" : "no noise");
}

/* What one figure shows: its caption says under which conditions. */
typedef struct shown {
    GArray *points;  /* of const app_sweep_point *, under noise */
    GPtrArray *kept; /* texts that the figure borrows */
} shown;

static void show(shown *f, const app_sweep_point *p)
{
    if (p->result.series.mode != APP_IDEAL) {
        g_array_append_val(f->points, p);
    }
}

static const app_sweep_point *const *points_of(const shown *f)
{
    return (const app_sweep_point *const *)(gconstpointer)f->points->data;
}

/* Owned by the caller. */
static char *caption_of(const layout *l, const shown *f, const char *what)
{
    g_autofree char *curves = app_sweep_combinations_thinned(&l->series, l->space);
    g_autofree char *panels = app_sweep_combinations_thinned(&l->panels, l->space);
    g_autoptr(app_sweep_conditions) conditions =
        app_sweep_conditions_new(points_of(f), f->points->len);
    g_autofree char *holds = app_sweep_conditions_caption(conditions);
    return g_strconcat(what, curves, panels, holds, NULL);
}

/* Does the point stand on too little to be read like the others? */
static bool is_hollow(const app_sweep_point *p)
{
    const app_series *s = &p->result.series;
    if (s->mode == APP_IDEAL) {
        return false;
    }
    const app_claim claim = app_series_claim(s);
    return claim == APP_CLAIM_NONE || claim == APP_CLAIM_ONE ||
           app_conditions_find(p->result.conditions, "invalid-measurement") != NULL;
}

static app_curve_point point_of(const quantity *q, const app_sweep_point *p, double x, shown *f)
{
    const app_sweep_result *r = &p->result;
    if (!q->slowdown) {
        const double y = value_at(q, r);
        return (app_curve_point){.x = x, .y = y, .low = y, .high = y};
    }
    const app_mean *m = &r->series.slowdown;
    const bool hollow = is_hollow(p); /* its interval is not to be believed: no band */
    const double y = value_at(q, r);
    char *remarks = app_sweep_rows_remarks(r);
    g_ptr_array_add(f->kept, remarks);
    return (app_curve_point){.x = x,
                             .y = y,
                             .low = hollow ? y : 100 * m->low,
                             .high = hollow ? y : 100 * m->high,
                             .hollow = hollow,
                             .remark = remarks};
}

/* The points of one curve. */
static GArray *curve_of(const layout *l, const quantity *q, size_t panel, size_t series, shown *f)
{
    size_t values[APP_NUM_PARAMETERS] = {0};
    const app_sweep_dimension *x = &l->space->dimensions[l->x];
    GArray *points = g_array_new(FALSE, FALSE, sizeof(app_curve_point));
    app_sweep_combinations_get(&l->panels, panel, values);
    app_sweep_combinations_get(&l->series, series, values);
    for (size_t i = 0; i < x->num_values; i++) {
        values[l->x] = i;
        const app_sweep_point *p = app_sweep_space_find(l->space, values);
        if (has_quantity(q, p)) {
            const app_curve_point point = point_of(q, p, x->numbers[i], f);
            show(f, p);
            g_array_append_val(points, point);
        }
    }
    return points;
}

static app_chart *draw_curves(const layout *l, const quantity *q, size_t panel)
{
    const size_t n = l->series.total;
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) points = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    g_autoptr(GArray) there = g_array_new(FALSE, FALSE, sizeof(const app_sweep_point *));
    g_autofree app_curve *curves = g_new(app_curve, n);
    shown f = {there, kept};
    size_t num_curves = 0;
    for (size_t i = 0; i < n; i++) {
        GArray *curve = curve_of(l, q, panel, i, &f);
        char *label = series_label(l, q, i);
        g_ptr_array_add(points, curve);
        g_ptr_array_add(kept, label);
        if (curve->len > 0) {
            curves[num_curves++] =
                (app_curve){label, (const app_curve_point *)(gconstpointer)curve->data, curve->len};
        }
    }
    if (num_curves == 0) {
        return NULL;
    }
    const app_axis x = axis_of(&l->space->dimensions[l->x]);
    g_autofree char *what =
        g_strdup_printf("%s over %s", q->slowdown ? "Slowdown" : "Makespan", x.name);
    g_autofree char *title = title_of(l, what, panel);
    g_autofree char *name = name_of(l, q->axis.name, panel);
    g_autofree char *series_name = series_name_of(l);
    g_autofree char *caption = caption_of(
        l, &f,
        q->slowdown
            ? "How much longer it takes under noise than without: the mean over the "
              "replicas and, as a band or bar, its 95 % interval, or the range where "
              "there are fewer than five. Hollow points have met too few detours, stand on one "
              "replica, or on a measurement that is not valid: they have no band."
            : "How long it takes; there is no noise in this study.");
    const char *band = app_sweep_rows_interval(points_of(&f), there->len);
    const app_curves figure = {
        .name = name,
        .title = title,
        .caption = caption,
        .x = x,
        .y = q->axis,
        .series_name = series_name,
        .band_name = band,
        .hollow_name = q->slowdown ? "few met, one replica, or not valid" : NULL,
        .curves = curves,
        .num_curves = num_curves,
    };
    return app_curves_new(&figure);
}

/* The boxes of one figure while they are collected. */
typedef struct boxes {
    app_box_group *groups;
    GArray *samples; /* of app_box_sample */
    GPtrArray *kept;
    shown *shown;
    bool same_ideal; /* do all boxes of each group have one line? */
} boxes;

static void add_box(boxes *b, const app_sweep_point *p, size_t group, size_t series)
{
    const app_sweep_result *r = &p->result;
    app_box_sample sample =
        app_statistics_box(&r->series.times, r->makespans, r->series.num_runs, b->kept);
    sample.group = group;
    sample.series = series;
    show(b->shown, p);
    g_array_append_val(b->samples, sample);
    double *reference = &b->groups[group].reference;
    b->same_ideal = b->same_ideal && (isnan(*reference) || *reference == in_ns(r->series.ideal));
    *reference = in_ns(r->series.ideal);
}

/* As it stands in the CSV: nothing of a word. @param kept owns it */
static const char *number_of(const app_sweep_dimension *x, size_t i, GPtrArray *kept)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    if (!x->number) {
        return NULL;
    }
    char *number = g_strdup(g_ascii_formatd(text, sizeof text, "%.9g", x->numbers[i]));
    g_ptr_array_add(kept, number);
    return number;
}

static void collect_boxes(boxes *b, const layout *l, const quantity *q, size_t panel)
{
    const app_sweep_dimension *x = &l->space->dimensions[l->x];
    size_t values[APP_NUM_PARAMETERS] = {0};
    app_sweep_combinations_get(&l->panels, panel, values);
    for (size_t i = 0; i < x->num_values; i++) {
        values[l->x] = i;
        b->groups[i] = (app_box_group){x->labels[i], NAN, number_of(x, i, b->kept)};
        for (size_t s = 0; s < l->series.total; s++) {
            app_sweep_combinations_get(&l->series, s, values);
            const app_sweep_point *p = app_sweep_space_find(l->space, values);
            if (has_quantity(q, p)) {
                add_box(b, p, i, s);
            }
        }
    }
    for (size_t i = 0; i < x->num_values && !b->same_ideal; i++) {
        b->groups[i].reference = NAN;
    }
}

static app_chart *draw_boxes(const layout *l, const quantity *q, size_t panel)
{
    const app_sweep_dimension *x = &l->space->dimensions[l->x];
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) samples = g_array_new(FALSE, FALSE, sizeof(app_box_sample));
    g_autofree app_box_group *groups = g_new(app_box_group, x->num_values);
    g_autoptr(GArray) there = g_array_new(FALSE, FALSE, sizeof(const app_sweep_point *));
    shown f = {there, kept};
    boxes b = {groups, samples, kept, &f, true};
    collect_boxes(&b, l, q, panel);
    if (samples->len == 0) {
        return NULL;
    }
    g_auto(GStrv) series = g_new0(char *, l->series.total + 1);
    for (size_t s = 0; s < l->series.total; s++) {
        series[s] = series_label(l, q, s);
    }
    g_autofree char *what = g_strdup_printf("Makespans over %s", app_parameters[x->id].name);
    g_autofree char *title = title_of(l, what, panel);
    g_autofree char *name = name_of(l, "boxes", panel);
    g_autofree char *series_name = series_name_of(l);
    g_autofree char *what_boxes_are = g_strconcat(
        "Boxes hold the middle half of the replicas, whiskers reach to 1.5 times the box, circles "
        "are outliers",
        b.same_ideal ? "; the line is without noise." : ".", NULL);
    g_autofree char *caption = caption_of(l, &f, what_boxes_are);
    const app_box_plot figure = {
        .name = name,
        .title = title,
        .caption = caption,
        .group_name = app_parameters[x->id].name,
        .series_name = series_name,
        .y = {"makespan", APP_UNIT_TIME, APP_SCALE_AUTO},
        .reference_name = "no noise",
        .groups = groups,
        .num_groups = x->num_values,
        .series = (const char *const *)series,
        .num_series = l->series.total,
        .samples = (const app_box_sample *)(gconstpointer)samples->data,
        .num_samples = samples->len,
    };
    return app_box_plot_new(&figure);
}

static app_chart *draw_heat(const layout *l, const quantity *q, size_t panel)
{
    const app_sweep_dimension *x = &l->space->dimensions[l->x];
    const app_sweep_dimension *y = &l->space->dimensions[l->y];
    size_t values[APP_NUM_PARAMETERS] = {0};
    g_autofree double *zs = g_new(double, x->num_values * y->num_values);
    g_autofree bool *marked = g_new0(bool, x->num_values * y->num_values);
    g_autoptr(GArray) there = g_array_new(FALSE, FALSE, sizeof(const app_sweep_point *));
    shown f = {there, NULL};
    bool some = false;
    app_sweep_combinations_get(&l->panels, panel, values);
    for (size_t i = 0; i < x->num_values * y->num_values; i++) {
        values[l->x] = i % x->num_values;
        values[l->y] = i / x->num_values;
        const app_sweep_point *p = app_sweep_space_find(l->space, values);
        zs[i] = NAN;
        if (has_quantity(q, p)) {
            zs[i] = value_at(q, &p->result);
            marked[i] = is_hollow(p);
            show(&f, p);
        }
        some = some || isfinite(zs[i]);
    }
    if (!some) {
        return NULL;
    }
    const app_axis x_axis = axis_of(x);
    const app_axis y_axis = axis_of(y);
    g_autofree char *what = g_strdup_printf(
        "%s over %s and %s", q->slowdown ? "Slowdown" : "Makespan", x_axis.name, y_axis.name);
    g_autofree char *title = title_of(l, what, panel);
    g_autofree char *name = name_of(l, "heat", panel);
    g_autofree char *caption =
        caption_of(l, &f,
                   q->slowdown ? "The mean over the replicas, in per cent. A star: too few "
                                 "detours met, one replica, or a measurement that is not valid."
                               : "There is no noise in this study.");
    const app_heat_map figure = {
        .name = name,
        .title = title,
        .caption = caption,
        .x = x_axis,
        .y = y_axis,
        .z = q->axis,
        .xs = x->numbers,
        .num_x = x->num_values,
        .ys = y->numbers,
        .num_y = y->num_values,
        .zs = zs,
        .marked = q->slowdown ? marked : NULL,
    };
    return app_heat_map_new(&figure);
}

typedef app_chart *drawer(const layout *l, const quantity *q, size_t panel);

/* All figures of a kind, panel by panel. */
static void draw_all(GPtrArray *figures, drawer *draw, layout *l, const quantity *q,
                     size_t most_series, size_t *left_out)
{
    lay_out(l, most_series);
    for (size_t panel = 0; panel < l->panels.total; panel++) {
        app_chart *chart = panel < MOST_FIGURES ? draw(l, q, panel) : NULL;
        if (chart != NULL) {
            g_ptr_array_add(figures, chart);
        }
    }
    *left_out += l->panels.total > MOST_FIGURES ? l->panels.total - MOST_FIGURES : 0;
    layout_clear(l);
}

/* The dimension that the reader looks along first: ranks, else the one with most numbers, else the
 * one with most values; SIZE_MAX: there is none. */
static size_t main_dimension(const app_sweep_space *space)
{
    size_t best = SIZE_MAX;
    for (size_t d = 0; d < space->num_dimensions; d++) {
        const app_sweep_dimension *one = &space->dimensions[d];
        const app_sweep_dimension *other = best != SIZE_MAX ? &space->dimensions[best] : NULL;
        if (one->id == APP_PARAMETER_RANKS && one->number) {
            return d;
        }
        if (other == NULL || (one->number && !other->number) ||
            (one->number == other->number && one->num_values > other->num_values)) {
            best = d;
        }
    }
    return best;
}

GPtrArray *app_sweep_figures_new(const app_sweep_space *space, size_t *left_out)
{
    GPtrArray *figures = g_ptr_array_new_with_free_func((GDestroyNotify)app_chart_free);
    const quantity q = quantity_of(space);
    const size_t first = main_dimension(space);
    *left_out = 0;
    if (first == SIZE_MAX) {
        return figures;
    }
    const app_sweep_dimension *x = &space->dimensions[first];
    for (size_t k = 0; k < space->num_dimensions; k++) {
        const size_t d = k == 0 ? first : k - (k <= first); /* the main one, then the others */
        if (space->dimensions[d].number && space->dimensions[d].num_values > 1) {
            layout curves = {.space = space, .x = d, .y = SIZE_MAX};
            draw_all(figures, draw_curves, &curves, &q, MOST_CURVES, left_out);
        }
    }
    if (q.slowdown && x->num_values <= MOST_GROUPS) {
        layout across = {.space = space, .x = first, .y = SIZE_MAX};
        draw_all(figures, draw_boxes, &across, &q, MOST_BOXES, left_out);
    }
    for (size_t d = 0; d < space->num_dimensions && x->number; d++) {
        if (d != first && space->dimensions[d].number && space->dimensions[d].num_values > 1) {
            layout heat = {.space = space, .x = first, .y = d};
            draw_all(figures, draw_heat, &heat, &q, 1, left_out);
        }
    }
    return figures;
}
