/* tests/noise/places/any_noise.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "any_noise.h"

static const char *const PARTS[] = {
    "fixed:1009ps:37ps",  "fixed:613ps:90ps",       "tick:500ps:1ps:99ps",     "poisson:800ps:60ps",
    "fixed:2003ps:400ps", "lognormal:900ps:30ps:1", "job:5ps:25ps:75ps:425ps", "slow:3%",
    "slow:25%",           "slow:30%:700ps:211ps",   "slow:0.0000001%",
};
static const char *const WHERE[] = {
    "",       "@core",  "@core",   "@node",     "@node",           "@node-fixed",   "@node-all",
    "@0-9/2", "@1,3-5", "@node:0", "@core:1-2", "@node-all:0-3/2", "@node-fixed:1",
};

static size_t below(GRand *random, size_t n)
{
    return (size_t)g_rand_int_range(random, 0, (gint32)n);
}

static char *any_text(GRand *random)
{
    g_autoptr(GString) text = g_string_new(NULL);
    const size_t parts = 1 + below(random, 3);
    const char *part = NULL;
    for (size_t i = 0; i < parts; i++) {
        part = PARTS[below(random, G_N_ELEMENTS(PARTS))];
        g_string_append_printf(text, "%s%s%s", i > 0 ? "+" : "", part,
                               WHERE[below(random, G_N_ELEMENTS(WHERE))]);
    }
    if (below(random, 3) == 0) {
        g_string_append(text, "+drift=30000");
    }
    if (below(random, 3) == 0) {
        g_string_append_printf(text, "+without=%s", part);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

noise_signature *any_noise(GRand *random)
{
    noise_signature *s = NULL;
    while (s == NULL) { /* drift without anything periodic is refused */
        g_autofree char *text = any_text(random);
        s = noise_signature_parse(text, 1 + below(random, 5), NULL);
    }
    return s;
}
