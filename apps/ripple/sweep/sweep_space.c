/* apps/ripple/sweep/sweep_space.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_figures. */
#include "sweep/sweep_space.h"

#include <stdlib.h>
#include <string.h>

static const double NO_NUMBER = 9e18; /* from here on: S=inf */

/* The parameters of one axis. */
typedef struct axis {
    size_t num_parameters;
    app_parameter_id parameters[APP_NUM_PARAMETERS];
} axis;

/* A value while they are put in order. */
typedef struct value {
    char *label;
    double number;
} value;

void app_sweep_space_free(app_sweep_space *s)
{
    if (s != NULL) {
        for (size_t d = 0; d < s->num_dimensions; d++) {
            g_strfreev(s->dimensions[d].labels);
            g_free(s->dimensions[d].numbers);
        }
        g_free(s->dimensions);
        g_free(s->places);
        g_free(s);
    }
}

/* What a point is called along an axis; NULL: the axis has no effect there. */
static char *label_of(const app_sweep_point *p, const axis *a)
{
    GString *label = g_string_new(NULL);
    for (size_t i = 0; i < a->num_parameters; i++) {
        const app_parameter_id id = a->parameters[i];
        if (p->values[id].has) {
            g_autofree char *text = app_sweep_value_format(id, &p->values[id]);
            if (i > 0) {
                g_string_append_printf(label, ", %s=", app_parameters[id].name);
            }
            g_string_append(label, text);
        }
    }
    return g_string_free(label, label->len == 0);
}

static int compare_numbers(gconstpointer a, gconstpointer b)
{
    const double x = ((const value *)a)->number;
    const double y = ((const value *)b)->number;
    return (x > y) - (x < y);
}

/* Are they different, and none of them infinity? */
static bool all_differ(const GArray *sorted)
{
    if (sorted->len > 0 && g_array_index(sorted, value, sorted->len - 1).number >= NO_NUMBER) {
        return false;
    }
    for (guint i = 1; i < sorted->len; i++) {
        if (g_array_index(sorted, value, i).number == g_array_index(sorted, value, i - 1).number) {
            return false;
        }
    }
    return true;
}

/* The values that the points have along @p a, each once. @return by label: index + 1 */
static GHashTable *collect(const app_sweep_table *table, const axis *a,
                           app_sweep_dimension *dimension)
{
    GHashTable *indices = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(value));
    const app_parameter_id id = a->parameters[0];
    for (size_t i = 0; i < table->num_points; i++) {
        const app_sweep_point *p = &table->points[i];
        char *label = label_of(p, a);
        if (label != NULL && !g_hash_table_contains(indices, label)) {
            const value v = {g_strdup(label), app_parameter_plotted(id, p->values[id].number)};
            g_array_append_val(values, v);
            g_hash_table_insert(indices, label, NULL);
        } else {
            g_free(label);
        }
    }
    *dimension = (app_sweep_dimension){.id = id, .num_values = values->len};
    if (app_parameter_is_number(id)) {
        g_array_sort(values, compare_numbers);
        dimension->number = all_differ(values);
    }
    dimension->labels = g_new0(char *, values->len + 1);
    dimension->numbers = g_new(double, values->len);
    for (guint i = 0; i < values->len; i++) {
        const value *v = &g_array_index(values, value, i);
        dimension->labels[i] = v->label;
        dimension->numbers[i] = v->number;
        g_hash_table_insert(indices, g_strdup(v->label), GSIZE_TO_POINTER((gsize)i + 1));
    }
    return indices;
}

static void place_points(app_sweep_space *s, const axis *a, size_t d, GHashTable *indices)
{
    for (size_t i = 0; i < s->table->num_points; i++) {
        g_autofree char *label = label_of(&s->table->points[i], a);
        const gsize index =
            label != NULL ? GPOINTER_TO_SIZE(g_hash_table_lookup(indices, label)) : 0;
        s->places[i * s->num_dimensions + d] = index > 0 ? index - 1 : APP_SWEEP_ANYWHERE;
    }
}

/* Parameters that vary, by the axis they are on. @return how many axes */
static size_t find_axes(const app_sweep_table *table, axis *axes)
{
    size_t n = 0;
    int last[APP_NUM_PARAMETERS]; /* the position of axes[i] */
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        size_t i = 0;
        while (i < n && last[i] != table->position[id]) {
            i++;
        }
        if (!table->varied[id]) {
            continue;
        }
        if (i == n) {
            last[n] = table->position[id];
            axes[n++] = (axis){0};
        }
        axes[i].parameters[axes[i].num_parameters++] = (app_parameter_id)id;
    }
    return n;
}

