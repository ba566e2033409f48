/* apps/ripple/steady/steady_breakdown.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Where the time goes, of some passes of the first replica: a record of a whole run would be long.
 */
#pragma once

#include "steady/steady_size.h"

/** Wall time that takes, s. */
double app_steady_breakdown_seconds(const app_steady_size *size, const app_steady_pace *pace);

/**
 * Give the series their breakdowns, and explanations where the experiment asks for them, or say why
 * there is none.
 * @param noisy, together unsynchronized and co-scheduled; NULL: there are no such runs of this size
 */
bool app_steady_break_down(const app_steady_size *size, app_series *ideal, app_series *noisy,
                           app_series *together, GError **error);

/** Move that of @p from, for runs of the same size and mode, which keeps none. */
void app_steady_take_breakdown(app_series *to, app_series *from);
