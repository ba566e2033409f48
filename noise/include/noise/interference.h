/* noise/interference.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Does something outside the program disturb a rank? Typical sequences of its MPI calls are
 * compared, occurrence by occurrence, with the same ones on other ranks or in clean runs.
 * Tabatabaee and Hollingsworth, SC07; docs/interference.md. Plain C: no GLib here, so that the
 * tracer reads the same model.
 *
 *     model    what was learned: typical sequences, thresholds, what the clean runs looked like
 *     scorer   takes samples of all ranks, in any interleaving, and keeps counts
 *     verdict  what the counts of a rank come to
 *
 * All sums are of whole picoseconds and all comparisons with thresholds exact, so results depend
 * neither on the order in which ranks report nor on threads.
 */
#pragma once

#include "noise/sequences.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One line that names file, line and value. */
typedef struct noise_interference_error {
    char text[512];
} noise_interference_error;

/* --- Model --------------------------------------------------------------------------------- */

/** What the t-th sample of a rank is compared with. */
typedef enum {
    NOISE_REFERENCE_PAPER, /* mean and population standard deviation over all ranks: one outlier of
                              P cannot have more than sqrt(P - 1) deviations */
    NOISE_REFERENCE_LOO,   /* the same over the ranks of all other nodes */
    NOISE_REFERENCE_MAD,   /* median + K 1.4826 MAD over all ranks */
    NOISE_REFERENCE_CLEAN  /* this rank and sequence in the clean runs: needs no other rank */
} noise_interference_reference;
#define NOISE_REFERENCES 4
/** "paper", "loo", "mad", "clean". */
extern const char *const noise_interference_reference_names[NOISE_REFERENCES];

/** Where thresholds come from. */
typedef enum {
    NOISE_LEARNED_PAPER,  /* argmax of ILS disturbed - clean, the smallest of the plateau */
    NOISE_LEARNED_GAIN,   /* the largest K within 10 % of the best gain, of those that no clean run
                             exceeds */
    NOISE_LEARNED_CLEAN,  /* no disturbed run: beyond all that clean runs have shown */
    NOISE_LEARNED_NOTHING /* from theory, for a false-alarm rate */
} noise_interference_rule;
#define NOISE_LEARNED_RULES 4
/** "paper", "gain", "clean", "theory". */
extern const char *const noise_interference_rule_names[NOISE_LEARNED_RULES];

/** A call that occurs in typical sequences. */
typedef struct noise_interference_call {
    uint64_t symbol; /* noise/sequences.h */
    char *name;      /* "MPI_Send to rank+1" */
} noise_interference_call;

typedef struct noise_interference_sequence {
    uint32_t length; /* 1..NOISE_SEQUENCES_LONGEST */
    uint32_t *calls; /* [length] indices of model->calls */
    bool misaligned; /* noise/sequences.h */
} noise_interference_sequence;

/** K is kept in thousandths. */
#define NOISE_INTERFERENCE_K_ONE  1000
#define NOISE_INTERFERENCE_K_MOST 1000000

/** One rank and one sequence: its threshold, and how it was in the clean runs. */
typedef struct noise_interference_row {
    bool used;          /* false: tells nothing of this rank */
    uint32_t k;         /* in thousandths, 0..NOISE_INTERFERENCE_K_MOST */
    uint64_t count;     /* samples of clean runs that the filter let through; 0: not learned */
    uint64_t exceeded;  /* of them above the threshold: the rate of false alarms is about
                           exceeded / count */
    sim_time mean;      /* of the samples */
    sim_time deviation; /* standard deviation of them, population */
    sim_time centre;    /* mean of what they were compared with; CLEAN: the mean */
    sim_time residual;  /* standard deviation of sample - mean / centre * reference */
    uint32_t peak;      /* highest that the clean runs drove the CUSUM, in thousandths */
    bool has_cpu;       /* of all these samples it is known how long they were off the CPU; else
                           the next three are 0 */
    sim_time off;       /* mean of that */
    sim_time off_deviation;
    uint32_t off_peak;   /* as peak, of the time off the CPU alone */
    uint32_t num_course; /* 0: the samples of a rank are alike; else … */
    sim_time *course;    /* [num_course] … the t-th is compared with the t-th, the mean over the
                            clean runs. CLEAN alone */
} noise_interference_row;

/** When has it begun? CUSUM of min(z, most) - allowance, z in deviations. */
typedef struct noise_interference_onset {
    uint32_t allowance; /* in thousandths of a deviation [1000] */
    uint32_t most;      /* so much does a single sample count at most, in thousandths [4000] */
    uint32_t alarm;     /* from here on it is disturbed, in thousandths [8000]; never below twice
                           the row's peak */
    uint32_t floor;     /* a deviation is at least so many thousandths of what is expected [20] */
} noise_interference_onset;

