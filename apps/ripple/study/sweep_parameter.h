/* apps/ripple/study/sweep_parameter.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The parameters that a sweep can vary: all that changes what simulate computes, in one table from
 * which study files, --sweep, the database and the report are made.
 */
#pragma once

#include "report/axis.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
    APP_KIND_TEXT,   /* checked when the point is set up */
    APP_KIND_CHOICE, /* one of a few words */
    APP_KIND_TIME,   /* ps */
    APP_KIND_RATE,   /* sim_rate */
    APP_KIND_BYTES,  /* bytes; INT64_MAX: inf */
    APP_KIND_COUNT,  /* 1..UINT32_MAX - 1 */
    APP_KIND_NUMBER, /* 0..INT64_MAX */
} app_kind;

/* In the order in which they are listed, stored and checked. */
typedef enum {
    APP_PARAMETER_PROGRAM,
    APP_PARAMETER_RANKS,
    APP_PARAMETER_BYTES,
    APP_PARAMETER_INTERVAL,
    APP_PARAMETER_REPEAT,
    APP_PARAMETER_COLL,
    APP_PARAMETER_COMPUTE,
    APP_PARAMETER_P2P,
    APP_PARAMETER_COLLECTIVES,
    APP_PARAMETER_ROOTS,
    APP_PARAMETER_COPIES,
    APP_PARAMETER_COPIES_SEED,
    APP_PARAMETER_EXTRAPOLATE,
    APP_PARAMETER_GRID,
    APP_PARAMETER_EXPLAINED,
    APP_PARAMETER_SCALING,
    APP_PARAMETER_FIT,
    APP_PARAMETER_WILDCARDS,
    APP_PARAMETER_REDUCE,
    APP_PARAMETER_MACHINE,
    APP_PARAMETER_L, /* from here on the keys of a machine, in the order of sim_key */
    APP_PARAMETER_o,
    APP_PARAMETER_g,
    APP_PARAMETER_G,
    APP_PARAMETER_O,
    APP_PARAMETER_S,
    APP_PARAMETER_PROGRESS,
    APP_PARAMETER_RENDEZVOUS,
    APP_PARAMETER_DISTANCE,
    APP_PARAMETER_L_HOP,
    APP_PARAMETER_H,
    APP_PARAMETER_NODE_L,
    APP_PARAMETER_NODE_o,
    APP_PARAMETER_NODE_g,
    APP_PARAMETER_NODE_G,
    APP_PARAMETER_NODE_O,
    APP_PARAMETER_NODE_S,
    APP_PARAMETER_NODE_H,
    APP_PARAMETER_NOISE,
    APP_PARAMETER_WITHOUT,
    APP_PARAMETER_COSCHED,
    APP_PARAMETER_SIGMA,
    APP_PARAMETER_RANKS_PER_NODE,
    APP_PARAMETER_PLACEMENT,
    APP_PARAMETER_THREADS_PER_RANK,
    APP_PARAMETER_CORES_PER_NODE,
    APP_PARAMETER_REPLICAS,
    APP_PARAMETER_ACCEPT_INVALID,
    APP_PARAMETER_SEED,
    APP_NUM_PARAMETERS
} app_parameter_id;

typedef struct app_parameter {
    const char *name;   /* in study files and --sweep: "ranks-per-node" */
    const char *column; /* in the database: "ranks_per_node", "L_ps" */
    app_kind kind;
    const char *const *choices; /* NULL-terminated; of APP_KIND_CHOICE */
} app_parameter;

extern const app_parameter app_parameters[APP_NUM_PARAMETERS];

/** @return APP_NUM_PARAMETERS with an error that suggests a name, if there is none of that name */
app_parameter_id app_parameter_find(const char *name, GError **error);
/** Are its values numbers, so that ranges make sense and curves go over it? */
bool app_parameter_is_number(app_parameter_id id);
/**
 * Check @p text; @p number gets its value in the unit of the kind (0 for words).
 * What depends on other parameters is checked where points are set up.
 */
bool app_parameter_parse(app_parameter_id id, const char *text, int64_t *number, GError **error);
/** The number as text that parses back: "1Ki", "2.5us". Owned by the caller. */
char *app_parameter_format(app_parameter_id id, int64_t number);
/** How a figure shows it, and the number in that unit: times in ns, rates in ns/B. */
app_unit app_parameter_unit(app_parameter_id id);
double app_parameter_plotted(app_parameter_id id, int64_t number);
