/* apps/ripple/calibration/samples.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What one start of the calibrator has written: apps/calibrator/calibrator.c says the form.
 */
#pragma once

#include "sim/call_cost.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    APP_SAMPLE_ROUND_TRIP,
    APP_SAMPLE_BURST,
    APP_SAMPLE_SPACED,
    APP_SAMPLE_PAUSES,
    APP_SAMPLE_RECEIVE,
    APP_SAMPLE_COLD_EXCHANGE,                               /* 1 B */
    APP_SAMPLE_CALL,                                        /* two calls; one for each sim_call */
    APP_SAMPLE_COLD_CALL = APP_SAMPLE_CALL + SIM_NUM_CALLS, /* one, after walks; likewise */
    APP_SAMPLE_WALK = APP_SAMPLE_COLD_CALL + SIM_NUM_CALLS, /* bytes: of memory */
    APP_SAMPLE_WALKED_EXCHANGE,                             /* after it, likewise */
    APP_SAMPLE_WALKED_CALL,                                 /* after that */
    APP_SAMPLE_WAITS,
    APP_SAMPLE_UNPOSTED,
    APP_NUM_SAMPLE_KINDS
} app_sample_kind;

/** One time that was measured, and how fast the cores computed right before and after. */
typedef struct app_visit {
    app_sample_kind kind;
    int64_t bytes;
    double time; /* ns */
    double pace; /* ns that the same arithmetic took on the slower core; 0 of WAITS, UNPOSTED */
} app_visit;

/** Of one kind and size: all visits that are kept. */
typedef struct app_sample {
    app_sample_kind kind;
    int64_t bytes;
    size_t visits;
    double quarter; /* ns; the lower quartile: what disturbs a message only makes it longer */
    double median;  /* ns */
} app_sample;

typedef struct app_samples {
    char *mpi;
    char *begin; /* "NODE/CPU NODE/CPU" */
    char *end;
    double clock; /* ns that reading it takes */
    int burst;    /* messages */
    int spaced;
    app_visit *visits; /* [num_visits] by kind, then bytes, then time */
    size_t num_visits;
    app_sample *samples; /* [num_samples] by kind, then bytes; of all visits, or of those kept */
    size_t num_samples;
} app_samples;

/** A size of WAITS or UNPOSTED that means that there is none. */
#define APP_SAMPLE_NONE (INT64_C(1) << 22)

/** @return owned by the caller; NULL with an error that names file, line and value */
app_samples *app_samples_read(const char *path, GError **error);
void app_samples_free(app_samples *samples);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_samples, app_samples_free)

/** Of walks all visits count: there are few, and they last longer than a pace is known for. */
bool app_sample_is_of_walk(app_sample_kind kind);
/** Make the samples anew, of the visits alone whose pace is at most @p pace ns (INFINITY: of all).
 * A kind and size that has none has no sample. O(num_visits) */
void app_samples_keep(app_samples *samples, double pace);

/** @param bytes 0: of any size. @return NULL: there is none. O(num_samples) */
const app_sample *app_samples_find(const app_samples *samples, app_sample_kind kind, int64_t bytes);