typedef enum { NOISE_RUN_CLEAN, NOISE_RUN_DISTURBED } noise_interference_run_kind;

/** A run that was learned from. */
typedef struct noise_interference_run {
    noise_interference_run_kind kind;
    char *name; /* a path, or what simulated it; one line */
} noise_interference_run;

typedef struct noise_interference_model {
    uint64_t checksum; /* of the file it was read from; 0: it was not */
    noise_interference_reference reference;
    uint32_t match; /* how calls were told apart: noise_match of noise/call_symbol.h */
    noise_interference_rule rule;
    noise_interference_onset onset;
    sim_time filter;       /* samples below it are ignored, ps [0.5 ms] */
    double false_alarms;   /* rate per sample that thresholds from theory allow, 0..1 */
    double coverage;       /* share of the calls of the clean runs in some typical sequence, 0..1 */
    double least_coverage; /* below it the program has changed too much to be judged */
    uint64_t seed;         /* of what was simulated; 0: nothing was */
    char *how;             /* the options it was learned with, one line */
    uint32_t num_runs;
    noise_interference_run *runs; /* [num_runs] */
    uint32_t num_calls;
    noise_interference_call *calls; /* [num_calls] */
    uint32_t num_sequences;
    noise_interference_sequence *sequences; /* [num_sequences] */
    uint32_t num_ranks;                     /* learned; 0: nothing of single ranks */
    noise_interference_row *rows; /* [num_ranks + 1][num_sequences]; the last row of each sequence
                                     is for any rank that was not learned */
} noise_interference_model;

/** An empty model with the defaults in []; all members are malloc'ed. @return NULL: no memory */
noise_interference_model *noise_interference_model_new(void);
void noise_interference_model_free(noise_interference_model *model); /* NULL is a no-op */
/** Rows for @p num_ranks and any, all zero. After the sequences. @return false: no memory */
bool noise_interference_model_make_rows(noise_interference_model *model, uint32_t num_ranks);
/** That of @p rank, or of any rank if it was not learned. O(1). */
const noise_interference_row *noise_interference_model_row(const noise_interference_model *model,
                                                           uint32_t rank, uint32_t sequence);

/** Does a file that begins with these bytes claim to be a model? */
bool noise_interference_model_is(const void *data, size_t size);
/**
 * Read a model from memory. O(size). Refused: another version, a checksum that does not fit,
 * numbers out of range, lines missing or left over.
 * @param name of the file, for errors
 * @return owned by the caller; NULL, and @p error says file, line and value
 */
noise_interference_model *noise_interference_model_parse(const char *name, const void *data,
                                                         size_t size,
                                                         noise_interference_error *error);
/** The same from a file. */
noise_interference_model *noise_interference_model_load(const char *path,
                                                        noise_interference_error *error);
/** The text of the file: parse(text) is the same model. @return malloc'ed; NULL: no memory */
char *noise_interference_model_text(const noise_interference_model *model, size_t *size);
/** Its sequences, for matchers. @return owned by the caller; NULL: no memory */
noise_sequences *noise_interference_model_sequences(const noise_interference_model *model);

/* --- Scorer -------------------------------------------------------------------------------- */

/** Longer samples count as so long: sums of squares stay exact. 2.5 hours. */
#define NOISE_INTERFERENCE_LONGEST ((sim_time)1 << 53)

/**
 * What makes a rank compute longer than expected. Where its CPU time is known, in the run and in
 * the clean ones, this is told apart, and both may be at once; else all is DISTURBED.
 */
typedef enum {
    NOISE_INTERFERENCE_DISTURBED, /* it was off its CPU: another program, or it waited for a disk */
    NOISE_INTERFERENCE_SLOWER     /* it had its CPU, which did less: the clock's frequency, a
                                     neighbour on the core, memory */
} noise_interference_kind;
#define NOISE_INTERFERENCE_KINDS 2

typedef enum { NOISE_INTERFERENCE_BEGAN, NOISE_INTERFERENCE_ENDED } noise_interference_change;

/** Told while it happens: once per stretch of disturbance of a rank and sequence. */
typedef struct noise_interference_event {
    noise_interference_change change;
    noise_interference_kind kind;
    uint32_t rank, sequence;
    sim_time when;    /* begin of the first disturbed occurrence; end of the last */
    sim_time noticed; /* end of the occurrence that made it clear */
    sim_time lost;    /* BEGAN: so far; ENDED: in the whole stretch */
} noise_interference_event;

typedef struct noise_interference_options {
    uint32_t num_ranks;    /* of the run, >= 1 */
    const uint32_t *nodes; /* [num_ranks] the node of each; NULL: every rank has its own. Copied */
    uint32_t window;       /* so many occurrences of a sequence may wait for ranks that lag; 0: any
                              number, and then the interleaving cannot matter */
    uint32_t course;       /* points of ILS over time that are kept per rank and sequence, at least
                              2; 0: none */
    void (*tell)(void *to, const noise_interference_event *event); /* or NULL */
    void *to;
} noise_interference_options;

