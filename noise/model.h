/* noise/model.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * One source of detours, before it is laid out in time: a model in the text form of
 * noise/signature.h, or the trace of a file; and drawing several of them into one trace.
 */
#pragma once

#include "noise/detour_trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    NOISE_MODEL_FIXED,   /* every interval, length low */
    NOISE_MODEL_TICK,    /* every interval, length uniform in low..high */
    NOISE_MODEL_POISSON, /* exponential gaps of mean interval, length low */
    NOISE_MODEL_PARETO,  /* exponential gaps, length Pareto(low, alpha) */
    NOISE_MODEL_TRACE,   /* a trace, repeated every interval */
} noise_model_kind;

typedef struct noise_model {
    noise_model_kind kind;
    sim_time interval; /* > 0 */
    sim_time low;      /* > 0 */
    sim_time high;     /* >= low */
    double alpha;      /* > 1 */
    noise_detour_trace *trace;
    sim_time at_least; /* a trace it is drawn into is at least so long */
    uint64_t stream;   /* of the random numbers that place it */
} noise_model;

/** Does @p text begin with the name of a kind of model, and ':'? */
bool noise_model_is_text(const char *text);
/** "fixed:1kHz:100us" and so on. @return false with NOISE_ERROR_BAD_MODEL; @p out is then as before
 */
bool noise_model_parse(const char *text, noise_model *out, GError **error);
void noise_model_clear(noise_model *model);
/** Names of the kinds, NULL-terminated, static. */
const char *const *noise_model_names(void);
/** Share of CPU time stolen, 0..1. */
double noise_model_share(const noise_model *model);

/**
 * One trace of all @p models. Its period holds at least 100 detours of each model that draws
 * lengths or gaps, and is a multiple of the fixed intervals where that is not too long; detours
 * that meet are served one after the other, so no stolen time is lost. O(n log n) in detours.
 * @param n >= 1
 * @return owned by the caller; NULL with NOISE_ERROR_BAD_MODEL if they leave no CPU time or need
 *   more detours than fit into memory
 */
noise_detour_trace *noise_model_draw(const noise_model *const *models, size_t n, uint64_t seed,
                                     GError **error);
