/* sim/critical_path_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Why is an instant what it is? Every instant that a run computes is a *mark*: it follows from
 * an earlier mark, and what lies between the two is of one kind. From the makespan back to 0 the
 * marks are the critical path, and since neighbours meet, their kinds sum up to the makespan.
 *
 * Marks are made only for what may come to be asked for: an instant that bounds nothing (a free
 * network interface, say) is remembered as the mark before it and turned into one when it bounds.
 */
#pragma once

#include "sim/run.h"

#define PATH_START 0U /* the mark of instant 0 */

typedef enum {
    PATH_COMPUTE,
    PATH_OVERHEAD,      /* o */
    PATH_BYTE_OVERHEAD, /* O */
    PATH_LATENCY,
    PATH_GAP,
    PATH_NOISE,
    PATH_NUM_KINDS
} path_kind;

typedef struct path_mark {
    sim_time at;
    uint32_t before; /* the mark it follows from */
    uint32_t rank;   /* who is busy, or waits, in between */
    uint32_t op;     /* with which operation; SIM_ANY: none yet */
    uint8_t kind;
    uint8_t type; /* sim_op_type of op */
} path_mark;

/* Where an operation's marks are: 8 bytes of the bookkeeping per operation. */
typedef struct path_op {
    uint32_t start;
    uint32_t finish;
} path_op;

typedef struct path_book {
    path_mark *mark;
    uint32_t num_marks, cap_marks;
    uint64_t *first; /* [num_ranks] operations of the ranks before */
    path_op *op;     /* [operations in all] */
    uint32_t *last;  /* [num_ranks] operation that finished last; SIM_ANY: none */
    bool full;       /* more than 2^32 marks: the path is lost */
} path_book;

path_book *sim_path_new(const sim_program *program);
void sim_path_free(path_book *book);

/** Who does what: the part of a mark that stays the same during an operation. */
typedef struct path_who {
    uint32_t rank;
    uint32_t op;
    uint8_t type;
} path_who;

/** The mark of instant @p at, @p kind after @p before; @p before itself if that is its instant. */
uint32_t sim_path_mark(path_book *book, uint32_t before, sim_time at, path_kind kind, path_who who);
/** Marks of a CPU that from @p before on works @p work of @p kind and is done at @p at. */
uint32_t sim_path_work(path_book *book, uint32_t before, sim_time at, sim_time work, path_kind kind,
                       path_who who);
/** What happened from @p mark back to @p before (not included) was, it turns out, @p op. */
void sim_path_adopt(path_book *book, uint32_t mark, uint32_t before, uint32_t op);

static inline path_op *sim_path_op(path_book *book, uint32_t rank, uint32_t op)
{
    return &book->op[book->first[rank] + op];
}

/** An operation finishes at @p at, the latest of its rank's others at @p latest. */
static inline void sim_path_note_finish(path_book *book, uint32_t rank, uint32_t op, sim_time at,
                                        sim_time latest)
{
    if (at > latest || book->last[rank] == SIM_ANY) {
        book->last[rank] = op;
    }
}

/** Breakdown and path of a finished run into @p result, of which the rest is there. */
void sim_path_explain(const path_book *book, sim_result *result);
