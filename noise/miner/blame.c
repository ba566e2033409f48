/* noise/miner/blame.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_miner_modern, test_miner_simulated, test_miner_when. */
#include "miner/blame.h"

#include <math.h>

#define FILLS 3.0 /* as in fold.c: so much rarer than expected still counts as expected */

bool *noise_miner_blame_known(const miner_blame *b, const miner_histogram *h)
{
    bool *on = g_new0(bool, b->sources->len);
    bool any = false;
    for (uint32_t i = 0; i < h->num_cells; i++) {
        const int32_t owner = b->owner[h->cell[i].bin];
        for (int part = 0; owner >= 0 && part < 2; part++) {
            if (b->peak[owner].hits[part] > 0) {
                on[b->peak[owner].part[part]] = true;
                any = true;
            }
        }
    }
    for (guint i = 0; !any && i < b->sources->len; i++) {
        on[i] = true; /* any of all there are */
    }
    return on;
}

/* Can it be of this source? */
static bool is_within(const miner_blame *b, guint source, double excess, double wall)
{
    const miner_source *s = &g_array_index(b->sources, miner_source, source);
    const double most = FILLS * s->hits / fmax(s->span, 1) * wall + 1;
    return excess <= s->length * most;
}

uint32_t noise_miner_blame_culprit(const miner_blame *b, const bool *on, double excess, double wall)
{
    uint32_t found = MINER_NOBODY;
    for (guint i = 0; i < b->sources->len; i++) {
        if (!on[i] || !is_within(b, i, excess, wall)) {
            continue;
        }
        if (found != MINER_NOBODY) {
            return MINER_NOBODY;
        }
        found = i;
    }
    return b->faster ? MINER_NOBODY : found;
}

bool noise_miner_blame_is_beyond(const miner_blame *b, const bool *on, double excess, double wall)
{
    for (guint i = 0; i < b->sources->len; i++) {
        if (on[i] && is_within(b, i, excess, wall)) {
            return false;
        }
    }
    return !b->faster;
}

uint32_t noise_miner_blame_hits(const miner_blame *b, const bool *on, const miner_cell *cell,
                                uint32_t source)
{
    const int32_t owner = b->owner[cell->bin];
    if (owner < 0) {
        const double n = (double)cell->count;
        return noise_miner_blame_culprit(b, on, miner_cell_sum(cell) / n, (double)cell->wall / n) ==
               source;
    }
    uint32_t hits = 0;
    for (int part = 0; part < 2; part++) {
        hits += b->peak[owner].part[part] == source ? b->peak[owner].hits[part] : 0;
    }
    return hits;
}
