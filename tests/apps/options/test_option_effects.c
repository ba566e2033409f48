/* tests/apps/test_option_effects.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No option is ignored without a word: each one of every verb has rows in option_rows.c that say
 * in which situation it takes effect and in which it is refused, and the command does so. Which
 * options there are is read from the tables that the command itself parses by.
 */
#include "check.h"
#include "command/command.h"
#include "command/verb_options.h"
#include "folder.h"
#include "option_row_macros.h"
#include "verbs/verb_list.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What a command has come to. */
typedef struct seen {
    int code;
    char *out; /* without what repeats the command line */
    char *err;
    char *files; /* a line for each that is new: "file NAME" */
} seen;

static char *top;        /* a folder for each run is made and removed below */
static GHashTable *runs; /* by command line: of seen, for rows that have one in common */

static void seen_free(gpointer data)
{
    seen *s = data;
    g_free(s->out);
    g_free(s->err);
    g_free(s->files);
    g_free(s);
}

/* The head of a result repeats the command line: it would differ for an option that does nothing.
 * It is a line that begins with '#', or the member "manifest". */
static char *without_head(const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    GString *rest = g_string_new(NULL);
    bool in_manifest = false;
    for (size_t i = 0; lines[i] != NULL; i++) {
        in_manifest |= g_str_has_prefix(lines[i], "  \"manifest\" : {");
        if (!in_manifest && lines[i][0] != '#') {
            g_string_append_printf(rest, "%s\n", lines[i]);
        }
        in_manifest &= !g_str_has_prefix(lines[i], "  }");
    }
    return g_string_free(rest, FALSE);
}

static char *list_files(const char *folder)
{
    static const char *const OURS[] = {"data", "testdata", "traces", "some.db", "some.hb", NULL};
    GString *list = g_string_new(NULL);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        if (!g_strv_contains(OURS, name)) {
            g_string_append_printf(list, "file %s\n", name);
        }
    }
    return g_string_free(list, FALSE);
}

static char *make_folder(void)
{
    static const char *const LINKS[][2] = {{CLI_DATA, "data"},
                                           {RIPPLE_TEST_DATA, "testdata"},
                                           {TRACES, "traces"},
                                           {"../some.db", "some.db"},
                                           {"../some.hb", "some.hb"}};
    char *folder = g_build_filename(top, "run", NULL);
    folder_remove(folder);
    CHECK(g_mkdir(folder, 0777) == 0);
    for (size_t i = 0; i < G_N_ELEMENTS(LINKS); i++) {
        g_autofree char *link = g_build_filename(folder, LINKS[i][1], NULL);
        CHECK(symlink(LINKS[i][0], link) == 0);
    }
    return folder;
}

static seen *run_anew(const char *line)
{
    g_autofree char *folder = make_folder();
    g_auto(GStrv) argv = NULL;
    g_autoptr(GError) error = NULL;
    g_autofree char *out = NULL;
    seen *s = g_new0(seen, 1);
    int status = 0;
    if (!g_shell_parse_argv(line, NULL, &argv, &error) ||
        !g_spawn_sync(folder, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &s->err, &status,
                      &error)) {
        g_error("%s: %s", line, error->message);
    }
    s->code = g_spawn_check_wait_status(status, &error) ? 0 : error->code;
    s->out = without_head(out);
    s->files = list_files(folder);
    return s;
}

static const seen *run(const option_row *row, const char *given)
{
    g_autofree char *line =
        g_strdup_printf("'%s' %s %s %s", RIPPLE, row->verb, given != NULL ? given : "", row->base);
    seen *s = g_hash_table_lookup(runs, line);
    if (s == NULL) {
        s = run_anew(line);
        g_hash_table_insert(runs, g_steal_pointer(&line), s);
    }
    return s;
}

static bool equal(const seen *a, const seen *b)
{
    return a->code == b->code && g_str_equal(a->out, b->out) && g_str_equal(a->err, b->err) &&
           g_str_equal(a->files, b->files);
}

static void check_differs(const option_row *row, const seen *with)
{
    const seen *base = run(row, NULL);
    CHECK(base->code != 2, "the situation itself is refused: ripple %s %s: %s", row->verb,
          row->base, base->err);
    CHECK(with->code != 2, "ripple %s %s %s: %s", row->verb, row->given, row->base, with->err);
    CHECK(!equal(base, with), "ripple %s %s: %s makes no difference", row->verb, row->base,
          row->given);
}

static void check_same(const option_row *row, const seen *with)
{
    const seen *base = run(row, NULL);
    CHECK_I64(with->code, base->code, "ripple %s %s %s: %s", row->verb, row->given, row->base,
              with->err);
    CHECK_STR(with->out, base->out, "ripple %s %s %s", row->verb, row->given, row->base);
    CHECK_STR(with->files, base->files, "ripple %s %s %s", row->verb, row->given, row->base);
}

static void check_refused(const option_row *row, const seen *with)
{
    const char *newline = strchr(with->err, '\n');
    CHECK_I64(with->code, 2, "ripple %s %s %s", row->verb, row->given, row->base);
    CHECK_STR(with->out, "", "ripple %s %s %s", row->verb, row->given, row->base);
    CHECK_STR(with->files, "", "ripple %s %s %s", row->verb, row->given, row->base);
    CHECK(newline != NULL && newline[1] == '\0', "one line, not: %s", with->err);
    CHECK(strstr(with->err, row->words) != NULL && strstr(with->err, row->option) != NULL,
          "ripple %s %s %s: wanted '%s', not: %s", row->verb, row->given, row->base, row->words,
          with->err);
}

