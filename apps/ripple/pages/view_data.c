/* apps/ripple/pages/view_data.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_view_page, browser_view. */
#include "pages/view_data.h"

#include "pages/column_set.h"
#include "pages/packed_heat.h"
#include "sim/json_member.h"

#include <math.h>

/* Ranks, operations and components: 0 is none. */
static int64_t from_one(uint32_t index)
{
    return index == APP_PICTURE_NONE ? 0 : (int64_t)index + 1;
}

static sim_time rounded(sim_time t, sim_time tick)
{
    return (t + tick / 2) / tick * tick;
}

enum { GAP, LENGTH, KIND, FROM, OP, COMPONENT, SLICE_COLUMNS };

/* Times as multiples of the tick: a slice begins where the one before it ends, mostly. */
static void add_slices(const app_picture *p, sim_time tick, bool with_ops, app_column_set *set)
{
    app_named_column *c = set->columns;
    for (size_t l = 0; l < p->num_lanes; l++) {
        const app_picture_lane *lane = &p->lanes[l];
        sim_time end = 0;
        for (size_t i = 0; i < lane->num_slices; i++) {
            const app_picture_slice *s = &p->slices[lane->first_slice + i];
            const sim_time from = rounded(s->begin, tick), to = rounded(s->end, tick);
            app_column_add(c[GAP].column, (from - end) / tick);
            app_column_add(c[LENGTH].column, (to - from) / tick);
            app_column_add(c[KIND].column, s->kind);
            app_column_add(c[FROM].column, s->from == APP_PICTURE_NONE
                                               ? 0
                                               : (int64_t)s->from - (int64_t)lane->rank);
            app_column_add(c[OP].column,
                           with_ops && s->op != APP_PICTURE_NONE ? (int64_t)s->op : -1);
            app_column_add(c[COMPONENT].column, from_one(s->component));
            end = to;
        }
    }
}

/* What is known of each lane as a whole. */
static void build_lane_facts(const app_picture *p, sim_time tick, JsonBuilder *b)
{
    sim_json_int(b, "tick", tick);
    sim_json_begin_array(b, "rank");
    for (size_t l = 0; l < p->num_lanes; l++) {
        json_builder_add_int_value(b, p->lanes[l].rank);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "finish");
    for (size_t l = 0; l < p->num_lanes; l++) {
        json_builder_add_int_value(b, p->lanes[l].finish);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "lost");
    for (size_t l = 0; l < p->num_lanes; l++) {
        json_builder_add_int_value(b, p->lanes[l].time[APP_PICTURE_NOISE_WAIT] +
                                          p->lanes[l].time[APP_PICTURE_DETOUR]);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "count");
    for (size_t l = 0; l < p->num_lanes; l++) {
        json_builder_add_int_value(b, (int64_t)p->lanes[l].num_slices);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "whole_until");
    for (size_t l = 0; l < p->num_lanes; l++) {
        json_builder_add_int_value(b, p->lanes[l].whole_until);
    }
    json_builder_end_array(b);
}

/* Adds member "lanes"; false: it takes more than *left, from which it is taken. */
static bool build_lanes(const app_picture *p, bool with_detail, size_t *left, JsonBuilder *b)
{
    app_named_column columns[SLICE_COLUMNS] = {
        [GAP] = {"gap", APP_COLUMN_SIGNED, NULL},
        [LENGTH] = {"length", APP_COLUMN_COUNTS, NULL},
        [KIND] = {"kind", APP_COLUMN_BYTES, NULL},
        [FROM] = {"from", APP_COLUMN_SIGNED, NULL},
        [OP] = {"op", APP_COLUMN_STEPS, NULL},
        [COMPONENT] = {"component", APP_COLUMN_COUNTS, NULL}};
    app_column_set set = {columns, SLICE_COLUMNS};
    const sim_time tick = with_detail ? 1 : SIM_NS;
    app_column_set_open(&set);
    add_slices(p, tick, with_detail, &set);
    const size_t size = app_column_set_close(&set);
    const bool fits = size <= *left;
    if (fits) {
        *left -= size;
        sim_json_begin_object(b, "lanes");
        build_lane_facts(p, tick, b);
        app_column_set_build(&set, b);
        json_builder_end_object(b);
    }
    app_column_set_free(&set);
    return fits;
}

enum { M_FROM, M_WAY, M_RECEIVED, M_FLIGHT, M_BYTES, MESSAGE_COLUMNS };

