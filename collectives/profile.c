/* collectives/profile.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "coll/algorithm.h"

#include "step_private.h"

#include <assert.h>

struct coll_profile {
    coll_algorithm algorithm[COLL_NUM_KINDS];
    char *name;
};

/* At every size: docs/collectives.md says why. */
static const coll_algorithm SC10[COLL_NUM_KINDS] = {
    [COLL_BARRIER] = COLL_ALG_DISSEMINATION,
    [COLL_BCAST] = COLL_ALG_BINOMIAL,
    [COLL_REDUCE] = COLL_ALG_BINOMIAL,
    [COLL_ALLREDUCE] = COLL_ALG_DISSEMINATION,
    [COLL_GATHER] = COLL_ALG_BINOMIAL_FAR,
    [COLL_GATHERV] = COLL_ALG_LINEAR,
    [COLL_SCATTER] = COLL_ALG_BINOMIAL_FAR,
    [COLL_SCATTERV] = COLL_ALG_LINEAR,
    [COLL_ALLGATHER] = COLL_ALG_DISSEMINATION,
    [COLL_ALLGATHERV] = COLL_ALG_DISSEMINATION,
    [COLL_ALLTOALL] = COLL_ALG_DISSEMINATION,
    [COLL_ALLTOALLV] = COLL_ALG_PAIRWISE,
    [COLL_ALLTOALLW] = COLL_ALG_PAIRWISE,
    [COLL_REDUCE_SCATTER] = COLL_ALG_RECURSIVE_HALVING,
    [COLL_REDUCE_SCATTER_BLOCK] = COLL_ALG_RECURSIVE_HALVING,
    [COLL_SCAN] = COLL_ALG_RECURSIVE_DOUBLING,
    [COLL_EXSCAN] = COLL_ALG_RECURSIVE_DOUBLING,
};

static char *list_kinds(void)
{
    GString *list = g_string_new(NULL);
    for (int i = 0; i < COLL_NUM_KINDS; i++) {
        g_string_append_printf(list, "%s%s", i > 0 ? ", " : "", coll_kind_name((coll_kind)i));
    }
    return g_string_free(list, FALSE);
}

/* "allreduce=ring" */
static bool apply_override(coll_profile *profile, const char *text, bool *overridden,
                           GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "=", 2);
    coll_kind kind = COLL_NUM_KINDS;
    coll_algorithm algorithm = COLL_ALG_NONE;
    if (g_strv_length(parts) != 2) {
        g_set_error(error, COLL_ERROR, COLL_ERROR_UNKNOWN,
                    "\"%s\" is not of the form COLLECTIVE=ALGORITHM", text);
        return false;
    }
    if (!coll_kind_parse(g_strstrip(parts[0]), &kind)) {
        g_autofree char *known = list_kinds();
        g_set_error(error, COLL_ERROR, COLL_ERROR_UNKNOWN,
                    "\"%s\": there is no collective \"%s\"; known: %s", text, parts[0], known);
        return false;
    }
    if (!coll_algorithm_parse(g_strstrip(parts[1]), &algorithm) || algorithm == COLL_ALG_NONE) {
        g_autofree char *known = coll_algorithm_list(kind);
        g_set_error(error, COLL_ERROR, COLL_ERROR_UNKNOWN,
                    "\"%s\": there is no algorithm \"%s\"; known for %s: %s", text, parts[1],
                    coll_kind_name(kind), known);
        return false;
    }
    if (overridden[kind]) {
        g_set_error(error, COLL_ERROR, COLL_ERROR_UNKNOWN, "\"%s\": %s is given twice", text,
                    coll_kind_name(kind));
        return false;
    }
    overridden[kind] = true;
    profile->algorithm[kind] = algorithm;
    return coll_algorithm_check(algorithm, kind, 2, error);
}

coll_profile *coll_profile_new(const char *name, const char *overrides, GError **error)
{
    if (strcmp(name, "sc10") != 0) {
        g_set_error(error, COLL_ERROR, COLL_ERROR_UNKNOWN,
                    "there is no profile \"%s\" of collective algorithms; known: sc10", name);
        return NULL;
    }
    g_autoptr(coll_profile) profile = g_new0(coll_profile, 1);
    memcpy(profile->algorithm, SC10, sizeof SC10);
    bool overridden[COLL_NUM_KINDS] = {false};
    if (overrides != NULL && *overrides != '\0') {
        g_auto(GStrv) items = g_strsplit(overrides, ",", -1);
        for (char **item = items; *item != NULL; item++) {
            if (!apply_override(profile, g_strstrip(*item), overridden, error)) {
                return NULL;
            }
        }
    }
    GString *full = g_string_new(name);
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        if (overridden[kind]) {
            g_string_append_printf(full, ",%s=%s", coll_kind_name((coll_kind)kind),
                                   coll_algorithm_name(profile->algorithm[kind]));
        }
    }
    profile->name = g_string_free(full, FALSE);
    return g_steal_pointer(&profile);
}

void coll_profile_free(coll_profile *profile)
{
    if (profile != NULL) {
        g_free(profile->name);
        g_free(profile);
    }
}

const char *coll_profile_name(const coll_profile *profile)
{
    return profile->name;
}

coll_algorithm coll_profile_select(const coll_profile *profile, const coll_call *call)
{
    assert(call->kind < COLL_NUM_KINDS);
    return coll_call_is_empty(call) ? COLL_ALG_NONE : profile->algorithm[call->kind];
}
