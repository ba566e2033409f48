/* schedgen/replay/replay_cursor_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How far each rank of a replay has come: the state of one run, and where it lies
 * (replay_cursor.c). replay.c advances it; the accessors are inline, since it does little but call
 * them.
 *
 * The state of a rank fills cache lines of its own, so that different threads may ask for different
 * ranks.
 */
#pragma once

#include "replay/replay_private.h"
#include "sim/slices.h"

/* Half a cache line of it is its position in a collective. */
typedef struct replay_rank {
    coll_walk walk;  /* if in_coll */
    sim_time ready;  /* the latest instant known of those that the next operation depends on */
    uint32_t cause;  /* the operation whose instant that is; of several the last; SIM_ANY: none */
    uint32_t next;   /* index of the next operation */
    uint32_t step;   /* of the record, to be taken next */
    uint32_t record; /* that it follows */
    uint32_t stage;  /* finishes of this and later operations are awaited */
    uint16_t repetition; /* of the record */
    uint8_t waits;       /* how many finishes, or groups, are awaited */
    bool in_coll : 1;    /* in the collective of the step before */
    bool at_start : 1;   /* ready is the start of cause, not its finish */
    bool varied : 1;     /* it is no copy that computes what was recorded */
    bool posted : 1;     /* the start of the last post, or chain, is awaited */
} replay_rank;

/* A nonblocking collective under way. */
typedef struct replay_chain {
    coll_walk walk;
    sim_time ready;
    uint32_t cause;
    uint32_t first; /* its operations are [first, end); none: it is vacant */
    uint32_t end;
    uint32_t next;
    uint32_t step; /* of the record */
    uint16_t repetition;
    uint16_t waits;
} replay_chain;

/* What one wait completes. */
typedef struct replay_group {
    sim_time at;
    uint32_t cause;
    uint32_t pending : 31; /* posted, and not finished */
    uint32_t awaited : 1;  /* the rank waits for them now */
} replay_group;

#define REPLAY_LINE ((size_t)64)
_Static_assert(sizeof(replay_rank) <= REPLAY_LINE, "most calls touch one line of the cache");
_Static_assert(sizeof(replay_chain) <= REPLAY_LINE, "the same");

/* A request that is far: the last that was given the place. */
typedef struct replay_far {
    uint32_t index; /* of the operation, or CONV_NONE */
    uint32_t group;
} replay_far;

/*
 * A rank has, one after the other: replay_rank, chains; of its last operations, at their indices
 * modulo a power of two, the group of each that is a near request, + 1; groups; places.
 */
typedef struct replay_cursor {
    const replay *program;
    const replay_record *record; /* of the program */
    char *ranks;                 /* [num_ranks] of stride */
    size_t stride;
    size_t near_at;
    size_t groups_at;
    size_t places_at;
    uint32_t num_near; /* a power of two, or 0 */
    replay_extent extent;
    const sim_slices *slices; /* to be noted, or NULL */
} replay_cursor;

static inline replay_rank *replay_rank_of(const replay_cursor *c, uint32_t rank)
{
    return (replay_rank *)(void *)(c->ranks + rank * c->stride);
}

static inline replay_chain *replay_chain_at(replay_rank *r, uint32_t chain)
{
    return (replay_chain *)(void *)((char *)r + (1 + (size_t)chain) * REPLAY_LINE);
}

static inline replay_group *replay_group_at(const replay_cursor *c, replay_rank *r, uint32_t group)
{
    return (replay_group *)(void *)((char *)r + c->groups_at) + group;
}

/** Of operation @p index, if it is one of the last. */
static inline uint8_t *replay_near_at(const replay_cursor *c, replay_rank *r, uint32_t index)
{
    return (uint8_t *)r + c->near_at + (index & (c->num_near - 1));
}

static inline replay_far *replay_places_of(const replay_cursor *c, replay_rank *r)
{
    return (replay_far *)(void *)((char *)r + c->places_at);
}

/** No request of the group has been posted. */
static inline replay_group replay_group_none(void)
{
    return (replay_group){.cause = SIM_ANY};
}

/** Where the parts of a rank lie, and how large it is; the ranks themselves are not there. */
replay_cursor sched_replay_cursor_layout(const replay *p);

/** `begin`, `end`, and more of the class that is not asked often. */
void *sched_replay_cursor_new(const sim_program *program);
void sched_replay_cursor_free(void *cursor);
void sched_replay_cursor_note_slices(void *cursor, const sim_slices *slices);
uint64_t sched_replay_cursor_remaining(const void *cursor, uint32_t rank);
uint64_t sched_replay_cursor_num_ops(const sim_program *program, uint32_t rank);
char *sched_replay_cursor_label(const sim_program *program, uint32_t rank, uint32_t index);
