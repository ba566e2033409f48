/* schedgen/convert/convert_cancel.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert. */
/*
 * A cancelled request is taken as one that was never posted: it is known of each post, before it is
 * converted, whether it will be cancelled.
 */
#include "convert/convert_private.h"

GHashTable *sched_convert_cancelled_posts(const sched_rank *record)
{
    if (!sched_rank_has_kind(record, SCHED_CALL_CANCEL)) {
        return NULL;
    }
    g_autoptr(GHashTable) last = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    GHashTable *cancelled = g_hash_table_new(NULL, NULL);
    gsize posts = 0;
    sched_walk walk;
    sched_walk_begin(&walk, record);
    for (const sched_call *call; (call = sched_walk_next(&walk)) != NULL;) {
        if (call->kind == SCHED_CALL_ISEND || call->kind == SCHED_CALL_IRECV) {
            g_hash_table_replace(last, g_memdup2(&call->request, sizeof call->request),
                                 GSIZE_TO_POINTER(++posts));
        }
        for (uint32_t k = 0; k < call->num_list; k++) {
            const uint64_t *number = &walk.requests[call->list + k];
            if (call->kind == SCHED_CALL_START) {
                g_hash_table_replace(last, g_memdup2(number, sizeof *number),
                                     GSIZE_TO_POINTER(++posts));
            } else if (call->kind == SCHED_CALL_CANCEL) {
                (void)g_hash_table_add(cancelled, g_hash_table_lookup(last, number));
            }
        }
    }
    sched_walk_end(&walk);
    return cancelled;
}
