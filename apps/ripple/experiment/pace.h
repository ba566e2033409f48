/* apps/ripple/experiment/pace.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Work that comes in steps, each larger than the one before, within a wall time: is there room for
 * one more? What a step takes is judged by the last one, by its work (work.h).
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct app_pace {
    double seconds;  /* that all steps may take; INFINITY: as long as it takes */
    gint64 began;    /* us, of the first step */
    gint64 step;     /* us, of the step under way */
    double per_work; /* s, of the last step; 0: there was none yet */
} app_pace;

app_pace app_pace_new(double seconds);
/** For the first step there is room in any case. */
bool app_pace_has_room(const app_pace *pace, double work);
void app_pace_begin_step(app_pace *pace);
/** The step has ended, which was so much work. */
void app_pace_end_step(app_pace *pace, double work);
