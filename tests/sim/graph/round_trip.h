/* tests/sim/graph/round_trip.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file A stored program goes into a file and comes back. */
#pragma once

#include "check.h"
#include "sim/graph_file.h"
#include "sim/run.h"

#include <glib/gstdio.h>
#include <string.h>

static inline char *temporary(void)
{
    char *path = NULL;
    const int fd = g_file_open_tmp("ripple-graph-file-XXXXXX", &path, NULL);
    g_close(fd, NULL);
    return path;
}

static inline bool same_graph(const sim_graph *a, const sim_graph *b)
{
    bool same = sim_graph_num_ranks(a) == sim_graph_num_ranks(b) &&
                sim_graph_total_ops(a) == sim_graph_total_ops(b) &&
                sim_graph_total_edges(a) == sim_graph_total_edges(b);
    for (uint32_t r = 0; same && r < sim_graph_num_ranks(a); r++) {
        same = sim_graph_num_ops(a, r) == sim_graph_num_ops(b, r);
        for (uint32_t i = 0; same && i < sim_graph_num_ops(a, r); i++) {
            const sim_op x = sim_graph_op(a, r, i);
            const sim_op y = sim_graph_op(b, r, i);
            same = x.size == y.size && x.peer == y.peer && x.tag == y.tag && x.comm == y.comm &&
                   x.type == y.type && x.cpu == y.cpu && x.nic == y.nic &&
                   g_strcmp0(sim_graph_label(a, r, i), sim_graph_label(b, r, i)) == 0;
            for (int start = 0; same && start < 2; start++) {
                uint32_t n;
                uint32_t m;
                const uint32_t *s =
                    (start ? sim_graph_start_steps : sim_graph_finish_steps)(a, r, i, &n);
                const uint32_t *t =
                    (start ? sim_graph_start_steps : sim_graph_finish_steps)(b, r, i, &m);
                same = n == m && (n == 0 || memcmp(s, t, n * sizeof *s) == 0);
            }
        }
    }
    return same;
}

/* A graph that is mapped from @p path: the same as @p graph, saved as the same bytes, run alike. */
static inline void check_mapped(sim_graph *graph, sim_graph *mapped, const sim_params *params,
                                const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *second = g_strconcat(path, ".again", NULL);
    CHECK(same_graph(graph, mapped));
    CHECK(sim_graph_save(mapped, second, &error));
    g_autofree char *x = NULL;
    g_autofree char *y = NULL;
    gsize n = 0;
    gsize m = 0;
    CHECK(g_file_get_contents(path, &x, &n, NULL) && g_file_get_contents(second, &y, &m, NULL));
    CHECK(x != NULL && y != NULL && n == m && memcmp(x, y, n) == 0);
    g_autoptr(sim_result) a = sim_run(sim_graph_program(graph), params, NULL, NULL);
    g_autoptr(sim_result) b = sim_run(sim_graph_program(mapped), params, NULL, NULL);
    if (CHECK((a == NULL) == (b == NULL)) && a != NULL) {
        CHECK(memcmp(a->finish, b->finish, a->num_ranks * sizeof *a->finish) == 0);
    }
    (void)g_unlink(second);
}

/* Saved, mapped, saved again: the same; and once more when it has been laid out for runs. */
static inline void check_round_trip(sim_graph *graph, const sim_params *params, const char *path)
{
    g_autoptr(GError) error = NULL;
    CHECK(sim_graph_save(graph, path, &error));
    CHECK(sim_graph_file_probe(path));
    for (sim_graph_trust trust = SIM_GRAPH_VERIFY; trust <= SIM_GRAPH_TRUST; trust++) {
        g_autoptr(sim_graph) mapped = sim_graph_map(path, trust, &error);
        if (!CHECK(mapped != NULL, "%s", error != NULL ? error->message : "")) {
            return;
        }
        check_mapped(graph, mapped, params, path);
        sim_graph_weave(mapped);
        check_mapped(graph, mapped, params, path);
        sim_graph_weave(mapped); /* nothing is left to do */
        CHECK(same_graph(graph, mapped));
    }
}
