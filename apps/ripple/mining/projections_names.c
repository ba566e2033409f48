/* apps/ripple/mining/projections_names.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_projections. */
#include "mining/projections_names.h"

#include "output/error.h"

struct app_projections_names {
    uint32_t processors;
    GHashTable *chares;  /* by number: name */
    GHashTable *entries; /* by number: name */
    GHashTable *events;
};

/* The processors of one run that can be read at all. */
enum { MOST_PROCESSORS = 1 << 24 };

static GHashTable *table(void)
{
    return g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
}

static void put(GHashTable *names, int64_t number, const char *name)
{
    char *valid = g_utf8_make_valid(name, -1);
    g_hash_table_replace(names, g_memdup2(&number, sizeof number), valid);
}

/* @return behind the number, or NULL */
static char *number_at(char *at, int64_t *out)
{
    char *end = NULL;
    *out = g_ascii_strtoll(at, &end, 10);
    return end != at ? end + strspn(end, " \t") : NULL;
}

/* The name at @p at, in quotes or as all but the last @p after words; NULL: none. */
static char *name_at(char *at, int after)
{
    if (*at == '"') {
        char *end = strchr(at + 1, '"');
        if (end == NULL) {
            return NULL;
        }
        *end = '\0';
        return at + 1;
    }
    for (; after > 0; after--) {
        char *space = strrchr(at, ' ');
        if (space == NULL) {
            return NULL;
        }
        *space = '\0';
    }
    return *at != '\0' ? at : NULL;
}

/* "ENTRY CHARE 7 "start(CkArgMsg* m)" 3 2": the third number is its chare. */
static void take_entry(app_projections_names *names, char *rest)
{
    rest = strchr(rest, ' '); /* "CHARE", or what else defines it */
    int64_t number = 0;
    int64_t chare = -1;
    char *at = rest != NULL ? number_at(rest, &number) : NULL;
    if (at == NULL) {
        return;
    }
    const char *last = strrchr(at, ' ');
    g_autofree char *copy = g_strndup(at, last != NULL ? (gsize)(last - at) : 0);
    const char *of = strrchr(copy, ' ');
    if (of != NULL) {
        chare = g_ascii_strtoll(of, NULL, 10);
    }
    const char *name = name_at(at, 2);
    const char *owner = g_hash_table_lookup(names->chares, &chare);
    if (name != NULL) {
        g_autofree char *full =
            owner != NULL ? g_strdup_printf("%s::%s", owner, name) : g_strdup(name);
        put(names->entries, number, full);
    }
}

static void take_named(GHashTable *names, char *rest, int after)
{
    int64_t number = 0;
    char *at = number_at(rest, &number);
    const char *name = at != NULL ? name_at(at, *at == '"' ? 0 : after) : NULL;
    if (name != NULL) {
        put(names, number, name);
    }
}

static bool take_line(app_projections_names *names, const char *file, guint line, char *text,
                      GError **error)
{
    if (g_str_has_prefix(text, "PROCESSORS ")) {
        int64_t n = 0;
        if (number_at(text + 11, &n) == NULL || n < 1 || n > MOST_PROCESSORS) {
            g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                        "%s:%u: '%s' is no number of processors from 1 to %d", file, line,
                        text + 11, MOST_PROCESSORS);
            return false;
        }
        names->processors = (uint32_t)n;
    } else if (g_str_has_prefix(text, "CHARE ")) {
        take_named(names->chares, text + 6, 0);
    } else if (g_str_has_prefix(text, "ENTRY ")) {
        take_entry(names, text + 6);
    } else if (g_str_has_prefix(text, "EVENT ")) {
        take_named(names->events, text + 6, 0);
    }
    return true;
}

app_projections_names *app_projections_names_parse(const char *file, const char *text, size_t size,
                                                   GError **error)
{
    g_autoptr(app_projections_names) names = g_new0(app_projections_names, 1);
    names->chares = table();
    names->entries = table();
    names->events = table();
    g_autofree char *copy = g_strndup(text, size);
    g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        if (!take_line(names, file, i + 1, g_strchomp(lines[i]), error)) {
            return NULL;
        }
    }
    return g_steal_pointer(&names);
}

void app_projections_names_free(app_projections_names *names)
{
    if (names != NULL) {
        g_hash_table_unref(names->chares);
        g_hash_table_unref(names->entries);
        g_hash_table_unref(names->events);
        g_free(names);
    }
}

uint32_t app_projections_processors(const app_projections_names *names)
{
    return names->processors;
}

char *app_projections_entry(const app_projections_names *names, int64_t entry)
{
    const char *name = g_hash_table_lookup(names->entries, &entry);
    return name != NULL ? g_strdup(name) : g_strdup_printf("entry method %" G_GINT64_FORMAT, entry);
}

char *app_projections_user_event(const app_projections_names *names, int64_t event)
{
    const char *name = g_hash_table_lookup(names->events, &event);
    return name != NULL ? g_strdup(name) : g_strdup_printf("user event %" G_GINT64_FORMAT, event);
}