app_sweep_space *app_sweep_space_new(const app_sweep_table *table)
{
    axis axes[APP_NUM_PARAMETERS];
    app_sweep_space *s = g_new0(app_sweep_space, 1);
    s->table = table;
    s->num_dimensions = find_axes(table, axes);
    s->dimensions = g_new0(app_sweep_dimension, s->num_dimensions + 1);
    s->places = g_new(size_t, table->num_points * s->num_dimensions + 1);
    for (size_t d = 0; d < s->num_dimensions; d++) {
        g_autoptr(GHashTable) indices = collect(table, &axes[d], &s->dimensions[d]);
        place_points(s, &axes[d], d, indices);
    }
    return s;
}

const app_sweep_point *app_sweep_space_find(const app_sweep_space *s, const size_t *values)
{
    for (size_t i = 0; i < s->table->num_points; i++) {
        const size_t *place = &s->places[i * s->num_dimensions];
        bool here = s->table->points[i].done;
        for (size_t d = 0; here && d < s->num_dimensions; d++) {
            here = place[d] == values[d] || place[d] == APP_SWEEP_ANYWHERE;
        }
        if (here) {
            return &s->table->points[i];
        }
    }
    return NULL;
}

void app_sweep_combinations_add(app_sweep_combinations *c, const app_sweep_space *space,
                                size_t dimension, size_t most)
{
    const size_t all = space->dimensions[dimension].num_values;
    const size_t n = MIN(all, most);
    const size_t i = c->num_dimensions++;
    c->total = i == 0 ? n : c->total * n;
    c->dimensions[i] = dimension;
    c->num_values[i] = n;
    c->values[i] = g_new(size_t, n);
    for (size_t j = 0; j < n; j++) {
        c->values[i][j] = n > 1 ? j * (all - 1) / (n - 1) : 0;
    }
}

void app_sweep_combinations_clear(app_sweep_combinations *c)
{
    for (size_t i = 0; i < c->num_dimensions; i++) {
        g_free(c->values[i]);
    }
    c->num_dimensions = 0;
}

void app_sweep_combinations_get(const app_sweep_combinations *c, size_t k, size_t *values)
{
    for (size_t i = c->num_dimensions; i-- > 0;) {
        values[c->dimensions[i]] = c->values[i][k % c->num_values[i]];
        k /= c->num_values[i];
    }
}

char *app_sweep_combinations_thinned(const app_sweep_combinations *c, const app_sweep_space *space)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < c->num_dimensions; i++) {
        const app_sweep_dimension *d = &space->dimensions[c->dimensions[i]];
        if (c->num_values[i] < d->num_values) {
            g_string_append_printf(text, " Of %zu values of %s, %zu are drawn.", d->num_values,
                                   app_parameters[d->id].name, c->num_values[i]);
        }
    }
    return g_string_free(text, FALSE);
}

/* "jaguar"; "co-scheduled"; "L=1us". */
static void append_value(GString *label, const app_sweep_dimension *d, size_t index)
{
    const char *text = d->labels[index];
    if (d->id == APP_PARAMETER_COSCHED) {
        g_string_append(
            label, app_mode_name(strcmp(text, "no") == 0 ? APP_UNSYNCHRONIZED : APP_COSCHEDULED));
    } else if (d->id == APP_PARAMETER_NOISE || d->id == APP_PARAMETER_PROGRAM ||
               d->id == APP_PARAMETER_MACHINE) {
        g_string_append(label, text);
    } else {
        g_string_append_printf(label, "%s=%s", app_parameters[d->id].name, text);
    }
}

char *app_sweep_combinations_label(const app_sweep_combinations *c, const app_sweep_space *space,
                                   size_t k)
{
    size_t values[APP_NUM_PARAMETERS] = {0};
    app_sweep_combinations_get(c, k, values);
    GString *label = g_string_new(NULL);
    for (size_t i = 0; i < c->num_dimensions; i++) {
        if (i > 0) {
            g_string_append(label, ", ");
        }
        append_value(label, &space->dimensions[c->dimensions[i]], values[c->dimensions[i]]);
    }
    return g_string_free(label, FALSE);
}
