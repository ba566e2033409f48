/* sim/events/agenda_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a rank has before it: CPU work, network events, and what waits for a partner. As a rule
 * that is little, and lies, in the order in which it was added, in the cache lines right behind
 * the rank's clocks. When it is more than fit inside they move to an array elsewhere, which holds
 * AGENDA_OUTSIDE_FEW items or, later, AGENDA_OUTSIDE, beyond that into heaps and hash tables
 * (crowd_private.h), and back when few are left.
 */
#pragma once

#include "record/message_cost_private.h"
#include "record/run_record_private.h"
#include "sim/program.h"

#include <stddef.h>

/* Compiled for runs that poll and that nobody watches? run_turn.h */
#ifndef ENGINE_PLAIN
#define ENGINE_PLAIN 0
#endif

/*
 * Order of the CPU kinds: simulation-model.md section 3. Order of the network events:
 * docs/model.md, "Ties". The others wait, for a partner or for an answer.
 */
typedef enum {
    AGENDA_SEND,
    AGENDA_RECEIVE, /* polling: a matched receive; async: a message to be accepted */
    AGENDA_CALC,
    AGENDA_RELEASE, /* instant rendezvous: message and receive have met */
    AGENDA_CLEAR,   /* handshake rendezvous: the clear-to-send is back */
    AGENDA_POST,    /* a receive is posted */
    AGENDA_ARRIVAL, /* a message, or the request of one, arrives */
    AGENDA_POSTED,  /* a receive without a message */
    AGENDA_MESSAGE, /* a message, or its request, without a receive */
    AGENDA_HELD,    /* a rendezvous send that has not ended */
    AGENDA_DATA,    /* handshake: a matched receive whose data are not under way yet */
} agenda_kind;

#define AGENDA_FIRST_EVENT   AGENDA_RELEASE
#define AGENDA_FIRST_WAITING AGENDA_POSTED

/* Of an operation before it starts: sim_ready.quiet. */
#define AGENDA_QUIET UINT8_C(8)
/* Flags of an item that stands for a message. */
#define AGENDA_RENDEZVOUS UINT8_C(1)
#define AGENDA_MATCHED    UINT8_C(2) /* index is that of its receive, send that of its send */
#define AGENDA_ACCEPTED   UINT8_C(4) /* async: a message that the CPU has done with at `time` */

typedef struct agenda_item {
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
        sim_time arrival; /* polling, matched receive: of its message; a send that is held: too */
        uint32_t send;    /* AGENDA_MATCHED: operation of the sender */
    };
    uint32_t peer; /* other rank of the operation; of a message: its source */
    /*
     * Of a message: how many its source had sent before. Polling, matched receive: operation of
     * the sender. Clear-to-send and data on their way: operation of the receiver.
     */
    uint32_t order;
    uint32_t index; /* operation in its rank; of a message that is not matched: in its source */
    uint8_t kind;   /* agenda_kind */
    uint8_t cpu;
    uint8_t nic;
    uint8_t flags;
} agenda_item;

/* What only a sink or a record wants to know of an operation: sim_ready's. */
typedef struct agenda_note {
    uint32_t cause;
    uint8_t at_start; /* no bool, since copied undefined */
} agenda_note;

typedef struct agenda_entry {
    agenda_item item;
    agenda_note note; /* undefined unless agenda.noted */
} agenda_entry;

/*
 * How many lie inside: what an exchange with four neighbours takes, if all of it comes together; of
 * very many ranks, and of programs that come to that many here and there only, fewer, so that they
 * take little memory.
 */
#define AGENDA_INSIDE      12U
#define AGENDA_INSIDE_FEW  6U
#define AGENDA_MANY_RANKS  (UINT32_C(1) << 17)
#define AGENDA_OUTSIDE_FEW 12U /* 19 out of 20 that come to more than 6 */
#define AGENDA_OUTSIDE     32U
#define AGENDA_CROWD       UINT32_MAX /* engine_rank.outside: the items are in heaps and tables */

