/* apps/ripple/places/switches_graph.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_switches. */
/**
 * @file
 * Switches and the links between them: ways are shortest ones, by igraph.
 */
#include "places/switches_private.h"

#include "output/error.h"

#include <igraph/igraph.h>
#include <math.h>

enum { MOST_SWITCHES = 1 << 20 };

static bool read_links(app_word_file *file, GArray *nodes, GArray *ends, uint32_t *num_switches,
                       GError **error)
{
    while (app_word_file_next(file)) {
        bool taken = false;
        if (!app_switches_take_nodes(file, nodes, &taken, error)) {
            return false;
        }
        if (taken) {
            continue;
        }
        if (g_strv_length(file->words) != 2) {
            return app_word_file_fail(file, error, "wanted a link: two numbers of switches");
        }
        for (int i = 0; i < 2; i++) {
            uint32_t end;
            if (!app_word_file_parse(file, "switch", file->words[i], MOST_SWITCHES - 1, &end,
                                     error)) {
                return false;
            }
            *num_switches = MAX(*num_switches, end + 1);
            g_array_append_val(ends, end);
        }
    }
    if (nodes->len > 1) {
        *num_switches = MAX(*num_switches, nodes->len); /* the last ones may have no link */
    }
    return *num_switches > 0 || app_word_file_fail(file, error, "no link between any switches");
}

/* What igraph is to do. */
typedef struct search {
    const GArray *ends;
    uint32_t num_switches;
    const uint32_t *which; /* [switches->num_switches] */
    app_switches *switches;
    uint32_t from, to; /* two without a way between them, */
    bool is_apart;     /* if there are such */
    bool is_long;      /* a way has more switches than are counted */
} search;

static void take_row(search *s, uint32_t i, const igraph_matrix_t *lengths)
{
    const uint32_t n = s->switches->num_switches;
    for (uint32_t j = 0; j < n; j++) {
        const double links = MATRIX(*lengths, 0, (igraph_integer_t)s->which[j]);
        if (!isfinite(links) && !s->is_apart) {
            s->is_apart = true;
            s->from = s->which[i];
            s->to = s->which[j];
        }
        s->is_long = s->is_long || (isfinite(links) && links > UINT16_MAX);
        s->switches->hops[(size_t)i * n + j] =
            isfinite(links) && links <= UINT16_MAX ? (uint16_t)links : 0;
    }
}

static igraph_error_t search_all(search *s)
{
    igraph_vector_int_t ends;
    igraph_matrix_t lengths;
    igraph_t graph;
    IGRAPH_CHECK(igraph_vector_int_init(&ends, (igraph_integer_t)s->ends->len));
    IGRAPH_FINALLY(igraph_vector_int_destroy, &ends);
    for (guint i = 0; i < s->ends->len; i++) {
        VECTOR(ends)[i] = g_array_index(s->ends, uint32_t, i);
    }
    IGRAPH_CHECK(
        igraph_create(&graph, &ends, (igraph_integer_t)s->num_switches, IGRAPH_UNDIRECTED));
    IGRAPH_FINALLY(igraph_destroy, &graph);
    IGRAPH_CHECK(igraph_matrix_init(&lengths, 0, 0));
    IGRAPH_FINALLY(igraph_matrix_destroy, &lengths);
    for (uint32_t i = 0; i < s->switches->num_switches; i++) {
        IGRAPH_CHECK(igraph_distances(&graph, &lengths, igraph_vss_1((igraph_integer_t)s->which[i]),
                                      igraph_vss_all(), IGRAPH_ALL));
        take_row(s, i, &lengths);
    }
    igraph_matrix_destroy(&lengths);
    igraph_destroy(&graph);
    igraph_vector_int_destroy(&ends);
    IGRAPH_FINALLY_CLEAN(3);
    return IGRAPH_SUCCESS;
}

app_switches *app_switches_read_graph(app_word_file *file, GArray *nodes, GError **error)
{
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    uint32_t num_switches = 0;
    g_autofree uint32_t *count = read_links(file, nodes, ends, &num_switches, error)
                                     ? app_switches_count_nodes(file, nodes, num_switches, error)
                                     : NULL;
    g_autofree uint32_t *which = NULL;
    g_autoptr(app_switches) switches =
        count != NULL ? app_switches_new(file, count, num_switches, &which, error) : NULL;
    if (switches == NULL) {
        return NULL;
    }
    search s = {ends, num_switches, which, switches, 0, 0, false, false};
    /* igraph would end the process. */
    igraph_error_handler_t *old = igraph_set_error_handler(igraph_error_handler_ignore);
    const igraph_error_t failed = search_all(&s);
    (void)igraph_set_error_handler(old);
    if (failed != IGRAPH_SUCCESS) {
        (void)app_word_file_fail(file, error, "igraph: %s", igraph_strerror(failed));
        return NULL;
    }
    if (s.is_apart) {
        (void)app_word_file_fail(file, error, "there is no way from switch %u to switch %u", s.from,
                                 s.to);
        return NULL;
    }
    if (s.is_long) {
        (void)app_word_file_fail(file, error, "a way of more than %u switches", UINT16_MAX);
        return NULL;
    }
    return g_steal_pointer(&switches);
}
