/* apps/ripple/monitor/rank_logs.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The switch records of ranks (files switches.RANK beside a trace) as they fit to watched nodes:
 * which node each rank ran on, by the boot id, when it was off its CPU, on the common clock; and
 * what the ranks know of their nodes' clocks; and who had their CPUs meanwhile (noise/join.h).
 */
#pragma once

#include "noise/activity_trace.h"
#include "noise/cpu_file.h"
#include "noise/join.h"
#include "noise/nit_merge.h"
#include "noise/switch_file.h"

#include <glib.h>

typedef struct app_rank_logs {
    GPtrArray *logs;     /* of noise_switch_log, owned */
    GArray *rounds;      /* of noise_clock_round, which borrow from logs */
    GArray *tracks;      /* of noise_rank_track; after app_rank_logs_place() */
    GPtrArray *gaps;     /* what the tracks borrow: of each log, of noise_rank_gap */
    GPtrArray *records;  /* of each log, of noise_switch_record on the common clock */
    GArray *thefts;      /* of noise_activity_theft */
    noise_cpu_log *cpus; /* who ran on the CPUs of one node; NULL: nobody recorded that */
    GArray *exact;       /* of noise_exact: the same, in the order of threads; or NULL */
    noise_join *join;
    unsigned elsewhere; /* ranks on nodes that were not watched */
} app_rank_logs;

/** Read all switches.RANK of @p folder, and switches.cpus if it is there. @return owned by the
 * caller; NULL with an error */
app_rank_logs *app_rank_logs_read(const char *folder, GError **error);
void app_rank_logs_free(app_rank_logs *logs); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_rank_logs, app_rank_logs_free)

/** Fill tracks and thefts, join, and give the ranks' threads in @p set their rank and class. Where
 * there are records of CPUs, activities of @p set are of these. */
void app_rank_logs_place(app_rank_logs *logs, noise_nit_set *set);
