/* apps/ripple/view/lost_stretch.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_observer, test_blocks. */
#include "view/lost_stretch.h"

#include "stretches/detours.h"

enum { GRAINS = 64 /* of a column: no byte tells less */ };

typedef struct place {
    app_heat *heat;
    uint32_t row;
} place;

static void add_detour(sim_time begin, sim_time end, void *user)
{
    const place *p = user;
    app_heat_add(p->heat, p->row, begin, end);
}

/* Where detours are matters only to what falls into several columns. */
void app_lost_stretch_map(const app_lost_stretch *s, const sim_noise *noise, uint32_t row,
                          app_heat *heat)
{
    const sim_time lost = s->end - s->start - s->work;
    if (s->noise_wait > 0) {
        app_heat_add(heat, row, s->start - s->noise_wait, s->start);
    }
    if (lost > 0 && app_heat_is_one_column(heat, s->start, s->end)) {
        app_heat_add(heat, row, s->start, s->start + lost);
    } else if (lost > 0 && noise != NULL) {
        place p = {heat, row};
        const sim_time width = app_heat_width(heat, s->start);
        app_detours_find_columns(noise, s->rank, s->start, s->work, width, width / GRAINS,
                                 add_detour, &p);
    }
}
