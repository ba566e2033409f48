/* apps/ripple/options/options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_option_effects, cli_simulate_errors. */
#include "options/options.h"

#include "output/error.h"
#include "sim/nearest.h"

#include <string.h>

struct app_options {
    GArray *groups;  /* of app_option_group */
    GPtrArray *kept; /* of char * */
};

static void group_clear(gpointer data)
{
    g_array_unref(((app_option_group *)data)->entries);
}

app_options *app_options_new(void)
{
    app_options *o = g_new0(app_options, 1);
    o->groups = g_array_new(FALSE, FALSE, sizeof(app_option_group));
    g_array_set_clear_func(o->groups, group_clear);
    o->kept = g_ptr_array_new_with_free_func(g_free);
    return o;
}

void app_options_free(app_options *o)
{
    if (o != NULL) {
        g_array_unref(o->groups);
        g_ptr_array_unref(o->kept);
        g_free(o);
    }
}

void app_options_add(app_options *o, const char *title, const GOptionEntry *entries)
{
    app_option_group group = {title, g_array_new(TRUE, TRUE, sizeof(GOptionEntry))};
    for (; entries->long_name != NULL; entries++) {
        g_array_append_val(group.entries, *entries);
    }
    g_array_append_val(o->groups, group);
}

const char *app_options_keep(app_options *o, char *text)
{
    g_ptr_array_add(o->kept, text);
    return text;
}

guint app_options_num_groups(const app_options *o)
{
    return o->groups->len;
}

const app_option_group *app_options_group(const app_options *o, guint i)
{
    return &g_array_index(o->groups, app_option_group, i);
}

bool app_option_is_optional(const GOptionEntry *entry)
{
    return entry->arg_description != NULL && g_str_has_prefix(entry->arg_description, "[=");
}

char *app_option_synopsis(const GOptionEntry *entry)
{
    GString *text = g_string_new(NULL);
    if (entry->short_name != 0) {
        g_string_append_printf(text, "-%c, ", entry->short_name);
    }
    g_string_append_printf(text, "--%s", entry->long_name);
    if (entry->arg_description != NULL) {
        g_string_append_printf(text, app_option_is_optional(entry) ? "%s" : "=%s",
                               entry->arg_description);
    }
    return g_string_free(text, FALSE);
}

/* The entry whose long name is @p name, or NULL. */
static const GOptionEntry *find(const app_options *o, const char *name)
{
    for (guint i = 0; i < o->groups->len; i++) {
        const GOptionEntry *e =
            (const GOptionEntry *)(gpointer)app_options_group(o, i)->entries->data;
        for (; e->long_name != NULL; e++) {
            if (strcmp(e->long_name, name) == 0) {
                return e;
            }
        }
    }
    return NULL;
}

/*
 * GOption would take the word after an option for its value; "--cosched x.goal" must not take the
 * program away. "--cosched" becomes "--cosched=".
 */
static void close_optional_values(const app_options *o, char **argv)
{
    for (; *argv != NULL; argv++) {
        const GOptionEntry *e = g_str_has_prefix(*argv, "--") ? find(o, *argv + 2) : NULL;
        if (e != NULL && app_option_is_optional(e)) {
            char *closed = g_strconcat(*argv, "=", NULL);
            g_free(*argv);
            *argv = closed;
        }
    }
}

static bool refuse_empty(const char *name, GError **error)
{
    g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--%s: the value is empty", name);
    return false;
}

/* "--cosched=" is neither "--cosched" nor a value. Asked before the one becomes the other. */
static bool check_optional_values(const app_options *o, char **argv, GError **error)
{
    for (; *argv != NULL && strcmp(*argv, "--") != 0; argv++) {
        if (g_str_has_prefix(*argv, "--") && g_str_has_suffix(*argv, "=")) {
            g_autofree char *name = g_strndup(*argv + 2, strlen(*argv) - 3);
            const GOptionEntry *e = find(o, name);
            if (e != NULL && app_option_is_optional(e)) {
                return refuse_empty(name, error);
            }
        }
    }
    return true;
}

