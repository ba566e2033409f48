/* apps/ripple/command/manual.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_help. */
#include "command/manual.h"

#include "command/command.h"
#include "command/verb_options.h"
#include "ripple_version.h"
#include "verbs/verb_list.h"

#include <string.h>

/* Text of the document: a hyphen is a minus that can be copied, a line never is a request. */
static void append_text(GString *page, const char *text)
{
    bool line_start = true;
    for (const char *c = text; *c != '\0'; c++) {
        if (line_start && (*c == '.' || *c == '\'')) {
            g_string_append(page, "\\&");
        }
        line_start = *c == '\n';
        switch (*c) {
        case '\\':
            g_string_append(page, "\\e");
            break;
        case '-':
            g_string_append(page, "\\-");
            break;
        case '^':
            g_string_append(page, "\\(ha");
            break;
        case '~':
            g_string_append(page, "\\(ti");
            break;
        case '`':
            g_string_append(page, "\\(ga");
            break;
        case '\'':
            g_string_append(page, "\\(aq");
            break;
        default:
            g_string_append_c(page, *c);
        }
    }
    g_string_append_c(page, '\n');
}

/* Running text, in lines short enough for every roff. */
static void append_filled(GString *page, const char *text)
{
    enum { LINE = 70 };
    g_auto(GStrv) words = g_strsplit_set(text, " \n", -1);
    g_autoptr(GString) line = g_string_new(NULL);
    for (size_t i = 0; words[i] != NULL; i++) {
        if (line->len > 0 && line->len + 1 + strlen(words[i]) > LINE) {
            append_text(page, line->str);
            g_string_truncate(line, 0);
        }
        g_string_append_printf(line, "%s%s", line->len > 0 ? " " : "", words[i]);
    }
    append_text(page, line->str);
}

static void append_title(GString *page, const char *name, const char *summary)
{
    g_autofree char *upper = g_ascii_strup(name, -1);
    g_string_append(page, ".\\\" made from the option tables of ripple " RIPPLE_VERSION "\n");
    g_string_append_printf(page, ".TH %s 1 %s \"ripple %s\" \"Ripple manual\"\n", upper,
                           RIPPLE_RELEASE_DATE, RIPPLE_VERSION);
    g_string_append(page, ".nh\n.ad l\n.SH NAME\n");
    g_autofree char *line = g_strdup_printf("%s - %s", name, summary);
    append_filled(page, line);
}

static void append_options(GString *page, const app_options *options)
{
    g_string_append(page, ".SH OPTIONS\n");
    for (guint i = 0; i < app_options_num_groups(options); i++) {
        const app_option_group *group = app_options_group(options, i);
        g_string_append(page, ".SS ");
        append_text(page, group->title);
        for (guint j = 0; j < group->entries->len; j++) {
            const GOptionEntry *entry = &g_array_index(group->entries, GOptionEntry, j);
            g_autofree char *synopsis = app_option_synopsis(entry);
            g_string_append(page, ".TP\n.B ");
            append_text(page, synopsis);
            append_filled(page, entry->description);
        }
    }
}

static void append_paragraphs(GString *page, const char *text)
{
    g_auto(GStrv) paragraphs = g_strsplit(text, "\n\n", -1);
    for (size_t i = 0; paragraphs[i] != NULL; i++) {
        const bool verbatim = paragraphs[i][0] == ' ';
        if (i > 0) {
            g_string_append(page, ".PP\n");
        }
        if (verbatim) {
            g_string_append(page, ".nf\n");
            append_text(page, paragraphs[i]);
            g_string_append(page, ".fi\n");
        } else {
            append_filled(page, paragraphs[i]);
        }
    }
}

static void append_exit_status(GString *page)
{
    static const char *const CODES[] = {
        "0", "done",
        "1", "an error while running; nothing half-written is left behind",
        "2", "the command line is wrong",
        "3", "a measurement that is not valid",
    };
    g_string_append(page, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < G_N_ELEMENTS(CODES); i += 2) {
        g_string_append_printf(page, ".TP\n.B %s\n%s\n", CODES[i], CODES[i + 1]);
    }
}

static void append_see_also(GString *page, const char *self)
{
    g_string_append(page, ".SH SEE ALSO\n");
    const char *separator = "";
    if (self != NULL) {
        g_string_append(page, ".BR ripple (1)");
        separator = " ,\n";
    }
    for (size_t i = 0; app_verbs[i] != NULL; i++) {
        if (self == NULL || strcmp(self, app_verbs[i]->name) != 0) {
            g_string_append_printf(page, "%s.BR ripple\\-%s (1)", separator, app_verbs[i]->name);
            separator = " ,\n";
        }
    }
    g_string_append_c(page, '\n');
}

char *app_manual_command(void)
{
    GString *page = g_string_new(NULL);
    append_title(page, "ripple", APP_COMMAND_SUMMARY);
    g_string_append(page, ".SH SYNOPSIS\n.B ripple\n.I VERB\n[\\fIOPTION\\fR]...\\& "
                          "[\\fIARGUMENT\\fR]...\n.SH DESCRIPTION\n");
    append_filled(page, "Results go to standard output, under a line that repeats the version, all "
                        "parameters and the seed; everything else goes to standard error.");
    g_string_append(page, ".SH VERBS\n");
    for (size_t i = 0; app_verbs[i] != NULL; i++) {
        g_string_append(page, ".TP\n.B ");
        append_text(page, app_verbs[i]->name);
        append_filled(page, app_verbs[i]->summary);
    }
    app_command_options command = {0};
    g_autoptr(app_options) options = app_options_new();
    app_command_add_options(&command, options);
    append_options(page, options);
    append_exit_status(page);
    append_see_also(page, NULL);
    return g_string_free(page, FALSE);
}

char *app_manual_verb(const app_verb *verb)
{
    g_autoptr(app_options) options = app_options_new();
    g_autofree void *state = g_malloc0(MAX(verb->state_size, 1));
    app_common common = {0};
    app_verb_options(verb, state, &common, options);
    g_autofree char *name = g_strconcat("ripple-", verb->name, NULL);
    GString *page = g_string_new(NULL);
    append_title(page, name, verb->summary);
    g_string_append(page, ".SH SYNOPSIS\n.B ripple ");
    append_text(page, verb->name);
    g_string_append(page, "[\\fIOPTION\\fR]...\\&\n");
    if (verb->usage[0] != '\0') {
        append_text(page, verb->usage);
    }
    g_string_append(page, ".SH DESCRIPTION\n");
    g_autofree char *description = app_verb_describe(verb);
    append_paragraphs(page, description);
    append_options(page, options);
    append_exit_status(page);
    g_string_append(page, ".SH EXAMPLES\n");
    for (size_t i = 0; verb->examples[i] != NULL; i += 2) {
        g_string_append(page, ".TP\n.B ");
        append_text(page, verb->examples[i]);
        append_filled(page, verb->examples[i + 1]);
    }
    append_see_also(page, verb->name);
    return g_string_free(page, FALSE);
}
