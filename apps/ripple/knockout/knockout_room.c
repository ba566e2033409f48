/* apps/ripple/knockout/knockout_room.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_knockout_room. */
#include "knockout/knockout_room.h"

#include <math.h>

/* Of the series from @p first on that have as many ranks as that one. */
static double work_of_size(const app_knockout_load *loads, size_t n, size_t first)
{
    double work = 0;
    for (size_t i = first; i < n && loads[i].ranks == loads[first].ranks; i++) {
        work += loads[i].work;
    }
    return work;
}

/* The first series of the largest size of which half has room; @p i: none is larger. */
static size_t find_largest(const app_pace *pace, const app_knockout_load *loads, size_t n, size_t i)
{
    size_t largest = i;
    for (size_t j = i + 1; j < n; j++) {
        const bool is_first = loads[j].ranks != loads[j - 1].ranks;
        if (is_first && app_pace_has_room(pace, work_of_size(loads, n, j) / 2)) {
            largest = j;
        }
    }
    return largest;
}

size_t app_knockout_room(const app_pace *pace, const app_knockout_load *loads, size_t n, size_t i,
                         size_t num_parts, bool whole)
{
    if (isinf(pace->seconds) || pace->per_work == 0) {
        return num_parts;
    }
    const size_t largest = find_largest(pace, loads, n, i);
    if (largest != i) {
        const double all = work_of_size(loads, n, largest);
        const double kept = app_pace_has_room(pace, loads[i].work + all) ? all : all / 2;
        return app_pace_has_room(pace, loads[i].work + kept) ? num_parts : 0;
    }
    const double work = work_of_size(loads, n, i);
    for (size_t parts = num_parts; parts > 0 && 2 * parts >= num_parts; parts--) {
        if (app_pace_has_room(pace, work * (double)parts / (double)num_parts)) {
            return parts;
        }
        if (whole) {
            break;
        }
    }
    return 0;
}
