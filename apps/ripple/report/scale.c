/* apps/ripple/report/scale.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_report. */
#include "scale.h"

#include "sim/unit.h"

#include <math.h>
#include <string.h>

enum {
    FEW_TICKS = 6,    /* along one side that has equal differences */
    FEW_DECADES = 4,  /* up to which 2 and 5 have ticks too */
    SIGNED_RANGE = 4, /* decades that a signed logarithmic axis shows */
};

char *app_axis_column(const app_axis *axis)
{
    static const char *const SUFFIX[] = {"", "", "", "_ns", "_ns_per_byte", "_percent"};
    g_autofree char *name = g_strdelimit(g_strdup(axis->name), " -", '_');
    return g_strconcat(name, SUFFIX[axis->unit], NULL);
}

char *app_axis_label(const app_axis *axis)
{
    static const char *const SUFFIX[] = {"", "", ", bytes", "", ", ns/B", ", %"};
    return g_strconcat(axis->name, strcmp(axis->name, "bytes") == 0 ? "" : SUFFIX[axis->unit],
                       NULL);
}

/* Of ranks, or of bytes: 1Ki is round. */
static bool is_count(app_unit unit)
{
    return unit == APP_UNIT_COUNT || unit == APP_UNIT_BYTES;
}

/* Of a length that is read as digits. */
static bool is_whole(double value)
{
    static const double MOST = 1e9;
    return value == floor(value) && fabs(value) < MOST;
}

char *app_unit_format(app_unit unit, double value)
{
    if (unit == APP_UNIT_TIME && value >= 0 && value * (double)SIM_NS < (double)SIM_TIME_MAX) {
        return sim_unit_format_time_short((sim_time)llround(value * (double)SIM_NS));
    }
    if (is_count(unit) && value >= 1 && value < 1e18 && value == floor(value)) {
        return sim_unit_format_count((uint64_t)value);
    }
    const double many = unit == APP_UNIT_PERCENT ? 1000 : 10000; /* "%.4g" has no more digits */
    if (fabs(value) >= many && (unit == APP_UNIT_PERCENT || is_whole(value))) {
        return sim_unit_format_thousands(value);
    }
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strdup(g_ascii_formatd(text, sizeof text, "%.4g", value + 0.0)); /* no "-0" */
}

void app_range(const double *values, size_t n, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(values[i])) {
            *low = fmin(*low, values[i]);
            *high = fmax(*high, values[i]);
        }
    }
    if (*low > *high) {
        *low = 0;
        *high = 1;
    }
}

/* Room at both ends; an axis of differences begins at 0 unless that would hide them. */
static void widen(app_map *map, double low, double high)
{
    if (map->kind == APP_MAP_LOG) {
        const double room = fmax(pow(high / low, 0.05), 1.1);
        map->from = low / room;
        map->to = high * room;
        return;
    }
    if (map->kind == APP_MAP_SIGNED_LOG) {
        map->from = low < 0 ? low * 1.3 : 0;
        map->to = high * 1.3;
        return;
    }
    const bool tight = low > 0 && low > 0.6 * high;
    const double room = 0.06 * (tight && high > low ? high - low : fabs(high));
    map->from = tight ? low - room : fmin(low - (low < 0 ? room : 0), 0);
    map->to = high + room;
    if (map->to <= map->from) {
        map->to = map->from + 1;
    }
}

app_map app_map_fit(const app_axis *axis, app_scale choice, double low, double high)
{
    const app_scale scale = axis->scale == APP_SCALE_AUTO ? choice : axis->scale;
    app_map map = {.kind = APP_MAP_LINEAR, .knee = 1};
    if (scale == APP_SCALE_LOG && low > 0) {
        map.kind = APP_MAP_LOG;
    } else if (scale == APP_SCALE_LOG && high > 0) {
        map.kind = APP_MAP_SIGNED_LOG;
        map.knee = pow(10, floor(log10(high)) - SIGNED_RANGE + 1);
    }
    widen(&map, low, high);
    return map;
}

double app_map_place(const app_map *map, double value)
{
    switch (map->kind) {
    case APP_MAP_LOG:
        return log10(value);
    case APP_MAP_SIGNED_LOG:
        return asinh(value / map->knee);
    default:
        return value;
    }
}

