/* apps/ripple/view/components.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_view_run. */
#include "view/components.h"

#include <string.h>

void app_components_init(app_components *c, const noise_signature *signature,
                         const noise_injection_options *options, uint32_t num_ranks)
{
    *c = (app_components){.signature = signature, .options = *options, .num_ranks = num_ranks};
    if (signature != NULL && noise_signature_num_components(signature) > 0) {
        c->all = noise_injection_new(signature, num_ranks, options);
    }
}

/* The names of all but one. NULL: another one is called as it is. Names are borrowed. */
static const char **names_of_others(const noise_signature *signature, size_t but)
{
    GPtrArray *names = g_ptr_array_new();
    const char *own = noise_signature_component(signature, but)->name;
    for (size_t i = 0; i < noise_signature_num_components(signature); i++) {
        char *name = noise_signature_component(signature, i)->name;
        if (i != but && strcmp(name, own) == 0) {
            g_ptr_array_free(names, TRUE);
            return NULL;
        }
        if (i != but && !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL)) {
            g_ptr_array_add(names, name);
        }
    }
    g_ptr_array_add(names, NULL);
    return (const char **)g_ptr_array_free(names, FALSE);
}

bool app_components_split(app_components *c, GError **error)
{
    c->n = c->all != NULL ? noise_signature_num_components(c->signature) : 0;
    c->alone = g_new0(noise_signature *, c->n + 1);
    c->each = g_new0(noise_injection *, c->n + 1);
    c->hooks = g_new0(const sim_noise *, c->n + 1);
    if (c->n == 1) {
        c->hooks[0] = noise_injection_hook(c->all);
        return true;
    }
    for (size_t i = 0; i < c->n; i++) {
        g_autofree const char **others = names_of_others(c->signature, i);
        if (others == NULL) {
            continue;
        }
        c->alone[i] = noise_signature_without(c->signature, others, error);
        if (c->alone[i] == NULL) {
            return false;
        }
        c->each[i] = noise_injection_new(c->alone[i], c->num_ranks, &c->options);
        c->hooks[i] = noise_injection_hook(c->each[i]);
    }
    return true;
}

void app_components_clear(app_components *c)
{
    for (size_t i = 0; i < c->n; i++) {
        noise_injection_free(c->each[i]);
        noise_signature_free(c->alone[i]);
    }
    g_free(c->each);
    g_free(c->alone);
    g_free(c->hooks);
    noise_injection_free(c->all);
    *c = (app_components){0};
}
