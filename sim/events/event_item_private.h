/* sim/events/event_item_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file What lies on the event list of a rank: CPU work, network events, and what waits. */
#pragma once

#include "sim/time.h"

/*
 * Order of the CPU kinds: docs/model.md, section 4.1. Order of the network events:
 * docs/model.md, section 4. The others wait, for a partner or for an answer.
 */
typedef enum {
    EVENT_SEND,
    EVENT_RECEIVE, /* polling: a matched receive; async: a message to be accepted */
    EVENT_CALC,
    EVENT_RELEASE,    /* instant rendezvous: message and receive have met */
    EVENT_CLEAR,      /* handshake rendezvous: the clear-to-send is back, for what was EVENT_HELD */
    EVENT_POST,       /* a receive is posted */
    EVENT_ARRIVAL,    /* a message, or the request of one, arrives */
    EVENT_POSTED,     /* a receive without a message */
    EVENT_UNEXPECTED, /* a message, or its request, without a receive */
    EVENT_HELD,       /* a rendezvous send that has not ended */
    EVENT_DATA,       /* handshake: a matched receive whose data are not under way yet */
} event_kind;

#define EVENT_FIRST_EVENT   EVENT_RELEASE
#define EVENT_FIRST_WAITING EVENT_POSTED

/* Flag of an operation that has not started: sim_ready.quiet. */
#define EVENT_QUIET UINT8_C(8)
/* Flags of an item that is a message. */
#define EVENT_RENDEZVOUS UINT8_C(1)
#define EVENT_MATCHED    UINT8_C(2) /* index is that of its receive, send that of its send */
#define EVENT_ACCEPTED   UINT8_C(4) /* async: a message that the CPU has done with at `time` */
/* Flag of a send that is held: it is known when it will be released. */
#define EVENT_KNOWN UINT8_C(16)

typedef struct event_item {
    /*
     * When it became ready or was posted, arrived (a message), happens (an event), or when the
     * CPU was done with it (a send that is held, a message that is accepted).
     */
    sim_time time;
    int64_t size; /* of the operation or, once known, of the message */
    union {
        struct {
            uint32_t tag;
            uint32_t comm;
        };
        /* Of the message of a matched receive (polling), or of a held send; of EVENT_CLEAR: when
         * the CPU was done with the send. */
        sim_time arrival;
        uint32_t send; /* EVENT_MATCHED: operation of the sender */
    };
    uint32_t peer; /* other rank of the operation; of a message: its source */
    /*
     * Of a message: how many its source had sent before. Polling, matched receive: operation of
     * the sender. Clear-to-send and data on their way: operation of the receiver.
     */
    uint32_t order;
    uint32_t index; /* operation in its rank; of a message that is not matched: in its source */
    uint8_t kind;   /* event_kind */
    uint8_t cpu;
    uint8_t nic; /* interface, of both levels: event_list_layout.node_nic */
    uint8_t flags;
} event_item;

/* What only a sink or a record needs of an operation: members of sim_ready. */
typedef struct event_cause {
    uint32_t cause;
    uint8_t at_start; /* not bool, since it may be copied while undefined */
} event_cause;

typedef struct event_entry {
    event_item item;
    event_cause cause; /* undefined unless event_list.keeps_causes */
} event_entry;
