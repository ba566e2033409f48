/* apps/ripple/view/ripples.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The ripples of the detours that a picture shows, and what each did to which rank. docs/view.md,
 * section 2.1.
 */
#pragma once

#include "stretches/causes.h"
#include "view/picture.h"

typedef struct app_ripples {
    const app_observed_stretch *s; /* [n] all of the run; borrowed, as is what follows */
    size_t n;
    const app_causes *causes;
    uint32_t *of; /* [n] which of the picture's a stretch has; APP_PICTURE_NONE: it is not shown */
} app_ripples;

/** More than what is shown may have been kept. Is it within the time of the picture? */
bool app_ripples_is_shown(const app_picture *picture, const app_observed_stretch *stretch);
/**
 * Number those of ranks that are shown, and fill picture->ripples.
 * @param is_lane [ranks]  @param ripples for app_ripples_clear()
 */
void app_ripples_fill(app_ripples *ripples, app_picture *picture, const bool *is_lane,
                      const app_observed_stretch *s, size_t n, const app_causes *causes);
/** The nearest that is shown, of those that stretch @p index is in; or APP_PICTURE_NONE. */
uint32_t app_ripples_nearest(const app_ripples *ripples, uint32_t index);
/** Fill picture->cones. O(n log n). */
void app_ripples_fill_cones(const app_ripples *ripples, app_picture *picture);
void app_ripples_clear(app_ripples *ripples);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_ripples, app_ripples_clear)
