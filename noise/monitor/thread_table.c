/* noise/monitor/thread_table.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "monitor/thread_table.h"

enum { FIRST = 1024 }; /* a power of two */

void noise_thread_table_init(thread_table *t)
{
    *t = (thread_table){.capacity = FIRST, .num_slots = 4 * FIRST};
    t->threads = g_new(watched_thread, t->capacity);
    t->slots = g_new0(uint32_t, t->num_slots);
}

void noise_thread_table_clear(thread_table *t)
{
    g_free(t->threads);
    g_free(t->slots);
    *t = (thread_table){0};
}

static uint32_t home(const thread_table *t, uint32_t tid)
{
    return tid * 2654435761u & (t->num_slots - 1);
}

/* Where @p tid is, or the free slot where it would go. */
static uint32_t slot_of(const thread_table *t, uint32_t tid)
{
    uint32_t slot = home(t, tid);
    while (t->slots[slot] != 0 && t->threads[t->slots[slot] - 1].tid != tid) {
        slot = (slot + 1) & (t->num_slots - 1);
    }
    return slot;
}

watched_thread *noise_thread_table_find(const thread_table *t, uint32_t tid)
{
    const uint32_t at = t->slots[slot_of(t, tid)];
    return at != 0 ? &t->threads[at - 1] : NULL;
}

/* At most a quarter of the slots is taken. */
static void grow(thread_table *t)
{
    t->capacity *= 2;
    t->num_slots *= 2;
    t->threads = g_renew(watched_thread, t->threads, t->capacity);
    g_free(t->slots);
    t->slots = g_new0(uint32_t, t->num_slots);
    for (uint32_t i = 0; i < t->num; i++) {
        t->slots[slot_of(t, t->threads[i].tid)] = i + 1;
    }
}

watched_thread *noise_thread_table_add(thread_table *t, uint32_t pid, uint32_t tid)
{
    if (t->num == t->capacity) {
        grow(t);
    }
    const uint32_t index = t->num++;
    t->threads[index] = (watched_thread){.tid = UINT32_MAX};
    t->slots[slot_of(t, tid)] = index + 1;
    t->threads[index] = (watched_thread){.tid = tid,
                                         .pid = pid,
                                         .schedstat = -1,
                                         .stat = -1,
                                         .status = -1,
                                         .index = UINT32_MAX,
                                         .cpu = UINT32_MAX};
    return &t->threads[index];
}

/* Knuth's deletion for linear probing (The Art of Computer Programming 3, algorithm 6.4 R): what
 * stands behind moves up, so that no search ends too early. */
static void free_slot(thread_table *t, uint32_t slot)
{
    const uint32_t mask = t->num_slots - 1;
    uint32_t hole = slot;
    for (uint32_t i = (hole + 1) & mask; t->slots[i] != 0; i = (i + 1) & mask) {
        const uint32_t from = home(t, t->threads[t->slots[i] - 1].tid);
        if (((i - from) & mask) >= ((i - hole) & mask)) {
            t->slots[hole] = t->slots[i];
            hole = i;
        }
    }
    t->slots[hole] = 0;
}

void noise_thread_table_remove(thread_table *t, uint32_t index)
{
    free_slot(t, slot_of(t, t->threads[index].tid));
    const uint32_t last = --t->num;
    if (index != last) {
        t->slots[slot_of(t, t->threads[last].tid)] = index + 1;
        t->threads[index] = t->threads[last];
    }
}
