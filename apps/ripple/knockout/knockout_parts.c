/* apps/ripple/knockout/knockout_parts.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_knockout, cli_knockout. */
#include "knockout/knockout.h"

#include <string.h>

/* A label of components, with the CPU time that they take. */
typedef struct labelled {
    char *label;
    double share;
} labelled;

/* What a component is left out as. A program of several measured nodes is switched off on all. */
static char *label_of(const noise_component *c)
{
    return c->num_nodes > 1 ? g_strdup(c->name) : noise_component_label(c);
}

static GArray *labels_of(const noise_signature *signature, double *all)
{
    GArray *labels = g_array_new(FALSE, FALSE, sizeof(labelled));
    for (size_t i = 0; i < noise_signature_num_components(signature); i++) {
        const noise_component *c = noise_signature_component(signature, i);
        char *label = label_of(c);
        guint k = 0;
        while (k < labels->len && !g_str_equal(g_array_index(labels, labelled, k).label, label)) {
            k++;
        }
        if (k == labels->len) {
            const labelled each = {label, 0};
            g_array_append_val(labels, each);
        } else {
            g_free(label);
        }
        g_array_index(labels, labelled, k).share += c->share;
        *all += c->share;
    }
    return labels;
}

app_knockout_part *app_knockout_parts_new(const app_noise *noise, bool largest, size_t *n)
{
    double all = 0;
    g_autoptr(GArray) labels = labels_of(noise->signature, &all);
    g_autoptr(GPtrArray) rest = g_ptr_array_new();
    const double least = largest ? APP_KNOCKOUT_LARGE * all : 0;
    size_t small = 0;
    for (guint i = 0; i < labels->len; i++) {
        small += g_array_index(labels, labelled, i).share < least ? 1 : 0;
    }
    app_knockout_part *parts = g_new0(app_knockout_part, labels->len + 1);
    *n = 0;
    for (guint i = 0; i < labels->len; i++) {
        const labelled *each = &g_array_index(labels, labelled, i);
        if (small > 1 && each->share < least) {
            g_ptr_array_add(rest, each->label);
            continue;
        }
        parts[*n].name = g_strdup(each->label);
        parts[*n].labels = g_new0(char *, 2);
        parts[(*n)++].labels[0] = each->label;
    }
    if (rest->len > 0) {
        parts[*n].name = g_strdup_printf("%u others together", rest->len);
        parts[*n].is_rest = true;
        g_ptr_array_add(rest, NULL);
        parts[(*n)++].labels = (char **)g_ptr_array_free(g_steal_pointer(&rest), FALSE);
    }
    return parts;
}

void app_knockout_part_clear(app_knockout_part *part)
{
    g_free(part->name);
    g_strfreev(part->labels);
    *part = (app_knockout_part){0};
}

void app_knockout_parts_free(app_knockout_part *parts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        app_knockout_part_clear(&parts[i]);
    }
    g_free(parts);
}

bool app_knockout_part_has(const app_knockout_part *part, const noise_component *component)
{
    g_autofree char *label = label_of(component);
    return g_strv_contains((const char *const *)part->labels, label);
}
