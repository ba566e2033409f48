/* apps/ripple/pages/component_data.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_component_page, browser_component. */
#include "pages/component_data.h"

#include "noise/event_type.h"
#include "output/miner_print.h"
#include "output/number_text.h"
#include "pages/packed_column.h"
#include "sim/json_member.h"
#include "sim/unit.h"

app_exemplar_kind app_exemplar_event_kind(const app_exemplar *e)
{
    return noise_event_type_kind(e->event.type) == NOISE_EVENT_CALL ? APP_EXEMPLAR_CALL
                                                                    : APP_EXEMPLAR_COMPUTE;
}

sim_time app_component_excess(const app_component_view *view, const app_exemplar *e)
{
    return e->event.expected >= 0 ? noise_miner_event_duration(&e->event) - e->event.expected
                                  : view->report->rows[e->row].t_noise;
}

char *app_component_about(const app_component_view *view, size_t row)
{
    const noise_miner_row *r = &view->report->rows[row];
    g_autofree char *longer = sim_unit_format_time_short(r->t_noise);
    g_autofree char *count = app_format_number(r->count);
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "It occurred %s time%s", count, r->count == 1 ? "" : "s");
    if (r->partial > 0) {
        g_autofree char *partial = app_format_number(r->partial);
        g_string_append_printf(text, ", and %s more met only a part of it", partial);
    }
    g_string_append_printf(text,
                           ". Each event is in the middle of its timeline. On average they lasted "
                           "%s longer than events of their type are expected to. Timelines have "
                           "scales of their own, unless one scale for all is chosen.",
                           longer);
    if (view->gains != NULL && view->gains[row] != NULL) {
        g_string_append_printf(text, " %s", view->gains[row]);
    }
    return g_string_free(text, FALSE);
}

/* What the columns are sorted by. */
static void build_values(const noise_miner_row *row, JsonBuilder *b)
{
    sim_json_begin_array(b, "values");
    json_builder_add_int_value(b, row->t_noise);
    json_builder_add_int_value(b, row->t_noise_low);
    json_builder_add_int_value(b, (gint64)row->count);
    json_builder_add_int_value(b, row->period);
    json_builder_add_double_value(b, row->period_confidence);
    json_builder_add_double_value(b, row->share);
    json_builder_add_int_value(b, row->num_ranks);
    json_builder_add_int_value(b, row->change.verdict == NOISE_MINER_CHANGED ? row->change.from
                                                                             : INT64_MAX);
    sim_json_add_text(b, row->label);
    json_builder_end_array(b);
}

