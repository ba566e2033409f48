/* apps/ripple/study/sweep_study.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/sweep_study.h"

#include "options/options.h"
#include "output/error.h"
#include "study/sweep_axis.h"

#include <string.h>

static void axis_free(gpointer data)
{
    app_sweep_axis *axis = data;
    for (size_t i = 0; i < axis->num_parameters; i++) {
        g_strfreev(axis->values[i]);
    }
    g_free(axis);
}

app_sweep_study *app_sweep_study_new(void)
{
    app_sweep_study *s = g_new0(app_sweep_study, 1);
    s->axes = g_ptr_array_new_with_free_func(axis_free);
    return s;
}

static void forget(app_sweep_study *s, app_parameter_id id)
{
    g_clear_pointer(&s->fixed[id], g_free);
    g_clear_pointer(&s->swept[id], g_free);
    g_clear_pointer(&s->origin[id], g_free);
}

void app_sweep_study_free(app_sweep_study *s)
{
    if (s == NULL) {
        return;
    }
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        forget(s, (app_parameter_id)id);
    }
    g_ptr_array_unref(s->axes);
    g_free(s->title);
    g_free(s);
}

static const app_sweep_axis *axis_at(const app_sweep_study *s, guint i)
{
    return g_ptr_array_index(s->axes, i);
}

/* The axis that varies @p id, and the parameter's place in it; NULL: none does. */
static app_sweep_axis *find_axis(const app_sweep_study *s, app_parameter_id id, size_t *place)
{
    for (guint i = 0; i < s->axes->len; i++) {
        app_sweep_axis *axis = g_ptr_array_index(s->axes, i);
        for (size_t j = 0; j < axis->num_parameters; j++) {
            if (axis->parameters[j] == id) {
                *place = j;
                return axis;
            }
        }
    }
    return NULL;
}

/* Take what was said of a parameter back. Parameters that it was joined with stay as they are. */
static void take_back(app_sweep_study *s, app_parameter_id id)
{
    size_t place = 0;
    app_sweep_axis *axis = find_axis(s, id, &place);
    if (axis != NULL && axis->num_parameters == 1) {
        (void)g_ptr_array_remove(s->axes, axis);
    } else if (axis != NULL) {
        g_strfreev(axis->values[place]);
        axis->num_parameters--;
        axis->parameters[place] = axis->parameters[axis->num_parameters];
        axis->values[place] = axis->values[axis->num_parameters];
    }
    forget(s, id);
}

/* An option that is called like its parameter says it all. */
void app_sweep_study_blame(const char *origin, app_parameter_id id, GError **error)
{
    const char *name = app_parameters[id].name;
    const bool option = g_str_has_prefix(origin, "--");
    if (!option || strcmp(origin + 2, name) != 0) {
        g_prefix_error(error, "%s: ", name);
    }
    app_error_blame_option(error, origin);
    if (!option && error != NULL && *error != NULL) {
        (*error)->code = APP_ERROR_INPUT; /* a line of a file */
    }
}

bool app_sweep_study_fix(app_sweep_study *s, app_parameter_id id, const char *text,
                         const char *origin, GError **error)
{
    int64_t number;
    if (!app_parameter_parse(id, text, &number, error)) {
        app_sweep_study_blame(origin, id, error);
        return false;
    }
    take_back(s, id);
    s->fixed[id] = g_strdup(text);
    s->origin[id] = g_strdup(origin);
    return true;
}

bool app_sweep_study_vary(app_sweep_study *s, app_parameter_id id, const char *text,
                          const char *origin, GError **error)
{
    char **values = app_sweep_axis_parse(id, text, error);
    if (values == NULL) {
        app_sweep_study_blame(origin, id, error);
        return false;
    }
    take_back(s, id);
    app_sweep_axis *axis = g_new0(app_sweep_axis, 1);
    axis->num_parameters = 1;
    axis->parameters[0] = id;
    axis->values[0] = values;
    axis->num_values = g_strv_length(values);
    g_ptr_array_add(s->axes, axis);
    s->swept[id] = g_strdup(text);
    s->origin[id] = g_strdup(origin);
    return true;
}

bool app_sweep_study_join(app_sweep_study *s, const app_parameter_id *ids, size_t n, GError **error)
{
    size_t place = 0;
    for (size_t i = 1; i < n; i++) {
        app_sweep_axis *first = find_axis(s, ids[0], &place);
        app_sweep_axis *next = find_axis(s, ids[i], &place);
        if (next->num_values != first->num_values) {
            g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                        "the number of values is %zu; that of %s, with which it is varied "
                        "together, is %zu",
                        next->num_values, app_parameters[ids[0]].name, first->num_values);
            app_sweep_study_blame(s->origin[ids[i]], ids[i], error);
            return false;
        }
        first->parameters[first->num_parameters] = ids[i];
        first->values[first->num_parameters] = g_steal_pointer(&next->values[0]);
        first->num_parameters++;
        next->num_parameters = 0;
        (void)g_ptr_array_remove(s->axes, next);
    }
    return true;
}

