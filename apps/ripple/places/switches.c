/* apps/ripple/places/switches.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "places/switches.h"

#include "places/switches_private.h"
#include "sim/distance.h"

/* One row of numbers. */
static bool read_row(const app_word_file *file, GArray *ways, uint32_t *columns, GError **error)
{
    const guint n = g_strv_length(file->words);
    if (*columns == 0) {
        *columns = n;
    }
    if (n != *columns || n > APP_SWITCHES_MOST) {
        return app_word_file_fail(file, error, "%u numbers in a row of %u", n,
                                  MIN(*columns, APP_SWITCHES_MOST));
    }
    if (ways->len / n >= n) {
        return app_word_file_fail(file, error, "more than %u rows of %u numbers", n, n);
    }
    for (guint i = 0; i < n; i++) {
        uint32_t way;
        if (!app_word_file_parse(file, "switches on the way", file->words[i], UINT16_MAX, &way,
                                 error)) {
            return false;
        }
        const uint16_t small = (uint16_t)way;
        g_array_append_val(ways, small);
    }
    return true;
}

static bool check_matrix(const app_word_file *file, const GArray *ways, uint32_t n, GError **error)
{
    if (n == 0 || ways->len / n != n) {
        return app_word_file_fail(file, error, "%u rows of %u numbers: wanted as many as switches",
                                  n > 0 ? ways->len / n : 0, n);
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            const uint16_t there = g_array_index(ways, uint16_t, (size_t)i * n + j);
            const uint16_t back = g_array_index(ways, uint16_t, (size_t)j * n + i);
            if (there != back) {
                return app_word_file_fail(file, error,
                                          "from switch %u to %u there are %u on the way, and back "
                                          "%u: wanted a symmetric matrix",
                                          i, j, there, back);
            }
        }
    }
    return true;
}

static app_switches *read_matrix(app_word_file *file, GArray *nodes, GError **error)
{
    g_autoptr(GArray) ways = g_array_new(FALSE, FALSE, sizeof(uint16_t));
    uint32_t n = 0;
    while (app_word_file_next(file)) {
        bool taken = false;
        if (!app_switches_take_nodes(file, nodes, &taken, error) ||
            (!taken && !read_row(file, ways, &n, error))) {
            return NULL;
        }
    }
    g_autofree uint32_t *count =
        check_matrix(file, ways, n, error) ? app_switches_count_nodes(file, nodes, n, error) : NULL;
    g_autofree uint32_t *which = NULL;
    app_switches *s = count != NULL ? app_switches_new(file, count, n, &which, error) : NULL;
    for (uint32_t i = 0; s != NULL && i < s->num_switches; i++) {
        for (uint32_t j = 0; j < s->num_switches; j++) {
            const uint16_t way = g_array_index(ways, uint16_t, (size_t)which[i] * n + which[j]);
            s->hops[(size_t)i * s->num_switches + j] = (uint16_t)(way - (way > 0));
        }
    }
    return s;
}

app_switches *app_switches_read(const char *form, GError **error)
{
    g_autoptr(app_word_file) file = app_word_file_open(sim_distance_file(form), error);
    if (file == NULL) {
        return NULL;
    }
    g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    return g_str_has_prefix(form, "graph:") ? app_switches_read_graph(file, nodes, error)
                                            : read_matrix(file, nodes, error);
}