/* A rank begins on a cache line; its parts follow at the offsets in agenda_layout. */
typedef struct engine_rank {
    sim_time finish;  /* latest of its operations so far */
    uint32_t window;  /* when its turn is; these three belong to turn_queue_private.h */
    uint32_t parked;  /* a window for which it stands in the queue, though it is not due then */
    uint32_t outside; /* array of its items, if they are not inside, or AGENDA_CROWD */
    uint32_t num_sent;
    uint32_t active; /* bit i: item i is CPU work or an event */
    uint32_t events; /* bit i: it is an event */
    uint32_t posted; /* bit i: item i is AGENDA_POSTED */
    uint8_t num_items;
    uint8_t place; /* turn_place */
    bool is_parked;
    bool holds;       /* instant: there may be sends that are held */
    sim_time clock[]; /* CPUs, then tx, then rx of each interface */
} engine_rank;

static inline bool agenda_is_crowd(const engine_rank *r)
{
    return r->outside == AGENDA_CROWD;
}

/* What a clock was last moved by. Before that: SIM_ANY, SIM_ANY */
typedef record_ref clock_note;

typedef struct agenda_layout {
    uint32_t tx_at; /* clocks of sending interfaces, among the clocks */
    uint32_t rx_at;
    uint32_t num_clocks;
    uint32_t inside; /* how many items */
    size_t items_at; /* bytes from the rank's beginning */
    size_t notes_at;
    size_t clock_notes_at;
    size_t rank_bytes;
} agenda_layout;

typedef struct crowds crowds;

/* Arrays outside, all for as many items. */
typedef struct agenda_store {
    char **segment; /* of arrays */
    size_t array_bytes;
    uint32_t num_segments, num_arrays, free_array; /* array 0 is none */
} agenda_store;

/* The agendas of ranks that one thread works on. */
typedef struct agenda {
    agenda_layout at;
    bool async;
    bool noted; /* notes are kept */
    bool wildcards;
    bool plain; /* polling, one CPU, one interface */
    message_costs costs;
    agenda_store store[2]; /* for few and for more */
    crowds *crowds;        /* NULL: there has been none */
    agenda_item new_item;  /* of a crowd, being written */
} agenda;

static inline bool agenda_async(const agenda *a)
{
    return !ENGINE_PLAIN && a->async;
}

static inline bool agenda_noted(const agenda *a)
{
    return !ENGINE_PLAIN && a->noted;
}

agenda_layout sim_agenda_layout(const sim_program *program, bool noted);
void sim_agenda_init(agenda *a, const agenda_layout *layout, bool async, bool noted,
                     bool wildcards);
void sim_agenda_clear(agenda *a);

static inline sim_time agenda_later(sim_time a, sim_time b)
{
    return a > b ? a : b;
}

static inline bool agenda_is_event(const agenda_item *i)
{
    return i->kind >= AGENDA_FIRST_EVENT;
}

/* A message is a candidate for receives that are posted. */
static inline bool agenda_is_unmatched(const agenda *a, const agenda_item *i)
{
    return i->kind == AGENDA_MESSAGE ||
           (agenda_async(a) && i->kind == AGENDA_RECEIVE && !(i->flags & AGENDA_MATCHED));
}

static inline uint64_t agenda_arrival_tie(const agenda_item *i)
{
    return (uint64_t)i->peer << 32 | i->order;
}

/* Is agenda_item.index, of CPU work or an event, an operation of the rank itself? */
static inline bool agenda_has_op(bool async, const agenda_item *i)
{
    const bool message = i->kind == AGENDA_ARRIVAL || (async && i->kind == AGENDA_RECEIVE);
    return !message || (i->flags & AGENDA_MATCHED) != 0;
}

/* simulation-model.md section 3; of events: docs/model.md. */
static inline uint64_t agenda_tie(const agenda *a, const agenda_item *i)
{
    const bool by_message =
        i->kind == AGENDA_ARRIVAL || (agenda_async(a) && i->kind == AGENDA_RECEIVE);
    return by_message ? agenda_arrival_tie(i) : i->index;
}

/* CPU work: when it became ready. */
static inline sim_time agenda_ready(const agenda *a, const agenda_item *i)
{
    return i->kind == AGENDA_RECEIVE && !agenda_async(a) ? agenda_later(i->time, i->arrival)
                                                         : i->time;
}

