/* apps/ripple/mining/paraver_names.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_paraver_mining, fuzz_paraver_mining. */
#include "mining/paraver.h"

struct app_paraver_names {
    GHashTable *values; /* "TYPE:VALUE" to a name */
    GHashTable *states; /* "STATE" to a name */
    GHashTable *functions;
};

typedef enum { NOWHERE, IN_STATES, IN_TYPES, IN_VALUES } section;

/* "12   Name of it": the number as text, and where the name begins; NULL: it is not so. */
static const char *label_of(const char *line, char **number)
{
    const char *digits = line + strspn(line, " \t");
    const size_t n = strspn(digits, "0123456789");
    const char *label = digits + n + strspn(digits + n, " \t");
    if (n == 0 || label == digits + n || *label == '\0') {
        return NULL;
    }
    *number = g_strndup(digits, n);
    return label;
}

static void take_values(app_paraver_names *names, const GPtrArray *types, const char *line)
{
    g_autofree char *value = NULL;
    const char *label = label_of(line, &value);
    for (guint i = 0; label != NULL && i < types->len; i++) {
        (void)g_hash_table_replace(
            names->values, g_strdup_printf("%s:%s", (char *)g_ptr_array_index(types, i), value),
            g_utf8_make_valid(label, -1));
    }
}

/* "GRADIENT TYPE   name of the type" */
static void take_type(GPtrArray *types, const char *line)
{
    g_autofree char *gradient = NULL;
    const char *rest = label_of(line, &gradient);
    char *type = NULL;
    if (rest != NULL && label_of(rest, &type) != NULL) {
        g_ptr_array_add(types, type);
    }
}

static void take_line(app_paraver_names *names, const char *line, section *where, GPtrArray *types)
{
    if (strcmp(line, "STATES") == 0) {
        *where = IN_STATES;
    } else if (strcmp(line, "EVENT_TYPE") == 0) {
        *where = IN_TYPES;
        g_ptr_array_set_size(types, 0);
    } else if (strcmp(line, "VALUES") == 0) {
        *where = *where == IN_TYPES ? IN_VALUES : NOWHERE;
    } else if (g_ascii_isupper(*line)) {
        *where = NOWHERE; /* another heading */
    } else if (*where == IN_TYPES) {
        take_type(types, line);
    } else if (*where == IN_VALUES) {
        take_values(names, types, line);
    } else if (*where == IN_STATES) {
        char *number = NULL;
        const char *label = label_of(line, &number);
        if (label != NULL) {
            (void)g_hash_table_replace(names->states, number, g_utf8_make_valid(label, -1));
        }
    }
}

app_paraver_names *app_paraver_names_new(const char *pcf)
{
    app_paraver_names *names = g_new0(app_paraver_names, 1);
    names->values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    names->states = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    names->functions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_auto(GStrv) lines = g_strsplit(pcf != NULL ? pcf : "", "\n", -1);
    g_autoptr(GPtrArray) types = g_ptr_array_new_with_free_func(g_free);
    section where = NOWHERE;
    for (guint i = 0; lines[i] != NULL; i++) {
        take_line(names, g_strchomp(lines[i]), &where, types);
    }
    return names;
}

void app_paraver_names_free(app_paraver_names *names)
{
    if (names != NULL) {
        g_hash_table_unref(names->functions);
        g_hash_table_unref(names->values);
        g_hash_table_unref(names->states);
        g_free(names);
    }
}

const noise_event_function *app_paraver_function(app_paraver_names *names, uint64_t type,
                                                 uint64_t value)
{
    g_autofree char *key = g_strdup_printf("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, type, value);
    noise_event_function *function = g_hash_table_lookup(names->functions, key);
    if (function == NULL) {
        const char *name = g_hash_table_lookup(names->values, key);
        if (name == NULL) { /* the table keeps what functions point to */
            char *made = g_strdup_printf("call %" G_GUINT64_FORMAT " of type %" G_GUINT64_FORMAT,
                                         value, type);
            (void)g_hash_table_replace(names->values, g_strdup(key), made);
            name = made;
        }
        function = g_new(noise_event_function, 1);
        *function = noise_event_function_of(name);
        (void)g_hash_table_replace(names->functions, g_steal_pointer(&key), function);
    }
    return function;
}

const char *app_paraver_state(const app_paraver_names *names, uint64_t state)
{
    g_autofree char *key = g_strdup_printf("%" G_GUINT64_FORMAT, state);
    return g_hash_table_lookup(names->states, key);
}

/* The numbers of "rank N" for each thread; false: it has others, too few, or one twice. */
static bool read_ranks(char *const *lines, uint32_t *ranks, uint32_t n)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (uint32_t i = 0; i < n; i++) {
        guint64 rank = 0;
        if (lines[i] == NULL || !g_str_has_prefix(lines[i], "rank ") ||
            !g_ascii_string_to_unsigned(lines[i] + strlen("rank "), 10, 0, INT32_MAX, &rank,
                                        NULL) ||
            !g_hash_table_add(seen, GUINT_TO_POINTER((guint)rank))) {
            return false;
        }
        ranks[i] = (uint32_t)rank;
    }
    return true;
}

uint32_t *app_paraver_ranks(const char *row, uint32_t num_threads)
{
    uint32_t *ranks = g_new(uint32_t, (gsize)num_threads + 1);
    g_auto(GStrv) lines = g_strsplit(row != NULL ? row : "", "\n", -1);
    bool named = false;
    for (guint i = 0; lines[i] != NULL && !named; i++) {
        named = g_str_has_prefix(g_strchomp(lines[i]), "LEVEL THREAD SIZE ") &&
                read_ranks(lines + i + 1, ranks, num_threads);
    }
    for (uint32_t i = 0; i < num_threads && !named; i++) {
        ranks[i] = i;
    }
    return ranks;
}