static void check_says(const option_row *row, const seen *with)
{
    g_autofree char *all = g_strconcat(with->out, with->err, with->files, NULL);
    CHECK(g_regex_match_simple(row->words, all, G_REGEX_MULTILINE, 0),
          "ripple %s %s %s: wanted '%s', not: %s", row->verb, row->given, row->base, row->words,
          all);
}

static void check_hushes(const option_row *row, const seen *with)
{
    const seen *base = run(row, NULL);
    CHECK(strstr(base->err, row->words) != NULL, "ripple %s %s: wanted '%s', not: %s", row->verb,
          row->base, row->words, base->err);
    CHECK(strstr(with->err, row->words) == NULL, "ripple %s %s %s: %s", row->verb, row->given,
          row->base, with->err);
}

static void check_row(const option_row *row)
{
    if (row->effect == OPTION_TRACED && !OPENMPI_TRACED) {
        return;
    }
    const seen *with = run(row, row->given);
    switch (row->effect) {
    case OPTION_DIFFERS:
    case OPTION_TRACED:
        check_differs(row, with);
        break;
    case OPTION_SAME:
        check_same(row, with);
        break;
    case OPTION_REFUSED:
        check_refused(row, with);
        break;
    case OPTION_SAYS:
        check_says(row, with);
        break;
    case OPTION_HUSHES:
        check_hushes(row, with);
        break;
    }
}

static void set_up(void)
{
    static const option_row MADE[] = {
        {"sweep", "", OPTION_SAYS, "collective:barrier --sweep=L=1us,2us", "-o ../some.db", ""},
        {"simulate", "", OPTION_SAYS, "collective:barrier", "--record=../some.hb", ""},
        {"detect", "", OPTION_SAYS, "learn " RING, "-o ../some.model", ""}};
    top = g_dir_make_tmp("ripple-options-XXXXXX", NULL);
    runs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, seen_free);
    for (size_t i = 0; i < G_N_ELEMENTS(MADE); i++) {
        const seen *s = run(&MADE[i], MADE[i].given);
        CHECK_I64(s->code, 0, "%s", s->err);
    }
}

/* Which options does @p verb have? NULL: the command itself. As "--name"; owned. */
static GPtrArray *options_of(const app_verb *verb)
{
    g_autoptr(app_options) options = app_options_new();
    g_autofree void *state = g_malloc0(MAX(verb != NULL ? verb->state_size : 0, 1));
    app_common common = {0};
    app_command_options command = {0};
    if (verb != NULL) {
        app_verb_options(verb, state, &common, options);
    } else {
        app_command_add_options(&command, options);
    }
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < app_options_num_groups(options); i++) {
        const GArray *entries = app_options_group(options, i)->entries;
        for (guint j = 0; j < entries->len; j++) {
            const GOptionEntry *entry = &g_array_index(entries, GOptionEntry, j);
            g_ptr_array_add(names, g_strconcat("--", entry->long_name, NULL));
        }
    }
    return names;
}

static bool has_row(const char *verb, const char *option)
{
    for (size_t i = 0; i < num_option_rows; i++) {
        if (g_str_equal(option_rows[i].verb, verb) && g_str_equal(option_rows[i].option, option)) {
            return true;
        }
    }
    return false;
}

static void every_option_of_every_verb_has_a_row(void)
{
    for (size_t i = 0; i == 0 || app_verbs[i - 1] != NULL; i++) {
        const app_verb *verb = i == 0 ? NULL : app_verbs[i - 1];
        const char *name = verb != NULL ? verb->name : "";
        g_autoptr(GPtrArray) options = options_of(verb);
        for (guint j = 0; j < options->len; j++) {
            const char *option = g_ptr_array_index(options, j);
            CHECK(has_row(name, option), "ripple %s %s: no row in option_rows.c", name, option);
        }
    }
}

static void every_row_is_of_an_option_that_is_there(void)
{
    for (size_t i = 0; i < num_option_rows; i++) {
        const option_row *row = &option_rows[i];
        const app_verb *verb = row->verb[0] != '\0' ? app_verb_find(row->verb) : NULL;
        CHECK(verb != NULL || row->verb[0] == '\0', "%s", row->verb);
        g_autoptr(GPtrArray) options = options_of(verb);
        CHECK(g_ptr_array_find_with_equal_func(options, row->option, g_str_equal, NULL),
              "ripple %s has no %s", row->verb, row->option);
    }
}

static void each_takes_effect_or_is_refused(void)
{
    set_up();
    for (size_t i = 0; i < num_option_rows; i++) {
        check_row(&option_rows[i]);
    }
    g_hash_table_unref(runs);
    folder_remove(top);
    g_free(top);
}

SUITE_MAIN("option_effects", TEST(every_option_of_every_verb_has_a_row),
           TEST(every_row_is_of_an_option_that_is_there), TEST(each_takes_effect_or_is_refused))
