/* coll/symmetric.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Collectives in which all ranks do the same, each with partners of its own. Not installed.
 */
#pragma once

#include "coll/walk.h"

/** From where its partners are counted. */
typedef enum {
    COLL_WAYS_DIFFER, /* ranks do not do the same, or it is not known */
    COLL_WAYS_SHIFT,  /* the partners of r are those of rank 0, plus r modulo the size */
    COLL_WAYS_MIRROR  /* those of rank 0, exclusive-or r: on 2^k ranks */
} coll_ways;

/** O(1). */
coll_ways coll_course_ways(const coll_course *course);

/** The partner of rank 0 that corresponds to @p to, seen from @p from. */
static inline uint32_t coll_way(coll_ways ways, uint32_t size, uint32_t from, uint32_t to)
{
    if (ways == COLL_WAYS_MIRROR) {
        return from ^ to;
    }
    return to >= from ? to - from : to + (size - from);
}
