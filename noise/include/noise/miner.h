/* noise/miner.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * NoiseMiner: finds noise in a stream of events whose durations should repeat. Dooley, Mei,
 * Kale 2009; docs/noise-miner.md. Merging is associative: any split of the stream
 * gives the same bytes (mode modern).
 */
#pragma once

#include "noise/miner_event.h"
#include "sim/sink.h"
#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
    NOISE_MINER_MODERN,
    NOISE_MINER_PAPER,      /* as published */
    NOISE_MINER_PROJECTIONS /* as the tool Projections does it: times in whole microseconds */
} noise_miner_mode;

typedef struct noise_miner_options {
    noise_miner_mode mode;
    double min_share;   /* of run time; rows below it are counted, not shown [1e-4] */
    uint64_t min_count; /* of occurrences; likewise [3; mode projections: 6; unused in paper] */
    sim_time quantum;   /* of the scheduler; label: internal up to 80 % of it [100 ms] */
    sim_time tick;      /* of the clock that events were recorded with; mode modern: a difference
                           of up to 1.5 ticks from the expected duration is rounding [0] */
    double cutoff;      /* mode paper: smallest t_noise / period shown [0]; mode projections: what
                           importance must be above [0.8] */
} noise_miner_options;
void noise_miner_options_init(noise_miner_options *options, noise_miner_mode mode);

typedef struct noise_miner noise_miner;
noise_miner *noise_miner_new(const noise_miner_options *options);
void noise_miner_free(noise_miner *miner);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_miner, noise_miner_free)

/**
 * One event; those of a rank in order of time. O(1) and no memory where it lasted as expected,
 * O(log of the rank's distinct durations) otherwise. A rank keeps counters per bin (at most 1600)
 * and per quarter octave its most recent events that were hit: 16..1024 of them, the fewer the more
 * ranks were hit. So memory is bounded, however long the stream.
 */
void noise_miner_add_event(noise_miner *miner, const noise_miner_event *event);
/** One of which no more is known; it waited for nobody. */
void noise_miner_add(noise_miner *miner, uint32_t rank, uint64_t type, sim_time start, sim_time end,
                     sim_time expected);
/** A name for a type, for reports. Copied. */
void noise_miner_name_type(noise_miner *miner, uint64_t type, const char *name);
/** Add all that @p other has seen; it is left as it was. Associative and commutative. */
void noise_miner_merge(noise_miner *miner, const noise_miner *other);
/**
 * Add what a file says that `ripple trace --mine` left: docs/formats.md. The tick of its clock is
 * that of the miner, unless the options name one.
 * @return false, and nothing is added: it cannot be read, or was mined in another mode
 */
bool noise_miner_add_file(noise_miner *miner, const char *path, GError **error);
/** Events that whoever mined had no memory for; they are in no number of a report. */
uint64_t noise_miner_lost(const noise_miner *miner);
/**
 * A sink for sim_run(), which may have several threads: expected durations are known there, and so
 * is the whole length of a detour of which an event meets the rest (found in O(log of its length)
 * questions to the noise). Borrowed, lives with the miner; reports and merging wait for the run.
 */
sim_sink *noise_miner_sink(noise_miner *miner);

/** What the usual estimators of a period say of the same events; 0 where there are too few. */
typedef struct noise_miner_classic {
    sim_time range_by_events; /* as published: from the first to the last, by their number */
    sim_time range_by_gaps;   /* by one less: the mean gap */
    sim_time median_gap;
    double gap_cv;            /* standard deviation of the gaps by their mean; -1: too few */
    sim_time rayleigh_period; /* the clearest of the periodogram … */
    double rayleigh_z;        /* … and how clear: 1 by chance, up to the number of events */
} noise_miner_classic;

/** Epochs that a run is divided into, at most; of longer ones at least 8 are in use. */
#define NOISE_MINER_EPOCHS 15

typedef enum {
    NOISE_MINER_NOT_KNOWN, /* published modes, bounds, several rhythms of one length on a rank */
    NOISE_MINER_TOO_FEW,   /* hits that tell something of their own */
    NOISE_MINER_NO_CHANGE, /* that chance does not explain, or by less than a factor of two */
    NOISE_MINER_CHANGED
} noise_miner_verdict;

/** Did noise begin, end or change its rate on the way? */
typedef struct noise_miner_change {
    noise_miner_verdict verdict;
    double chance;        /* that a Poisson process of constant rate shows one as clear; 1 */
    uint32_t first, last; /* changed: epochs in which the rate is another */
    double times;         /* changed: that rate by the one of all other epochs; 0: paused;
                             infinite: only there */
    sim_time from, to; /* changed: begin of the first and end of the last of them; of what is only
                          there, as narrow as is known */
} noise_miner_change;

