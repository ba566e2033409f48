/* apps/ripple/verb_list.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "verb_list.h"

const app_verb *const app_verbs[] = {
    &app_verb_quick,
    &app_verb_run,
    &app_verb_measure,
    &app_verb_trace,
    &app_verb_schedule,
    &app_verb_simulate,
    &app_verb_sweep,
    &app_verb_report,
    &app_verb_mine,
    &app_verb_doctor,
    NULL,
};
