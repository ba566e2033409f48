/* bench/sc07/lab.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Learns and rates many times: for each seed thresholds are learned anew, then a run of each kind
 * is rated by them. Seeds go to threads; what comes out does not depend on how many there are.
 */
#pragma once

#include "rating.h"

typedef struct sc07_lab {
    unsigned seeds; /* repetitions of everything */
    unsigned threads;
    uint64_t seed;
} sc07_lab;

/* To learn from, for each seed; no plan has more. */
enum { SC07_CLEAN_RUNS = 5, SC07_DISTURBED_RUNS = 3 };

/** A kind of run that is rated. */
typedef struct sc07_kind {
    const char *noise;           /* NULL: none */
    const sc07_program *program; /* another configuration than was learned; NULL: the same */
} sc07_kind;

/** What is learned, and what is rated. */
typedef struct sc07_plan {
    const sc07_set *set;
    uint32_t node;          /* whose two ranks are rated */
    const char *lesson;     /* noise of the disturbed runs that are learned from */
    const sc07_kind *kinds; /* [num_kinds] */
    size_t num_kinds;
    noise_interference_rule rule;
    bool one_each;   /* learned from one clean run and one disturbed, as in the paper */
    uint64_t stream; /* plans of different ones have no runs in common */
} sc07_plan;

typedef struct sc07_outcome {
    unsigned seeds;
    size_t num_kinds;
    sc07_rating *rating; /* [seeds] */
    sc07_rated *rated;   /* [num_kinds][seeds] */
} sc07_outcome;

/** What is learned in repetition @p repetition. */
sc07_rating sc07_lab_learn(const sc07_lab *lab, const sc07_plan *plan, unsigned repetition);
/** The run of a kind in it. @return owned by the caller */
sc07_samples *sc07_lab_run(const sc07_lab *lab, const sc07_plan *plan, unsigned repetition,
                           size_t kind);
/** All of them. @return owned by the caller */
sc07_outcome *sc07_lab_do(const sc07_lab *lab, const sc07_plan *plan);
void sc07_outcome_free(sc07_outcome *outcome); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sc07_outcome, sc07_outcome_free)

/** Of the runs of one kind: the mean of the metrics of both ranks, for each seed. @param out
 * [seeds] */
void sc07_outcome_nodes(const sc07_outcome *outcome, size_t kind, double *out);
/** The metrics of one rank of the node. */
void sc07_outcome_ranks(const sc07_outcome *outcome, size_t kind, uint32_t which, double *out);
/** The mean ILS of a sequence over ranks and seeds that use it; NAN: none does. */
double sc07_outcome_ils(const sc07_outcome *outcome, size_t kind, uint32_t sequence);
