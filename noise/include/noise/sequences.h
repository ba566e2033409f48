/* noise/sequences.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Typical sequences of a parallel program, and where they occur in a stream of its calls: V.
 * Tabatabaee, J. Hollingsworth, "Automatic Software Interference Detection in Parallel
 * Applications", SC'07, sections 2.2 and 3. They are found once, in a clean run
 * (noise_sequences_learn()); afterwards a matcher per rank reads calls and hands out samples: what
 * the t-th occurrence of a sequence computed. On-line and after the run it is the same code. No
 * GLib: the tracer, which lives in other people's processes, has this, too.
 *
 * What the paper leaves open is decided here: occurrences of a sequence are taken from the left and
 * do not overlap; those of different sequences may. A sequence is typical if it occurs at least
 * twice (an option) on every rank. Where the ranks' counts differ by more than 5 %, it is marked:
 * see noise_sample.
 */
#pragma once

#include "noise/miner_event.h" /* sim_time */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A call of one rank. */
typedef struct noise_sequence_call {
    uint64_t symbol;  /* which call it is: depends on names only, see noise/call_symbol.h */
    sim_time compute; /* ps, >= 0: its entry less the exit of the call before (of MPI_Init, for the
                         first one) */
    sim_time entered; /* ps, on the clock that samples are to have */
    bool anchor;      /* a blocking collective of all ranks: noise_call_is_anchor(). Occurrences of
                         misaligned sequences are numbered from one to the next */
    bool has_cpu;     /* else it is not known how long the rank had its CPU meanwhile */
    sim_time off;     /* ps, with has_cpu: compute less the CPU time that the thread had in it; a
                         little below 0 where clocks are coarse */
} noise_sequence_call;

typedef struct noise_sequence {
    const uint64_t *symbol; /* [length] */
    uint32_t length;        /* > 0 */
    bool misaligned; /* ranks have it in numbers that differ by more than 5 %: samples are numbered
                        by collectives */
} noise_sequence;

/** A set of sequences, with what matching needs; immutable, so that all matchers share it. */
typedef struct noise_sequences noise_sequences;

enum {
    NOISE_SEQUENCES_MOST = 64,         /* in a set */
    NOISE_SEQUENCES_LONGEST = 1 << 20, /* symbols */
};

/**
 * The set of these sequences, in this order: those of a model file. Copies its input.
 * @param num at most NOISE_SEQUENCES_MOST, each of 1..NOISE_SEQUENCES_LONGEST symbols
 * @return owned by the caller; NULL: no memory, or out of range
 */
noise_sequences *noise_sequences_new(const noise_sequence *sequence, uint32_t num);
void noise_sequences_free(noise_sequences *sequences); /* NULL is a no-op */
uint32_t noise_sequences_num(const noise_sequences *sequences);
const noise_sequence *noise_sequences_at(const noise_sequences *sequences, uint32_t index);

/** The calls of one rank, in order, as symbols. */
typedef struct noise_symbols {
    const uint64_t *symbol; /* [num] */
    uint64_t num;
} noise_symbols;

/** How sequences are chosen. Zeroes stand for the defaults in brackets. */
typedef struct noise_sequences_options {
    uint32_t abstracted;   /* the rank whose calls make the grammar [0] */
    uint32_t most;         /* sequences; the longest ones [8] */
    uint32_t min_length;   /* calls [2] */
    uint32_t min_count;    /* occurrences on every rank [2] */
    uint32_t most_tried;   /* rules, before it is content with what it has [1000] */
    const uint64_t *finer; /* [ranks[abstracted].num] what the grammar is made of, if not of the
                              symbols that are matched: calls that are the same here must be the
                              same there. SC'07 has function and peer in the grammar, and matches
                              functions [NULL] */
} noise_sequences_options;

/** What learning found, beside the sequences. */
typedef struct noise_sequences_found {
    uint32_t num_rules;  /* of the grammar, without the start */
    uint32_t candidates; /* rules with different sequences that are long enough */
    uint32_t tried;      /* of them: from the longest on, until enough were accepted */
    uint64_t least[NOISE_SEQUENCES_MOST]; /* occurrences of each sequence accepted: on the rank that
                                             has fewest, */
    uint64_t greatest[NOISE_SEQUENCES_MOST]; /* and on the one that has most */
    double
        covered; /* share of calls that are part of an occurrence, on the rank with the smallest */
} noise_sequences_found;

/**
 * The typical sequences of a program: the rules of the grammar of one rank, the longest first, as
 * far as they occur often enough on all ranks. Deterministic. O(calls of all ranks) for each rule
 * that is tried; a rule that a rank does not have often enough is done with at that rank.
 * @param ranks [num_ranks], > 0; the abstracted one among them
 * @param found may be NULL
 * @return owned by the caller, maybe empty; NULL: no memory
 */
noise_sequences *noise_sequences_learn(const noise_symbols *ranks, uint32_t num_ranks,
                                       const noise_sequences_options *options,
                                       noise_sequences_found *found);

/** How often @p sequence occurs, from the left and not overlapping. O(num). @return false: no
 * memory */
bool noise_sequence_count(const noise_sequence *sequence, const noise_symbols *symbols,
                          uint64_t *count);

/**
 * What one occurrence of a sequence computed. Samples that are compared are those of different
 * ranks with the same sequence and the same t. A rank's t of one sequence grows.
 */
typedef struct noise_sample {
    uint32_t sequence;
    bool has_cpu; /* it is known of all its calls how long the rank had its CPU */
    uint64_t t;   /* the number of the occurrence, from 0; of a misaligned sequence: the number of
                     anchors the rank had made before the occurrence ended, times 2^20, plus the
                     number of the occurrence since the last of them (at most 2^20 - 1: later ones
                     have no sample) */
    sim_time compute;    /* S: the sum over its calls, the first one's included; ps */
    sim_time begin, end; /* from where its first computation began to where its last call was
                            entered */
    sim_time off;        /* with has_cpu: of compute, when the rank was off its CPU; 0..compute */
} noise_sample;

/** Of one rank. */
typedef struct noise_matcher noise_matcher;

/**
 * All memory that it will ever take: 32 bytes for each symbol of the longest sequence, some more
 * for each sequence.
 * @param sequences borrowed until the matcher is freed @return owned by the caller; NULL: no memory
 */
noise_matcher *noise_matcher_new(const noise_sequences *sequences);
void noise_matcher_free(noise_matcher *matcher); /* NULL is a no-op */

/**
 * The next call of the rank. O(1) for each sequence, amortised; does not allocate.
 * @param out [noise_sequences_num()] the occurrences that end with it, in the order of sequences
 * @return how many of them there are
 */
uint32_t noise_matcher_take(noise_matcher *matcher, const noise_sequence_call *call,
                            noise_sample *out);

/** Calls are missing here (a recording was cut): no occurrence goes across, counting goes on. */
void noise_matcher_break(noise_matcher *matcher);

uint64_t noise_matcher_calls(const noise_matcher *matcher);
/** Calls that are part of at least one occurrence. */
uint64_t noise_matcher_covered(const noise_matcher *matcher);
/** What all calls computed, and what those did that are part of an occurrence; ps. */
sim_time noise_matcher_work(const noise_matcher *matcher);
sim_time noise_matcher_covered_work(const noise_matcher *matcher);
uint64_t noise_matcher_bytes(const noise_matcher *matcher);

#ifdef __cplusplus
}
#endif
