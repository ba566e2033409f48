/* apps/ripple/calibration/calibration.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From the times that apps/calibrator has measured to the LogGOPS parameters of a machine: each
 * round by itself, so that the rounds say how far the values may be believed. docs/machines.md,
 * "Measured"; method: T. Hoefler, A. Lichei and W. Rehm, Low-Overhead LogGP Parameter Assessment
 * for Modern Interconnection Networks, IPDPS 2007.
 */
#pragma once

#include "sim/machine.h"
#include "statistics/mean.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    APP_CALIBRATED_L,
    APP_CALIBRATED_o,
    APP_CALIBRATED_g,
    APP_CALIBRATED_G,
    APP_CALIBRATED_O,
    APP_NUM_CALIBRATED
} app_calibrated;

/** Half a round trip of one size. */
typedef struct app_calibration_size {
    int64_t bytes;
    double measured; /* ns, median of the rounds */
    double model;    /* ns, by the values found */
} app_calibration_size;

typedef struct app_calibration {
    char *mpi;                          /* as the library calls itself */
    char *places;                       /* "NODE/CPU NODE/CPU" of the two ranks */
    bool one_node;                      /* both are on one */
    size_t num_rounds;                  /* >= 5 */
    app_mean value[APP_NUM_CALIBRATED]; /* ns; ns per byte; 95 % intervals over the rounds */
    int64_t S;                          /* largest message before the round trip jumps; INT64_MAX */
    int64_t waits; /* largest message whose send does not wait for its receiver; INT64_MAX */
    bool guessed;  /* the overheads are more than the way: L and o are a third of it each */
    app_calibration_size *sizes; /* [num_sizes] the smallest first */
    size_t num_sizes;
    char *invalid; /* why it cannot be trusted; NULL: it can */
} app_calibration;

/**
 * Read what the calibrator wrote. Clock and rounds are checked; a value that makes no sense is an
 * error that names file, line and value.
 * @return owned by the caller; NULL with an error
 */
app_calibration *app_calibration_read(const char *path, GError **error);
void app_calibration_free(app_calibration *calibration);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_calibration, app_calibration_free)

/** "L", "o", "g", "G", "O". Static. */
const char *app_calibrated_name(app_calibrated which);
/** How it was found, in a phrase. Static. */
const char *app_calibrated_origin(const app_calibration *calibration, app_calibrated which);

/**
 * The values as a machine of its own, or as what messages within a node take on @p base.
 * @param base NULL: of its own; else changed and returned, with an error freed
 * @param when "2026-11-23", for the provenance
 * @return owned by the caller; NULL with an error
 */
sim_machine *app_calibration_machine(const app_calibration *calibration, sim_machine *base,
                                     const char *when, GError **error);
