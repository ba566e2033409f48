/* collectives/algorithm.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_profile. */
#include "coll/algorithm.h"

#include "algorithms/table_private.h"

#include <assert.h>

GQuark coll_error_quark(void)
{
    return g_quark_from_static_string("coll-error");
}

size_t coll_algorithm_count(void)
{
    size_t n = 0;
    while (coll_algorithm_table[n] != NULL) {
        n++;
    }
    return n;
}

coll_algorithm coll_algorithm_at(size_t i)
{
    assert(i < coll_algorithm_count());
    const coll_algorithm_class *const how = coll_algorithm_table[i];
    return (coll_algorithm){.how = how, .parameter = how->parameter.usual};
}

const char *coll_algorithm_name(coll_algorithm algorithm)
{
    return algorithm.how == NULL ? "none" : algorithm.how->name;
}

char *coll_algorithm_format(coll_algorithm algorithm)
{
    const char *name = coll_algorithm_name(algorithm);
    return algorithm.parameter == 0 ? g_strdup(name)
                                    : g_strdup_printf("%s-%u", name, algorithm.parameter);
}

static bool find(const char *name, coll_algorithm *out)
{
    for (size_t i = 0; i < coll_algorithm_count(); i++) {
        *out = coll_algorithm_at(i);
        if (g_ascii_strcasecmp(name, out->how->name) == 0) {
            return true;
        }
    }
    return false;
}

/* "knomial-4": what follows the last dash is the parameter. */
static bool find_with_parameter(char *text, coll_algorithm *out, guint64 *parameter)
{
    char *const dash = strrchr(text, '-');
    if (dash == NULL ||
        !g_ascii_string_to_unsigned(dash + 1, 10, 0, G_MAXUINT64, parameter, NULL)) {
        return false;
    }
    *dash = '\0';
    return find(text, out) && out->how->parameter.name != NULL;
}

bool coll_algorithm_parse(const char *text, coll_algorithm *out, GError **error)
{
    g_autofree char *name = g_strdelimit(g_strdup(text), "_", '-');
    coll_algorithm found;
    guint64 parameter;
    if (find(name, &found)) {
        *out = found;
        return true;
    }
    if (!find_with_parameter(name, &found, &parameter)) {
        g_set_error(error, COLL_ERROR, COLL_ERROR_UNKNOWN, "there is no algorithm \"%s\"", text);
        return false;
    }
    const coll_parameter *const p = &found.how->parameter;
    if (parameter < p->min || parameter > p->max) {
        g_set_error(error, COLL_ERROR, COLL_ERROR_NOT_APPLICABLE,
                    "\"%s\": the %s of %s is a number from %u to %u", text, p->name,
                    found.how->name, p->min, p->max);
        return false;
    }
    *out = (coll_algorithm){.how = found.how, .parameter = (uint32_t)parameter};
    return true;
}

coll_algorithm coll_algorithm_get(const char *text)
{
    coll_algorithm algorithm = {0};
    const bool is_known = coll_algorithm_parse(text, &algorithm, NULL);
    assert(is_known);
    (void)is_known;
    return algorithm;
}

bool coll_algorithm_does(coll_algorithm algorithm, coll_kind kind)
{
    assert(kind < COLL_NUM_KINDS);
    return algorithm.how != NULL && algorithm.how->phases[kind][0] != NULL;
}

char *coll_algorithm_list(coll_kind kind)
{
    GString *list = g_string_new(NULL);
    for (size_t i = 0; i < coll_algorithm_count(); i++) {
        const coll_algorithm algorithm = coll_algorithm_at(i);
        if (coll_algorithm_does(algorithm, kind)) {
            g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "",
                                   coll_algorithm_name(algorithm));
        }
    }
    return g_string_free(list, FALSE);
}

uint64_t coll_algorithm_max_rounds(coll_algorithm algorithm, uint32_t size)
{
    if (algorithm.how == NULL || algorithm.how->max_rounds == NULL) {
        return 34; /* floor(log2(2^32 - 1)) + 2, and one to spare */
    }
    return algorithm.how->max_rounds(size, algorithm.parameter);
}

bool coll_algorithm_check(coll_algorithm algorithm, coll_kind kind, uint32_t size, GError **error)
{
    assert(size >= 1);
    if (size == 1 || algorithm.how == NULL || coll_algorithm_does(algorithm, kind)) {
        return true;
    }
    g_autofree char *how = coll_algorithm_format(algorithm);
    g_autofree char *known = coll_algorithm_list(kind);
    g_set_error(error, COLL_ERROR, COLL_ERROR_NOT_APPLICABLE,
                "%s cannot be done by \"%s\"; known for it: %s", coll_kind_name(kind), how, known);
    return false;
}