static void build_rows(const app_component_view *view, JsonBuilder *b)
{
    sim_json_begin_array(b, "rows");
    for (size_t i = 0; i < view->report->num_rows; i++) {
        g_auto(GStrv) cells = app_miner_row_cells(view->report, &view->report->rows[i]);
        g_autofree char *about = app_component_about(view, i);
        json_builder_begin_object(b);
        sim_json_begin_array(b, "cells");
        for (size_t c = 0; cells[c] != NULL; c++) {
            sim_json_add_text(b, cells[c]);
        }
        json_builder_end_array(b);
        build_values(&view->report->rows[i], b);
        sim_json_text(b, "about", about);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void build_exemplar(const app_exemplar *e, size_t num_slices, JsonBuilder *b)
{
    const noise_miner_event *v = &e->event;
    json_builder_begin_object(b);
    sim_json_int(b, "row", (int64_t)e->row);
    sim_json_int(b, "rank", v->rank);
    sim_json_text(b, "type", e->type != NULL ? e->type : "event");
    sim_json_int(b, "kind", app_exemplar_event_kind(e));
    sim_json_int(b, "start", v->start);
    sim_json_int(b, "end", v->end);
    sim_json_int(b, "expected", v->expected);
    sim_json_int(b, "cpu", v->cpu);
    sim_json_int(b, "waited", v->waited);
    sim_json_int(b, "detour", v->detour);
    sim_json_int(b, "slices", (int64_t)num_slices);
    sim_json_begin_array(b, "facts");
    for (size_t f = 0; f < e->num_facts; f++) {
        json_builder_begin_array(b);
        sim_json_add_text(b, e->facts[f][0]);
        sim_json_add_text(b, e->facts[f][1]);
        json_builder_end_array(b);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
}

enum { BEGIN, LENGTH, KIND, NAME, BYTES, PEER, CPU, ON, NUM_COLUMNS };

static void add_slice(const app_exemplar_slice *s, int64_t name, app_column **columns)
{
    app_column_add(columns[BEGIN], s->begin);
    app_column_add(columns[LENGTH], s->end - s->begin);
    app_column_add(columns[KIND], s->kind);
    app_column_add(columns[NAME], name);
    app_column_add(columns[BYTES], s->bytes);
    app_column_add(columns[PEER], s->peer);
    app_column_add(columns[CPU], s->cpu);
    app_column_add(columns[ON], s->cpu_number);
}

/* The number of a name in the list, which gets it if it is new. */
static int64_t number_of(char *name, GHashTable *numbers, GPtrArray *names)
{
    void *number = NULL;
    if (!g_hash_table_lookup_extended(numbers, name, NULL, &number)) {
        number = GUINT_TO_POINTER(names->len);
        g_ptr_array_add(names, name);
        g_hash_table_insert(numbers, name, number);
    }
    return GPOINTER_TO_UINT(number);
}

static void build_slices(const app_component_view *view, const size_t *num_slices, JsonBuilder *b)
{
    static const struct {
        const char *name;
        app_column_kind kind;
    } COLUMNS[NUM_COLUMNS] = {
        [BEGIN] = {"begin", APP_COLUMN_STEPS},  [LENGTH] = {"length", APP_COLUMN_COUNTS},
        [KIND] = {"kind", APP_COLUMN_BYTES},    [NAME] = {"name", APP_COLUMN_COUNTS},
        [BYTES] = {"bytes", APP_COLUMN_SIGNED}, [PEER] = {"peer", APP_COLUMN_SIGNED},
        [CPU] = {"cpu", APP_COLUMN_SIGNED},     [ON] = {"on", APP_COLUMN_SIGNED}};
    app_column *columns[NUM_COLUMNS];
    g_autoptr(GHashTable) numbers = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (size_t c = 0; c < NUM_COLUMNS; c++) {
        columns[c] = app_column_new(COLUMNS[c].kind);
    }
    for (size_t i = 0; i < view->num_exemplars; i++) {
        for (size_t s = 0; s < num_slices[i]; s++) {
            const app_exemplar_slice *slice = &view->exemplars[i].slices[s];
            add_slice(slice, number_of(slice->name, numbers, names), columns);
        }
    }
    sim_json_begin_object(b, "slices");
    for (size_t c = 0; c < NUM_COLUMNS; c++) {
        app_column_close(columns[c]);
        app_column_build(columns[c], COLUMNS[c].name, b);
        app_column_free(columns[c]);
    }
    json_builder_end_object(b);
    sim_json_begin_array(b, "names");
    for (guint n = 0; n < names->len; n++) {
        sim_json_add_text(b, g_ptr_array_index(names, n));
    }
    json_builder_end_array(b);
}

JsonNode *app_component_data_new(const app_component_view *view, size_t most_slices,
                                 size_t *num_bare)
{
    g_autofree size_t *num_slices = g_new0(size_t, view->num_exemplars + 1);
    g_autoptr(JsonBuilder) b = json_builder_new();
    *num_bare = 0;
    json_builder_begin_object(b);
    build_rows(view, b);
    sim_json_begin_array(b, "exemplars");
    for (size_t i = 0; i < view->num_exemplars; i++) {
        const app_exemplar *e = &view->exemplars[i];
        const bool fits = e->num_slices <= most_slices;
        num_slices[i] = fits ? e->num_slices : 0;
        most_slices -= num_slices[i];
        *num_bare += !fits;
        build_exemplar(e, num_slices[i], b);
    }
    json_builder_end_array(b);
    build_slices(view, num_slices, b);
    json_builder_end_object(b);
    return json_builder_get_root(b);
}