/* What the parameters of an axis are at one of its points: equal texts, equal points. */
static char *key_of(const app_sweep_axis *axis, size_t at)
{
    GString *key = g_string_new(NULL);
    for (size_t j = 0; j < axis->num_parameters; j++) {
        const app_parameter_id id = axis->parameters[j];
        int64_t number = 0;
        if (app_parameter_is_number(id) &&
            app_parameter_parse(id, axis->values[j][at], &number, NULL)) {
            g_string_append_printf(key, "%" G_GINT64_FORMAT "\n", number);
        } else {
            g_string_append_printf(key, "%s\n", axis->values[j][at]);
        }
    }
    return g_string_free(key, FALSE);
}

bool app_sweep_study_check_doubles(const app_sweep_study *s, GError **error)
{
    for (guint i = 0; i < s->axes->len; i++) {
        const app_sweep_axis *axis = axis_at(s, i);
        const app_parameter_id id = axis->parameters[0];
        g_autoptr(GHashTable) first = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        for (size_t at = 0; at < axis->num_values; at++) {
            char *key = key_of(axis, at);
            const char *before = g_hash_table_lookup(first, key);
            if (before != NULL) {
                g_free(key);
                (void)app_refuse_double(axis->values[0][at], before, error);
                app_sweep_study_blame(s->origin[id], id, error);
                return false;
            }
            g_hash_table_insert(first, key, axis->values[0][at]);
        }
    }
    return true;
}

bool app_sweep_study_count(const app_sweep_study *s, size_t *num_points, GError **error)
{
    size_t n = 1;
    for (guint i = 0; i < s->axes->len; i++) {
        n *= axis_at(s, i)->num_values;
        if (n > APP_SWEEP_MOST_POINTS) {
            g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                        "the study has more than %d points: the product of the values of all axes",
                        APP_SWEEP_MOST_POINTS);
            return false;
        }
    }
    *num_points = n;
    return true;
}

void app_sweep_study_point(const app_sweep_study *s, size_t i,
                           const char *values[APP_NUM_PARAMETERS])
{
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        values[id] = s->fixed[id];
    }
    for (guint a = s->axes->len; a-- > 0;) {
        const app_sweep_axis *axis = axis_at(s, a);
        const size_t at = i % axis->num_values;
        i /= axis->num_values;
        for (size_t j = 0; j < axis->num_parameters; j++) {
            values[axis->parameters[j]] = axis->values[j][at];
        }
    }
}

bool app_sweep_study_varies(const app_sweep_study *s, app_parameter_id id)
{
    size_t place;
    const app_sweep_axis *axis = find_axis(s, id, &place);
    return axis != NULL && axis->num_values > 1;
}

char *app_sweep_study_describe(const app_sweep_study *s, size_t i)
{
    const char *values[APP_NUM_PARAMETERS];
    app_sweep_study_point(s, i, values);
    GString *text = g_string_new(NULL);
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        if (app_sweep_study_varies(s, (app_parameter_id)id)) {
            g_string_append_printf(text, "%s%s=%s", text->len > 0 ? ", " : "",
                                   app_parameters[id].name, values[id]);
        }
    }
    return g_string_free(text, FALSE);
}

static void append_line(GString *text, app_parameter_id id, const char *value)
{
    g_string_append_printf(text, "%s = %s\n", app_parameters[id].name, value);
}

/* Axes of @p joined parameters, or of single ones. */
static void append_axes(const app_sweep_study *s, GString *text, const char *group, bool joined)
{
    bool headed = false;
    for (guint i = 0; i < s->axes->len; i++) {
        const app_sweep_axis *axis = axis_at(s, i);
        if ((axis->num_parameters > 1) == joined) {
            if (!headed) {
                g_string_append_printf(text, "\n[%s]\n", group);
                headed = true;
            }
            for (size_t j = 0; j < axis->num_parameters; j++) {
                append_line(text, axis->parameters[j], s->swept[axis->parameters[j]]);
            }
        }
    }
}

char *app_sweep_study_text(const app_sweep_study *s)
{
    GString *text = g_string_new("[study]\nschema_version = 1\n");
    if (s->title != NULL) {
        g_string_append_printf(text, "title = %s\n", s->title);
    }
    g_string_append(text, "\n[parameters]\n");
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        if (s->fixed[id] != NULL) {
            append_line(text, (app_parameter_id)id, s->fixed[id]);
        }
    }
    append_axes(s, text, "together", true);
    append_axes(s, text, "sweep", false);
    return g_string_free(text, FALSE);
}
