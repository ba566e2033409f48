/* sim/replica/replica_cost.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_replica. */
#include "replica/replica_cost_private.h"

static guint hash_cost(gconstpointer p)
{
    const replica_cost_key *k = p;
    return g_int64_hash(&k->send) * 31 + g_int64_hash(&k->recv) * 17 + g_int64_hash(&k->work);
}

static gboolean equal_costs(gconstpointer a, gconstpointer b)
{
    return replica_cost_is_same(a, b);
}

static replica_cost cost_of(const sim_params *p, const replica_cost_key *key)
{
    const int64_t s = key->send > 1 ? key->send - 1 : 0;
    const int64_t r = key->recv > 1 ? key->recv - 1 : 0;
    replica_cost c = {.work = key->work, .sends = key->send >= 0, .receives = key->recv >= 0};
    c.rendezvous = c.sends && key->send > p->S;
    c.send_bytes = sim_rate_times(p->O, s);
    c.send_wire = sim_rate_times(p->G, s);
    c.recv_bytes = sim_rate_times(p->O, r);
    c.recv_wire = sim_rate_times(p->G, r);
    c.delay = MAX(c.recv_wire - c.recv_bytes, 0);
    return c;
}

void sim_replica_costs_init(replica_costs *c, const sim_params *params, GArray *all)
{
    *c = (replica_costs){.params = params, .all = all};
    c->index = g_hash_table_new_full(hash_cost, equal_costs, g_free, NULL);
}

void sim_replica_costs_clear(replica_costs *c)
{
    g_hash_table_unref(c->index);
}

uint32_t sim_replica_costs_add(replica_costs *c, const replica_cost_key *key)
{
    gpointer found = NULL;
    if (!g_hash_table_lookup_extended(c->index, key, NULL, &found)) {
        const replica_cost cost = cost_of(c->params, key);
        found = GUINT_TO_POINTER(c->all->len);
        g_array_append_val(c->all, cost);
        g_hash_table_insert(c->index, g_memdup2(key, sizeof *key), found);
    }
    c->last_key = *key;
    c->last = GPOINTER_TO_UINT(found);
    return c->last;
}
