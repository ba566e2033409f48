/* report/axis.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * An axis of a figure: its name, the unit of its values, and whether equal distances are equal
 * differences or equal ratios.
 */
#pragma once

#include <glib.h>
#include <stddef.h>

typedef enum {
    APP_UNIT_NONE,    /* a plain number */
    APP_UNIT_COUNT,   /* of ranks: printed as 64, 1Ki, 1Mi */
    APP_UNIT_BYTES,   /* the same of bytes, which is said beside the axis */
    APP_UNIT_TIME,    /* nanoseconds: printed as 10us, 2.5ms */
    APP_UNIT_RATE,    /* nanoseconds per byte */
    APP_UNIT_PERCENT, /* 100 is the whole */
} app_unit;

typedef enum {
    APP_SCALE_AUTO,   /* logarithmic where the values ask for it */
    APP_SCALE_LINEAR, /* equal differences */
    APP_SCALE_LOG,    /* equal ratios; linear around 0 where values are 0 or below */
} app_scale;

typedef struct app_axis {
    const char *name; /* "ranks"; plain text */
    app_unit unit;
    app_scale scale;
} app_axis;

/** "makespan_ns", "slowdown_percent", "ranks": the column of a CSV file. Owned by the caller. */
char *app_axis_column(const app_axis *axis);
/** "ranks", "slowdown, %", "G, ns/B": beside the axis. Owned by the caller. */
char *app_axis_label(const app_axis *axis);
/** A value for people: "1Ki", "2.5us", "12.3". Owned by the caller. */
char *app_unit_format(app_unit unit, double value);
