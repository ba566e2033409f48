/* sim/replica_group.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which levels of a sweep are made in one go: as many as small distances, or a common divisor of
 * large ones, allow (replica_sweep.h).
 */
#include "replica_private.h"

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Levels from @p first on whose distances together are small. */
static replica_group following_group(const replica_plan *plan, unsigned first, uint32_t *rows)
{
    replica_group g = {.first = first};
    bool side = false;
    *rows = sim_replica_level_distance(plan, first, &side);
    for (g.n = 1; first + g.n + 1 < plan->levels->len && g.n < SWEEP_MAX; g.n++) {
        bool other = false;
        const uint32_t distance = sim_replica_level_distance(plan, first + g.n, &other);
        if (other != side || *rows + distance > SWEEP_ROWS) {
            break;
        }
        *rows += distance;
    }
    return g;
}

/* Levels from @p first on whose distances have a large divisor; n may be 0. */
static replica_group gathered_group(const replica_plan *plan, unsigned first, uint32_t *rows)
{
    replica_group g = {.first = first, .apart = plan->num_ranks};
    bool side = false;
    *rows = 0;
    while (first + g.n + 1 < plan->levels->len && g.n < SWEEP_MAX) {
        bool other = side;
        const uint32_t distance = sim_replica_level_distance(plan, first + g.n, &other);
        const uint32_t apart = common_divisor(g.apart, distance);
        if ((g.n > 0 && other != side) || apart < SWEEP_PIECE ||
            plan->num_ranks / apart > SWEEP_COPIES / SWEEP_PIECE) {
            break;
        }
        side = other;
        g.apart = apart;
        g.n++;
        *rows = MAX(*rows, distance); /* where they are not gathered after all: one at a time */
    }
    *rows = MAX(*rows, g.n * SWEEP_COPIES / 2);
    return g;
}

void sim_replica_plan_groups(replica_plan *plan)
{
    for (unsigned level = 0; plan->sweeps && level + 1 < plan->levels->len;) {
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
}
