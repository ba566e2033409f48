/* coll/walk.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A collective step by step, compact enough for a run of a million ranks: a course holds what all
 * ranks of a call share; a walk, half a cache line, is how far one rank has come on it.
 *
 *     coll_course course;
 *     coll_walk walk = {0};
 *     coll_step step;
 *     coll_course_init(&course, &call, algorithm);
 *     while (coll_walk_next(&course, rank, &walk, &step)) …
 */
#pragma once

#include "coll/algorithm.h"
#include "coll/step.h"

/** Rounds that are simple enough to be computed inline. */
typedef enum {
    COLL_COURSE_ANY,           /* any others: by the algorithm's own function */
    COLL_COURSE_DISSEMINATION, /* barrier, allreduce: r to r + 2^i, from r - 2^i */
    COLL_COURSE_DOUBLING       /* the same on 2^k ranks: with r xor 2^i */
} coll_course_kind;

/** A call as its ranks make it; immutable. */
typedef struct coll_course {
    coll_call call; /* counts borrowed; rank: unused */
    const struct coll_phase *const *phases;
    uint8_t kind;  /* coll_course_kind; what follows is set only if it is not COLL_COURSE_ANY */
    bool combines; /* there is reduction work after each message */
    uint32_t num_rounds; /* in each a rank sends and receives the whole vector */
    int64_t bytes;       /* of the vector */
} coll_course;

/**
 * How far a rank has come: a round, and which of its steps is next. Zeroed: the beginning. Plain
 * data; 32 bytes.
 */
typedef struct coll_walk {
    int64_t send;      /* bytes */
    int64_t recv;      /* bytes */
    uint32_t to;       /* rank in the communicator, or what the caller makes of it; COLL_NOBODY */
    uint32_t from;     /* as to */
    uint32_t position; /* of the next round, within the phase */
    uint8_t phase;
    uint8_t due;      /* coll_walk_due */
    bool combines;    /* there is work to do after what comes in */
    uint8_t reserved; /* of the caller */
} coll_walk;

/** Which step of the round comes next. */
typedef enum {
    COLL_DUE_ROUND, /* nothing: the next round */
    COLL_DUE_SEND,
    COLL_DUE_RECV,     /* opens a stage */
    COLL_DUE_EXCHANGE, /* a receive as soon as the send before it has started */
    COLL_DUE_CALC
} coll_walk_due;

/**
 * Can @p call (its rank field is ignored) be made by @p algorithm?
 * @return false with COLL_ERROR_NOT_APPLICABLE
 */
bool coll_course_check(const coll_call *call, coll_algorithm algorithm, GError **error);
/** No rank takes more steps than this. */
uint64_t coll_course_max_steps(const coll_call *call, coll_algorithm algorithm);
/** @p algorithm must be applicable to the call: coll_course_check(). O(1). */
void coll_course_init(coll_course *course, const coll_call *call, coll_algorithm algorithm);

/** How many steps @p rank takes. O(1) where rounds are computed inline, O(num_counts) where it
 * exchanges with all others by turns, else O(steps). */
uint64_t coll_course_num_steps(const coll_course *course, uint32_t rank);

/** As coll_walk_round(), for any course. O(log size) at worst. */
bool coll_walk_find(const coll_course *course, uint32_t rank, coll_walk *walk);
/** CPU time of what @p rank combines in the round it is in, if it does. */
sim_time coll_walk_work(const coll_course *course, uint32_t rank, const coll_walk *walk);

/** Go to the next round of @p rank; no step of the one before is due. @return false: it is done */
static inline bool coll_walk_round(const coll_course *course, uint32_t rank, coll_walk *walk)
{
    if (course->kind == COLL_COURSE_ANY) {
        return coll_walk_find(course, rank, walk);
    }
    if (walk->position == course->num_rounds) {
        return false;
    }
    const uint32_t size = course->call.size;
    const uint32_t d = 1U << walk->position++;
    if (course->kind == COLL_COURSE_DOUBLING) {
        walk->to = walk->from = rank ^ d;
    } else {
        walk->to = d < size - rank ? rank + d : rank - (size - d);
        walk->from = rank >= d ? rank - d : rank + (size - d);
    }
    walk->send = walk->recv = course->bytes;
    walk->combines = course->combines;
    walk->due = COLL_DUE_SEND;
    return true;
}

/** The step of the round that is due, which is not COLL_DUE_ROUND; the one after it is due next. */
static inline coll_step coll_walk_step(const coll_course *course, uint32_t rank, coll_walk *walk)
{
    switch ((coll_walk_due)walk->due) {
    case COLL_DUE_SEND:
        walk->due = walk->from != COLL_NOBODY ? COLL_DUE_EXCHANGE : COLL_DUE_ROUND;
        return (coll_step){.size = walk->send, .peer = walk->to, .type = SIM_OP_SEND};
    case COLL_DUE_RECV:
    case COLL_DUE_EXCHANGE: {
        const bool with_previous = walk->due == COLL_DUE_EXCHANGE;
        walk->due = walk->combines ? COLL_DUE_CALC : COLL_DUE_ROUND;
        return (coll_step){.size = walk->recv,
                           .peer = walk->from,
                           .type = SIM_OP_RECV,
                           .with_previous = with_previous};
    }
    default:
        walk->due = COLL_DUE_ROUND;
        return (coll_step){.size = coll_walk_work(course, rank, walk), .type = SIM_OP_CALC};
    }
}

/** The next step of @p rank. @return false: it is done. O(1), O(log size) at worst, no memory */
static inline bool coll_walk_next(const coll_course *course, uint32_t rank, coll_walk *walk,
                                  coll_step *step)
{
    if (walk->due == COLL_DUE_ROUND && !coll_walk_round(course, rank, walk)) {
        return false;
    }
    *step = coll_walk_step(course, rank, walk);
    return true;
}
