/* schedgen/liballprof/liballprof_set.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The files of one trace: which of them belong together, which rank each is, and the trace they
 * make.
 */
#pragma once

#include "liballprof/liballprof_private.h"

typedef struct sched_lap_set {
    char *path;       /* what was asked for */
    GPtrArray *files; /* of sched_lap_file */
    bool pack;        /* ranks, once they are read */
} sched_lap_set;

sched_lap_set *sched_lap_set_new(const char *path);
void sched_lap_set_free(sched_lap_set *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sched_lap_set, sched_lap_set_free)

/** Keep of @p names (char *) those that differ from @p of in one number only: its ranks. */
void sched_lap_set_narrow(GPtrArray *names, const char *of);

/** Number the files, see that none is missing, and make the trace. Empties the set. */
sched_trace *sched_lap_set_finish(sched_lap_set *set, GError **error);
