/* apps/ripple/database/sweep_table.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_figures. */
#include "database/sweep_table.h"

#include "sim/unit.h"

static void point_clear(app_sweep_point *p)
{
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        g_free(p->values[id].text);
    }
    app_sweep_result_clear(&p->result);
}

void app_sweep_table_free(app_sweep_table *table)
{
    if (table != NULL) {
        for (size_t i = 0; i < table->num_points; i++) {
            point_clear(&table->points[i]);
        }
        g_free(table->points);
        g_clear_pointer(&table->measurements, g_ptr_array_unref);
        g_clear_pointer(&table->notices, g_array_unref);
        g_free(table);
    }
}

bool app_sweep_value_equal(const app_sweep_value *a, const app_sweep_value *b)
{
    return a->has == b->has && a->number == b->number && g_strcmp0(a->text, b->text) == 0;
}

char *app_sweep_value_format(app_parameter_id id, const app_sweep_value *value)
{
    if (!value->has) {
        return g_strdup("-");
    }
    if (value->text != NULL) {
        return g_strdup(value->text);
    }
    return app_parameters[id].kind == APP_KIND_TIME ? sim_unit_format_time_short(value->number)
                                                    : app_parameter_format(id, value->number);
}

static void take(void *data, size_t number, const app_sweep_value effective[APP_NUM_PARAMETERS],
                 app_sweep_result *result)
{
    GArray *points = data;
    app_sweep_point p = {.number = number, .done = result != NULL};
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        p.values[id] = effective[id];
        p.values[id].text = g_strdup(effective[id].text);
    }
    if (result != NULL) {
        p.result = *result;
        *result = (app_sweep_result){0};
    }
    g_array_append_val(points, p);
}

/* More than one value, where it has an effect? */
static bool has_several(const app_sweep_table *table, app_parameter_id id)
{
    const app_sweep_value *first = NULL;
    for (size_t i = 0; i < table->num_points; i++) {
        const app_sweep_value *value = &table->points[i].values[id];
        if (first != NULL && value->has && !app_sweep_value_equal(first, value)) {
            return true;
        }
        first = first == NULL && value->has ? value : first;
    }
    return false;
}

app_sweep_table *app_sweep_table_read(app_sweep_database *database, GError **error)
{
    GArray *points = g_array_new(FALSE, FALSE, sizeof(app_sweep_point));
    const bool ok = app_sweep_database_each(database, take, points, error);
    app_sweep_table *table = g_new0(app_sweep_table, 1);
    table->num_points = points->len;
    table->points = (app_sweep_point *)(gpointer)g_array_free(points, FALSE);
    table->measurements = ok ? app_sweep_database_measurements(database, error) : NULL;
    table->notices =
        table->measurements != NULL ? app_sweep_database_notices(database, error) : NULL;
    if (table->notices == NULL || !app_sweep_database_axes(database, table->position, error)) {
        app_sweep_table_free(table);
        return NULL;
    }
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        table->varied[id] = table->position[id] >= 0 && has_several(table, (app_parameter_id)id);
    }
    return table;
}
