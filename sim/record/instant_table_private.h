/* sim/record/instant_table_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Instants of a recorded run by what happened at them, while they are needed: an open hash table,
 * 32 bytes per entry.
 */
#pragma once

#include "sim/time.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    INSTANT_NONE,
    INSTANT_START,   /* an operation starts; a receive is posted */
    INSTANT_FINISH,  /* it finishes */
    INSTANT_CPU,     /* the CPU has done with it; since: it began */
    INSTANT_TX,      /* the sending interface has done with it; since: it began */
    INSTANT_RX,      /* the receiving one has */
    INSTANT_MESSAGE, /* a message is handed over; since: the CPU part of its send is over */
    INSTANT_DATA,    /* handshake: its data leave */
    INSTANT_MET,     /* rendezvous: it has met its receive */
} instant_kind;

typedef struct instant_key {
    uint32_t rank;
    uint32_t op;     /* of the rank; or of source, whose message it is */
    uint32_t source; /* SIM_ANY: an operation of the rank itself */
    uint32_t kind;   /* instant_kind; INSTANT_NONE: a slot is free */
} instant_key;

typedef struct instant {
    instant_key key;
    sim_time at;
    sim_time since; /* of some kinds */
} instant;

typedef struct instant_table {
    instant *slot; /* [mask + 1], less than three quarters in use; NULL at first */
    size_t mask;
    size_t n;
} instant_table;

/** @return its entry, valid until the next change; NULL: there is none. O(1) */
const instant *sim_instant_find(const instant_table *table, instant_key key);
/** Put one there, or another in place of the one of this key. O(1) */
void sim_instant_put(instant_table *table, instant in);
/** @return false: it was not there. O(1) */
bool sim_instant_remove(instant_table *table, instant_key key);
void sim_instant_table_clear(instant_table *table);
