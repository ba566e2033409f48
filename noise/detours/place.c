/* noise/detours/place.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_place. */
#include "detours/place.h"

#include "detours/rank_ranges.h"
#include "sim/nearest.h"

#include <string.h>

static const char *const NAMES[] = {
    [NOISE_PLACE_CORE] = "core",
    [NOISE_PLACE_NODE] = "node",
    [NOISE_PLACE_NODE_FIXED] = "node-fixed",
    [NOISE_PLACE_NODE_ALL] = "node-all",
    NULL,
};

const char *noise_place_name(noise_place place)
{
    return NAMES[place];
}

/* A place and, behind ':', nodes. */
static bool parse_place(const char *text, noise_where *out, GError **error)
{
    const char *colon = strchr(text, ':');
    const size_t len = colon != NULL ? (size_t)(colon - text) : strlen(text);
    g_autofree char *name = g_strndup(text, len);
    for (size_t i = 0; NAMES[i] != NULL; i++) {
        if (g_str_equal(NAMES[i], name)) {
            noise_where w = {.place = (noise_place)i, .text = text};
            if (colon != NULL) {
                w.scope = NOISE_SCOPE_NODES;
                w.ranges = noise_rank_ranges_parse(colon + 1, "nodes", &w.num_ranges, error);
            }
            const bool ok = colon == NULL || w.ranges != NULL;
            *out = ok ? w : *out;
            return ok;
        }
    }
    g_autofree char *hint = sim_nearest_hint(name, NAMES);
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL,
                "'@%s' is neither ranks (0,5-7,64-1023/64) nor a place%s", text, hint);
    return false;
}

bool noise_where_parse(const char *text, noise_where *out, GError **error)
{
    if (text == NULL) {
        *out = (noise_where){.place = NOISE_PLACE_CORE};
        return true;
    }
    if (g_ascii_isalpha(*text)) {
        return parse_place(text, out, error);
    }
    noise_where w = {.place = NOISE_PLACE_CORE, .scope = NOISE_SCOPE_RANKS, .text = text};
    w.ranges = noise_rank_ranges_parse(text, "ranks", &w.num_ranges, error);
    if (w.ranges == NULL) {
        return false;
    }
    *out = w;
    return true;
}
