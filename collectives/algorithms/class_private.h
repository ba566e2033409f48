/* collectives/algorithms/class_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The descriptor of an algorithm. Each algorithm defines one in its own file and has one row in
 * table.c; everything that names, lists, selects, runs or tests algorithms goes through the table.
 */
#pragma once

#include "algorithms/round_private.h"
#include "coll/algorithm.h"

#define COLL_MAX_PHASE 2

/**
 * What the messages of a phase carry. The test of the data flow
 * (tests/collectives/algorithms/flow.h) takes it literally: a message must be as long as these
 * blocks are, and with them every rank must end with what MPI says. "Has" means: as received in
 * this phase and those before.
 */
typedef enum {
    COLL_CARRIES_ALL,       /* all that the sender has; a vector is in one piece */
    COLL_CARRIES_MISSING,   /* complete blocks that the receiver has not got complete */
    COLL_CARRIES_SUBTREE,   /* the blocks of the receiver and of all ranks below it in the tree */
    COLL_CARRIES_OWN,       /* the block that the receiver ends with */
    COLL_CARRIES_PAIR,      /* alltoall: the block from sender to receiver */
    COLL_CARRIES_BITS,      /* alltoall: blocks whose distance has bit i set, i: the round */
    COLL_CARRIES_HALF,      /* recursive halving: what the receiver goes on answering for */
    COLL_CARRIES_ROUNDTRIP, /* ring: the block that is due at its owner after size - 1 hops */
} coll_payload;

/** A function of rounds, and what is known of it as a whole. */
typedef struct coll_phase {
    coll_round_fn *round;
    /**
     * Is every round of rank r that of rank 0 with r added to both partners, modulo the number of
     * ranks? May say no where the answer is yes, which only takes longer. NULL: never.
     */
    bool (*rotates)(const coll_call *call);
    /** The same with exclusive-or in place of the sum. */
    bool (*mirrors)(const coll_call *call);
    /** Which coll_course_kind (coll/walk.h) computes the rounds on the spot? NULL: none does. */
    uint8_t (*course)(const coll_call *call);
    /** Sends, receives and calcs of call->rank, without going through its rounds: O(num_counts).
     * NULL: they are counted round by round. */
    uint64_t (*num_steps)(const coll_call *call);
    coll_payload payload;
    bool repeats; /* some contributions may reach a rank more than once */
} coll_phase;

/** A whole number that the user may give: "knomial-8". */
typedef struct coll_parameter {
    const char *name; /* NULL: the algorithm has none */
    uint32_t usual;   /* where none is given */
    uint32_t min;
    uint32_t max;
} coll_parameter;

struct coll_algorithm_class {
    const char *name; /* as the user writes it; lower case, '-' between words */
    coll_parameter parameter;
    /** No rank has more rounds in a phase than this. NULL: floor(log2(size)) + 2 at most. */
    uint64_t (*max_rounds)(uint32_t size, uint32_t parameter);
    /** In the order in which they run; none: it cannot do this kind. Unrooted kinds: root 0. */
    const coll_phase *phases[COLL_NUM_KINDS][COLL_MAX_PHASE + 1];
};

/** size: every other rank in turn. */
static inline uint64_t coll_rounds_linear(uint32_t size, uint32_t parameter)
{
    (void)parameter;
    return size;
}

/* Phases of which others are composed, too. */
extern const coll_phase coll_binomial_bcast, coll_binomial_reduce; /* binomial.c */
extern const coll_phase coll_far_gather, coll_far_scatter;         /* binomial_far.c */
extern const coll_phase coll_bruck_allgather, coll_bruck_alltoall; /* bruck.c */
extern const coll_phase coll_scan_linear, coll_scan_doubling;      /* scan.c */
extern const coll_phase coll_shifted_alltoall;                     /* pairwise.c */
