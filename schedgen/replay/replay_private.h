/* schedgen/replay/replay_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A replayed program: what all copies of a recorded rank share. Its record is a list of steps, with
 * everything that can be known before a run: the requests that one wait completes have the number
 * of a group, which is used again once it is free. Equal steps are stored once, and so are equal
 * collectives: a record is an order of them.
 */
#pragma once

#include "coll/walk.h"
#include "convert/convert_private.h"
#include "convert/convert_resample.h"

typedef enum {
    REPLAY_OP,       /* what follows requires it */
    REPLAY_PAIR,     /* the same: a send, after which an exchange comes */
    REPLAY_EXCHANGE, /* a receive that irequires the send right before it */
    REPLAY_POST,     /* what follows irequires it */
    REPLAY_JOIN,     /* what follows requires what is in the group */
    REPLAY_COLL,
    REPLAY_ICOLL, /* what follows irequires its first operation */
    REPLAY_HALF,  /* no operation: half of the record lies behind (sim/slices.h) */
    REPLAY_END
} replay_step_kind;

typedef struct replay_step {
    int64_t size;   /* of the operation */
    uint32_t peer;  /* of the operation, in the copy, or SIM_ANY; collectives: index in colls */
    uint32_t tag;   /* of the operation */
    uint32_t comm;  /* of the operation */
    uint32_t place; /* of a request that is far, or CONV_NONE; ICOLL: of the chain */
    uint32_t group; /* the group that it is awaited with, or CONV_NONE; JOIN: the group awaited */
    uint8_t kind;   /* replay_step_kind */
    uint8_t op;     /* sim_op_type */
    uint8_t near;   /* of a request that is near: its group + 1; else 0 */
    uint8_t none;   /* 0: there is no padding, so steps compare as bytes */
} replay_step;

/*
 * An entry of the order: the index of a step; after that of a collective comes the tag of all its
 * messages. Or, with REPLAY_CALC, a calculation of that many units; with REPLAY_LONG, too, these
 * are the upper half of a number whose lower half comes next. Where computation is resampled: the
 * calculation of that number, without REPLAY_LONG.
 */
#define REPLAY_CALC (UINT32_C(1) << 31)
#define REPLAY_LONG (UINT32_C(1) << 30)

/* A collective, as often as the rank makes it. */
typedef struct replay_coll {
    conv_coll recorded; /* but for the tag */
    coll_course course; /* at the size it has in this program */
    uint64_t times;
    bool in_order; /* member i is rank i */
} replay_coll;

/* A recorded rank. */
typedef struct replay_record {
    uint32_t *order;      /* the last entry is REPLAY_END */
    replay_step *steps;   /* [num_steps] that differ */
    replay_coll *colls;   /* [num_colls] */
    sim_time unit;        /* of calculations in the order */
    uint32_t num_entries; /* of the order */
    uint32_t num_colls;
    uint32_t num_steps;
    uint64_t num_ops; /* without those of collectives */
} replay_record;

/** How long the calculation takes that is @p entry of the order; @p step is after it. */
static inline sim_time replay_calc_size(const replay_record *record, uint32_t entry, uint32_t *step)
{
    sim_time units = entry & (REPLAY_LONG - 1);
    if ((entry & REPLAY_LONG) != 0) {
        units = units << 32 | record->order[(*step)++];
    }
    return units * record->unit;
}

/*
 * A request is near if a rank goes through no collective, and through few operations, from the
 * first post of its wait to the wait. Then so many of its last operations are known by their index
 * alone.
 */
#define REPLAY_NEAR 256

/* The most that any rank has at once. */
typedef struct replay_extent {
    uint32_t span;     /* operations from a post to its wait, of requests that are near */
    uint32_t places;   /* requests that are far */
    uint32_t groups;   /* waits to come for requests that have been posted */
    uint32_t chains;   /* nonblocking collectives */
    uint32_t receives; /* that have been posted, and will be waited for */
} replay_extent;

/** Of all that one rank has and another has, the most. */
static inline void replay_extent_join(replay_extent *all, const replay_extent *one)
{
    all->span = MAX(all->span, one->span);
    all->places = MAX(all->places, one->places);
    all->groups = MAX(all->groups, one->groups);
    all->chains = MAX(all->chains, one->chains);
    all->receives = MAX(all->receives, one->receives);
}

