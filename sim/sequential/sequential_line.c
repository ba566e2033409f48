/* sim/sequential/sequential_line.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sequential. */
/*
 * Lines are skew heaps (Sleator and Tarjan, SIAM J. Comput. 15(1), 1986) by order of creation:
 * O(log n) amortised, and an event needs no more room than in the queue, since while it waits its
 * instant is that at which the line can go on.
 */
#include "sequential/sequential_private.h"

#include <assert.h>

uint32_t *sim_sequential_line(const sequential *s, const sequential_event *e)
{
    const unsigned cpu = sequential_cpu(e);
    uint32_t *line = (uint32_t *)(void *)(s->ranks + e->rank * s->rank_bytes + s->lines_at);
    if (sequential_sort(e) == SEQUENTIAL_CALC) {
        return line + cpu;
    }
    const size_t kind =
        sequential_sort(e) == SEQUENTIAL_SEND ? 0 : (size_t)s->num_cpus * s->num_nics;
    return line + s->num_cpus + kind + (size_t)cpu * s->num_nics + sequential_nic(e);
}

/* Both trees become one. Iterative: a tree may be deep. */
static uint32_t merge(sequential_event *all, uint32_t a, uint32_t b)
{
    uint32_t root = 0;
    uint32_t *to = &root;
    while (a != 0 && b != 0) {
        if (all[b].key < all[a].key) {
            const uint32_t swap = a;
            a = b;
            b = swap;
        }
        *to = a;
        const uint32_t right = all[a].at.link.right;
        all[a].at.link.right = all[a].at.link.left;
        to = &all[a].at.link.left;
        a = right;
    }
    *to = a + b;
    return root;
}

bool sim_sequential_wait(sequential *s, uint32_t *line, const sequential_event *e)
{
    uint32_t place = s->free_waiting;
    if (place != 0) {
        s->free_waiting = s->waiting[place].at.link.left;
    } else {
        if (s->num_waiting == s->cap_waiting) {
            s->cap_waiting *= 2;
            s->waiting = g_renew(sequential_event, s->waiting, s->cap_waiting);
        }
        place = s->num_waiting++;
    }
    s->waiting[place] = *e;
    s->waiting[place].at.link.left = 0;
    s->waiting[place].at.link.right = 0;
    *line = merge(s->waiting, *line, place);
    return *line == place;
}

sequential_event sim_sequential_next(sequential *s, uint32_t *line)
{
    const uint32_t first = *line;
    assert(first != 0);
    const sequential_event e = s->waiting[first];
    *line = merge(s->waiting, e.at.link.left, e.at.link.right);
    s->waiting[first].at.link.left = s->free_waiting;
    s->free_waiting = first;
    return e;
}
