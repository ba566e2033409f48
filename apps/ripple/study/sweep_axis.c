/* apps/ripple/study/sweep_axis.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/sweep_axis.h"

#include "output/error.h"

#include <math.h>
#include <string.h>

#define FORMS "LO..HI/N, LO..HI/log:N, LO..HI/xFACTOR or LO..HI/+STEP"

/* How far above its end rounding may carry the last step of a range, as a part of it. */
static const double SLACK = 1e-9;

/* The values of one axis while they are collected. */
typedef struct axis {
    app_parameter_id id;
    const char *item; /* being read */
    GPtrArray *values;
} axis;

static bool G_GNUC_PRINTF(3, 4) refuse(const axis *a, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *why = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "'%s': %s", a->item, why);
    return false;
}

static bool add_text(axis *a, const char *text, GError **error)
{
    if (a->values->len >= APP_SWEEP_MOST_VALUES) {
        return refuse(a, error, "more than %d values", APP_SWEEP_MOST_VALUES);
    }
    g_ptr_array_add(a->values, g_strdup(text));
    return true;
}

/* @p exact is at least 0. */
static bool add_number(axis *a, long double exact, int64_t *last, GError **error)
{
    const int64_t number = exact < 9e18L ? llroundl(exact) : INT64_MAX;
    if (number == *last) {
        return true;
    }
    *last = number;
    g_autofree char *text = app_parameter_format(a->id, number);
    return add_text(a, text, error);
}

static bool parse_factor(const char *text, double *factor)
{
    char *end = NULL;
    *factor = g_ascii_strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*factor) && *factor > 1;
}

/* N values from @p low to @p high. */
static bool add_steps(axis *a, int64_t low, int64_t high, const char *text, bool ratios,
                      GError **error)
{
    guint64 n;
    if (!g_ascii_string_to_unsigned(text, 10, 2, APP_SWEEP_MOST_VALUES, &n, NULL)) {
        return refuse(a, error, "'%s' is not a number of values, 2 to %d", text,
                      APP_SWEEP_MOST_VALUES);
    }
    if (ratios && low <= 0) {
        return refuse(a, error, "a range of ratios cannot begin at 0");
    }
    int64_t last = -1;
    for (guint64 i = 0; i < n; i++) {
        const long double part = (long double)i / (long double)(n - 1);
        const long double value =
            ratios ? (long double)low * powl((long double)high / (long double)low, part)
                   : (long double)low + ((long double)high - (long double)low) * part;
        if (!add_number(a, i == n - 1 ? (long double)high : value, &last, error)) {
            return false;
        }
    }
    return true;
}

static bool add_factors(axis *a, int64_t low, int64_t high, const char *text, GError **error)
{
    double factor;
    if (!parse_factor(text, &factor)) {
        return refuse(a, error, "'%s' is not a factor above 1", text);
    }
    if (low <= 0) {
        return refuse(a, error, "a range of ratios cannot begin at 0");
    }
    int64_t last = -1;
    const long double end = (long double)high * (1 + SLACK);
    long double value = low;
    while (value <= end) {
        if (!add_number(a, fminl(value, (long double)high), &last, error)) {
            return false;
        }
        value *= factor;
    }
    return true;
}

static bool add_differences(axis *a, int64_t low, int64_t high, const char *text, GError **error)
{
    int64_t step;
    if (!app_parameter_parse(a->id, text, &step, error)) {
        g_prefix_error(error, "'%s': step: ", a->item);
        return false;
    }
    if (step <= 0) {
        return refuse(a, error, "a step of 0 leads nowhere");
    }
    int64_t last = -1;
    for (int64_t value = low;; value += step) {
        if (!add_number(a, (long double)value, &last, error)) {
            return false;
        }
        if (value > high - step) {
            return true;
        }
    }
}

static bool parse_end(const axis *a, const char *text, int64_t *out, GError **error)
{
    g_autofree char *word = g_strstrip(g_strdup(text));
    if (!app_parameter_parse(a->id, word, out, error)) {
        g_prefix_error(error, "'%s': ", a->item);
        return false;
    }
    return true;
}

/* @p dots points at the ".." within the item. */
static bool add_range(axis *a, const char *dots, GError **error)
{
    g_autofree char *from = g_strndup(a->item, (gsize)(dots - a->item));
    /* A rate has a '/' of its own ("1ns/B"): the last one begins the step. */
    const char *slash = strrchr(dots, '/');
    if (slash == NULL) {
        return refuse(a, error, "how many values? The forms are " FORMS);
    }
    g_autofree char *to = g_strndup(dots + 2, (gsize)(slash - dots - 2));
    const bool rate_step = slash[1] == 'B' && slash[2] == '\0';
    if (rate_step) { /* "…/+0.1ns/B", or no step at all */
        const char *plus = strstr(dots, "/+");
        if (plus == NULL) {
            return refuse(a, error, "how many values? The forms are " FORMS);
        }
        g_free(to);
        to = g_strndup(dots + 2, (gsize)(plus - dots - 2));
        slash = plus;
    }
    int64_t low;
    int64_t high;
    if (!parse_end(a, from, &low, error) || !parse_end(a, to, &high, error)) {
        return false;
    }
    if (high <= low || high == INT64_MAX) {
        return refuse(a, error, "a range goes from a smaller to a larger value");
    }
    const char *how = slash + 1;
    if (g_str_has_prefix(how, "log:")) {
        return add_steps(a, low, high, how + strlen("log:"), true, error);
    }
    if (*how == 'x') {
        return add_factors(a, low, high, how + 1, error);
    }
    return *how == '+' ? add_differences(a, low, high, how + 1, error)
                       : add_steps(a, low, high, how, false, error);
}

static bool add_item(axis *a, GError **error)
{
    const char *dots = app_parameter_is_number(a->id) ? strstr(a->item, "..") : NULL;
    if (dots != NULL) {
        return add_range(a, dots, error);
    }
    int64_t number;
    return app_parameter_parse(a->id, a->item, &number, error) && add_text(a, a->item, error);
}

char **app_sweep_axis_parse(app_parameter_id id, const char *text, GError **error)
{
    g_auto(GStrv) items = g_strsplit(text, strchr(text, ';') != NULL ? ";" : ",", -1);
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
    axis a = {.id = id, .values = values};
    if (items[0] == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "the list of values is empty");
        return NULL;
    }
    for (size_t i = 0; items[i] != NULL; i++) {
        a.item = g_strstrip(items[i]);
        if (!add_item(&a, error)) {
            return NULL;
        }
    }
    g_ptr_array_add(values, NULL);
    return (char **)g_ptr_array_steal(values, NULL);
}
