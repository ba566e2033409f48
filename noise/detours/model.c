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
    const double number = g_ascii_strtod(field, &end);
    if (end == field || *end != '\0' || !(number > p->above) || number > p->most) {
        g_autofree char *why =
            g_strdup_printf("%s is a number above %g, up to %g, not", p->name, p->above, p->most);
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
        return out->time > 0 || fail(error, text, "a detour has a length above 0, not", field);
    case NOISE_PARAMETER_NUMBER:
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

/* "fixed:PERIOD:LENGTH" */
static char *form_of(const noise_model_class *kind)
{
    GString *form = g_string_new(kind->name);
    for (size_t i = 0; i < num_parameters(kind); i++) {
        g_string_append_printf(form, ":%s", kind->parameters[i].name);
    }
    return g_string_free(form, FALSE);
}

bool noise_model_parse(const char *text, noise_model *out, GError **error)
{
    noise_model m = {.kind = class_of(text)};
    if (m.kind == NULL) {
        return fail(error, text, "there is no such model:", text);
    }
    g_auto(GStrv) field = g_strsplit(text, ":", -1);
    const size_t n = num_parameters(m.kind);
    if (g_strv_length(field) != n + 1) {
        g_autofree char *form = form_of(m.kind);
        return fail(error, text, "its form is", form);
    }
    for (size_t i = 0; i < n; i++) {
        if (!parse_value(text, field[i + 1], &m.kind->parameters[i], &m.value[i], error)) {
            return false;
        }
    }
    m.interval = m.value[0].time;
    const char *why = m.kind->refuse != NULL ? m.kind->refuse(&m) : NULL;
    if (why != NULL) {
        return fail(error, text, why, field[n]);
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
    return m->kind->share(m);
}

double noise_model_gap(const noise_model *m)
{
    const double count = m->kind->count != NULL ? m->kind->count(m) : 1;
    return count > 0 ? (double)m->interval / count : INFINITY;
}
