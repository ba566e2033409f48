/* apps/ripple/command/help.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_help. */
#include "command/help.h"

#include "command/verb_options.h"
#include "output/error.h"
#include "output/output.h"
#include "output/wrap_text.h"

#include <string.h>

enum { WIDTH = APP_HELP_WIDTH, INDENT = 30 };

static void append_item(GString *page, const char *left, const char *right)
{
    g_string_append_printf(page, "  %s", left);
    size_t column = 2 + strlen(left);
    if (column + 2 > INDENT) {
        g_string_append_c(page, '\n');
        column = 0;
    }
    g_string_append_printf(page, "%*s", (int)(INDENT - column), "");
    app_wrap_text(page, right, WIDTH, INDENT, INDENT);
}

void app_help_append_options(GString *page, const app_options *options)
{
    for (guint i = 0; i < app_options_num_groups(options); i++) {
        const app_option_group *group = app_options_group(options, i);
        g_string_append_printf(page, "\n%s:\n", group->title);
        for (guint j = 0; j < group->entries->len; j++) {
            const GOptionEntry *entry = &g_array_index(group->entries, GOptionEntry, j);
            g_autofree char *synopsis = app_option_synopsis(entry);
            append_item(page, synopsis, entry->description);
        }
    }
}

static void append_paragraphs(GString *page, const char *text)
{
    g_auto(GStrv) paragraphs = g_strsplit(text, "\n\n", -1);
    for (size_t i = 0; paragraphs[i] != NULL; i++) {
        g_string_append_c(page, '\n');
        if (paragraphs[i][0] == ' ') { /* laid out by hand */
            g_string_append(page, paragraphs[i]);
            g_string_append_c(page, '\n');
        } else {
            g_autofree char *flat = g_strdelimit(g_strdup(paragraphs[i]), "\n", ' ');
            app_wrap_text(page, flat, WIDTH, 0, 0);
        }
    }
}

int app_help_print(const char *text)
{
    g_autoptr(GError) error = NULL;
    app_output *output = app_output_open(NULL, &error);
    if (output != NULL) {
        fputs(text, app_output_stream(output));
    }
    if (output == NULL || !app_output_close(output, &error)) {
        fprintf(stderr, "ripple: %s\n", error->message);
        return APP_EXIT_ERROR;
    }
    return APP_EXIT_DONE;
}

int app_help_verb(const app_verb *verb)
{
    g_autoptr(app_options) options = app_options_new();
    g_autofree void *state = g_malloc0(MAX(verb->state_size, 1));
    app_common common = {0};
    app_verb_options(verb, state, &common, options);
    g_autoptr(GString) page = g_string_new(NULL);
    g_string_append_printf(page, "Usage: ripple %s [OPTION]...%s%s\n", verb->name,
                           verb->usage[0] != '\0' ? " " : "", verb->usage);
    g_string_append_printf(page, "%c%s.\n", g_ascii_toupper(verb->summary[0]), verb->summary + 1);
    g_autofree char *description = app_verb_describe(verb);
    append_paragraphs(page, description);
    app_help_append_options(page, options);
    g_string_append(page, "\nExamples:\n");
    for (size_t i = 0; verb->examples[i] != NULL; i += 2) {
        g_string_append_printf(page, "  %s\n      ", verb->examples[i]);
        app_wrap_text(page, verb->examples[i + 1], WIDTH, 6, 6);
    }
    return app_help_print(page->str);
}
