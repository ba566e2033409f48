/* apps/ripple/monitor/burst_judge.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Did a watch see the bursts of a process that wrote down when it burnt CPU time, and for how long?
 */
#pragma once

#include "monitor/injector.h"
#include "noise/nit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct app_burst_agreement {
    uint64_t bursts;     /* that there were */
    uint64_t found;      /* an activity of the process overlaps them */
    uint64_t activities; /* of the process, from its first burst to its last */
    uint64_t elsewhere;  /* of these on another CPU */
    uint64_t burnt_ns;   /* that bursts took, by the process's own clock */
    uint64_t own_ns;     /* all its CPU time by that clock: also waking up and going to sleep */
    uint64_t seen_ns;    /* by the watch */
    bool is_longer;      /* bursts and pauses are longer than two intervals between sweeps */
} app_burst_agreement;

/** What it did before its first burst, to begin, and after its last one, to end, is not counted. */
app_burst_agreement app_burst_judge(const noise_nit *nit, const app_injector *injector,
                                    uint32_t cpu, uint64_t burst_ns, uint64_t period_ns);
/** CPU time that the watch saw too much (or, < 0, too little) for each burst, ns. */
double app_burst_excess(const app_burst_agreement *agreement);
/** 99 % found, or 95 % of bursts that are not longer; CPU time within 5 % and 25 us for each burst
 * of what the process says; all on that CPU. */
bool app_burst_passed(const app_burst_agreement *agreement);
