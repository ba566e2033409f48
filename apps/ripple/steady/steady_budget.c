/* apps/ripple/steady/steady_budget.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "steady/steady_budget.h"

#include "steady/steady_breakdown.h"

#include <math.h>

static int by_ranks(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

uint32_t *app_steady_choose_sizes(const app_experiment *x, bool bisect, size_t *n)
{
    uint32_t *ranks = g_memdup2(x->sizes, x->num_sizes * sizeof *ranks);
    *n = x->num_sizes;
    qsort(ranks, *n, sizeof *ranks, by_ranks);
    if (bisect) {
        const uint32_t first = ranks[0];
        const uint32_t last = ranks[*n - 1];
        g_free(ranks);
        ranks = g_new(uint32_t, 33);
        *n = 0;
        for (uint64_t size = first; size < last; size *= 2) {
            ranks[(*n)++] = (uint32_t)size;
        }
        ranks[(*n)++] = last;
    }
    return ranks;
}

double app_steady_least(const app_steady_size *size, const app_steady_pace *pace)
{
    return app_steady_seconds(size, pace, 1, APP_STEADY_FEWEST + 2) +
           app_steady_breakdown_seconds(size, pace);
}

/* What it takes about, if there is time enough. */
static double wanted(const app_steady_size *size, const app_steady_pace *pace)
{
    return app_steady_planned_work(size, pace, HUGE_VAL) * pace->seconds +
           app_steady_breakdown_seconds(size, pace);
}

static int by_need(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What it takes however little time it is given. */
static double barest(const app_steady_size *size, const app_steady_pace *pace)
{
    const app_experiment *x = size->experiment;
    const bool is_checked = x->noise->cosched && app_steady_check_is_long(size, pace->pass);
    return app_steady_seconds(size, pace, 1, is_checked ? 3 : 2) +
           (x->explain ? 0 : app_steady_breakdown_seconds(size, pace));
}

bool app_steady_has_room(double budget, double left, const app_steady_size *size,
                         const app_steady_pace *pace)
{
    if (size->only_settled) {
        return MAX(wanted(size, pace), app_steady_least(size, pace)) <= left;
    }
    return barest(size, pace) <= left + APP_STEADY_OVER * budget;
}

double app_steady_floor(double budget, double left, const app_steady_size *size,
                        const app_steady_pace *pace)
{
    const double over = APP_STEADY_OVER * budget;
    return MIN(app_steady_least(size, pace), MIN(over, left + over));
}

/* What the first has of @p left, which is less than all need together: those that need least get it
 * whole, as far as it goes. */
static double share_of_first(const double *need, size_t n, double left)
{
    g_autofree double *sorted = g_memdup2(need, n * sizeof *need);
    qsort(sorted, n, sizeof *sorted, by_need);
    size_t i = 0;
    while (i + 1 < n && sorted[i] <= left) {
        if (sorted[i] == need[0]) {
            return need[0];
        }
        left -= sorted[i++];
    }
    return left / (double)(n - i);
}

double app_steady_part(double budget, double left, const app_steady_size *sizes, size_t n,
                       const app_steady_pace *pace)
{
    if (sizes[0].only_settled) { /* half settled is as good as not begun */
        return MAX(left + APP_STEADY_OVER * budget, 0);
    }
    g_autofree double *need = g_new(double, n);
    size_t num = 0;
    double rest = left;
    double all = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && !app_steady_has_room(budget, rest, &sizes[i], pace)) {
            continue;
        }
        rest -= barest(&sizes[i], pace);
        need[num] = MAX(wanted(&sizes[i], pace), app_steady_least(&sizes[i], pace));
        all += need[num++];
    }
    const double some = MAX(left, 0);
    if (num == 1 && all > some) {
        return MIN(all, MAX(left + APP_STEADY_OVER * budget, 0));
    }
    return all > some ? MIN(need[0], share_of_first(need, num, some))
           : all > 0  ? some * need[0] / all
                      : some;
}

typedef struct costly {
    double work;
    size_t i;
} costly;

static int by_work(const void *a, const void *b)
{
    const costly *x = a;
    const costly *y = b;
    const int by_index = (x->i > y->i) - (x->i < y->i);
    return x->work != y->work ? (x->work > y->work) - (x->work < y->work) : by_index;
}

size_t *app_steady_order(const app_steady_size *sizes, size_t n, const app_steady_pace *pace)
{
    size_t *order = g_new(size_t, n);
    g_autofree costly *all = g_new(costly, n);
    for (size_t i = 0; i < n; i++) {
        const bool any = !sizes[i].only_settled;
        all[i] = (costly){any ? 0 : app_steady_planned_work(&sizes[i], pace, HUGE_VAL), i};
    }
    qsort(all, n, sizeof *all, by_work);
    for (size_t i = 0; i < n; i++) {
        order[i] = all[i].i;
    }
    return order;
}
