/* tests/schedgen/pattern/pattern_random.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Random texts of patterns: all items, groups in groups, repetitions.
 */
#pragma once

#include <glib.h>

static inline void pattern_random_item(GRand *rand, GString *out)
{
    static const char *const ITEMS[] = {"calc=3us",        "calc=20us~50%", "calc=1ns",
                                        "stencil1d:100",   "stencil2d",     "stencil3d:3000",
                                        "wavefront",       "wavefront:70",  "ring:0",
                                        "ring:5000",       "random",        "random:300",
                                        "allreduce",       "barrier",       "bcast:binomial:64",
                                        "alltoall:linear", "scan",          "allgatherv:ring:9"};
    g_string_append(out, ITEMS[g_rand_int_range(rand, 0, G_N_ELEMENTS(ITEMS))]);
}

static inline void pattern_random_list(GRand *rand, GString *out, int depth)
{
    const int n = g_rand_int_range(rand, 1, 5);
    for (int i = 0; i < n; i++) {
        g_string_append(out, i > 0 ? "," : "");
        const bool group = depth < 3 && g_rand_int_range(rand, 0, 4) == 0;
        if (group) {
            g_string_append_c(out, '(');
            pattern_random_list(rand, out, depth + 1);
            g_string_append_c(out, ')');
        } else {
            const gsize before = out->len;
            pattern_random_item(rand, out);
            if (g_str_has_prefix(out->str + before, "calc")) {
                continue; /* "wavefront,calc=…*2" is refused */
            }
        }
        if (g_rand_int_range(rand, 0, 3) == 0) {
            g_string_append_printf(out, "*%d", g_rand_int_range(rand, 1, 4));
        }
    }
}

/** @return owned by the caller */
static inline char *pattern_random_text(GRand *rand)
{
    GString *out = g_string_new(NULL);
    if (g_rand_int_range(rand, 0, 3) == 0) {
        g_string_append_printf(out, "seed=%d,", g_rand_int_range(rand, 0, 9));
    }
    pattern_random_list(rand, out, 0);
    return g_string_free(out, FALSE);
}
