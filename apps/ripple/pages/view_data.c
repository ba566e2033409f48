/* apps/ripple/pages/view_data.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_view_page, browser_view. */
#include "pages/view_data.h"

#include "pages/packed_column.h"
#include "sim/json_member.h"

#include <math.h>

/* A column and what it is called; several make a table. */
typedef struct named_column {
    const char *name;
    app_column_kind kind;
    app_column *column;
} named_column;

typedef struct column_set {
    named_column *columns; /* [n] */
    size_t n;
} column_set;

static void open_columns(column_set *set)
{
    for (size_t i = 0; i < set->n; i++) {
        set->columns[i].column = app_column_new(set->columns[i].kind);
    }
}

static size_t close_columns(column_set *set)
{
    size_t size = 0;
    for (size_t i = 0; i < set->n; i++) {
        app_column_close(set->columns[i].column);
        size += app_column_size(set->columns[i].column);
    }
    return size;
}

static void build_columns(const column_set *set, JsonBuilder *b)
{
    for (size_t i = 0; i < set->n; i++) {
        app_column_build(set->columns[i].column, set->columns[i].name, b);
    }
}

static void free_columns(column_set *set)
{
    for (size_t i = 0; i < set->n; i++) {
        app_column_free(set->columns[i].column);
        set->columns[i].column = NULL;
    }
}

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
static void add_slices(const app_picture *p, sim_time tick, bool with_ops, column_set *set)
{
    named_column *c = set->columns;
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
    named_column columns[SLICE_COLUMNS] = {[GAP] = {"gap", APP_COLUMN_SIGNED, NULL},
                                           [LENGTH] = {"length", APP_COLUMN_COUNTS, NULL},
                                           [KIND] = {"kind", APP_COLUMN_BYTES, NULL},
                                           [FROM] = {"from", APP_COLUMN_SIGNED, NULL},
                                           [OP] = {"op", APP_COLUMN_STEPS, NULL},
                                           [COMPONENT] = {"component", APP_COLUMN_COUNTS, NULL}};
    column_set set = {columns, SLICE_COLUMNS};
    const sim_time tick = with_detail ? 1 : SIM_NS;
    open_columns(&set);
    add_slices(p, tick, with_detail, &set);
    const size_t size = close_columns(&set);
    const bool fits = size <= *left;
    if (fits) {
        *left -= size;
        sim_json_begin_object(b, "lanes");
        build_lane_facts(p, tick, b);
        build_columns(&set, b);
        json_builder_end_object(b);
    }
    free_columns(&set);
    return fits;
}

enum { M_FROM, M_WAY, M_RECEIVED, M_FLIGHT, M_BYTES, MESSAGE_COLUMNS };

static void build_messages(const app_picture *p, size_t *left, JsonBuilder *b)
{
    named_column c[MESSAGE_COLUMNS] = {[M_FROM] = {"from", APP_COLUMN_COUNTS, NULL},
                                       [M_WAY] = {"way", APP_COLUMN_SIGNED, NULL},
                                       [M_RECEIVED] = {"received", APP_COLUMN_STEPS, NULL},
                                       [M_FLIGHT] = {"flight", APP_COLUMN_SIGNED, NULL},
                                       [M_BYTES] = {"bytes", APP_COLUMN_SIGNED, NULL}};
    column_set set = {c, MESSAGE_COLUMNS};
    open_columns(&set);
    for (size_t i = 0; i < p->num_messages; i++) {
        const app_picture_message *m = &p->messages[i];
        app_column_add(c[M_FROM].column, m->from);
        app_column_add(c[M_WAY].column, (int64_t)m->to - (int64_t)m->from);
        app_column_add(c[M_RECEIVED].column, m->received);
        app_column_add(c[M_FLIGHT].column, m->received - m->sent);
        app_column_add(c[M_BYTES].column, m->bytes);
    }
    const size_t size = close_columns(&set);
    if (p->num_messages > 0 && size <= *left) {
        *left -= size;
        sim_json_begin_object(b, "messages");
        build_columns(&set, b);
        json_builder_end_object(b);
    }
    free_columns(&set);
}

enum { P_RANK, P_GAP, P_LENGTH, P_NOISE, PATH_COLUMNS };

