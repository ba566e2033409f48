/* noise/detours/model.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature. */
#include "detours/model.h"

#include "noise/error.h"
#include "sim/unit.h"

#include <math.h>
#include <string.h>

#define POINTER(NAME) &noise_model_##NAME,
static const noise_model_class *const CLASSES[] = {NOISE_MODELS(POINTER)};

const char **noise_model_names(void)
{
    const char **names = g_new0(const char *, G_N_ELEMENTS(CLASSES) + 1);
    for (size_t i = 0; i < G_N_ELEMENTS(CLASSES); i++) {
        names[i] = CLASSES[i]->name;
    }
    return names;
}

/* NULL if there is none */
static const noise_model_class *class_of(const char *text)
{
    const size_t len = strcspn(text, ":");
    for (size_t i = 0; i < G_N_ELEMENTS(CLASSES) && text[len] == ':'; i++) {
        if (strlen(CLASSES[i]->name) == len && strncmp(CLASSES[i]->name, text, len) == 0) {
            return CLASSES[i];
        }
    }
    return NULL;
}

bool noise_model_is_text(const char *text)
{
    return class_of(text) != NULL;
}

static bool fail(GError **error, const char *text, const char *why, const char *value)
{
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL, "noise '%s': %s '%s'", text, why, value);
    return false;
}

/* The reader of units says what is wrong; the model's text says where. */
static bool wrap(GError **error, const char *text, GError *cause)
{
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL, "noise '%s': %s", text, cause->message);
    g_error_free(cause);
    return false;
}

static bool parse_number(const char *text, const char *field, const noise_model_parameter *p,
                         double *out, GError **error)
{
    char *end = NULL;
    const char *unit = p->type == NOISE_PARAMETER_PERCENT ? "%" : "";
    const double number = g_ascii_strtod(field, &end);
    if (end == field || strcmp(end, unit) != 0 || !(number > p->above) || number > p->most) {
        g_autofree char *why = g_strdup_printf("%s is a number above %g%s, up to %g%s, not",
                                               p->name, p->above, unit, p->most, unit);
        return fail(error, text, why, field);
    }
    *out = number;
    return true;
}

static bool parse_value(const char *text, const char *field, const noise_model_parameter *p,
                        noise_model_value *out, GError **error)
{
    GError *cause = NULL;
    switch (p->type) {
    case NOISE_PARAMETER_INTERVAL:
        return sim_unit_parse_period(field, &out->time, &cause) || wrap(error, text, cause);
    case NOISE_PARAMETER_LENGTH:
        if (!sim_unit_parse_time(field, SIM_NS, &out->time, &cause)) {
            return wrap(error, text, cause);
        }
        if (out->time <= 0) {
            g_autofree char *why = g_strdup_printf("%s is above 0, not", p->name);
            return fail(error, text, why, field);
        }
        return true;
    case NOISE_PARAMETER_NUMBER:
    case NOISE_PARAMETER_PERCENT:
        break;
    }
    return parse_number(text, field, p, &out->number, error);
}

static size_t num_parameters(const noise_model_class *kind)
{
    size_t n = 0;
    while (n < NOISE_MODEL_MAX_PARAMETERS && kind->parameters[n].name != NULL) {
        n++;
    }
    return n;
}

/* "fixed:PERIOD:LENGTH", "slow:PERCENT[:PERIOD:LENGTH]" */
static char *form_of(const noise_model_class *kind)
{
    GString *form = g_string_new(kind->name);
    const size_t n = num_parameters(kind);
    for (size_t i = 0; i < n; i++) {
        const bool is_first_optional = kind->num_optional > 0 && i == n - kind->num_optional;
        g_string_append_printf(form, "%s:%s", is_first_optional ? "[" : "",
                               kind->parameters[i].name);
    }
    return g_string_free(g_string_append(form, kind->num_optional > 0 ? "]" : ""), FALSE);
}

bool noise_model_parse(const char *text, noise_model *out, GError **error)
{
    noise_model m = {.kind = class_of(text)};
    if (m.kind == NULL) {
        return fail(error, text, "there is no such model:", text);
    }
    g_auto(GStrv) field = g_strsplit(text, ":", -1);
    const size_t all = num_parameters(m.kind);
    const size_t n = g_strv_length(field) - 1; /* a text with a model's name has a ':' */
    if (n != all && n != all - m.kind->num_optional) {
        g_autofree char *form = form_of(m.kind);
        return fail(error, text, "its form is", form);
    }
    for (size_t i = 0; i < n; i++) {
        const noise_model_parameter *p = &m.kind->parameters[i];
        if (!parse_value(text, field[i + 1], p, &m.value[i], error)) {
            return false;
        }
        m.interval = p->type == NOISE_PARAMETER_INTERVAL ? m.value[i].time : m.interval;
    }
    const char *why = m.kind->refuse != NULL ? m.kind->refuse(&m) : NULL;
    if (why != NULL) {
        return fail(error, text, why, field[n]);
    }
    m.interval = m.kind->interval != NULL ? m.kind->interval(&m) : m.interval;
    if (m.kind->rate == NULL && noise_model_share(&m) >= 1) {
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
    return m->kind->share(m);
}

double noise_model_gap(const noise_model *m)
{
    const double count = m->kind->rate != NULL ? 0 : m->kind->count != NULL ? m->kind->count(m) : 1;
    return count > 0 ? (double)m->interval / count : INFINITY;
}
