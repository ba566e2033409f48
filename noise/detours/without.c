/* noise/detours/without.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature_without. */
#include "detours/without.h"

#include "noise/error.h"
#include "sim/nearest.h"

#include <string.h>

#define BEHIND_PLUS "+" NOISE_SIGNATURE_WITHOUT

/* Up to the first @p end that no backslash stands before. */
static size_t length_to(const char *text, char end)
{
    size_t i = 0;
    while (text[i] != '\0' && text[i] != end) {
        i += text[i] == '\\' && text[i + 1] != '\0' ? 2 : 1;
    }
    return i;
}

size_t noise_without_head(const char *text)
{
    const char *without = strstr(text, BEHIND_PLUS);
    return without != NULL ? (size_t)(without - text) : strlen(text);
}

char **noise_without_pieces(const char *text, size_t head)
{
    GStrvBuilder *pieces = g_strv_builder_new();
    for (const char *at = text;; at++, head = 0) {
        const size_t length = head > 0                                        ? head
                              : g_str_has_prefix(at, NOISE_SIGNATURE_WITHOUT) ? length_to(at, '+')
                                                                              : strcspn(at, "+");
        g_autofree char *piece = g_strndup(at, length);
        g_strv_builder_add(pieces, piece);
        at += length;
        if (*at == '\0') {
            break;
        }
    }
    char **all = g_strv_builder_end(pieces);
    g_strv_builder_unref(pieces);
    return all;
}

char **noise_without_names(const char *text)
{
    GStrvBuilder *names = g_strv_builder_new();
    for (const char *at = text;; at++) {
        const size_t length = length_to(at, ',');
        g_autoptr(GString) name = g_string_new(NULL);
        for (size_t i = 0; i < length; i++) {
            i += at[i] == '\\' && i + 1 < length;
            g_string_append_c(name, at[i]);
        }
        g_strv_builder_add(names, name->str);
        at += length;
        if (*at == '\0') {
            break;
        }
    }
    char **all = g_strv_builder_end(names);
    g_strv_builder_unref(names);
    return all;
}

char *noise_without_text(const char *const *names)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; names[i] != NULL; i++) {
        g_string_append(text, i > 0 ? "," : "");
        for (const char *c = names[i]; *c != '\0'; c++) {
            if (strchr("\\,+", *c) != NULL) {
                g_string_append_c(text, '\\');
            }
            g_string_append_c(text, *c);
        }
    }
    return g_string_free(text, FALSE);
}

char *noise_component_label(const noise_component *c)
{
    return c->where != NULL ? g_strdup_printf("%s@%s", c->name, c->where) : g_strdup(c->name);
}

bool noise_without_means(const char *name, const noise_component *c)
{
    g_autofree char *label = noise_component_label(c);
    const char *colon = strstr(c->name, ": ");
    const size_t before = colon != NULL ? (size_t)(colon - c->name) : 0;
    return g_str_equal(name, c->name) || g_str_equal(name, label) ||
           (colon != NULL &&
            (g_str_equal(name, colon + 2) || g_str_equal(name, label + before + 2) ||
             (strlen(name) == before && strncmp(name, c->name, before) == 0))) ||
           (c->provenance != NULL && g_strcmp0(name, c->provenance->path) == 0);
}

void noise_without_refuse(const char *name, const noise_component *components, size_t n,
                          const char *text, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < n; i++) {
        g_autofree char *label = noise_component_label(&components[i]);
        if (!g_ptr_array_find_with_equal_func(names, label, g_str_equal, NULL)) {
            g_ptr_array_add(names, g_steal_pointer(&label));
        }
    }
    g_ptr_array_add(names, NULL);
    const char *const *all = (const char *const *)names->pdata;
    const char *near = sim_nearest_name(name, all);
    g_autofree char *hint = near != NULL ? g_strdup_printf("; did you mean '%s'?", near) : NULL;
    g_autofree char *list = g_strjoinv(", ", (char **)names->pdata);
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL,
                "noise '%s': no component to leave out is called '%s'%s; there %s%s", text, name,
                hint != NULL ? hint : "", n > 0 ? "are: " : "is no noise", list);
}
