/* collectives/algorithm.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "coll/algorithm.h"

#include "step_private.h"

#include <assert.h>

GQuark coll_error_quark(void)
{
    return g_quark_from_static_string("coll-error");
}

static const char *const NAMES[COLL_NUM_ALGORITHMS] = {
    [COLL_ALG_NONE] = "none",
    [COLL_ALG_LINEAR] = "linear",
    [COLL_ALG_BINOMIAL] = "binomial",
    [COLL_ALG_BINOMIAL_FAR] = "binomial-far",
    [COLL_ALG_DISSEMINATION] = "dissemination",
    [COLL_ALG_RECURSIVE_DOUBLING] = "recursive-doubling",
    [COLL_ALG_RECURSIVE_HALVING] = "recursive-halving",
    [COLL_ALG_RING] = "ring",
    [COLL_ALG_BRUCK] = "bruck",
    [COLL_ALG_PAIRWISE] = "pairwise",
    [COLL_ALG_SCATTER_ALLGATHER] = "scatter-allgather",
    [COLL_ALG_COMPOSITE] = "composite",
};

const char *coll_algorithm_name(coll_algorithm algorithm)
{
    assert(algorithm < COLL_NUM_ALGORITHMS);
    return NAMES[algorithm];
}

bool coll_algorithm_parse(const char *name, coll_algorithm *out)
{
    g_autofree char *dashed = g_strdelimit(g_strdup(name), "_", '-');
    for (int i = 0; i < COLL_NUM_ALGORITHMS; i++) {
        if (g_ascii_strcasecmp(dashed, NAMES[i]) == 0) {
            *out = (coll_algorithm)i;
            return true;
        }
    }
    return false;
}

char *coll_algorithm_list(coll_kind kind)
{
    GString *list = g_string_new(NULL);
    for (int i = 0; i < COLL_NUM_ALGORITHMS; i++) {
        if (coll_plan((coll_algorithm)i, kind)[0] != NULL) {
            g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", NAMES[i]);
        }
    }
    return g_string_free(list, FALSE);
}

bool coll_algorithm_check(coll_algorithm algorithm, coll_kind kind, uint32_t size, GError **error)
{
    assert(size >= 1);
    if (size == 1 || algorithm == COLL_ALG_NONE || coll_plan(algorithm, kind)[0] != NULL) {
        return true;
    }
    g_autofree char *known = coll_algorithm_list(kind);
    g_set_error(error, COLL_ERROR, COLL_ERROR_NOT_APPLICABLE,
                "%s cannot be done by \"%s\"; known for it: %s", coll_kind_name(kind),
                coll_algorithm_name(algorithm), known);
    return false;
}
