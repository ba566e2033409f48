/* apps/ripple/report/short_marks.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_short_marks. */
#include "short_marks.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#define NUMBER "(-?[0-9.]+)"
/* gnuplot's marks and dots: where they are is all that differs from one to the next. */
static const char MARK[] =
    "\t?<use href='(#[^']*)' (?|transform='translate\\(" NUMBER "," NUMBER "\\) "
    "(scale\\([0-9.]+\\))'|x='" NUMBER "' y='" NUMBER "'()) (color='[^']*'(?: opacity='[^']*')?)/>";
enum { WHOLE, KIND, X, Y, SCALE, LOOK, NUM_PARTS };

typedef struct marks {
    char *name;        /* ids of kinds begin with it */
    GHashTable *kinds; /* "#kind scale colour opacity" -> id */
} marks;

/* "64.00" is "64". */
static void append_short_number(GString *out, const char *number)
{
    size_t n = strlen(number);
    if (strchr(number, '.') != NULL) {
        while (number[n - 1] == '0') {
            n--;
        }
        n -= number[n - 1] == '.';
    }
    g_string_append_len(out, number, (gssize)n);
}

/* A kind is defined where it comes for the first time. */
static const char *kind_of(marks *m, GString *out, char *const *parts)
{
    g_autofree char *key = g_strjoin(" ", parts[KIND], parts[SCALE], parts[LOOK], NULL);
    const char *known = g_hash_table_lookup(m->kinds, key);
    if (known != NULL) {
        return known;
    }
    char *id = g_strdup_printf("%s%u", m->name, g_hash_table_size(m->kinds));
    g_string_append_printf(out, "<defs><use id='%s' href='%s' ", id, parts[KIND]);
    if (parts[SCALE][0] != '\0') {
        g_string_append_printf(out, "transform='%s' ", parts[SCALE]);
    }
    g_string_append_printf(out, "%s/></defs>", parts[LOOK]);
    g_hash_table_insert(m->kinds, g_steal_pointer(&key), id);
    return id;
}

static gboolean shorten_mark(const GMatchInfo *match, GString *out, gpointer data)
{
    char *parts[NUM_PARTS];
    for (int i = 0; i < NUM_PARTS; i++) {
        parts[i] = g_match_info_fetch(match, i);
    }
    const char *kind = kind_of(data, out, parts); /* which may write its definition */
    g_string_append_printf(out, "<use href='#%s' x='", kind);
    append_short_number(out, parts[X]);
    g_string_append(out, "' y='");
    append_short_number(out, parts[Y]);
    g_string_append(out, "'/>");
    for (int i = 0; i < NUM_PARTS; i++) {
        g_free(parts[i]);
    }
    return FALSE;
}

/* Ids of figures are long, and stand in each mark. So: 32 bits of them, always in six letters. */
static char *short_name(const char *id)
{
    static const char LETTERS[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char name[] = "000000";
    for (guint rest = g_str_hash(id), i = 0; rest > 0; rest /= strlen(LETTERS)) {
        name[i++] = LETTERS[rest % strlen(LETTERS)];
    }
    return g_strdup(name);
}

static char *shorten_marks(const char *html, const char *id)
{
    g_autoptr(GRegex) mark = g_regex_new(MARK, G_REGEX_OPTIMIZE, 0, NULL);
    marks m = {.name = short_name(id),
               .kinds = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)};
    char *out = g_regex_replace_eval(mark, html, -1, 0, 0, shorten_mark, &m, NULL);
    g_hash_table_unref(m.kinds);
    g_free(m.name);
    return out;
}

/* gnuplot begins a group for each thing that might come. */
static char *without_empty_groups(const char *html)
{
    g_autoptr(GRegex) empty =
        g_regex_new("<g(?: (?![^>]*\\bid=)[^>]*)?>\\s*</g>\n?", G_REGEX_OPTIMIZE, 0, NULL);
    char *text = g_strdup(html);
    for (bool found = true; found;) { /* what holds empty ones alone is empty then */
        char *less = g_regex_replace_literal(empty, text, -1, 0, "", 0, NULL);
        found = strlen(less) < strlen(text);
        g_free(text);
        text = less;
    }
    return text;
}

char *app_drawing_shorten(const char *html, const char *id)
{
    g_autofree char *marked = shorten_marks(html, id);
    return without_empty_groups(marked);
}
