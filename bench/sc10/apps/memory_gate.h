/* bench/sc10/apps/memory_gate.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Lets runs of different sizes go side by side, as far as memory reaches: with many threads, as
 * many of the largest as there are threads may be too many.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

typedef struct sc10_memory_gate {
    GMutex mutex;
    GCond left;      /* somebody has */
    uint64_t bytes;  /* in all */
    uint64_t taken;  /* of these, by those inside */
    unsigned inside; /* how many */
} sc10_memory_gate;

void sc10_memory_gate_init(sc10_memory_gate *gate, uint64_t bytes);
void sc10_memory_gate_clear(sc10_memory_gate *gate);
/** Wait until there is room for @p bytes, or nobody is inside: what takes more than all goes alone.
 */
void sc10_memory_gate_enter(sc10_memory_gate *gate, uint64_t bytes);
/** @param bytes as it entered */
void sc10_memory_gate_leave(sc10_memory_gate *gate, uint64_t bytes);