static void build_messages(const app_picture *p, size_t *left, JsonBuilder *b)
{
    app_named_column c[MESSAGE_COLUMNS] = {[M_FROM] = {"from", APP_COLUMN_COUNTS, NULL},
                                           [M_WAY] = {"way", APP_COLUMN_SIGNED, NULL},
                                           [M_RECEIVED] = {"received", APP_COLUMN_STEPS, NULL},
                                           [M_FLIGHT] = {"flight", APP_COLUMN_SIGNED, NULL},
                                           [M_BYTES] = {"bytes", APP_COLUMN_SIGNED, NULL}};
    app_column_set set = {c, MESSAGE_COLUMNS};
    app_column_set_open(&set);
    for (size_t i = 0; i < p->num_messages; i++) {
        const app_picture_message *m = &p->messages[i];
        app_column_add(c[M_FROM].column, m->from);
        app_column_add(c[M_WAY].column, (int64_t)m->to - (int64_t)m->from);
        app_column_add(c[M_RECEIVED].column, m->received);
        app_column_add(c[M_FLIGHT].column, m->received - m->sent);
        app_column_add(c[M_BYTES].column, m->bytes);
    }
    const size_t size = app_column_set_close(&set);
    if (p->num_messages > 0 && size <= *left) {
        *left -= size;
        sim_json_begin_object(b, "messages");
        app_column_set_build(&set, b);
        json_builder_end_object(b);
    }
    app_column_set_free(&set);
}

enum { P_RANK, P_GAP, P_LENGTH, P_NOISE, PATH_COLUMNS };

static void build_path(const app_picture *p, size_t *left, JsonBuilder *b)
{
    app_named_column c[PATH_COLUMNS] = {[P_RANK] = {"rank", APP_COLUMN_STEPS, NULL},
                                        [P_GAP] = {"gap", APP_COLUMN_SIGNED, NULL},
                                        [P_LENGTH] = {"length", APP_COLUMN_COUNTS, NULL},
                                        [P_NOISE] = {"noise", APP_COLUMN_COUNTS, NULL}};
    app_column_set set = {c, PATH_COLUMNS};
    app_column_set_open(&set);
    sim_time end = 0;
    for (size_t i = 0; i < p->num_path; i++) {
        const app_picture_path *s = &p->path[i];
        app_column_add(c[P_RANK].column, s->rank);
        app_column_add(c[P_GAP].column, s->begin - end);
        app_column_add(c[P_LENGTH].column, s->end - s->begin);
        app_column_add(c[P_NOISE].column, s->part[APP_PICTURE_PATH_NOISE]);
        end = s->end;
    }
    const size_t size = app_column_set_close(&set);
    if (p->num_path > 0 && size <= *left) {
        *left -= size;
        sim_json_begin_object(b, "path");
        app_column_set_build(&set, b);
        json_builder_end_object(b);
    }
    app_column_set_free(&set);
}

enum { R_SLICE, R_AFTER, R_WAITS, R_WAITED, R_LATER, RIPPLE_COLUMNS };

/* Of each slice that has to do with one, its number from 1 on; of each ripple what is known. */
static void build_ripples(const app_picture *p, size_t *left, JsonBuilder *b)
{
    app_named_column c[RIPPLE_COLUMNS] = {[R_SLICE] = {"slice", APP_COLUMN_STEPS, NULL},
                                          [R_AFTER] = {"after", APP_COLUMN_COUNTS, NULL},
                                          [R_WAITS] = {"waits", APP_COLUMN_COUNTS, NULL},
                                          [R_WAITED] = {"waited", APP_COLUMN_COUNTS, NULL},
                                          [R_LATER] = {"until", APP_COLUMN_STEPS, NULL}};
    app_column_set set = {c, RIPPLE_COLUMNS};
    if (p->num_ripples == 0) {
        return;
    }
    app_column_set_open(&set);
    for (size_t i = 0; i < p->num_slices; i++) {
        const app_picture_slice *s = &p->slices[i];
        if (s->kind == APP_PICTURE_DETOUR || s->kind == APP_PICTURE_NOISE_WAIT) {
            app_column_add(c[R_SLICE].column, from_one(s->ripple));
        }
    }
    for (size_t i = 0; i < p->num_ripples; i++) {
        const app_picture_ripple *r = &p->ripples[i];
        app_column_add(c[R_AFTER].column, from_one(r->after));
        app_column_add(c[R_WAITS].column, (int64_t)r->waits);
        app_column_add(c[R_WAITED].column, r->waited);
        app_column_add(c[R_LATER].column, r->until);
    }
    const size_t size = app_column_set_close(&set);
    if (size <= *left / 2) { /* the heat map is not less */
        *left -= size;
        sim_json_begin_object(b, "ripples");
        app_column_set_build(&set, b);
        json_builder_end_object(b);
    }
    app_column_set_free(&set);
}

