/* sim/replica/replica_cost_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the rounds of a plan cost: each thing once, found by hash. Rounds that follow each other
 * often cost the same, so the last one is looked at first.
 */
#pragma once

#include "replica/replica_private.h"

/** What two rounds of the same cost have in common; -1 bytes: no message. */
typedef struct replica_cost_key {
    int64_t send;
    int64_t recv;
    sim_time work;
} replica_cost_key;

typedef struct replica_costs {
    const sim_params *params;
    GArray *all;               /* of replica_cost; the plan's */
    GHashTable *index;         /* replica_cost_key -> place in all */
    replica_cost_key last_key; /* looked up */
    uint32_t last;
} replica_costs;

static inline bool replica_cost_is_same(const replica_cost_key *a, const replica_cost_key *b)
{
    return a->send == b->send && a->recv == b->recv && a->work == b->work;
}

/** Borrows both. */
void sim_replica_costs_init(replica_costs *c, const sim_params *params, GArray *all);
void sim_replica_costs_clear(replica_costs *c);
/** sim_replica_costs_find() where it is not the last one. */
uint32_t sim_replica_costs_add(replica_costs *c, const replica_cost_key *key);

/** @return the place of a cost, which is added if it is new */
static inline uint32_t sim_replica_costs_find(replica_costs *c, replica_cost_key key)
{
    const bool is_last = c->all->len > 0 && replica_cost_is_same(&key, &c->last_key);
    return is_last ? c->last : sim_replica_costs_add(c, &key);
}
