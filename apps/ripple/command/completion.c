/* apps/ripple/command/completion.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_completion. */
#include "command/completion.h"

#include "command/command.h"
#include "command/verb_options.h"
#include "verbs/verb.h"
#include "verbs/verb_list.h"

#include <string.h>

/* Is this the list of all values, lower-case words joined by '|'? (FILE|PRESET is not.) */
static bool is_choice(const char *arg_description)
{
    return arg_description != NULL &&
           strpbrk(arg_description, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == NULL;
}

/* For each option with a value: what may follow it? */
static void append_cases(GString *script, const char *verb, const app_options *options)
{
    for (guint i = 0; i < app_options_num_groups(options); i++) {
        const GArray *entries = app_options_group(options, i)->entries;
        for (guint j = 0; j < entries->len; j++) {
            const GOptionEntry *e = &g_array_index(entries, GOptionEntry, j);
            if (e->arg == G_OPTION_ARG_NONE || app_option_is_optional(e)) {
                continue;
            }
            g_string_append_printf(script, "        '%s --%s'", verb, e->long_name);
            if (e->short_name != 0) {
                g_string_append_printf(script, "|'%s -%c'", verb, e->short_name);
            }
            if (is_choice(e->arg_description)) {
                g_autofree char *words = g_strdelimit(g_strdup(e->arg_description), "|", ' ');
                g_string_append_printf(script, ") words='%s' ;;\n", words);
            } else {
                g_string_append(script, ") files=1 ;;\n");
            }
        }
    }
}

static void append_option_words(GString *script, const char *verb, const app_options *options)
{
    g_string_append_printf(script, "        '%s') words='", verb);
    for (guint i = 0; i < app_options_num_groups(options); i++) {
        const GArray *entries = app_options_group(options, i)->entries;
        for (guint j = 0; j < entries->len; j++) {
            const GOptionEntry *e = &g_array_index(entries, GOptionEntry, j);
            g_string_append_printf(script, "%s--%s", i + j > 0 ? " " : "", e->long_name);
        }
    }
    g_string_append(script, "' ;;\n");
}

char *app_completion_bash(void)
{
    g_autoptr(GString) cases = g_string_new(NULL);
    g_autoptr(GString) options_of = g_string_new(NULL);
    g_autoptr(GString) verbs = g_string_new("help");
    for (size_t i = 0; app_verbs[i] != NULL; i++) {
        const app_verb *verb = app_verbs[i];
        g_autoptr(app_options) options = app_options_new();
        g_autofree void *state = g_malloc0(MAX(verb->state_size, 1));
        app_common common = {0};
        app_verb_options(verb, state, &common, options);
        append_cases(cases, verb->name, options);
        append_option_words(options_of, verb->name, options);
        g_string_append_printf(verbs, " %s", verb->name);
    }
    app_command_options command = {0};
    g_autoptr(app_options) options = app_options_new();
    app_command_add_options(&command, options);
    append_cases(cases, "", options);
    append_option_words(options_of, "", options);
    return g_strdup_printf(
        "# bash completion for ripple, made from its option tables\n"
        "_ripple()\n"
        "{\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    local verb= words= files=\n"
        "    COMPREPLY=()\n"
        "    # bash splits --option=value in three words\n"
        "    if [[ $cur == = ]]; then\n"
        "        cur=\n"
        "    elif [[ $prev == = ]]; then\n"
        "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
        "    fi\n"
        "    [[ $COMP_CWORD -gt 1 ]] && verb=${COMP_WORDS[1]}\n"
        "    if [[ $verb == -* ]]; then\n"
        "        verb=\n"
        "    fi\n"
        "    case \"$verb $prev\" in\n"
        "        'help '*|' help'|' --man') words='%s ripple' ;;\n"
        "%s"
        "    esac\n"
        "    if [[ -z $words$files && $cur == -* ]]; then\n"
        "        case $verb in\n"
        "%s"
        "        esac\n"
        "    elif [[ -z $words$files && $COMP_CWORD -eq 1 ]]; then\n"
        "        words='%s'\n"
        "    fi\n"
        "    if [[ -n $words ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
        "    else\n"
        "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
        "        compopt -o filenames 2>/dev/null\n"
        "    fi\n"
        "}\n"
        "complete -F _ripple ripple\n",
        verbs->str, cases->str, options_of->str, verbs->str);
}