static inline clock_note *agenda_clock_notes(const agenda *a, engine_rank *r)
{
    return (clock_note *)(void *)((char *)r + a->at.clock_notes_at);
}

/** When CPU work can start, or an event happens, as things are. */
static inline sim_time agenda_start(agenda *a, const engine_rank *r, const agenda_item *i)
{
    if (agenda_is_event(i)) {
        return i->time;
    }
    const sim_time at = agenda_later(i->time, r->clock[i->cpu]);
    if (i->kind == AGENDA_CALC) {
        return at;
    }
    if (i->kind == AGENDA_SEND) {
        return agenda_later(at, r->clock[a->at.tx_at + i->nic]);
    }
    const sim_time rx = r->clock[a->at.rx_at + i->nic];
    if (agenda_async(a)) {
        return agenda_later(at, rx);
    }
    return agenda_later(at,
                        agenda_later(i->arrival, rx) + message_cost_of(&a->costs, i->size)->delay);
}

/* ---- where items are: a reference holds until the next that is added or taken out ---- */

#define AGENDA_SEGMENT 256U /* arrays outside that are allocated at once; a power of two */

/** Array @p outside / 2 of store @p outside % 2. */
static inline char *agenda_outside(const agenda *a, uint32_t outside)
{
    const agenda_store *s = &a->store[outside % 2];
    const uint32_t array = outside / 2;
    return s->segment[array / AGENDA_SEGMENT] + array % AGENDA_SEGMENT * s->array_bytes;
}

agenda_note *sim_agenda_notes(const agenda *a, engine_rank *r);

static inline agenda_item *agenda_inside(const agenda *a, engine_rank *r)
{
    return (agenda_item *)(void *)((char *)r + a->at.items_at);
}

static inline agenda_item *agenda_items(const agenda *a, engine_rank *r)
{
    if (__builtin_expect(r->outside != 0, 0)) {
        return (agenda_item *)(void *)agenda_outside(a, r->outside);
    }
    return agenda_inside(a, r);
}

agenda_item *sim_agenda_item(const agenda *a, engine_rank *r, uint32_t ref);
/** The note of an item; only if there are notes. */
agenda_note *sim_agenda_note(const agenda *a, engine_rank *r, uint32_t ref);

/* ---- adding: agenda_new(), write all of the item, agenda_add() ---- */

/** A place where there is room for one more item; the slow way of what follows. */
agenda_item *sim_agenda_make_room(agenda *a, engine_rank *r, uint32_t rank);
/** The slow way of agenda_add(): into a crowd, or with a note. */
void sim_agenda_add(agenda *a, engine_rank *r, uint32_t rank, const agenda_item *item,
                    const agenda_note *note);

/** Where the next item of @p rank, whose engine_rank is @p r, is to be written. */
static inline agenda_item *agenda_new(agenda *a, engine_rank *r, uint32_t rank)
{
    if (__builtin_expect(r->num_items < a->at.inside && r->outside == 0, 1)) {
        return &agenda_inside(a, r)[r->num_items];
    }
    return sim_agenda_make_room(a, r, rank);
}

/** Item @p k of a rank that is no crowd is there, or has become another. */
static inline void agenda_set_kind(engine_rank *r, uint32_t k, uint8_t kind)
{
    const uint32_t bit = UINT32_C(1) << k;
    const bool active = kind < AGENDA_FIRST_WAITING;
    r->active = (r->active & ~bit) | (active ? bit : 0);
    r->events = (r->events & ~bit) | (active && kind >= AGENDA_FIRST_EVENT ? bit : 0);
    r->posted = (r->posted & ~bit) | (kind == AGENDA_POSTED ? bit : 0);
}

/** The same of the last item, which has been added. */
static inline void agenda_set_new(engine_rank *r, uint32_t k, uint8_t kind)
{
    r->active |= (uint32_t)(kind < AGENDA_FIRST_WAITING) << k;
    r->events |= (uint32_t)(kind >= AGENDA_FIRST_EVENT && kind < AGENDA_FIRST_WAITING) << k;
    r->posted |= (uint32_t)(kind == AGENDA_POSTED) << k;
}

