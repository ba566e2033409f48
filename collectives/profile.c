/* collectives/profile.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "coll/algorithm.h"

#include "step_private.h"

#include <assert.h>

struct coll_profile {
    coll_algorithm algorithm[COLL_NUM_KINDS];
    char *name;
};

/* The same algorithm at every size: docs/collectives.md, section 5, says why. */
static const struct {
    const char *name;
    const char *algorithm[COLL_NUM_KINDS];
} PROFILES[] = {
    {"sc10",
     {
         [COLL_BARRIER] = "dissemination",
         [COLL_BCAST] = "binomial",
         [COLL_REDUCE] = "binomial",
         [COLL_ALLREDUCE] = "dissemination",
         [COLL_GATHER] = "binomial-far",
         [COLL_GATHERV] = "linear",
         [COLL_SCATTER] = "binomial-far",
         [COLL_SCATTERV] = "linear",
         [COLL_ALLGATHER] = "dissemination",
         [COLL_ALLGATHERV] = "dissemination",
         [COLL_ALLTOALL] = "dissemination",
         [COLL_ALLTOALLV] = "pairwise",
         [COLL_ALLTOALLW] = "pairwise",
         [COLL_REDUCE_SCATTER] = "recursive-halving",
         [COLL_REDUCE_SCATTER_BLOCK] = "recursive-halving",
         [COLL_SCAN] = "recursive-doubling",
         [COLL_EXSCAN] = "recursive-doubling",
     }},
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
    coll_algorithm algorithm = {0};
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
    GError *failure = NULL;
    if (!coll_algorithm_parse(g_strstrip(parts[1]), &algorithm, &failure)) {
        if (!g_error_matches(failure, COLL_ERROR, COLL_ERROR_UNKNOWN)) {
            g_propagate_error(error, failure);
            return false;
        }
        g_clear_error(&failure);
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

/* Every collective gets the algorithm of the profile of that name. */
static bool take_profile(coll_profile *profile, const char *name, GError **error)
{
    g_autoptr(GString) known = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(PROFILES); i++) {
        if (strcmp(name, PROFILES[i].name) == 0) {
            for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
                profile->algorithm[kind] = coll_algorithm_get(PROFILES[i].algorithm[kind]);
            }
            return true;
        }
        g_string_append_printf(known, "%s%s", i > 0 ? ", " : "", PROFILES[i].name);
    }
    g_set_error(error, COLL_ERROR, COLL_ERROR_UNKNOWN,
                "there is no profile \"%s\" of collective algorithms; known: %s", name, known->str);
    return false;
}

coll_profile *coll_profile_new(const char *name, const char *overrides, GError **error)
{
    g_autoptr(coll_profile) profile = g_new0(coll_profile, 1);
    if (!take_profile(profile, name, error)) {
        return NULL;
    }
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
            g_autofree char *how = coll_algorithm_format(profile->algorithm[kind]);
            g_string_append_printf(full, ",%s=%s", coll_kind_name((coll_kind)kind), how);
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
    const coll_algorithm none = {0};
    return coll_call_is_empty(call) ? none : profile->algorithm[call->kind];
}