typedef struct replay {
    sim_program program;        /* first: a replay is a program */
    struct replay *base;        /* whose orders and steps, and lonely, it has; its own: itself */
    gint refs;                  /* own: programs that have them, this one among them */
    conv_lonely *lonely;        /* what the conversion left out */
    uint32_t num_records;       /* H: rank r follows record r % H */
    uint64_t reciprocal;        /* of H: 2^64 / H, rounded up; 0 if H is 1 */
    conv_resample *resample;    /* what ranks compute; NULL: what was recorded. Its own */
    const sched_growth *growth; /* who follows which record, and who is whose partner; or NULL */
    uint32_t repeat;            /* every rank goes through its record this often */
    replay_record *record;      /* [num_records] */
    replay_extent extent;
    uint32_t classes; /* sim_symmetry.classes */
    uint8_t ways;     /* coll_ways between ranks, if classes > 0 */
} replay;

/** Rank r is rank `record` of a copy; with a growth, which has no copies, it follows `record`. */
typedef struct replay_self {
    uint32_t rank;
    uint32_t record;
} replay_self;

/** The copy that @p rank is in; 0 with a growth. */
static inline uint32_t replay_copy_of(const replay *p, uint32_t rank)
{
    if (p->growth != NULL) {
        return 0;
    }
    /* The product is exact to one part in 2^32: more than any rank needs. */
    __extension__ typedef unsigned __int128 wide;
    return p->reciprocal > 0 ? (uint32_t)((wide)p->reciprocal * rank >> 64) : rank;
}

static inline replay_self replay_self_of(const replay *p, uint32_t rank)
{
    const uint32_t record = p->growth != NULL ? p->growth->methods->record(p->growth, rank)
                                              : rank - replay_copy_of(p, rank) * p->num_records;
    return (replay_self){.rank = rank, .record = record};
}

/** The first rank of the copy that it is in, without a growth. */
static inline uint32_t replay_shift(replay_self self)
{
    return self.rank - self.record;
}

/** The same if computation is resampled: of calculation @p entry in pass @p repetition. */
static inline sim_time replay_resampled_size(const replay *p, replay_self self, uint32_t repetition,
                                             uint32_t entry)
{
    const conv_series *series = &sched_convert_resample_series(p->resample)[self.record];
    const uint32_t copy = replay_copy_of(p, self.rank);
    const uint32_t who = conv_resample_who(p->growth, p->num_records, self.rank, copy);
    return conv_series_size(series, entry & (REPLAY_LONG - 1),
                            sched_convert_resample_turn(p->resample, who, repetition));
}

/** How long @p self computes at @p entry of the order in pass @p repetition. */
static inline sim_time replay_computed(const replay *p, replay_self self, uint32_t repetition,
                                       uint32_t entry, uint32_t *step)
{
    return p->resample == NULL ? replay_calc_size(&p->record[self.record], entry, step)
                               : replay_resampled_size(p, self, repetition, entry);
}

/** The rank of @p self in the communicator of the collective as it is in this program. */
static inline uint32_t replay_coll_rank(const replay *p, const replay_coll *coll, replay_self self)
{
    const coll_call *call = &coll->recorded.call;
    if (p->growth != NULL) {
        return p->growth->methods->place(p->growth, self.rank, coll->recorded.span);
    }
    return coll->recorded.grows ? call->rank + call->size * replay_copy_of(p, self.rank)
                                : call->rank;
}

/** How many operations a rank has. O(number of its collectives). */
uint64_t sched_replay_rank_ops(const replay *p, uint32_t rank);

extern const sim_program_class sched_replay_class;
extern const struct sim_symmetry_class sched_replay_symmetry;
extern const struct sim_passes_class sched_replay_passes;

/** All records are there: do copies do the same? Sets classes and ways. O(collectives of a record).
 */
void sched_replay_find_symmetry(replay *p);
/** `begin` of both classes: for the first ranks, or all. */
void *sched_replay_cursor_first(const sim_program *program, uint32_t num_ranks);

void sched_replay_free(sim_program *program);

/** The course of a collective at the size that it has with @p context. */
void sched_replay_course_find(replay_coll *coll, const conv_context *context);

/**
 * Work out the record of one rank; sched_replay_record_clear() frees it. @p extent grows as needed.
 * O(steps).
 */
void sched_replay_record_init(replay_record *record, const conv_template *from,
                              const conv_context *context, replay_extent *extent);
void sched_replay_record_clear(replay_record *record);
