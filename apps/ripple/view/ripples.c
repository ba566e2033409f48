/* apps/ripple/view/ripples.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_view_run. */
#include "view/ripples.h"

#include <string.h>

typedef struct shown_hit {
    sim_time start;
    uint32_t rank;
    uint32_t index; /* of the stretch: of a rank in order of time */
} shown_hit;

static int earliest_first(const void *a, const void *b)
{
    const shown_hit *x = a;
    const shown_hit *y = b;
    if (x->start != y->start) {
        return x->start > y->start ? 1 : -1;
    }
    return x->rank != y->rank ? (x->rank > y->rank ? 1 : -1)
                              : (x->index > y->index) - (x->index < y->index);
}

bool app_ripples_is_shown(const app_picture *p, const app_observed_stretch *s)
{
    return s->end >= p->from && s->idle_from <= p->to;
}

/* Of a stretch, or of none. */
static uint32_t first_shown(const app_ripples *r, uint32_t index)
{
    while (index != APP_CAUSES_NONE && r->of[index] == APP_PICTURE_NONE) {
        index = r->causes->after[index];
    }
    return index == APP_CAUSES_NONE ? APP_PICTURE_NONE : r->of[index];
}

uint32_t app_ripples_nearest(const app_ripples *r, uint32_t index)
{
    return first_shown(r, r->causes->after[index]);
}

/* A ripple for each stretch of a lane that a detour is in. */
void app_ripples_fill(app_ripples *r, app_picture *picture, const bool *is_lane,
                      const app_observed_stretch *s, size_t n, const app_causes *causes)
{
    g_autoptr(GArray) hits = g_array_new(FALSE, FALSE, sizeof(shown_hit));
    *r = (app_ripples){s, n, causes, g_new(uint32_t, n + 1)};
    for (size_t i = 0; i < n; i++) {
        const shown_hit hit = {s[i].start, s[i].rank, (uint32_t)i};
        if (s[i].end - s[i].start > s[i].work && is_lane[s[i].rank] &&
            app_ripples_is_shown(picture, &s[i])) {
            g_array_append_val(hits, hit);
        }
    }
    g_array_sort(hits, earliest_first);
    memset(r->of, 0xff, n * sizeof *r->of);
    picture->num_ripples = hits->len;
    picture->ripples = g_new0(app_picture_ripple, hits->len + 1);
    for (guint i = 0; i < hits->len; i++) {
        const uint32_t index = g_array_index(hits, shown_hit, i).index;
        const app_ripple *ripple = &causes->ripples[index];
        r->of[index] = i;
        picture->ripples[i] =
            (app_picture_ripple){.after = app_ripples_nearest(r, index),
                                 .rank = s[index].rank,
                                 .component = APP_PICTURE_NONE,
                                 .waits = ripple->waits,
                                 .begin = s[index].start,
                                 .end = s[index].end,
                                 .detour = s[index].end - s[index].start - s[index].work,
                                 .waited = ripple->waited,
                                 .until = ripple->until,
                                 .absorbed = ripple->absorbed};
    }
}

void app_ripples_clear(app_ripples *r)
{
    g_free(r->of);
    *r = (app_ripples){0};
}

/* ---- what they did to which rank ---- */

static int by_ripple(const void *a, const void *b)
{
    const app_picture_cone *x = a;
    const app_picture_cone *y = b;
    return x->ripple != y->ripple ? (x->ripple > y->ripple ? 1 : -1)
                                  : (x->rank > y->rank) - (x->rank < y->rank);
}

/* What one stretch adds: it waits longer than without noise, or less long. */
static void add_part(const app_ripples *r, size_t index, GArray *parts)
{
    const app_observed_stretch *s = &r->s[index];
    const sim_time waited = s->start - s->idle_from - s->usual_idle;
    app_picture_cone part = {.ripple = APP_PICTURE_NONE, .rank = s->rank, .from = SIM_TIME_MAX};
    if (waited > 0) {
        part.ripple = app_ripples_nearest(r, (uint32_t)index);
        part.waits = 1;
        part.waited = waited;
        part.from = s->start - waited;
        part.until = s->start;
    } else if (waited < 0) {
        part.ripple = first_shown(r, r->causes->relieved[index]);
        part.absorbed = -waited;
        part.absorbed_at = s->start;
    }
    if (part.ripple != APP_PICTURE_NONE) {
        g_array_append_val(parts, part);
    }
}

void app_ripples_fill_cones(const app_ripples *r, app_picture *picture)
{
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(app_picture_cone));
    for (size_t i = 0; i < r->n; i++) {
        add_part(r, i, parts);
    }
    g_array_sort(parts, by_ripple);
    picture->cones = g_new(app_picture_cone, parts->len + 1);
    app_picture_cone *last = NULL;
    for (guint i = 0; i < parts->len; i++) {
        const app_picture_cone *part = &g_array_index(parts, app_picture_cone, i);
        if (last == NULL || by_ripple(last, part) != 0) {
            last = &picture->cones[picture->num_cones++];
            *last = *part;
            continue;
        }
        last->waits += part->waits;
        last->waited += part->waited;
        last->from = MIN(last->from, part->from);
        last->until = MAX(last->until, part->until);
        last->absorbed += part->absorbed;
        last->absorbed_at = MAX(last->absorbed_at, part->absorbed_at);
    }
}
