/* bench/sc10/apps/memory_gate.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "memory_gate.h"

#include <stdbool.h>

void sc10_memory_gate_init(sc10_memory_gate *gate, uint64_t bytes)
{
    *gate = (sc10_memory_gate){.bytes = bytes};
    g_mutex_init(&gate->mutex);
    g_cond_init(&gate->left);
}

void sc10_memory_gate_clear(sc10_memory_gate *gate)
{
    g_mutex_clear(&gate->mutex);
    g_cond_clear(&gate->left);
}

/* More may be taken than there is, by one that goes alone. */
static bool has_room(const sc10_memory_gate *gate, uint64_t bytes)
{
    return gate->inside == 0 || (gate->taken <= gate->bytes && bytes <= gate->bytes - gate->taken);
}

void sc10_memory_gate_enter(sc10_memory_gate *gate, uint64_t bytes)
{
    g_mutex_lock(&gate->mutex);
    while (!has_room(gate, bytes)) {
        g_cond_wait(&gate->left, &gate->mutex);
    }
    gate->inside++;
    gate->taken += bytes;
    g_mutex_unlock(&gate->mutex);
}

void sc10_memory_gate_leave(sc10_memory_gate *gate, uint64_t bytes)
{
    g_mutex_lock(&gate->mutex);
    gate->inside--;
    gate->taken -= bytes;
    g_cond_broadcast(&gate->left);
    g_mutex_unlock(&gate->mutex);
}
