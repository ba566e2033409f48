/* apps/ripple/view/view_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_view_options. */
#include "view/view_options.h"

#include "options/options.h"
#include "output/error.h"
#include "sim/unit.h"
#include "view/view_run.h"

#include <string.h>

enum { MOST_LANES = 4096 };

static bool refuse(const char *option, const char *text, const char *why, GError **error)
{
    g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "%s: '%s' %s", option, text, why);
    return false;
}

static bool parse_rank(const char *option, const char *text, uint32_t num_ranks, uint32_t *out,
                       GError **error)
{
    uint64_t rank;
    if (!app_parse_unsigned(option, text, 0, num_ranks - 1, &rank, error)) {
        return false;
    }
    *out = (uint32_t)rank;
    return true;
}

static bool parse_instant(const char *option, const char *text, sim_time *out, GError **error)
{
    if (!sim_unit_parse_time(text, SIM_NS, out, error)) {
        app_error_blame_option(error, option);
        return false;
    }
    return true;
}

bool app_view_parse_detour(const char *text, uint32_t num_ranks, app_detour *out, GError **error)
{
    static const char *const KEYS[] = {"rank=", "at=", "for="};
    static const char *const FORM = "is not of the form rank=R,at=TIME,for=TIME";
    g_auto(GStrv) fields = g_strsplit(text, ",", -1);
    const char *value[G_N_ELEMENTS(KEYS)] = {NULL};
    for (char **f = fields; *f != NULL; f++) {
        size_t k = 0;
        while (k < G_N_ELEMENTS(KEYS) && !g_str_has_prefix(*f, KEYS[k])) {
            k++;
        }
        if (k == G_N_ELEMENTS(KEYS) || value[k] != NULL) {
            return refuse("--inject", text, FORM, error);
        }
        value[k] = *f + strlen(KEYS[k]);
    }
    if (value[0] == NULL || value[1] == NULL || value[2] == NULL) {
        return refuse("--inject", text, FORM, error);
    }
    if (!parse_rank("--inject", value[0], num_ranks, &out->rank, error) ||
        !parse_instant("--inject", value[1], &out->at, error) ||
        !parse_instant("--inject", value[2], &out->length, error)) {
        return false;
    }
    return out->length > 0 || refuse("--inject", text, "has no length", error);
}

/* One of "0,5-7". */
static bool add_range(const char *text, uint32_t num_ranks, GArray *ranks, bool *taken,
                      GError **error)
{
    g_auto(GStrv) ends = g_strsplit(text, "-", 2);
    uint32_t first;
    uint32_t last;
    if (!parse_rank("--lanes", ends[0] != NULL ? ends[0] : "", num_ranks, &first, error)) {
        return false;
    }
    last = first;
    if (ends[1] != NULL && !parse_rank("--lanes", ends[1], num_ranks, &last, error)) {
        return false;
    }
    if (last < first) {
        return refuse("--lanes", text, "ends before it begins", error);
    }
    for (uint32_t rank = first; rank <= last; rank++) {
        if (taken[rank]) {
            return refuse("--lanes", text, "is there twice", error);
        }
        if (ranks->len == MOST_LANES) {
            return refuse("--lanes", text, "makes more than 4096", error);
        }
        taken[rank] = true;
        g_array_append_val(ranks, rank);
    }
    return true;
}

bool app_view_parse_lanes(const char *text, uint32_t num_ranks, uint32_t **ranks, uint32_t *n,
                          GError **error)
{
    *ranks = NULL;
    *n = MIN((uint32_t)APP_VIEW_WORST, num_ranks);
    if (text == NULL) {
        return true;
    }
    if (strcmp(text, "none") == 0) {
        *n = 0;
        return true;
    }
    if (g_str_has_prefix(text, "worst:")) {
        uint64_t most;
        if (!app_parse_unsigned("--lanes", text + strlen("worst:"), 1, MOST_LANES, &most, error)) {
            return false;
        }
        *n = MIN((uint32_t)most, num_ranks);
        return true;
    }
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_autofree bool *taken = g_new0(bool, num_ranks);
    g_auto(GStrv) fields = g_strsplit(text, ",", -1);
    for (char **f = fields; *f != NULL; f++) {
        if (!add_range(*f, num_ranks, list, taken, error)) {
            return false;
        }
    }
    if (list->len == 0) {
        return refuse("--lanes", text, "names no rank", error);
    }
    *n = list->len;
    *ranks = (uint32_t *)(void *)g_array_free(g_steal_pointer(&list), FALSE);
    return true;
}

bool app_view_parse_time(const char *text, sim_time *from, sim_time *to, GError **error)
{
    *from = 0;
    *to = 0;
    if (text == NULL) {
        return true;
    }
    const char *dots = strstr(text, "..");
    if (dots == NULL) {
        return refuse("--time", text, "is not of the form FROM..TO", error);
    }
    g_autofree char *first = g_strndup(text, (gsize)(dots - text));
    const char *last = dots + strlen("..");
    if ((*first != '\0' && !parse_instant("--time", first, from, error)) ||
        (*last != '\0' && !parse_instant("--time", last, to, error))) {
        return false;
    }
    if (*last != '\0' && *to <= *from) {
        return refuse("--time", text, "ends before it begins", error);
    }
    return true;
}
