/* apps/ripple/steady/threshold.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "steady/threshold.h"

typedef struct search {
    app_threshold_ask *ask;
    void *data;
    app_bracket *bracket;
    GError **error;
} search;

/* Bisections that are left where @p n sizes are not known. */
static unsigned steps_for(size_t n)
{
    unsigned steps = 0;
    for (; n > 0; n /= 2) {
        steps++;
    }
    return steps;
}

/* Those of [@p from, @p to) that are not known; @p undecided is the first size that was not. */
static bool bisect(const search *s, size_t from, size_t to, size_t *undecided)
{
    while (from < to) {
        const size_t mid = from + (to - from) / 2;
        app_verdict verdict = APP_UNDECIDED;
        if (!s->ask(s->data, mid, steps_for((to - from) / 2), &verdict, s->error)) {
            return false;
        }
        switch (verdict) {
        case APP_BELOW:
            s->bracket->below = from = mid + 1;
            break;
        case APP_ABOVE:
            s->bracket->above = to = mid;
            break;
        case APP_UNDECIDED:
            *undecided = mid;
            return true;
        }
    }
    return true;
}

bool app_threshold_find(size_t n, app_threshold_ask *ask, void *data, app_bracket *bracket,
                        GError **error)
{
    const search s = {ask, data, bracket, error};
    size_t first = n;
    *bracket = (app_bracket){.below = 0, .above = n};
    if (!bisect(&s, 0, n, &first)) {
        return false;
    }
    size_t last = first; /* undecided are those from first to last */
    for (size_t next = first; next < n && bracket->below < first; first = MIN(next, first)) {
        next = n;
        if (!bisect(&s, bracket->below, first, &next)) {
            return false;
        }
    }
    for (size_t next = last; next < n && last + 1 < bracket->above; last = next < n ? next : last) {
        next = n;
        if (!bisect(&s, last + 1, bracket->above, &next)) {
            return false;
        }
    }
    return true;
}
