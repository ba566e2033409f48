/* sim/replica/replica_watch.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "replica/replica_private.h"

enum { ROWS = 1 << 16 }; /* between two looks: some ms */

/* Where levels are made one after the other: a begin, a meeting and an end are a row each. */
static uint64_t rows_of_levels(const replica_plan *plan)
{
    uint64_t rows = 0;
    for (guint i = 0; i < plan->levels->len; i++) {
        rows += g_array_index(plan->levels, replica_level, i).rows;
    }
    return rows;
}

void sim_replica_watch_begin(replica_watch *watch, const replica_plan *plan, bool in_passes)
{
    watch->num_ops = plan->num_ops;
    watch->rows = plan->repeat * (in_passes ? (uint64_t)plan->levels->len * plan->num_ranks
                                            : rows_of_levels(plan));
    watch->next = watch->watch != NULL ? ROWS : UINT64_MAX;
}

bool sim_replica_watch_look(replica_watch *watch)
{
    const double share = (double)watch->done / (double)MAX(watch->rows, 1);
    watch->next = watch->done + ROWS;
    watch->stopped =
        !watch->watch->look(watch->watch, (uint64_t)((double)watch->num_ops * MIN(share, 1)), 0);
    return !watch->stopped;
}
