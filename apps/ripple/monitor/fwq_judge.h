/* apps/ripple/monitor/fwq_judge.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Fixed work against a watch of its CPU: is each late quantum explained by what others did there,
 * and is each activity of others followed by a late quantum? docs/monitor.md, section 4.
 */
#pragma once

#include "monitor/fixed_work.h"
#include "noise/nit.h"

#include <stdio.h>

typedef struct app_fwq_agreement {
    size_t quanta;
    size_t late;          /* off the CPU for more than 10 % of the quantum; neighbours are one */
    size_t explained;     /* with activity of others of at least 5 % */
    size_t length_agrees; /* with CPU time of others that is the time off the CPU within 10 % */
    size_t stolen;        /* of the rest: with steal that fills the gap. Nobody of this node */
    size_t active;        /* with more than 10 % of activity of others */
    size_t answered;      /* of these: off the CPU for more than 5 % */
    size_t slow; /* quanta whose own CPU time is more than 10 % above the median: a slower clock of
                  * the CPU, caches, interrupts; not late */
} app_fwq_agreement;

/**
 * @param quantum_ns what 10 % refers to
 * @param out  gets a line for each of the first ten late quanta that are not explained; NULL: none
 */
app_fwq_agreement app_fwq_judge(const noise_nit *nit, uint32_t cpu, const app_fixed_work *work,
                                uint64_t quantum_ns, FILE *out);
/**
 * 95 % of the late ones, but for those that were stolen, and 95 % of the active ones; some of each.
 * @param bursts that there were beside it: where not half as many were told apart, the CPU is too
 *               busy for a verdict, and nothing has passed
 */
bool app_fwq_passed(const app_fwq_agreement *agreement, size_t bursts);