/* A piece of a line from one rank to another, at the times of the fit. */
static void build_piece(const app_picture_front *from, const app_picture_front *to, double middle,
                        double middle_time, double slope, JsonBuilder *b)
{
    json_builder_begin_object(b);
    sim_json_double(b, "t0", middle_time + ((double)from->distance - middle) * slope);
    sim_json_int(b, "r0", from->rank);
    sim_json_double(b, "t1", middle_time + ((double)to->distance - middle) * slope);
    sim_json_int(b, "r1", to->rank);
    json_builder_end_object(b);
}

/* The line of one direction has the fitted slope and passes the middle of the points that were
 * fitted. It is in pieces where ranks wrap around. */
static void build_lines(const app_picture_injection *in, const app_picture_wave *w, JsonBuilder *b)
{
    double distance = 0.0, time = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < in->num_fronts; i++) {
        const app_picture_front *f = &in->fronts[i];
        if (f->is_fitted && f->distance * w->direction > 0) {
            distance += (double)f->distance;
            time += (double)f->arrived;
            n++;
        }
    }
    if (n == 0 || !isfinite(w->speed.value) || w->speed.value == 0.0) {
        return;
    }
    const double slope = (double)w->direction * (double)SIM_S / w->speed.value; /* ps a rank */
    distance /= (double)n;
    time /= (double)n;
    const app_picture_front *start = NULL, *end = NULL; /* of the piece */
    for (size_t i = 0; i < in->num_fronts; i++) {
        const app_picture_front *f = &in->fronts[i];
        if (!f->is_fitted || f->distance * w->direction <= 0) {
            continue;
        }
        if (start != NULL && end != NULL &&
            ABS((int64_t)f->rank - (int64_t)start->rank) != ABS(f->distance - start->distance)) {
            build_piece(start, end, distance, time, slope, b);
            start = NULL;
        }
        start = start != NULL ? start : f;
        end = f;
    }
    if (start != NULL && end != NULL) {
        build_piece(start, end, distance, time, slope, b);
    }
}

enum { MOST_FRONTS = 1000 }; /* points that are drawn */

static void build_wave(const app_picture *p, JsonBuilder *b)
{
    const app_picture_injection *in = p->injection;
    if (in == NULL) {
        return;
    }
    const size_t step = in->num_fronts / MOST_FRONTS + 1; /* every one, or every so many */
    sim_json_begin_object(b, "wave");
    sim_json_int(b, "origin", in->rank);
    sim_json_int(b, "at", in->at);
    sim_json_int(b, "injected", in->length);
    sim_json_begin_array(b, "rank");
    for (size_t i = 0; i < in->num_fronts; i += step) {
        json_builder_add_int_value(b, in->fronts[i].rank);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "time");
    for (size_t i = 0; i < in->num_fronts; i += step) {
        json_builder_add_int_value(b, in->fronts[i].arrived);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "lines");
    for (size_t i = 0; i < in->num_waves; i++) {
        build_lines(in, &in->waves[i], b);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
}

static void build_components(const app_picture *p, JsonBuilder *b)
{
    sim_json_begin_array(b, "components");
    for (size_t i = 0; i < p->num_components; i++) {
        json_builder_begin_object(b);
        sim_json_text(b, "name", p->components[i].name);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

JsonNode *app_view_data_new(const app_picture *p, app_view_size *size)
{
    g_autoptr(JsonBuilder) b = json_builder_new();
    size_t left = size->most_bytes;
    json_builder_begin_object(b);
    sim_json_int(b, "ranks", p->num_ranks);
    sim_json_int(b, "makespan", p->makespan);
    sim_json_int(b, "from", p->from);
    sim_json_int(b, "to", p->to);
    sim_json_bool(b, "recorded", !app_picture_knows(p, APP_PICTURE_NOISE_WAIT));
    build_components(p, b);
    size->without_detail = !build_lanes(p, true, &left, b);
    if (size->without_detail && !build_lanes(p, false, &left, b)) {
        return NULL;
    }
    build_messages(p, &left, b);
    build_path(p, &left, b);
    build_ripples(p, &left, b);
    build_wave(p, b);
    app_packed_heat_build(p, left, &size->heat, b);
    json_builder_end_object(b);
    return json_builder_get_root(b);
}
