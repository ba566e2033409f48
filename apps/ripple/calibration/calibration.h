/* apps/ripple/calibration/calibration.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From the times that apps/calibrator has measured to the LogGOPS parameters of a machine: each
 * round, a start of the MPI program, by itself; then, of a group of rounds that agree with each
 * other, the medians. docs/machines.md, "Measured"; method: T. Hoefler, A. Lichei and
 * W. Rehm, Low-Overhead LogGP Parameter Assessment for Modern Interconnection Networks, IPDPS 2007.
 */
#pragma once

#include "calibration/calibrated.h"
#include "calibration/calls.h"
#include "calibration/walks.h"
#include "sim/machine.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** So many rounds have to agree: with fewer the median has no 95 % interval. */
#define APP_CALIBRATION_LEAST 6
/** Least level of the interval of a cost that is written. */
#define APP_CALIBRATION_LEVEL 0.95
/** Rounds agree whose round trips differ by less, in the mean of all sizes. */
#define APP_CALIBRATION_ALIKE 0.05
/** A visit counts if the cores computed about as fast before and after it as they ever did: the
 * pace of APP_CALIBRATION_FASTEST of all visits, or at most so much more. Another hardware thread
 * that is busy makes it 1.2 to 2 times as long; the clock's frequency, some hundredths. */
#define APP_CALIBRATION_FASTEST 0.01
#define APP_CALIBRATION_PACE    1.05
/** H is one if its interval lies above this share of L + 2 o. */
#define APP_CALIBRATION_HANDSHAKE 0.01
/** Half an interval of L + 2 o or of G that is wider, or messages half of which take so much longer
 * than their lower quartile, are no measurement. */
#define APP_CALIBRATION_UNSURE 0.10
#define APP_CALIBRATION_UNREST 0.25

/** The median of the rounds, between two of them (statistics/statistics.h). ns; ns per byte. */
typedef struct app_calibrated_value {
    double value;
    double low;
    double high;
    double level; /* of the interval, at least 0.95 from 6 rounds on */
} app_calibrated_value;

/** Half a round trip of one size. */
typedef struct app_calibration_size {
    int64_t bytes;
    double measured; /* ns, median of the rounds */
    double low;      /* ns; between two of them, as of values */
    double high;
    double model; /* ns, by the values found */
} app_calibration_size;

/** What a collective takes beyond its messages; sizes of APP_CALL_SIZES, as many as there are. */
typedef struct app_calibrated_call {
    int64_t bytes[APP_CALL_SIZES];
    size_t num_sizes;                              /* 0: it was not measured */
    app_calibrated_value measured[APP_CALL_SIZES]; /* of one call after the other */
    double model[APP_CALL_SIZES];                  /* ns, by the values found, without the cost */
    app_calibrated_value time;                     /* of a call of the smallest size */
    app_calibrated_value byte;                     /* ns for each further byte */
    app_calibrated_value cold;                     /* as time, of calls after a walk */
} app_calibrated_call;

/** What calls take more after a walk through so much memory. */
enum { APP_WALK_COMPUTED, APP_WALK_FIRST, APP_WALK_FURTHER, APP_WALK_VALUES };
typedef struct app_calibrated_walk {
    int64_t bytes;
    app_calibrated_value value[APP_WALK_VALUES]; /* ns, as in app_round_walk */
} app_calibrated_walk;

typedef struct app_calibration {
    char *mpi;             /* as the library calls itself */
    char *places;          /* "NODE/CPU NODE/CPU" of the two ranks */
    bool one_node;         /* both are on one */
    size_t num_rounds;     /* that agree, and that all values are of */
    size_t num_measured;   /* rounds in all */
    size_t num_disturbed;  /* of these: had no visit of some kind with both cores undisturbed */
    double undisturbed;    /* share of the visits whose pace counts */
    bool in_company;       /* too few rounds were undisturbed: all visits of all rounds count */
    double others_fastest; /* those that do not agree took so many times as long, */
    double others_slowest; /* in the mean of all sizes; 0: there are none */
    app_calibrated_value value[APP_NUM_CALIBRATED];
    app_calibrated_value cold; /* ns: o after a walk through memory; 0: not measured */
    bool has_handshake; /* H can be told from nothing: a message above S takes more than 2 L more */
    bool takes_cold;    /* that is the o of the machine; the caller decides */
    app_calibrated_value left; /* ns: what the overheads as measured leave of L + 2 o */
    app_calibrated_call call[SIM_NUM_CALLS];
    app_calibrated_walk walk[APP_WALKS]; /* [num_walks] the shortest first */
    size_t num_walks;                    /* 0: not measured */
    double unrest; /* the median of a round trip is longer than its lower quartile by so much */
    int64_t S;     /* largest message whose send does not wait for a posting; INT64_MAX */
    int64_t waits; /* ... for a receiver that is outside MPI; INT64_MAX */
    bool guessed;  /* the overheads leave so little that L is a tenth of L + 2 o */
    app_calibration_size *sizes; /* [num_sizes] the smallest first */
    size_t num_sizes;
    char *invalid; /* why it cannot be trusted; NULL: it can */
} app_calibration;

/**
 * Read what the calibrator wrote, a file for each round.
 * @param paths NULL-terminated, one at least
 * @return owned by the caller; NULL with an error that names file, line and value
 */
app_calibration *app_calibration_read(char **paths, GError **error);
void app_calibration_free(app_calibration *calibration);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_calibration, app_calibration_free)

/** What the call takes more than its simulated messages: after a walk if takes_cold. */
const app_calibrated_value *app_calibrated_call_time(const app_calibration *calibration,
                                                     sim_call call);
/** The cost that comes of @p time, its own or that after a walk. @return as the next one */
bool app_calibrated_call_fit(const app_calibrated_call *call, const app_calibrated_value *time,
                             sim_call_cost *out);
/**
 * Its cost in a machine file. @return false: there is none, as it is not distinguishable from 0 by
 * its interval, or below it
 */
bool app_calibrated_call_cost(const app_calibration *calibration, sim_call call,
                              sim_call_cost *out);

/**
 * What calls take after a computation, in a machine file: nothing after walks after which the first
 * call does not take more by its interval. @return false: after none
 */
bool app_calibrated_cold_cost(const app_calibration *calibration, sim_cold_cost *out);

/** Was it found? All but H always are. */
bool app_calibrated_is_there(const app_calibration *calibration, app_calibrated which);
/** "L", "o", "g", "G", "O", "H", "L+2o". Static. */
const char *app_calibrated_name(app_calibrated which);
/** How it was found, in a phrase. Static. */
const char *app_calibrated_origin(const app_calibration *calibration, app_calibrated which);

/**
 * The values as a machine of its own, or as what messages within a node take on @p base.
 * @param base NULL: of its own, with the costs of calls; else changed and returned, with an error
 * freed
 * @param when "2026-11-23", for the provenance
 * @return owned by the caller; NULL with an error
 */
sim_machine *app_calibration_machine(const app_calibration *calibration, sim_machine *base,
                                     const char *when, GError **error);