typedef struct noise_interference_scorer noise_interference_scorer;
/**
 * @param model borrowed, must outlive the scorer
 * @return owned by the caller; NULL: the model cannot score this run (CLEAN, but nothing learned;
 * too few ranks for any threshold), and @p error says why
 */
noise_interference_scorer *noise_interference_scorer_new(const noise_interference_model *model,
                                                         const noise_interference_options *options,
                                                         noise_interference_error *error);
void noise_interference_scorer_free(noise_interference_scorer *scorer); /* NULL is a no-op */
/**
 * O(ranks) amortised per occurrence that is complete, O(1) for CLEAN; MAD O(ranks log ranks).
 * @return false: out of order, or of a rank or sequence that there is not; nothing has changed
 */
bool noise_interference_scorer_add(noise_interference_scorer *scorer, uint32_t rank,
                                   const noise_sample *sample);
/** How much of a rank's calls, and of its computation, the sequences cover. When it has ended. */
void noise_interference_scorer_cover(noise_interference_scorer *scorer, uint32_t rank,
                                     uint64_t calls, uint64_t covered_calls, sim_time work,
                                     sim_time covered_work);
/** No sample of @p rank will follow: others do not wait for it. The result is the same without. */
void noise_interference_scorer_end(noise_interference_scorer *scorer, uint32_t rank);
/** How many samples of @p rank wait for those of others, 48 bytes each; CLEAN: none do. O(1). */
uint64_t noise_interference_scorer_waiting(const noise_interference_scorer *scorer, uint32_t rank);
/** No sample will follow: what still waits for others is counted as such. Once. */
void noise_interference_scorer_finish(noise_interference_scorer *scorer);

/** A stretch of time in which a rank was disturbed, or slower. */
typedef struct noise_interference_stretch {
    sim_time begin, end; /* of the first, of the last disturbed occurrence */
    sim_time lost;       /* computation beyond what was expected */
    bool open;           /* the run ended before it did */
} noise_interference_stretch;

#define NOISE_INTERFERENCE_STRETCHES 16

/** What one kind of it did. */
typedef struct noise_interference_loss {
    uint64_t exceeded;      /* samples above the threshold by this kind alone, had the other been as
                               in clean runs */
    sim_time lost;          /* sum of what was beyond the expected in the stretches, >= 0 */
    uint32_t num_stretches; /* when there are more, the last one goes on to the last end */
    noise_interference_stretch stretches[NOISE_INTERFERENCE_STRETCHES];
} noise_interference_loss;

typedef struct noise_interference_point {
    uint64_t t;
    sim_time end;              /* of it */
    uint64_t judged, exceeded; /* ILS(t) = exceeded / judged, 0 if none was judged */
} noise_interference_point;

/** What is known of one rank and sequence. */
typedef struct noise_interference_signal {
    uint64_t seen;      /* samples */
    uint64_t filtered;  /* below the filter, among those compared */
    uint64_t judged;    /* compared with a reference and not filtered */
    uint64_t exceeded;  /* above the threshold; ILS = exceeded / judged */
    uint64_t unmatched; /* other ranks have no such occurrence */
    uint64_t late;      /* came when the window had moved on */
    uint64_t cut;       /* longer than NOISE_INTERFERENCE_LONGEST */
    uint64_t split;     /* of those judged: told apart by CPU time */
    sim_time work;      /* of all judged, saturates at INT64_MAX */
    sim_time excess;    /* sum of max(0, S - centre of the reference), saturates */
    noise_interference_loss loss[NOISE_INTERFERENCE_KINDS];
    uint32_t num_points;
    const noise_interference_point *points; /* ILS over time; borrowed */
} noise_interference_signal;

/** After finish(); on the way without the stretch that is open. Borrowed, until the next add(). */
const noise_interference_signal *
noise_interference_scorer_signal(const noise_interference_scorer *scorer, uint32_t rank,
                                 uint32_t sequence);
/** ILS at the end, 0..1. */
double noise_interference_ils(const noise_interference_signal *signal);
/** m(p) = sum of w ILS, w by length among the sequences used for the rank. O(sequences). */
double noise_interference_metric(const noise_interference_scorer *scorer, uint32_t rank);
/** That of a node: the largest of its ranks. O(ranks sequences). */
double noise_interference_node_metric(const noise_interference_scorer *scorer, uint32_t node);
/** Do the counts of a sequence differ by more than 5 % between ranks? Its t-th are then doubtful.
 */
bool noise_interference_misaligned(const noise_interference_scorer *scorer, uint32_t sequence);

/* --- Verdict ------------------------------------------------------------------------------- */

