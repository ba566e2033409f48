/* sim/events/event_order_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file What goes first of the items of an event list at one instant: docs/model.md, section 4. */
#pragma once

#include "events/event_list_private.h"

/* What decides last, and between events at one instant alone: docs/model.md, section 4. */
static inline bool event_list_tie_goes_before(const event_list *a, const event_item *x,
                                              const event_item *y)
{
    return x->kind < y->kind || (x->kind == y->kind && event_list_tie(a, x) < event_list_tie(a, y));
}

/* Of CPU work that can start at one instant: docs/model.md, section 4.1. */
static inline bool event_list_work_goes_before(const event_list *a, const event_item *x,
                                               const event_item *y)
{
    const sim_time rx = event_list_ready(a, x);
    const sim_time ry = event_list_ready(a, y);
    return rx < ry || (rx == ry && event_list_tie_goes_before(a, x, y));
}
