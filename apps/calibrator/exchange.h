/* apps/calibrator/exchange.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the two ranks do with each other, and how long it takes on rank 0.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What both ranks do; the times are of rank 0. */
typedef enum {
    ROUND_TRIP,    /* a message there and one back */
    BURST,         /* BURST_LENGTH messages without a pause, one back */
    SPACED,        /* SPACED_LENGTH messages, between them pauses; one back */
    PAUSES,        /* the pauses of SPACED without its messages: rank 0 alone */
    CALLS,         /* a collective twice, with either rank as its root if it has one */
    RECEIVING,     /* one receive of a message that is there */
    COLD_EXCHANGE, /* each sends and receives after it has walked through memory; of the rank
                    * that took less, which is the one that came later and did not wait */
    COLD_CALL,     /* a collective after both have walked through memory: of the rank that took
                    * less; if it has a root, the mean of who sends and who receives what is there */
    WALKED,        /* after walks through o.bytes of memory an exchange of 1 B, and after that an
                    * allreduce of 8 B: both of the rank that took less (exchange_walked()) */
    LATE,          /* one send, to a rank that is outside MPI before the pause is over */
    UNPOSTED,      /* the same; meanwhile the rank calls MPI, but receives nothing */
    PACE,          /* pace.h, of both ranks at once */
    END
} kind;

typedef struct order {
    int64_t kind;
    int64_t bytes;
    int64_t repetitions;
    int64_t pause; /* ns */
    int64_t call;  /* of CALLS and COLD_CALL: calls.h */
} order;

enum {
    BURST_LENGTH = 16,
    SPACED_LENGTH = 16,
    LARGEST = 1 << 22, /* bytes */
    WALK = 1 << 22,    /* bytes: more than the caches that a core has for itself */
    MOST_WALKED = 1 << 26,
    TAG = 7,
};

/** Who is on the other side; all ranks call it. @return false: there is no memory */
bool exchange_begin(int other_rank, bool is_measured);
void exchange_end(void);
int exchange_peer(void);

/**
 * Rank 0: tell the other rank, and do it so often.
 * @return ns of all repetitions together
 */
int64_t exchange_run(const order *o);

/** What rank 0 has seen of a WALKED, ns. */
typedef struct walked {
    int64_t walk;
    int64_t exchange;
    int64_t call;
} walked;
/** Rank 0: tell the other rank, and do it once. */
walked exchange_walked(const order *o);

/** Rank 0: how fast both cores compute now. @return pace_now() of the slower one */
int64_t exchange_pace(void);

/** What a computation does to the caches: code and queues of MPI are in them no more. */
void exchange_walk(void);

/** The other rank: do what rank 0 tells until it says END. */
void exchange_follow(void);