typedef enum {
    NOISE_VERDICT_CLEAN,
    NOISE_VERDICT_DISTURBED, /* it may have been slower, too */
    NOISE_VERDICT_SLOWER,    /* it computed longer, but had its CPU: nobody took that from it */
    NOISE_VERDICT_CHANGED,   /* cannot be judged: too little of the program is in its sequences */
    NOISE_VERDICT_NO_SAMPLES /* cannot be judged: nothing to compare */
} noise_interference_verdict;

/** What is said of one kind. */
typedef struct noise_interference_finding {
    bool found;          /* beyond chance, or by the length of a stretch */
    double p_value;      /* that so many exceed by chance, for all sequences used together */
    sim_time lost;       /* by the sequence that covers most of the computation */
    double lost_share;   /* of the computation it covers, as it would have been, 0.. */
    double covered_work; /* share of the rank's computation that this sequence covers; < 0: not
                            known */
    bool has_onset;      /* if found; else it is spread too thinly to say since when */
    sim_time onset;      /* by the sequence that resolves time best among those that saw it */
    sim_time until;      /* when it ended … */
    bool open;           /* … or it did not end */
    uint32_t by_onset, by_lost; /* those sequences */
} noise_interference_finding;

typedef struct noise_interference_judgement {
    double metric;
    noise_interference_finding of[NOISE_INTERFERENCE_KINDS];
    double coverage;          /* share of the rank's calls in some sequence; < 0: not known */
    uint64_t unmatched, late; /* samples that could not be compared, in all sequences used */
    noise_interference_verdict verdict;
    bool has_cpu;    /* the kinds were told apart, in all samples that were used */
    bool misaligned; /* of a sequence used */
} noise_interference_judgement;

/**
 * What the counts of a rank come to. O(ranks sequences). Uses GSL: not in the tracer.
 * @param alpha smallest chance of a false alarm in the whole run that is believed [0.001]
 */
noise_interference_judgement noise_interference_judge(const noise_interference_scorer *scorer,
                                                      uint32_t rank, double alpha);
/**
 * The chance that @p exceeded or more of @p judged samples exceed, binomially, with the rate at
 * the upper end of the 95 % interval (Clopper-Pearson) of @p row's clean count; without one, @p
 * rate.
 */
double noise_interference_p_value(const noise_interference_row *row, double rate, uint64_t judged,
                                  uint64_t exceeded);
/**
 * K in thousandths that a normal sample exceeds at @p rate; reference by @p others samples: all P
 * ranks (PAPER: t with P - 2 degrees of freedom, bounded by sqrt(P - 1)), those of other nodes
 * (LOO), clean ones (CLEAN); MAD: normal, for many ranks.
 * @return 0: there is none, too few
 */
uint32_t noise_interference_k_of_rate(noise_interference_reference reference, uint64_t others,
                                      double rate);

/* --- Learning ------------------------------------------------------------------------------ */

/** k = 0, 0.5, …, 10. */
#define NOISE_INTERFERENCE_KS 21

typedef struct noise_interference_learner noise_interference_learner;

/**
 * Learns rows for @p model, whose sequences, reference, filter and rule are set. Keeps the samples.
 * @param num_ranks of all runs @param nodes as of a scorer
 */
noise_interference_learner *noise_interference_learner_new(noise_interference_model *model,
                                                           uint32_t num_ranks,
                                                           const uint32_t *nodes,
                                                           noise_interference_error *error);
void noise_interference_learner_free(noise_interference_learner *learner);
/** A run begins; its name is put into the model. */
bool noise_interference_learner_run(noise_interference_learner *learner,
                                    noise_interference_run_kind kind, const char *name);
/** A sample of the present run; as for a scorer. */
bool noise_interference_learner_add(noise_interference_learner *learner, uint32_t rank,
                                    const noise_sample *sample);
/** How much the sequences cover of a rank of the present run. */
void noise_interference_learner_cover(noise_interference_learner *learner, uint32_t rank,
                                      uint64_t calls, uint64_t covered_calls);
/**
 * Fill in the rows, coverage and least coverage (half of it). O(samples * 21).
 * @return false: no clean run, no disturbed one where the rule needs it, no sample; @p error says
 * so
 */
bool noise_interference_learner_finish(noise_interference_learner *learner,
                                       noise_interference_error *error);

/** K of the rule PAPER or GAIN from ILS of the last sample, for each k: which of the 21; -1:
 * useless.
 * @param disturbed mean over the disturbed runs @param clean mean over the clean runs
 * @param clean_max largest of the clean runs */
int noise_interference_choose_k(noise_interference_rule rule,
                                const double disturbed[NOISE_INTERFERENCE_KS],
                                const double clean[NOISE_INTERFERENCE_KS],
                                const double clean_max[NOISE_INTERFERENCE_KS]);

#ifdef __cplusplus
}
#endif
