/* noise/detours/model.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * One source of detours, before it is laid out in time: a model written as "NAME:VALUE:VALUE", or
 * the trace of a file; or a rate at which a core works, without detours. One descriptor says what a
 * model is, in the file of its name (model_fixed.c and so on); the table NOISE_MODELS lists those
 * that can be written. model_draw.c draws several models into one trace.
 */
#pragma once

#include "noise/detour_trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NOISE_MODEL_MAX_PARAMETERS = 4 };

typedef enum {
    NOISE_PARAMETER_INTERVAL, /* a time or a frequency; at most one of a model */
    NOISE_PARAMETER_LENGTH,   /* of a detour: a time above 0 */
    NOISE_PARAMETER_NUMBER,   /* in above < x <= most */
    NOISE_PARAMETER_PERCENT,  /* the same, followed by '%' */
} noise_parameter_type;

typedef struct noise_model_parameter {
    const char *name; /* as in the model's form, "PERIOD" */
    noise_parameter_type type;
    double above;
    double most;
} noise_model_parameter;

typedef union noise_model_value {
    sim_time time; /* ps, > 0 */
    double number;
} noise_model_value;

typedef struct noise_model_class noise_model_class;

typedef struct noise_model {
    const noise_model_class *kind;
    noise_model_value value[NOISE_MODEL_MAX_PARAMETERS]; /* in the order of the form */
    sim_time interval;         /* > 0: that of the form, or the trace's; 0: a constant rate */
    noise_detour_trace *trace; /* of a file; or NULL */
    sim_time at_least;         /* a trace it is drawn into is at least so long */
    uint64_t stream;           /* of the random numbers that place it */
    bool is_left_out;          /* it is placed as ever, and then is not there */
} noise_model;

/** Of which a core gives so many parts. */
#define NOISE_RATE_WHOLE UINT32_C(1000000000)

/** A core that works slower, always or in phases. */
typedef struct noise_model_rate {
    uint32_t gives;  /* of NOISE_RATE_WHOLE, 1..: the program's part of the core's time */
    sim_time period; /* ps, of the phases; 0: always */
    sim_time length; /* ps, of a phase: from the beginning of each period on, below it */
} noise_model_rate;

/** Where the detours of a model go. */
typedef struct noise_arrivals noise_arrivals;

struct noise_model_class {
    const char *name; /* "fixed"; NULL: has no text form */
    /** [up to the first without a name] */
    noise_model_parameter parameters[NOISE_MODEL_MAX_PARAMETERS];
    /** So many of the last may be left out, all together: their values are then 0. */
    uint32_t num_optional;
    /** A trace's period is a multiple of its interval, where that is not too long. */
    bool is_periodic;
    /** Lengths or gaps are random: a trace holds 100 of its intervals at least. */
    bool is_drawn;
    /** What is wrong with values that are in range each; it is said before the text of the last.
     * NULL: nothing. May be NULL. */
    const char *(*refuse)(const noise_model *model);
    /** What its interval is, where no value says it; > 0. NULL: the value that is an interval. */
    sim_time (*interval)(const noise_model *model);
    /** Share of CPU time stolen, of the model as such. May be 1 and more: that is refused. */
    double (*share)(const noise_model *model);
    /** Detours per interval. NULL: one. */
    double (*count)(const noise_model *model);
    /** Of a model that has no detours, but a rate; then the rest of this is NULL. */
    noise_model_rate (*rate)(const noise_model *model);
    /** Append the detours of one period of @p out, in any order: one of the functions in
     * model_arrivals.h, or the model's own. */
    void (*place)(const noise_model *model, noise_arrivals *out);
    /** Length of the detour that is drawn as number @p counter, in ps; what is longer than
     * @p longest counts as that. Only used by the functions in model_arrivals.h. */
    sim_time (*length)(const noise_model *model, uint64_t seed, uint64_t counter, sim_time longest);
};

/** All that can be written, a row each: ROW(NAME) stands for noise_model_NAME in model_NAME.c. */
#define NOISE_MODELS(ROW)                                                                          \
    ROW(fixed)                                                                                     \
    ROW(tick)                                                                                      \
    ROW(poisson)                                                                                   \
    ROW(pareto)                                                                                    \
    ROW(lognormal)                                                                                 \
    ROW(job)                                                                                       \
    ROW(slow)

#define NOISE_MODEL_DECLARE(NAME) extern const noise_model_class noise_model_##NAME;
NOISE_MODELS(NOISE_MODEL_DECLARE)
extern const noise_model_class noise_model_trace; /* of a file; it is not written as a model */

/** Names of those that can be written. @return [NULL-terminated] owned by the caller, the names
 * static */
const char **noise_model_names(void);
/** Does @p text begin with the name of a model, and ':'? */
bool noise_model_is_text(const char *text);
/** "fixed:1kHz:100us" and so on. @return false with NOISE_ERROR_BAD_MODEL; @p out is then as before
 */
bool noise_model_parse(const char *text, noise_model *out, GError **error);
/** The model that repeats @p trace, which it takes. */
noise_model noise_model_of_trace(noise_detour_trace *trace);
void noise_model_clear(noise_model *model);
/** Share of CPU time stolen, 0..1. */
double noise_model_share(const noise_model *model);
/** Mean time between the starts of two detours, ps; infinite for a file without any, and a rate. */
double noise_model_gap(const noise_model *model);

/**
 * One trace of all @p models. Its period holds at least 100 detours of each model that draws
 * lengths or gaps, and is a multiple of the fixed intervals where that is not too long; detours
 * that meet are served one after the other, so no stolen time is lost. Those of models that are
 * left out are placed with the others and then taken away, before any are served. O(n log n) in
 * detours.
 * @param n >= 1; none of them a rate
 * @param alone there is no other noise that they could be in step with: a single one begins at 0
 * @param longest [n] out: the longest detour that was drawn of each, before they are served
 * @return owned by the caller; NULL with NOISE_ERROR_BAD_MODEL if they leave no CPU time or need
 *   more detours than fit into memory
 */
noise_detour_trace *noise_model_draw(const noise_model *const *models, size_t n, uint64_t seed,
                                     bool alone, sim_time *longest, GError **error);
