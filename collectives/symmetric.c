/* collectives/symmetric.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_symmetric. */
#include "coll/symmetric.h"

#include "algorithms/class_private.h"

static bool do_all_rotate(const coll_course *course)
{
    for (const coll_phase *const *phase = course->phases; *phase != NULL; phase++) {
        if ((*phase)->rotates == NULL || !(*phase)->rotates(&course->call)) {
            return false;
        }
    }
    return true;
}

static bool do_all_mirror(const coll_course *course)
{
    for (const coll_phase *const *phase = course->phases; *phase != NULL; phase++) {
        if ((*phase)->mirrors == NULL || !(*phase)->mirrors(&course->call)) {
            return false;
        }
    }
    return true;
}

coll_ways coll_course_ways(const coll_course *course)
{
    if (do_all_rotate(course)) {
        return COLL_WAYS_SHIFT;
    }
    return do_all_mirror(course) ? COLL_WAYS_MIRROR : COLL_WAYS_DIFFER;
}
