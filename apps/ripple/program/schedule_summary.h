/* apps/ripple/program/schedule_summary.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a program consists of, at some size: what `ripple schedule` prints.
 */
#pragma once

#include "output/result.h"
#include "program/source.h"
#include "sched/check.h"

/** What a graph holds. */
typedef struct app_schedule_summary {
    const app_source *source;
    uint32_t ranks;
    uint64_t operations;
    uint64_t edges;
    uint64_t calcs;
    uint64_t sends;
    uint64_t recvs;
    uint64_t bytes; /* sent */
    sim_time compute;
    const sched_check_report *check; /* NULL: not asked for */
} app_schedule_summary;

/** Go through @p stream, which is of @p source; what check says is left to the caller. */
bool app_schedule_summarize(app_schedule_summary *summary, const app_source *source,
                            sched_rank_source *stream, GError **error);
extern const app_result_writer app_schedule_summary_writer; /* of an app_schedule_summary */
