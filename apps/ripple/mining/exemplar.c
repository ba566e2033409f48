/* apps/ripple/mining/exemplar.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_component_page. */
#include "mining/exemplar.h"

void app_exemplars_free(app_exemplar *exemplars, size_t n)
{
    if (exemplars == NULL) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        app_exemplar *e = &exemplars[i];
        for (size_t s = 0; s < e->num_slices; s++) {
            g_free(e->slices[s].name);
        }
        for (size_t f = 0; f < e->num_facts; f++) {
            g_free(e->facts[f][0]);
            g_free(e->facts[f][1]);
        }
        g_free(e->slices);
        g_free(e->facts);
        g_free(e->type);
    }
    g_free(exemplars);
}