static void build_path(const app_picture *p, size_t *left, JsonBuilder *b)
{
    named_column c[PATH_COLUMNS] = {[P_RANK] = {"rank", APP_COLUMN_STEPS, NULL},
                                    [P_GAP] = {"gap", APP_COLUMN_SIGNED, NULL},
                                    [P_LENGTH] = {"length", APP_COLUMN_COUNTS, NULL},
                                    [P_NOISE] = {"noise", APP_COLUMN_COUNTS, NULL}};
    column_set set = {c, PATH_COLUMNS};
    open_columns(&set);
    sim_time end = 0;
    for (size_t i = 0; i < p->num_path; i++) {
        const app_picture_path *s = &p->path[i];
        app_column_add(c[P_RANK].column, s->rank);
        app_column_add(c[P_GAP].column, s->begin - end);
        app_column_add(c[P_LENGTH].column, s->end - s->begin);
        app_column_add(c[P_NOISE].column, s->part[APP_PICTURE_PATH_NOISE]);
        end = s->end;
    }
    const size_t size = close_columns(&set);
    if (p->num_path > 0 && size <= *left) {
        *left -= size;
        sim_json_begin_object(b, "path");
        build_columns(&set, b);
        json_builder_end_object(b);
    }
    free_columns(&set);
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

enum { MEAN, MOST, WORST, LEVEL_COLUMNS };

/* The worst rank of a cell is among the row's: counted from the row's first one, 0 is none. */
static void add_level(const app_picture_level *level, column_set *set)
{
    named_column *c = set->columns;
    const size_t cells = (size_t)level->rows * level->columns;
    for (size_t i = 0; i < cells; i++) {
        app_column_add(c[MEAN].column, level->mean[i]);
        app_column_add(c[MOST].column, level->most[i]);
        const uint32_t first = (uint32_t)(i / level->columns) * level->ranks_per_row;
        app_column_add(c[WORST].column, level->worst[i] == APP_PICTURE_NONE
                                            ? 0
                                            : (int64_t)level->worst[i] - (int64_t)first + 1);
    }
}

/* The object of a level, or NULL where it takes more than *left. */
static JsonNode *level_node(const app_picture_level *level, size_t *left)
{
    named_column columns[LEVEL_COLUMNS] = {[MEAN] = {"mean", APP_COLUMN_BYTES, NULL},
                                           [MOST] = {"most", APP_COLUMN_BYTES, NULL},
                                           [WORST] = {"worst", APP_COLUMN_COUNTS, NULL}};
    column_set set = {columns, LEVEL_COLUMNS};
    open_columns(&set);
    add_level(level, &set);
    const size_t size = close_columns(&set);
    JsonNode *node = NULL;
    if (size <= *left) {
        *left -= size;
        g_autoptr(JsonBuilder) b = json_builder_new();
        json_builder_begin_object(b);
        sim_json_int(b, "rows", level->rows);
        sim_json_int(b, "columns", level->columns);
        sim_json_int(b, "ranks", level->ranks_per_row);
        sim_json_int(b, "time", level->column_width);
        build_columns(&set, b);
        json_builder_end_object(b);
        node = json_builder_get_root(b);
    }
    free_columns(&set);
    return node;
}

/* The finest level that fits with all coarser ones. */
static size_t build_heat(const app_picture *p, size_t left, JsonBuilder *b)
{
    g_autofree JsonNode **nodes = g_new0(JsonNode *, p->num_levels + 1);
    size_t first = p->num_levels, before = left;
    while (first > 0) {
        const size_t spent = before - left;
        before = left;
        if (2 * spent > left) {
            break; /* four times the cells do not fit: not tried, it takes its time */
        }
        nodes[first - 1] = level_node(&p->levels[first - 1], &left);
        if (nodes[first - 1] == NULL) {
            break;
        }
        first--;
    }
    if (first < p->num_levels) {
        sim_json_begin_object(b, "heat");
        sim_json_begin_array(b, "levels");
        for (size_t i = first; i < p->num_levels; i++) {
            json_builder_add_value(b, nodes[i]);
        }
        json_builder_end_array(b);
        json_builder_end_object(b);
    }
    return first;
}

static void build_components(const app_picture *p, JsonBuilder *b)
{
    sim_json_begin_array(b, "components");
    for (size_t i = 0; i < p->num_components; i++) {
        sim_json_add_text(b, p->components[i].name);
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
    build_wave(p, b);
    size->first_level = build_heat(p, left, b);
    json_builder_end_object(b);
    return json_builder_get_root(b);
}
