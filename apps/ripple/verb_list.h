/* apps/ripple/verb_list.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The verbs, each defined in its verb_NAME.c. A verb that is not in the table does not exist.
 */
#pragma once

#include "verb.h"

extern const app_verb app_verb_doctor;
extern const app_verb app_verb_measure;
extern const app_verb app_verb_mine;
extern const app_verb app_verb_quick;
extern const app_verb app_verb_report;
extern const app_verb app_verb_run;
extern const app_verb app_verb_schedule;
extern const app_verb app_verb_simulate;
extern const app_verb app_verb_sweep;
extern const app_verb app_verb_trace;
