/* schedgen/model/by_number_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Things by a number each that come and go, such as the requests of a rank that are open: a hash
 * table in one block, which is looked at and changed several times for each nonblocking call.
 * bench/make_record.c
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct sched_by_number_entry {
    uint64_t number;
    void *thing; /* NULL: vacant */
} sched_by_number_entry;

typedef struct sched_by_number {
    sched_by_number_entry *entry; /* [size] */
    uint32_t size;                /* a power of two, of which no more than half are used */
    uint32_t used;
} sched_by_number;

void sched_by_number_init(sched_by_number *table);
/** Frees the table, not what is in it. */
void sched_by_number_clear(sched_by_number *table);
/** @p thing, not NULL, takes the place of what had its number. Amortised O(1) */
void sched_by_number_put(sched_by_number *table, uint64_t number, void *thing);
/** Expected O(1). @return NULL: nothing has that number */
void *sched_by_number_find(const sched_by_number *table, uint64_t number);
/** @return what had the number, or NULL. Expected O(1) */
void *sched_by_number_take(sched_by_number *table, uint64_t number);
