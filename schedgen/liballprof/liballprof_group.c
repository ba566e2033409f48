/* schedgen/liballprof/liballprof_group.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_liballprof_comm. */
/*
 * Who is with whom in the communicators that one call made, when each process only tells its rank
 * and the size? Within a communicator ranks ascend with the order that the call keeps. So a process
 * of rank r joins a communicator that has r members so far. Is there only one, that is proven.
 *
 * MPI_Cart_sub leaves more open, but proves more: ranks of a grid, and of its parts, are row-major
 * in their coordinates. Processes with the same rank in their parts have the same coordinates that
 * are kept, and so follow on each other as those do that are dropped: the n-th of every rank are in
 * the n-th part, whatever the grid.
 */
#include "liballprof/liballprof_private.h"

/* Communicators of a size that have so many members, the oldest first. */
static GQueue *queue_of(GHashTable *queues, uint32_t size, uint32_t members)
{
    const uint64_t key = (uint64_t)size << 32 | members;
    GQueue *queue = g_hash_table_lookup(queues, &key);
    if (queue == NULL) {
        queue = g_queue_new();
        g_hash_table_insert(queues, g_memdup2(&key, sizeof key), queue);
    }
    return queue;
}

static bool all_empty(GHashTable *queues)
{
    GHashTableIter iter;
    void *queue;
    g_hash_table_iter_init(&iter, queues);
    while (g_hash_table_iter_next(&iter, NULL, &queue)) {
        if (!g_queue_is_empty(queue)) {
            return false;
        }
    }
    return true;
}

uint32_t sched_lap_groups_find(const sched_lap_claim *claim, uint32_t n, bool grid, uint32_t *group)
{
    g_autoptr(GHashTable) queues =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)g_queue_free);
    uint32_t groups = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t rank = claim[i].rank;
        const uint32_t size = claim[i].size;
        GQueue *queue = queue_of(queues, size, rank);
        if (rank >= size || (grid && size != claim[0].size) ||
            (rank > 0 && (g_queue_is_empty(queue) || (!grid && queue->length > 1)))) {
            return 0;
        }
        group[i] = rank == 0 ? groups++ : GPOINTER_TO_UINT(g_queue_pop_head(queue));
        if (rank + 1 < size) {
            g_queue_push_tail(queue_of(queues, size, rank + 1), GUINT_TO_POINTER(group[i]));
        }
    }
    return all_empty(queues) ? groups : 0;
}
