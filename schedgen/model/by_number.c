/* schedgen/model/by_number.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_by_number. */
#include "model/by_number_private.h"

#include <glib.h>

enum { FIRST_SIZE = 64 };

/* Where a number belongs: numbers that follow on each other lie far apart. */
static uint32_t home_of(const sched_by_number *t, uint64_t number)
{
    return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->size - 1);
}

/* Where it is, or the vacant place where it would be. */
static uint32_t place_of(const sched_by_number *t, uint64_t number)
{
    uint32_t at = home_of(t, number);
    while (t->entry[at].thing != NULL && t->entry[at].number != number) {
        at = (at + 1) & (t->size - 1);
    }
    return at;
}

void sched_by_number_init(sched_by_number *t)
{
    *t = (sched_by_number){.entry = g_new0(sched_by_number_entry, FIRST_SIZE), .size = FIRST_SIZE};
}

void sched_by_number_clear(sched_by_number *t)
{
    g_clear_pointer(&t->entry, g_free);
}

static void grow(sched_by_number *t)
{
    const sched_by_number old = *t;
    t->size *= 2;
    t->entry = g_new0(sched_by_number_entry, t->size);
    for (uint32_t i = 0; i < old.size; i++) {
        if (old.entry[i].thing != NULL) {
            t->entry[place_of(t, old.entry[i].number)] = old.entry[i];
        }
    }
    g_free(old.entry);
}

void sched_by_number_put(sched_by_number *t, uint64_t number, void *thing)
{
    if (2 * (t->used + 1) > t->size) {
        grow(t);
    }
    sched_by_number_entry *entry = &t->entry[place_of(t, number)];
    t->used += entry->thing == NULL;
    *entry = (sched_by_number_entry){number, thing};
}

void *sched_by_number_find(const sched_by_number *t, uint64_t number)
{
    return t->entry[place_of(t, number)].thing;
}

void *sched_by_number_take(sched_by_number *t, uint64_t number)
{
    uint32_t gap = place_of(t, number);
    void *thing = t->entry[gap].thing;
    if (thing == NULL) {
        return NULL;
    }
    /* What follows moves up, unless the gap lies before the place where it belongs. */
    const uint32_t last = t->size - 1;
    for (uint32_t at = (gap + 1) & last; t->entry[at].thing != NULL; at = (at + 1) & last) {
        const uint32_t from_home = (at - home_of(t, t->entry[at].number)) & last;
        if (from_home >= ((at - gap) & last)) {
            t->entry[gap] = t->entry[at];
            gap = at;
        }
    }
    t->entry[gap].thing = NULL;
    t->used--;
    return thing;
}