void app_map_define(GString *script, const char *name, const app_map *map)
{
    if (map->kind == APP_MAP_SIGNED_LOG) {
        g_string_append_printf(script, "%s(v) = asinh(v / ", name);
        app_append_number(script, map->knee);
        g_string_append(script, ")\n");
        return;
    }
    g_string_append_printf(script, "%s(v) = %s\n", name,
                           map->kind == APP_MAP_LOG ? "log10(v)" : "v");
}

/* 1, 2 or 5 times a power of ten: the step with which @p span takes at most FEW_TICKS. */
static double nice_step(double span)
{
    const double raw = span / FEW_TICKS;
    const double decade = pow(10, floor(log10(raw)));
    static const double STEPS[] = {1, 2, 5};
    for (size_t i = 0; i < G_N_ELEMENTS(STEPS); i++) {
        if (STEPS[i] * decade >= raw) {
            return STEPS[i] * decade;
        }
    }
    return 10 * decade;
}

static void add_linear(GArray *ticks, const app_map *map)
{
    const double step = nice_step(map->to - map->from);
    for (double k = ceil(map->from / step); k * step <= map->to; k++) {
        const double value = k * step;
        g_array_append_val(ticks, value);
    }
}

/* From @p from > 0 on: powers of ten (of four for counts), with 2 and 5 where there are few. */
static void add_log(GArray *ticks, app_unit unit, double from, double to, int most)
{
    const double base = is_count(unit) ? 4 : 10;
    const double decades = log(to / from) / log(base);
    const double every = fmax(ceil(decades / most), 1);
    const bool few =
        base == 10 && decades <= FEW_DECADES && 3 * decades <= most && most > FEW_TICKS;
    static const double WITHIN[] = {1, 2, 5};
    for (double e = floor(log(from) / log(base) / every) * every; pow(base, e) <= to; e += every) {
        for (size_t i = 0; i < (few ? G_N_ELEMENTS(WITHIN) : 1); i++) {
            const double value = WITHIN[i] * pow(base, e);
            if (value >= from * 0.999 && value <= to * 1.001) {
                g_array_append_val(ticks, value);
            }
        }
    }
}

static GArray *choose(const app_axis *axis, const app_map *map, int most)
{
    GArray *ticks = g_array_new(FALSE, FALSE, sizeof(double));
    const double zero = 0;
    switch (map->kind) {
    case APP_MAP_LOG:
        add_log(ticks, axis->unit, map->from, map->to, most);
        break;
    case APP_MAP_SIGNED_LOG:
        if (map->from < -map->knee) { /* the same below 0, in order */
            add_log(ticks, axis->unit, map->knee, -map->from, FEW_TICKS);
            for (guint i = 0, n = ticks->len; i < n; i++) {
                g_array_index(ticks, double, i) *= -1;
            }
        }
        g_array_append_val(ticks, zero);
        add_log(ticks, axis->unit, map->knee, map->to, FEW_TICKS);
        break;
    default:
        add_linear(ticks, map);
    }
    return ticks;
}

/* A '%' in a label would be taken for a format. */
static void append_tick(GString *script, const char *label, const char *separator)
{
    g_auto(GStrv) parts = g_strsplit(label, "%", -1);
    g_autofree char *doubled = g_strjoinv("%%", parts);
    g_string_append(script, separator);
    app_append_quoted(script, doubled);
    g_string_append_c(script, ' ');
}

static void append_tick_at(GString *script, const app_axis *axis, const app_map *map, double value,
                           bool first)
{
    g_autofree char *label = app_unit_format(axis->unit, value);
    append_tick(script, label, first ? "" : ", ");
    app_append_number(script, app_map_place(map, value));
}

static void append_range(GString *script, char side, const app_map *map)
{
    g_string_append_printf(script, "set %crange [", side);
    app_append_number(script, app_map_place(map, map->from));
    g_string_append_c(script, ':');
    app_append_number(script, app_map_place(map, map->to));
    g_string_append(script, "]\n");
}

