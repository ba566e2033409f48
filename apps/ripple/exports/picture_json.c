/* apps/ripple/exports/picture_json.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_view. */
#include "exports/picture_print.h"

#include "sim/json_member.h"

enum {
    MOST_CELLS = 1 << 10, /* of a level; finer ones are in the CSV, and so are all */
    MOST_RIPPLES = 1 << 10,
    MOST_RANKS = 64 /* of a ripple */
};

static void build_kinds(const char *name, const sim_time *time, JsonBuilder *b)
{
    json_builder_set_member_name(b, name);
    json_builder_begin_object(b);
    for (int k = 0; k < APP_PICTURE_NUM_KINDS; k++) {
        sim_json_int(b, app_picture_kind_name(k), time[k]);
    }
    json_builder_end_object(b);
}

static void build_level(const app_picture_level *l, JsonBuilder *b)
{
    json_builder_begin_object(b);
    sim_json_int(b, "rows", l->rows);
    sim_json_int(b, "columns", l->columns);
    sim_json_int(b, "ranks_per_row", l->ranks_per_row);
    sim_json_int(b, "column_width_ps", l->column_width);
    sim_json_begin_array(b, "mean_255");
    for (size_t i = 0; i < (size_t)l->rows * l->columns; i++) {
        json_builder_add_int_value(b, l->mean[i]);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "worst_rank");
    for (size_t i = 0; i < (size_t)l->rows * l->columns; i++) {
        json_builder_add_int_value(b, l->worst[i] != APP_PICTURE_NONE ? (gint64)l->worst[i] : -1);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
}

static void build_fit(const char *name, app_picture_fit fit, double unit, JsonBuilder *b)
{
    json_builder_set_member_name(b, name);
    json_builder_begin_object(b);
    sim_json_double(b, "value", fit.value * unit);
    sim_json_double(b, "low", fit.low * unit);
    sim_json_double(b, "high", fit.high * unit);
    json_builder_end_object(b);
}

static void build_front(const app_picture_injection *in, JsonBuilder *b)
{
    sim_json_begin_array(b, "front");
    for (size_t i = 0; i < in->num_fronts; i++) {
        const app_picture_front *f = &in->fronts[i];
        json_builder_begin_object(b);
        sim_json_int(b, "rank", f->rank);
        sim_json_int(b, "distance", f->distance);
        sim_json_int(b, "arrived_ps", f->arrived);
        sim_json_int(b, "delay_ps", f->delay);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void build_injection(const app_picture_injection *in, JsonBuilder *b)
{
    json_builder_set_member_name(b, "injection");
    json_builder_begin_object(b);
    sim_json_int(b, "rank", in->rank);
    sim_json_int(b, "at_ps", in->at);
    sim_json_int(b, "length_ps", in->length);
    sim_json_int(b, "finish_delay_ps", in->finish_delay);
    sim_json_int(b, "sigma", in->sigma);
    sim_json_int(b, "distance", in->distance);
    sim_json_int(b, "step_ps", in->step);
    sim_json_double(b, "formula_ranks_per_s", in->formula);
    sim_json_begin_array(b, "waves");
    for (size_t i = 0; i < in->num_waves; i++) {
        const app_picture_wave *w = &in->waves[i];
        json_builder_begin_object(b);
        sim_json_int(b, "direction", w->direction);
        sim_json_int(b, "points", (int64_t)w->points);
        build_fit("ranks_per_s", w->speed, 1, b);
        build_fit("decay_ps_per_rank", w->decay, 1, b);
        if (w->absorbed != APP_PICTURE_NONE) {
            sim_json_int(b, "absorbed_rank", w->absorbed);
        }
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    build_front(in, b);
    sim_json_text(b, "text", in->text);
    json_builder_end_object(b);
}

static void build_lanes(const app_picture *p, JsonBuilder *b)
{
    sim_json_begin_array(b, "lanes");
    for (size_t i = 0; i < p->num_lanes; i++) {
        json_builder_begin_object(b);
        sim_json_int(b, "rank", p->lanes[i].rank);
        sim_json_int(b, "finish_ps", p->lanes[i].finish);
        build_kinds("time_ps", p->lanes[i].time, b);
        sim_json_int(b, "slices", (int64_t)p->lanes[i].num_slices);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

/* ---- ripples ---- */

/* Of what indices are put in order. */
typedef struct ordered {
    const app_picture *picture;
} ordered;

/* What waited most comes first. */
static int most_waited_ripple(const void *a, const void *b, void *user)
{
    const app_picture *p = ((const ordered *)user)->picture;
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    const sim_time more = p->ripples[y].waited - p->ripples[x].waited;
    return more != 0 ? (more > 0 ? 1 : -1) : (x > y) - (x < y);
}

static int most_waited_cone(const void *a, const void *b, void *user)
{
    const app_picture *p = ((const ordered *)user)->picture;
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    const sim_time more = p->cones[y].waited - p->cones[x].waited;
    return more != 0 ? (more > 0 ? 1 : -1) : (x > y) - (x < y);
}

/* [n] from @p first on, @return owned by the caller */
static uint32_t *indices(uint32_t first, size_t n)
{
    uint32_t *all = g_new(uint32_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        all[i] = first + (uint32_t)i;
    }
    return all;
}

static void build_cone(const app_picture_cone *c, JsonBuilder *b)
{
    json_builder_begin_object(b);
    sim_json_int(b, "rank", c->rank);
    sim_json_int(b, "waits", (int64_t)c->waits);
    sim_json_int(b, "waited_ps", c->waited);
    if (c->waits > 0) {
        sim_json_int(b, "from_ps", c->from);
        sim_json_int(b, "until_ps", c->until);
    }
    sim_json_int(b, "absorbed_ps", c->absorbed);
    if (c->absorbed > 0) {
        sim_json_int(b, "absorbed_at_ps", c->absorbed_at);
    }
    json_builder_end_object(b);
}

/* The ranks of a ripple that waited most. @param cones [n] from the first one on */
static void build_ripple_ranks(const app_picture *p, uint32_t first, uint32_t n, JsonBuilder *b)
{
    g_autofree uint32_t *order = indices(first, n);
    ordered by = {p};
    g_qsort_with_data(order, (gint)n, sizeof *order, most_waited_cone, &by);
    sim_json_int(b, "num_ranks", n);
    sim_json_begin_array(b, "ranks");
    for (uint32_t i = 0; i < MIN(n, MOST_RANKS); i++) {
        build_cone(&p->cones[order[i]], b);
    }
    json_builder_end_array(b);
}

static void build_ripple(const app_picture *p, uint32_t index, uint32_t first, uint32_t n,
                         JsonBuilder *b)
{
    const app_picture_ripple *r = &p->ripples[index];
    json_builder_begin_object(b);
    sim_json_int(b, "ripple", (int64_t)index + 1);
    sim_json_int(b, "rank", r->rank);
    sim_json_int(b, "begin_ps", r->begin);
    sim_json_int(b, "end_ps", r->end);
    sim_json_int(b, "detour_ps", r->detour);
    if (r->component < p->num_components) {
        sim_json_text(b, "component", p->components[r->component].name);
    }
    if (r->after != APP_PICTURE_NONE) {
        sim_json_int(b, "after", (int64_t)r->after + 1);
    }
    sim_json_int(b, "waits", (int64_t)r->waits);
    sim_json_int(b, "waited_ps", r->waited);
    sim_json_int(b, "absorbed_ps", r->absorbed);
    if (r->waits > 0) {
        sim_json_int(b, "until_ps", r->until);
    }
    build_ripple_ranks(p, first, n, b);
    json_builder_end_object(b);
}

/* Those behind which most was waited. */
static void build_ripples(const app_picture *p, JsonBuilder *b)
{
    g_autofree uint32_t *order = indices(0, p->num_ripples);
    ordered by = {p};
    g_autofree uint32_t *first = g_new0(uint32_t, p->num_ripples + 1); /* of its cones */
    for (size_t i = p->num_cones; i > 0; i--) {
        first[p->cones[i - 1].ripple] = (uint32_t)i - 1;
    }
    g_autofree uint32_t *n = g_new0(uint32_t, p->num_ripples + 1);
    for (size_t i = 0; i < p->num_cones; i++) {
        n[p->cones[i].ripple]++;
    }
    g_qsort_with_data(order, (gint)p->num_ripples, sizeof *order, most_waited_ripple, &by);
    sim_json_int(b, "num_ripples", (int64_t)p->num_ripples);
    sim_json_begin_array(b, "ripples");
    for (size_t i = 0; i < MIN(p->num_ripples, MOST_RIPPLES); i++) {
        build_ripple(p, order[i], first[order[i]], n[order[i]], b);
    }
    json_builder_end_array(b);
}

void app_picture_build(const app_picture *p, JsonBuilder *b)
{
    sim_json_text(b, "title", p->title);
    sim_json_int(b, "num_ranks", p->num_ranks);
    sim_json_int(b, "makespan_ps", p->makespan);
    sim_json_int(b, "ideal_ps", p->ideal);
    build_kinds("time_ps", p->time, b);
    sim_json_int(b, "absorbed_ps", p->absorbed);
    json_builder_set_member_name(b, "path_ps");
    json_builder_begin_object(b);
    for (int k = 0; k < APP_PICTURE_PATH_NUM_KINDS; k++) {
        sim_json_int(b, app_picture_path_kind_name(k), p->path_part[k]);
    }
    json_builder_end_object(b);
    sim_json_begin_array(b, "components");
    for (size_t i = 0; i < p->num_components; i++) {
        json_builder_begin_object(b);
        sim_json_text(b, "name", p->components[i].name);
        sim_json_int(b, "detours", (int64_t)p->components[i].detours);
        sim_json_int(b, "time_ps", p->components[i].length);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "levels");
    for (size_t i = 0; i < p->num_levels; i++) {
        if ((size_t)p->levels[i].rows * p->levels[i].columns <= MOST_CELLS) {
            build_level(&p->levels[i], b);
        }
    }
    json_builder_end_array(b);
    build_lanes(p, b);
    build_ripples(p, b);
    if (p->injection != NULL) {
        build_injection(p->injection, b);
    }
    sim_json_begin_array(b, "notes");
    for (size_t i = 0; i < p->num_notes; i++) {
        sim_json_add_text(b, p->notes[i]);
    }
    json_builder_end_array(b);
}
