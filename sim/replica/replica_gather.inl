/* sim/replica/replica_gather.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Classes of ranks that exchange messages only among themselves, evaluated in one place as if they
 * were a small machine of their own; included by replica_pass.inl alone, to which it belongs.
 */

/* Where some classes of a group's ranks are put together. */
typedef struct classes {
    const replica_group *g;
    uint32_t num_ranks;
    uint32_t first, n; /* rows first .. first + n - 1 of every g->apart */
    bool back;         /* from where they are together */
} classes;

ALWAYS_INLINE void copy_piece(char *near, char *far, size_t bytes, bool back)
{
    if (back) {
        memcpy(far, near, bytes);
    } else {
        memcpy(near, far, bytes);
    }
}

/* @p moved: how far those that are in the rows have moved, in a table of what does not */
ALWAYS_INLINE void copy_rows(void *together, void *all, size_t row, const classes *c,
                             uint32_t moved)
{
    if (together == NULL) {
        return;
    }
    char *near = together;
    for (uint32_t at = c->first; at < c->num_ranks; at += c->g->apart) {
        const uint32_t from = at >= moved ? at - moved : at + (c->num_ranks - moved);
        const uint32_t left = c->num_ranks - from;
        const uint32_t n = c->n < left ? c->n : left;
        copy_piece(near, (char *)all + from * row, n * row, c->back);
        copy_piece(near + n * row, all, (c->n - n) * row, c->back);
        near += c->n * row;
    }
}

static void copy_storage(const replica_storage *together, const replica_storage *all,
                         const classes *c, uint32_t moved)
{
    const size_t row = sizeof(replica_row);
    copy_rows(together->handed, all->handed, row, c, 0);
    copy_rows(together->posted, all->posted, row, c, 0);
    copy_rows(together->clock, all->clock, row, c, moved);
    copy_rows(together->rx, all->rx, row, c, moved);
    copy_rows(together->next, all->next, row, c, moved);
    copy_rows(together->place, all->place, sizeof(replica_places), c, moved);
}

/* The end of the last level, where it is made of ranks that are together anyway. */
typedef struct ending {
    lanes latest;
    bool is_kept; /* what ranks have come to is needed afterwards: else nothing is copied back */
    bool is_done;
} ending;

/* A group of distances that are multiples of g->apart. @return as follow() does */
ALWAYS_INLINE uint32_t gather(const batch *b, bool noisy, const replica_group *g, uint32_t moved,
                              ending *end)
{
    const uint32_t num_classes = b->num_ranks / g->apart; /* ranks of a class, that is */
    const uint32_t most = b->plan->rendezvous ? PASS_COPIES / 2 : PASS_COPIES;
    const uint32_t at_once = most / num_classes;
    replica_storage together = *b->storage->together;
    if (!b->plan->bytes_cost && !(g->ends && end->is_kept)) {
        together.clock = NULL;
    }
    if (!noisy) {
        together.next = NULL;
        together.place = NULL;
    }
    for (uint32_t first = 0; first < g->apart && !b->watch->stopped; first += at_once) {
        const uint32_t n = g->apart - first < at_once ? g->apart - first : at_once;
        classes c = {.g = g, .num_ranks = b->num_ranks, .first = first, .n = n};
        const batch copy = {b->plan, &together, b->noise, b->watch, num_classes * n};
        copy_storage(&together, b->storage, &c, moved);
        uint32_t there = 0; /* how far they have moved among themselves */
        if (b->plan->mirrors) {
            mirror_group(&copy, noisy, g, NULL);
        } else {
            there = follow(&copy, noisy, g, NULL, 0);
        }
        if (g->ends) {
            end->latest = later(end->latest, end_ranks(&copy, noisy, end->is_kept, there));
        }
        if (!g->ends || end->is_kept) {
            c.back = true;
            copy_storage(&together, b->storage, &c, moved);
        }
    }
    end->is_done = g->ends;
    for (unsigned i = 0; i < g->n; i++) {
        moved = (moved + level_moves(b, g->first + i)) % b->num_ranks;
    }
    return moved;
}