void app_map_ticks(GString *script, char side, const app_axis *axis, const app_map *map, int most)
{
    g_autoptr(GArray) ticks = choose(axis, map, most);
    g_string_append_printf(script, "set %ctics (", side);
    for (guint i = 0; i < ticks->len; i++) {
        append_tick_at(script, axis, map, g_array_index(ticks, double, i), i == 0);
    }
    g_string_append(script, ")\n");
    append_range(script, side, map);
}

/* Are they what somebody would put on an axis: two digits, or a power of two? */
static bool are_round(const app_axis *axis, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double size = fabs(values[i]);
        const double digits = size > 0 ? size / pow(10, floor(log10(size)) - 1) : 0;
        const bool power = is_count(axis->unit) && size > 0 && log2(size) == floor(log2(size));
        if (!power && fabs(digits - round(digits)) > 1e-6) {
            return false;
        }
    }
    return true;
}

void app_map_ticks_at(GString *script, char side, const app_axis *axis, const app_map *map,
                      const double *values, size_t n, int most)
{
    const double apart = (app_map_place(map, map->to) - app_map_place(map, map->from)) / most;
    double last = -INFINITY;
    if (!are_round(axis, values, n)) {
        app_map_ticks(script, side, axis, map, most);
        return;
    }
    g_string_append_printf(script, "set %ctics (", side);
    for (size_t i = 0; i < n; i++) {
        const double place = app_map_place(map, values[i]);
        if (place - last >= apart) {
            append_tick_at(script, axis, map, values[i], i == 0);
            last = place;
        }
    }
    g_string_append(script, ")\n");
    append_range(script, side, map);
}

void app_ticks_named(GString *script, char side, const char *const *labels, size_t n, size_t most,
                     bool turned)
{
    const size_t every = most > 0 ? (n + most - 1) / most : 1;
    g_string_append_printf(script, "set %ctics scale 0 %s(", side, turned ? "rotate by -35 " : "");
    for (size_t i = 0; i < n; i += every) {
        append_tick(script, labels[i], i > 0 ? ", " : "");
        g_string_append_printf(script, "%zu", i + 1);
    }
    g_string_append(script, ")\n");
}

void app_append_number(GString *text, double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    if (isfinite(value)) {
        g_string_append(text, g_ascii_formatd(buffer, sizeof buffer, "%.9g", value));
    }
}

void app_append_field(GString *csv, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        g_string_append(csv, text);
        return;
    }
    g_auto(GStrv) parts = g_strsplit(text, "\"", -1);
    g_autofree char *doubled = g_strjoinv("\"\"", parts);
    g_string_append_printf(csv, "\"%s\"", doubled);
}

void app_append_quoted(GString *script, const char *text)
{
    g_autofree char *flat = g_strdelimit(g_strdup(text), "\n\r", ' ');
    g_auto(GStrv) parts = g_strsplit(flat, "'", -1);
    g_autofree char *doubled = g_strjoinv("''", parts);
    /* gnuplot does not read '''so''': a quotation at the beginning follows an empty string. */
    g_string_append_printf(script, flat[0] == '\'' ? "'' . \"'\" . '%s'" : "'%s'",
                           flat[0] == '\'' ? doubled + 2 : doubled);
}

const char *app_unit_suffix(app_unit unit)
{
    static const char *const SUFFIX[] = {"", "", "", " ns", " ns/B", " %"};
    return SUFFIX[unit];
}

void app_append_tip_functions(GString *script)
{
    /* As sim_unit_format_count(): 1024 is 1Ki. */
    g_string_append(script,
                    "whole(v, u) = v >= u && v == u * floor(v / u)\n"
                    "count(v) = (whole(v, 2.0**30) ? sprintf('%.0fGi', v / 2.0**30) : "
                    "whole(v, 2.0**20) ? sprintf('%.0fMi', v / 2.0**20) : "
                    "whole(v, 2.0**10) ? sprintf('%.0fKi', v / 2.0**10) : sprintf('%.9g', v))\n");
}

void app_append_tip_value(GString *script, app_unit unit, int column)
{
    if (is_count(unit)) {
        g_string_append_printf(script, "count($%d)", column);
    } else {
        g_string_append_printf(script, "strcol(%d) . '%s'", column, app_unit_suffix(unit));
    }
}
