/* report/scale.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From a value to a place along an axis, in C for the ticks and as text for gnuplot; and small
 * texts that all figures put together in the same way.
 */
#pragma once

#include "report/axis.h"

#include <stdbool.h>

typedef enum { APP_MAP_LINEAR, APP_MAP_LOG, APP_MAP_SIGNED_LOG } app_map_kind;

typedef struct app_map {
    app_map_kind kind;
    double knee; /* signed: about linear below it */
    double from; /* the values at the ends of the axis */
    double to;
} app_map;

/** The smallest and the largest of what is finite in @p values; 0 and 1 if nothing is. */
void app_range(const double *values, size_t n, double *low, double *high);
/** The scale asked for, or @p choice where none was, fitted to values from low to high. */
app_map app_map_fit(const app_axis *axis, app_scale choice, double low, double high);
double app_map_place(const app_map *map, double value);
/** "fx(v) = log10(v)\n": @p name is "fx". */
void app_map_define(GString *script, const char *name, const app_map *map);
/** "set xtics ('10us' fx(1e4), ...)" and the range; @p side is 'x' or 'y'; some @p most ticks. */
void app_map_ticks(GString *script, char side, const app_axis *axis, const app_map *map, int most);
/** The same with a tick at each of @p values, thinned where they would touch; at round values
 * instead where those given are not, e.g. 1.112us of equal ratios. */
void app_map_ticks_at(GString *script, char side, const app_axis *axis, const app_map *map,
                      const double *values, size_t n, int most);
/** "set xtics (...)" at 1, 2, ..., every one or, of @p n that are too many, every second ... */
void app_ticks_named(GString *script, char side, const char *const *labels, size_t n, size_t most,
                     bool turned);

/** Nine digits, a '.' whatever the locale; nothing where @p value is not a number. */
void app_append_number(GString *text, double value);
/** A field of a CSV row, quoted where it must be. */
void app_append_field(GString *csv, const char *text);
/** A string of gnuplot's: 'it''s'. */
void app_append_quoted(GString *script, const char *text);
/** "'text'", or gnuplot code that gives a count as people read it, of column @p column of the CSV.
 */
void app_append_tip_value(GString *script, app_unit unit, int column);
/** " %", " ns": what follows a number of that unit, as the CSV has it. */
const char *app_unit_suffix(app_unit unit);
/** Defines the function count() that app_append_tip_value() needs. */
void app_append_tip_functions(GString *script);
