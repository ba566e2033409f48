/* sim/replica/replica_group.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_replica. */
/*
 * Which levels one pass evaluates together: as many as small distances, or a common divisor of
 * large ones, allow (replica_pass.inl, replica_mirror.inl).
 */
#include "replica/replica_private.h"

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* How far down a position looks (replica_pass.inl, replica_shift.inl). */
static uint32_t reach_at(const replica_plan *plan, unsigned level, bool *from_above)
{
    const uint32_t distance = sim_replica_level_distance(plan, level, from_above);
    return plan->rendezvous ? 2 * distance : distance;
}

/* Levels from @p first on whose distances together are small. */
static replica_group following_group(const replica_plan *plan, unsigned first, uint32_t *rows)
{
    const uint32_t most = plan->rendezvous ? PASS_ROWS / 2 : PASS_ROWS; /* they are longer */
    replica_group g = {.first = first};
    bool side = false;
    *rows = reach_at(plan, first, &side);
    for (g.n = 1; first + g.n + 1 < plan->levels->len && g.n < PASS_MAX; g.n++) {
        bool other = false;
        const uint32_t reach = reach_at(plan, first + g.n, &other);
        if (other != side || *rows + reach > most) {
            break;
        }
        *rows += reach;
    }
    return g;
}

/* Levels from @p first on whose distances have a large divisor; n may be 0. */
static replica_group gathered_group(const replica_plan *plan, unsigned first, uint32_t *rows)
{
    replica_group g = {.first = first, .apart = plan->num_ranks};
    bool side = false;
    *rows = 0;
    while (first + g.n + 1 < plan->levels->len && g.n < PASS_MAX) {
        bool other = side;
        const uint32_t reach = reach_at(plan, first + g.n, &other);
        const uint32_t distance = sim_replica_level_distance(plan, first + g.n, &other);
        const uint32_t apart = common_divisor(g.apart, distance);
        if ((g.n > 0 && other != side) || apart < PASS_PIECE ||
            plan->num_ranks / apart > PASS_COPIES / PASS_PIECE) {
            break;
        }
        side = other;
        g.apart = apart;
        g.n++;
        if (!plan->rendezvous) {
            *rows = MAX(*rows, reach); /* where they are not gathered after all: one at a time */
        }
    }
    *rows = MAX(*rows, g.n * PASS_COPIES); /* a reach is at most all */
    if (g.n > 0 && first + g.n + 1 == plan->levels->len) {
        const uint32_t last = sim_replica_level_end(plan, first + g.n)->peer;
        g.ends = common_divisor(g.apart, last) == g.apart;
    }
    return g;
}

void sim_replica_plan_groups(replica_plan *plan)
{
    for (unsigned level = 0; level + 1 < plan->levels->len;) {
        uint32_t rows = 0;
        uint32_t more_rows = 0;
        replica_group g = following_group(plan, level, &rows);
        const replica_group other = gathered_group(plan, level, &more_rows);
        if (other.n > g.n && level > 0) {
            g = other;
            plan->gathers = true;
            rows = more_rows;
        }
        g_array_append_val(plan->groups, g);
        plan->saved_rows = MAX(plan->saved_rows, rows);
        level += g.n;
    }
    if (plan->mirrors) {
        plan->saved_rows = 1; /* both of a pair are read before either is written */
    }
}
