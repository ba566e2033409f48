/* apps/ripple/findings/condition_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The parts of the list of conditions: each appends what it knows of.
 */
#pragma once

#include "findings/condition.h"

/** What conditions are made from, and the list as it grows. */
typedef struct app_condition_maker {
    const app_results *results;
    const app_noise *noise;
    const app_source *source; /* may be NULL */
    GArray *list;             /* of app_condition */
} app_condition_maker;

/**
 * Append one of all sizes and modes.
 * @param brief for captions; "": none
 * @return it, to say which sizes and mode it concerns; until the next one is added
 */
app_condition *app_condition_add(app_condition_maker *maker, const char *code, const char *brief,
                                 const char *format, ...) G_GNUC_PRINTF(4, 5);

/** Where the noise comes from, and how far its list reaches. */
void app_condition_add_noise(app_condition_maker *maker);
/** What the program is, how it was enlarged, how often it ran. */
void app_condition_add_program(app_condition_maker *maker);
/** How far each series can stand for the slowdown. */
void app_condition_add_series(app_condition_maker *maker);
