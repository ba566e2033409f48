/* apps/ripple/calibration/samples.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the calibrator has written: apps/calibrator/calibrator.c says the form.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    APP_SAMPLE_ROUND_TRIP,
    APP_SAMPLE_BURST,
    APP_SAMPLE_SPACED,
    APP_SAMPLE_RECEIVE,
    APP_SAMPLE_WAITS,
    APP_SAMPLE_JUMP,
    APP_NUM_SAMPLE_KINDS
} app_sample_kind;

/** Of one kind and size in one round; ns, of WAITS and JUMP bytes. */
typedef struct app_sample {
    uint32_t round;
    app_sample_kind kind;
    int64_t bytes;
    double quartile; /* the lower one: what disturbs a message only makes it longer */
    double median;
} app_sample;

typedef struct app_samples {
    char *mpi;
    char *begin; /* "NODE/CPU NODE/CPU" */
    char *end;
    uint32_t num_rounds;
    double clock; /* ns that reading it takes */
    int burst;    /* messages */
    int spaced;
    app_sample *samples; /* [num_samples] in the order of the file */
    size_t num_samples;
} app_samples;

/** A size of WAITS or JUMP that means that there is none. */
#define APP_SAMPLE_NONE (INT64_C(1) << 22)

/** @return owned by the caller; NULL with an error that names file, line and value */
app_samples *app_samples_read(const char *path, GError **error);
void app_samples_free(app_samples *samples);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_samples, app_samples_free)

/** NULL: there is none. O(num_samples) */
const app_sample *app_samples_find(const app_samples *samples, uint32_t round, app_sample_kind kind,
                                   int64_t bytes);
