/* tests/schedgen/regrid/grid_compare.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Is an enlarged program the one that was written at that size, operation by operation, but for
 * how long it computes?
 */
#pragma once

#include "regrid/trace_grid.h"
#include "sched/rank_source.h"

/* Lines have a number each where they are recorded, and one for all where they are computed. */
static inline uint32_t grid_comm(uint32_t comm)
{
    return comm < 2 ? comm : 2 + (comm & 1U);
}

static inline bool grid_same_op(const sim_op *a, const sim_op *b)
{
    return a->type == b->type && (a->type == SIM_OP_CALC ||
                                  (a->size == b->size && a->peer == b->peer && a->tag == b->tag &&
                                   grid_comm(a->comm) == grid_comm(b->comm)));
}

/* Copies, since a source lends what it says of one rank. */
typedef struct grid_ops {
    sim_op *ops;
    sched_edge *edges;
    uint32_t num_ops;
    size_t num_edges;
} grid_ops;

static inline grid_ops grid_take(sched_rank_source *source, uint32_t rank)
{
    sched_rank_ops of_rank;
    const bool ok = source->get(source, rank, &of_rank, NULL);
    g_assert(ok);
    return (grid_ops){.ops = g_memdup2(of_rank.ops, of_rank.num_ops * sizeof *of_rank.ops),
                      .edges = g_memdup2(of_rank.edges, of_rank.num_edges * sizeof *of_rank.edges),
                      .num_ops = of_rank.num_ops,
                      .num_edges = of_rank.num_edges};
}

static inline void grid_drop(grid_ops *ops)
{
    g_free(ops->ops);
    g_free(ops->edges);
}

/** @return how many operations were compared, all ranks; 0 after a difference */
static inline uint64_t grid_compare(sched_rank_source *grown, sched_rank_source *written,
                                    const char *what)
{
    uint64_t compared = 0;
    bool ok = CHECK_I64(grown->num_ranks, written->num_ranks, "%s", what);
    for (uint32_t r = 0; ok && r < written->num_ranks; r++) {
        grid_ops a = grid_take(grown, r);
        grid_ops b = grid_take(written, r);
        ok = CHECK_I64(a.num_ops, b.num_ops, "%s, rank %u", what, r) &&
             CHECK_I64(a.num_edges, b.num_edges, "%s, rank %u", what, r);
        for (uint32_t i = 0; ok && i < a.num_ops; i++) {
            ok = CHECK(grid_same_op(&a.ops[i], &b.ops[i]), "%s, rank %u, operation %u", what, r, i);
        }
        for (size_t i = 0; ok && i < a.num_edges; i++) {
            ok = CHECK(a.edges[i].later == b.edges[i].later &&
                           a.edges[i].earlier == b.edges[i].earlier &&
                           a.edges[i].start == b.edges[i].start,
                       "%s, rank %u, edge %zu", what, r, i);
        }
        compared += a.num_ops;
        grid_drop(&a);
        grid_drop(&b);
    }
    return ok ? compared : 0;
}

static inline sched_rank_source *grid_source(const sched_trace *trace, const sched_growth *growth,
                                             sched_convert_report *report)
{
    g_autoptr(GError) error = NULL;
    sched_convert_options options = GRID_CONVERT;
    options.growth = growth;
    sched_rank_source *source = sched_convert_source_new(trace, &options, report, &error);
    CHECK(source != NULL, "%s", error != NULL ? error->message : "");
    return source;
}

/** Enlarge @p trace without its messages, in which the grid is found: is it @p wanted without? */
static inline void grid_compare_left_out(const sched_trace *trace, const sched_trace *wanted,
                                         const sched_regrid_target *target, const char *what)
{
    g_autoptr(GError) error = NULL;
    sched_convert_options options = GRID_CONVERT;
    options.no_p2p = true;
    g_autoptr(sched_regrid) regrid = sched_regrid_recognise(trace, &options, &GRID_ASKED, &error);
    g_autoptr(sched_growth) growth =
        regrid != NULL ? sched_regrid_grow(regrid, target, &error) : NULL;
    if (!CHECK(growth != NULL, "%s: %s", what, error != NULL ? error->message : "")) {
        return;
    }
    sched_convert_report reports[2] = {{0}};
    sched_rank_source *b = sched_convert_source_new(wanted, &options, &reports[1], &error);
    options.growth = growth;
    sched_rank_source *a = sched_convert_source_new(trace, &options, &reports[0], &error);
    if (CHECK(a != NULL && b != NULL, "%s: %s", what, error != NULL ? error->message : "")) {
        CHECK(grid_compare(a, b, what) > 0, "%s", what);
        CHECK_I64(reports[0].p2p, 0, "%s", what);
        CHECK(reports[0].collectives > 0, "%s", what);
    }
    sched_convert_source_free(a);
    sched_convert_source_free(b);
    sched_convert_report_clear(&reports[0]);
    sched_convert_report_clear(&reports[1]);
}
