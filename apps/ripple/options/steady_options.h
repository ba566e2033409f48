/* apps/ripple/options/steady_options.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The options that say how well the steady slowdown is to be known: --repeat=auto and what belongs
 * to it.
 */
#pragma once

#include "options/options.h"
#include "output/manifest.h"
#include "sim/time.h"

typedef struct app_steady_options {
    char *half_width;
    char *budget;
    char *threshold;
    bool standard; /* it is estimated unless --repeat says otherwise */
} app_steady_options;

/** What they mean. */
typedef struct app_steady_wish {
    bool wanted;       /* else the slowdown is that of the passes asked for */
    double half_width; /* of the interval, relative to the estimate */
    sim_time budget;   /* of wall time */
    bool only_settled; /* nobody asked for these sizes: those that do not settle are left out */
    double later;      /* work (experiment/work.h) of what comes after it in the same budget */
    double threshold;  /* from how many ranks on is the slowdown above this? 0: nobody asks */
} app_steady_wish;

void app_steady_options_add(app_steady_options *self, app_options *options);
void app_steady_options_clear(app_steady_options *self);
/**
 * @param repeat --repeat, or NULL
 * @param idle why the steady slowdown cannot be had, to go on "has no effect": "on a collective";
 *   or NULL
 */
bool app_steady_options_resolve(const app_steady_options *self, const char *repeat,
                                const char *idle, app_manifest *manifest, app_steady_wish *wish,
                                GError **error);