typedef struct noise_miner_row {
    sim_time t_noise;     /* mean length of a detour: the time it adds to an event that meets all
                             of it */
    sim_time t_noise_low; /* 95 % confidence interval */
    sim_time t_noise_high;
    uint64_t count;              /* detours; an event that took three in whole counts as three */
    uint64_t partial;            /* events that got only the rest of a detour whose length is not
                                    known; not in count */
    sim_time period;             /* 0: none found */
    double period_confidence;    /* 1 - false-alarm probability; 0 without a period */
    double rate;                 /* occurrences per second and affected rank */
    double share;                /* of the run time of all ranks observed, 0..1; with partial */
    double share_affected;       /* of the run time of the affected ranks, 0..1 */
    noise_miner_classic classic; /* published modes: of the window of recent events, of all ranks
                                    together, as the method has it */
    double importance;           /* mode projections: t_noise / period * ln(t_noise / us), infinite
                                    where the period is 0; else 0 */
    uint32_t num_ranks;
    uint32_t num_ranges;
    uint32_t (*ranks)[2]; /* [num_ranges] first and last, inclusive */
    bool ranks_exact;     /* else the ranges are cut off */
    bool at_least; /* t_noise is a bound: the most that an event became longer, where no length
                      stands out; recorded rests of detours look so */
    uint32_t num_exemplars;
    char *label;      /* "internal", "external", "periodic", … one short phrase */
    double preempted; /* share of the time lost in which the CPU time did not grow, 0..1; the rest
                         is slow code. < 0: no CPU times */
    double gap_cv;    /* standard deviation by mean of the times between detours on a rank: 0
                         strict, 1 Poisson, larger bursty; < 0: too few */
    noise_miner_change change;
    double hits[NOISE_MINER_EPOCHS]; /* in each epoch of the report, rests of detours included;
                                        where the verdict is known */
    double seen[NOISE_MINER_EPOCHS]; /* how long its ranks were looked at there, s, all together */
    noise_miner_event *exemplars;    /* [num_exemplars <= 36] in order of time: the most recent, the
                                        largest, some at random. Published modes: none */
} noise_miner_row;

typedef struct noise_miner_type_row {
    uint64_t type;
    char *name;      /* or NULL */
    uint64_t events; /* seen */
    uint64_t slower; /* longer than expected, where add() was told what to expect */
    double excess;   /* by how much those were longer, in all, s */
} noise_miner_type_row;

/** A delay that came once, or a few times in all. */
typedef struct noise_miner_single {
    uint32_t rank;
    sim_time start;  /* of the event that it made longer */
    sim_time length; /* what it added; a bound, where the rank may have been waiting before */
    double share;    /* of the run time of its rank */
} noise_miner_single;

/** All that ranks do takes longer or shorter than at first: their clock, or whatever else takes a
 * share of their time always. It is no noise; events are judged by what they last at that time. */
typedef struct noise_miner_drift {
    double size;    /* +0.1: all lasts 10 % longer; of a gradual one where it is furthest off */
    double low;     /* 95 % confidence interval … */
    double high;    /* … of few sizes all that they may be */
    bool gradual;   /* in more steps than one */
    uint32_t types; /* of events that say so, on the rank with fewest. 1: its work may have
                       changed instead */
    uint32_t first, last; /* epochs of the report; it came in the first of them or the one before */
    sim_time from, to;    /* their begin and end */
    uint32_t num_ranks;
    uint32_t num_ranges;
    uint32_t (*ranks)[2]; /* [num_ranges] first and last, inclusive */
    bool ranks_exact;     /* else the ranges are cut off */
} noise_miner_drift;

typedef struct noise_miner_report {
    size_t num_rows;
    noise_miner_row *rows; /* largest share first (published modes: by t_noise) */
    size_t num_faster;
    noise_miner_row *faster; /* shorter than expected, t_noise < 0; never in rows. Mode paper: none,
                                since as published they are among the rows */
    uint64_t dropped_rows;   /* below min_share or min_count; mode paper: below cutoff */
    double dropped_share;    /* of the run time of all ranks, in dropped rows */
    size_t num_singles;
    noise_miner_single *singles; /* longest first, at least ten times min_share of its rank's run
                                    time; they are residue, too. Published modes: none */
    uint64_t more_singles;       /* not among these, though as large */
    uint64_t residue_events;     /* slower than expected, but part of no row, dropped or not */
    double residue_share;        /* of the run time of all ranks */
    size_t num_drifts;
    noise_miner_drift *drifts; /* mode modern, in order of time */
    size_t num_types;
    noise_miner_type_row *types; /* in order of type */
    uint64_t events;
    uint32_t ranks_seen;
    sim_time observed;    /* from first start to last end */
    double run_time;      /* of all ranks, each from its first start to its last end, s */
    sim_time first;       /* start */
    uint32_t num_epochs;  /* mode modern: 1..NOISE_MINER_EPOCHS; published modes: 0 */
    sim_time epochs_from; /* begin of the first epoch, at or before first */
    sim_time epoch;       /* width of each */
} noise_miner_report;

/** What has been found so far; the miner may go on. Owned by the caller. */
noise_miner_report *noise_miner_report_new(noise_miner *miner);
void noise_miner_report_free(noise_miner_report *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_miner_report, noise_miner_report_free)

G_END_DECLS