/* Is there an empty value, where the option needs one? Places to write say so themselves. */
static bool check_values(const app_options *o, GError **error)
{
    for (guint i = 0; i < o->groups->len; i++) {
        const GOptionEntry *e =
            (const GOptionEntry *)(gpointer)app_options_group(o, i)->entries->data;
        for (; e->long_name != NULL; e++) {
            if (e->arg == G_OPTION_ARG_STRING && !app_option_is_optional(e)) {
                const char *value = *(char **)e->arg_data;
                if (value != NULL && value[0] == '\0') {
                    return refuse_empty(e->long_name, error);
                }
            }
        }
    }
    return true;
}

static void add_suggestion(const app_options *o, GError **error)
{
    if (!g_error_matches(*error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION)) {
        return;
    }
    const char *unknown = strrchr((*error)->message, ' ');
    if (unknown == NULL || !g_str_has_prefix(unknown, " --")) {
        return;
    }
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (guint i = 0; i < o->groups->len; i++) {
        const GArray *entries = app_options_group(o, i)->entries;
        for (guint j = 0; j < entries->len; j++) {
            g_strv_builder_add(builder, g_array_index(entries, GOptionEntry, j).long_name);
        }
    }
    g_auto(GStrv) names = g_strv_builder_end(builder);
    g_autofree char *word = g_strndup(unknown + 3, strcspn(unknown + 3, "="));
    const char *best = sim_nearest_name(word, (const char *const *)names);
    if (best != NULL) {
        char *message = g_strdup_printf("%s (did you mean --%s?)", (*error)->message, best);
        g_free((*error)->message);
        (*error)->message = message;
    }
}

bool app_options_parse(app_options *o, char ***argv, GError **error)
{
    if (!check_optional_values(o, *argv, error)) {
        return false;
    }
    close_optional_values(o, *argv);
    GOptionGroup *group = g_option_group_new("ripple", "", "", NULL, NULL);
    for (guint i = 0; i < o->groups->len; i++) {
        g_option_group_add_entries(
            group, (const GOptionEntry *)(gpointer)app_options_group(o, i)->entries->data);
    }
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_set_main_group(context, group);
    GError *failure = NULL;
    if (!g_option_context_parse_strv(context, argv, &failure)) {
        add_suggestion(o, &failure);
        g_propagate_error(error, failure);
        return false;
    }
    return check_values(o, error);
}

bool app_refuse_double(const char *text, const char *before, GError **error)
{
    if (strcmp(text, before) == 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "'%s' is there twice", text);
    } else {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "'%s' is there twice, first as '%s'", text,
                    before);
    }
    return false;
}

bool app_options_refuse_idle(const app_option_use *uses, size_t n, GError **error)
{
    for (size_t i = 0; i < n; i++) {
        if (uses[i].given && uses[i].idle != NULL) {
            g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "%s has no effect %s", uses[i].name,
                        uses[i].idle);
            return false;
        }
    }
    return true;
}

bool app_parse_unsigned(const char *option, const char *text, uint64_t min, uint64_t max,
                        uint64_t *out, GError **error)
{
    guint64 value;
    if (!g_ascii_string_to_unsigned(text, 10, min, max, &value, NULL)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "%s: '%s' is not a whole number from %" G_GUINT64_FORMAT
                    " to %" G_GUINT64_FORMAT,
                    option, text, (guint64)min, (guint64)max);
        return false;
    }
    *out = value;
    return true;
}

char *app_join(const char *const *words, const char *separator)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; words[i] != NULL; i++) {
        g_string_append_printf(text, "%s%s", i > 0 ? separator : "", words[i]);
    }
    return g_string_free(text, FALSE);
}

bool app_parse_choice(const char *option, const char *text, const char *const *names, unsigned *out,
                      GError **error)
{
    for (unsigned i = 0; names[i] != NULL; i++) {
        if (strcmp(text, names[i]) == 0) {
            *out = i;
            return true;
        }
    }
    g_autofree char *list = app_join(names, ", ");
    g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "%s: '%s' is none of: %s", option, text, list);
    return false;
}