/** What agenda_new() returned has been written. @p note is NULL unless there are notes. */
static inline void agenda_add(agenda *a, engine_rank *r, uint32_t rank, const agenda_item *item,
                              const agenda_note *note)
{
    if (__builtin_expect(agenda_noted(a) || agenda_is_crowd(r), 0)) {
        sim_agenda_add(a, r, rank, item, note);
        return;
    }
    const uint32_t k = r->num_items++;
    agenda_set_new(r, k, item->kind);
}

/** The same with something that lies elsewhere. */
static inline void agenda_add_entry(agenda *a, engine_rank *r, uint32_t rank,
                                    const agenda_entry *entry)
{
    agenda_item *item = agenda_new(a, r, rank);
    *item = entry->item;
    agenda_add(a, r, rank, item, &entry->note);
}

/* ---- agenda.c ---- */

#define AGENDA_NEVER INT64_MAX

/** The slow way of agenda_next(). */
sim_time sim_agenda_next(agenda *a, engine_rank *r, sim_time now, uint32_t *which);

/**
 * The instant, @p now at the earliest, at which the rank can do its next thing; AGENDA_NEVER if
 * there is none.
 * @param which for agenda_take()
 */
static inline sim_time agenda_next(agenda *a, engine_rank *r, sim_time now, uint32_t *which)
{
    if ((r->active & (r->active - 1)) != 0 || __builtin_expect(r->outside != 0, 0)) {
        return sim_agenda_next(a, r, now, which);
    }
    if (r->active == 0) {
        return AGENDA_NEVER;
    }
    *which = (uint32_t)__builtin_ctz(r->active); /* mostly it is only one */
    return agenda_start(a, r, &agenda_inside(a, r)[*which]);
}

#define AGENDA_TAKEN UINT32_MAX

/** The slow way of agenda_take(). */
uint32_t sim_agenda_take(agenda *a, engine_rank *r, uint32_t which, agenda_entry *out);

/**
 * Take out what sim_agenda_next() named; nothing has been added since. But a message to be
 * accepted that has no receive stays, for receives to find it, and a receive to be posted may.
 * @return reference to what has stayed, or AGENDA_TAKEN
 */
static inline uint32_t agenda_take(agenda *a, engine_rank *r, uint32_t which, agenda_entry *out)
{
    if (__builtin_expect(agenda_noted(a) || agenda_async(a) || r->outside != 0 ||
                             which + 1U != r->num_items,
                         0)) {
        return sim_agenda_take(a, r, which, out);
    }
    out->item = agenda_inside(a, r)[which];
    if (out->item.kind == AGENDA_POST) {
        return which;
    }
    const uint32_t below = (UINT32_C(1) << which) - 1;
    r->num_items = (uint8_t)which;
    r->active &= below;
    r->events &= below;
    return AGENDA_TAKEN;
}
/** Take out the item of a kind, AGENDA_HELD or AGENDA_DATA, and operation that is there. */
void sim_agenda_find_op(agenda *a, engine_rank *r, uint32_t rank, agenda_kind kind, uint32_t index,
                        agenda_entry *out);
/** Take out an item. @p out may be NULL. */
void sim_agenda_remove(agenda *a, engine_rank *r, uint32_t ref, agenda_entry *out);
/** The slow way of agenda_exposed_from(). */
sim_time sim_agenda_exposed_from(const agenda *a, engine_rank *r);

/**
 * instant: the arrival of the first message whose send is held, or something before it;
 * AGENDA_NEVER if none is.
 */
static inline sim_time agenda_exposed_from(const agenda *a, engine_rank *r)
{
    return __builtin_expect(r->holds, 0) ? sim_agenda_exposed_from(a, r) : AGENDA_NEVER;
}

/**
 * What waits for a partner; for crowds, 0: sim_crowds_left().
 * @param out [AGENDA_OUTSIDE] @return how many there are
 */
size_t sim_agenda_left(const agenda *a, engine_rank *r, agenda_item *out);
