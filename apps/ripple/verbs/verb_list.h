/* apps/ripple/verbs/verb_list.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The verbs. A verb that has no row here does not exist; the command, its help, the manual pages
 * and the completion are made from the rows.
 */
#pragma once

#include "verbs/verb.h"

/** In the order in which they are listed. ROW(NAME) stands for app_verb_NAME in verb_NAME.c. */
#define APP_VERBS(ROW)                                                                             \
    ROW(quick)                                                                                     \
    ROW(run)                                                                                       \
    ROW(measure)                                                                                   \
    ROW(monitor)                                                                                   \
    ROW(calibrate)                                                                                 \
    ROW(trace)                                                                                     \
    ROW(schedule)                                                                                  \
    ROW(simulate)                                                                                  \
    ROW(analyze)                                                                                   \
    ROW(sweep)                                                                                     \
    ROW(report)                                                                                    \
    ROW(view)                                                                                      \
    ROW(mine)                                                                                      \
    ROW(detect)                                                                                    \
    ROW(validate)                                                                                  \
    ROW(doctor)

#define APP_VERB_DECLARE(NAME) extern const app_verb app_verb_##NAME;
APP_VERBS(APP_VERB_DECLARE)

/** All of them; NULL-terminated. */
extern const app_verb *const app_verbs[];

/** @return NULL if there is none of that name */
const app_verb *app_verb_find(const char *name);
