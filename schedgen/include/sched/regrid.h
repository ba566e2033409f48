/* sched/regrid.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A recorded program on a grid of processes, enlarged by its own geometry: which grid it is follows
 * from who sends what to whom; on a larger one, partners and borders are computed anew.
 * docs/regrid.md.
 */
#pragma once

#include "sched/convert.h"

#include <glib.h>

G_BEGIN_DECLS

enum { SCHED_REGRID_DIMS = 4 };

/** A grid of ranks: row-major, so that the last coordinate changes fastest. */
typedef struct sched_grid {
    uint32_t num_dims; /* 0: none */
    uint32_t extent[SCHED_REGRID_DIMS];
    bool periodic[SCHED_REGRID_DIMS];
} sched_grid;

/** "3 x 3 x 3, open", "4 x 4, periodic", "4 x 4, periodic=yn". Owned by the caller. */
char *sched_grid_format(const sched_grid *grid);

typedef struct sched_regrid_options {
    double explain;      /* share of the messages that must be explained, 0..1 */
    sched_grid grid;     /* of the record; num_dims 0: to be found */
    bool periodic_given; /* and so is which of its dimensions are periodic */
} sched_regrid_options;

/** Where messages go: by so much in each dimension. */
typedef struct sched_regrid_way {
    int32_t by[SCHED_REGRID_DIMS];
    uint64_t messages; /* sent that way by all recorded ranks, and explained */
    uint64_t bytes;
    char *calls; /* "MPI_Isend, MPI_Send": what sends them; owned by the list */
} sched_regrid_way;

/** Calls that the grid does not explain, and how many of them there are. */
typedef struct sched_regrid_rest {
    char *what; /* "MPI_Send of rank 5 to 11, tag 7, 8 B"; owned by the list */
    uint64_t count;
} sched_regrid_rest;

/** What was found of a record, whether it can be enlarged or not. All borrowed. */
typedef struct sched_regrid_findings {
    sched_grid grid;
    const char *pattern; /* "3-D stencil, 7-point"; NULL: none was found */
    const char *order;   /* communicator in whose order ranks are on the grid */
    uint64_t messages;   /* sent by all recorded ranks */
    uint64_t bytes;
    uint64_t explained_messages;
    uint64_t explained_bytes;
    double
        runner_up; /* share of the messages that the next best grid explains; -1: there is none */
    char *const *refusals; /* [num_refusals] why it is not enlarged; none: it can be */
    size_t num_refusals;
    const sched_regrid_way *ways;
    size_t num_ways;
    const sched_regrid_rest *rest; /* the first of them */
    size_t num_rest;
    uint64_t rest_in_all; /* messages sent or received */
    uint32_t classes;     /* of ranks */
    uint64_t collectives; /* calls of all ranks */
} sched_regrid_findings;

typedef struct sched_regrid sched_regrid; /* immutable; holds 4 bytes per recorded message */

/**
 * Find the grid of @p trace. What is found but cannot be enlarged is no error:
 * sched_regrid_findings.refusals. O(messages), times the few grids that come into question.
 * @param trace    borrowed: must outlive the result
 * @param convert  as it will be converted; copies, roots and growth have no effect
 * @return owned by the caller; NULL with SCHED_ERROR: the record cannot be converted
 */
sched_regrid *sched_regrid_recognise(const sched_trace *trace, const sched_convert_options *convert,
                                     const sched_regrid_options *options, GError **error);
void sched_regrid_free(sched_regrid *regrid); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sched_regrid, sched_regrid_free)

sched_regrid_findings sched_regrid_find(const sched_regrid *regrid);

typedef struct sched_regrid_target {
    uint32_t ranks;
    sched_grid grid; /* extents alone; num_dims 0: as even a growth as the number of ranks allows */
    bool strong;     /* the problem stays: bytes shrink with faces, computation with volume */
    uint64_t seed;   /* which recorded rank of its class a rank follows */
} sched_regrid_target;

/**
 * The grid that @p regrid grows to; without growing dimensions that cannot.
 * @return false with SCHED_ERROR_UNSUPPORTED
 */
bool sched_regrid_fit(const sched_regrid *regrid, const sched_regrid_target *target,
                      sched_grid *grid, GError **error);

/**
 * For sched_convert_options.growth. 4 bytes per recorded rank; a partner takes O(1).
 * @param regrid borrowed: must outlive the growth
 * @return owned by the caller; NULL with SCHED_ERROR_UNSUPPORTED, also if there are refusals
 */
sched_growth *sched_regrid_grow(const sched_regrid *regrid, const sched_regrid_target *target,
                                GError **error);
void sched_growth_free(sched_growth *growth); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sched_growth, sched_growth_free)

G_END_DECLS
