/* noise/model.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"

#include "sim/unit.h"

#include <string.h>

static const char *const NAMES[] = {[NOISE_MODEL_FIXED] = "fixed",
                                    [NOISE_MODEL_TICK] = "tick",
                                    [NOISE_MODEL_POISSON] = "poisson",
                                    [NOISE_MODEL_PARETO] = "pareto",
                                    [NOISE_MODEL_TRACE] = NULL};
static const char *const FORMS[] = {[NOISE_MODEL_FIXED] = "fixed:PERIOD:LENGTH",
                                    [NOISE_MODEL_TICK] = "tick:PERIOD:MIN:MAX",
                                    [NOISE_MODEL_POISSON] = "poisson:MEAN:LENGTH",
                                    [NOISE_MODEL_PARETO] = "pareto:MEAN:MIN:ALPHA"};

const char *const *noise_model_names(void)
{
    return NAMES;
}

/* NOISE_MODEL_TRACE if there is none */
static noise_model_kind kind_of(const char *text)
{
    const size_t len = strcspn(text, ":");
    int kind = NOISE_MODEL_FIXED;
    while (NAMES[kind] != NULL && (strlen(NAMES[kind]) != len || text[len] != ':' ||
                                   strncmp(NAMES[kind], text, len) != 0)) {
        kind++;
    }
    return (noise_model_kind)kind;
}

bool noise_model_is_text(const char *text)
{
    return kind_of(text) != NOISE_MODEL_TRACE;
}

static bool fail(GError **error, const char *text, const char *why, const char *value)
{
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL, "noise «%s»: %s «%s»", text, why, value);
    return false;
}

/* The reader of units says what is wrong; the model's text says where. */
static bool wrap(GError **error, const char *text, GError *cause)
{
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL, "noise «%s»: %s", text, cause->message);
    g_error_free(cause);
    return false;
}

static bool parse_length(const char *text, const char *field, sim_time *out, GError **error)
{
    GError *cause = NULL;
    if (!sim_unit_parse_time(field, SIM_NS, out, &cause)) {
        return wrap(error, text, cause);
    }
    return *out > 0 || fail(error, text, "a detour has a length above 0, not", field);
}

static bool parse_alpha(const char *text, const char *field, double *out, GError **error)
{
    char *end = NULL;
    const double alpha = g_ascii_strtod(field, &end);
    /* At 1 and below the mean length is infinite: nothing would be left for work. */
    if (end == field || *end != '\0' || !(alpha > 1) || alpha > 1000) {
        return fail(error, text, "ALPHA is a number above 1, up to 1000, not", field);
    }
    *out = alpha;
    return true;
}

bool noise_model_parse(const char *text, noise_model *out, GError **error)
{
    noise_model m = {.kind = kind_of(text)};
    if (m.kind == NOISE_MODEL_TRACE) {
        return fail(error, text, "there is no such model:", text);
    }
    g_auto(GStrv) field = g_strsplit(text, ":", -1);
    const guint wanted = m.kind == NOISE_MODEL_TICK || m.kind == NOISE_MODEL_PARETO ? 4 : 3;
    if (g_strv_length(field) != wanted) {
        return fail(error, text, "its form is", FORMS[m.kind]);
    }
    GError *cause = NULL;
    if (!sim_unit_parse_period(field[1], &m.interval, &cause)) {
        return wrap(error, text, cause);
    }
    if (!parse_length(text, field[2], &m.low, error)) {
        return false;
    }
    m.high = m.low;
    if (m.kind == NOISE_MODEL_TICK && !parse_length(text, field[3], &m.high, error)) {
        return false;
    }
    if (m.high < m.low) {
        return fail(error, text, "MAX is less than MIN:", field[3]);
    }
    if (m.kind == NOISE_MODEL_PARETO && !parse_alpha(text, field[3], &m.alpha, error)) {
        return false;
    }
    if (noise_model_share(&m) >= 1) {
        return fail(error, text, "its detours leave no CPU time: one every", field[1]);
    }
    *out = m;
    return true;
}

void noise_model_clear(noise_model *model)
{
    g_clear_pointer(&model->trace, noise_detour_trace_free);
}

double noise_model_share(const noise_model *m)
{
    const double interval = (double)m->interval;
    switch (m->kind) {
    case NOISE_MODEL_TRACE:
        return noise_detour_trace_share(m->trace);
    case NOISE_MODEL_PARETO: /* mean of Pareto(low, alpha) */
        return (double)m->low * m->alpha / (m->alpha - 1) / interval;
    case NOISE_MODEL_FIXED:
    case NOISE_MODEL_TICK:
    case NOISE_MODEL_POISSON:
        break;
    }
    return ((double)m->low + (double)m->high) / 2 / interval;
}
