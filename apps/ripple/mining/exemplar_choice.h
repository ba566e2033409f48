/* apps/ripple/mining/exemplar_choice.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Which events of a recorded run are shown as examples of which row. */
#pragma once

#include "mining/trace_events.h"

enum { APP_EXEMPLARS_OF_EACH = 12 }; /* of a row: most recent, largest, drawn */

/** An event that is shown. */
typedef struct app_chosen {
    size_t row;
    noise_call_event event; /* .event.expected is set */
} app_chosen;

/** @return of app_chosen, by row, start, rank; functions must outlive it. Owned by the caller */
GArray *app_exemplars_choose(const sched_trace *trace, app_calls calls, const app_waits *waits,
                             const noise_event_function *functions,
                             const noise_miner_report *report);
