/* collectives/chain.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate. */
/*
 * Collectives as chains (sim/chain.h): in which of them all ranks do the same, each with the
 * partners at the same distances from itself.
 */
#include "chain_private.h"

#include "algorithms/class_private.h"

bool coll_course_rotates(const coll_course *course)
{
    for (const coll_phase *const *phase = course->phases; *phase != NULL; phase++) {
        if ((*phase)->rotates == NULL || !(*phase)->rotates(&course->call)) {
            return false;
        }
    }
    return true;
}
