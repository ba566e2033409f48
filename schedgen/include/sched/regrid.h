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
 * @param convert  as it will be converted; copies, roots, growth and no_p2p have no effect: the
 *                 grid is found in the messages, also if the larger program leaves them out
 * @return owned by the caller; NULL with SCHED_ERROR: the record cannot be converted
 */
sched_regrid *sched_regrid_recognise(const sched_trace *trace, const sched_convert_options *convert,
                                     const sched_regrid_options *options, GError **error);
void sched_regrid_free(sched_regrid *regrid); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sched_regrid, sched_regrid_free)

sched_regrid_findings sched_regrid_find(const sched_regrid *regrid);

/**
 * Messages of one kind: the same calls, tags and ways, by the grid of the whole record. What ranks
 * post before they wait for it, with all that it meets, is one exchange made once.
 */
typedef struct sched_regrid_exchange {
    char *calls; /* "MPI_Isend to MPI_Irecv"; all text is owned by the list */
    char *tags;  /* "tag 5", "tags 0..3" */
    uint32_t first_rank;
    uint64_t first_call; /* of that rank, counted from 1 */
    uint64_t messages;   /* sent by all ranks */
    uint64_t receives;   /* not as many where no send was found for some: wildcards */
    uint64_t bytes;
    int64_t least_bytes; /* of a message */
    int64_t most_bytes;
    uint32_t ranks;              /* that send or receive some */
    uint64_t explained_messages; /* by the grid of the whole record */
    char *pattern;               /* of these; NULL: none are */
    char *alone;                 /* a grid or butterfly that explains more of them; NULL: none */
    uint64_t alone_messages;     /* how many */

    uint32_t rank;       /* of the first call that is not explained; NULL expected: all are */
    uint32_t peer;       /* SIM_ANY: anybody */
    uint64_t call;       /* counted from 1 */
    uint32_t tag;        /* SIM_ANY: any */
    int64_t bytes_there; /* sends */
    bool is_recv;
    char *expected; /* "to 1, 4 or 6", "16 B", ... */
} sched_regrid_exchange;

typedef struct sched_regrid_exchanges {
    sched_regrid_exchange *list; /* [n], most messages first */
    size_t n;
} sched_regrid_exchanges;

/** What was found, exchange by exchange. O(n log n) in messages. @return owned by the caller */
sched_regrid_exchanges *sched_regrid_exchanges_new(const sched_regrid *regrid);
void sched_regrid_exchanges_free(sched_regrid_exchanges *exchanges); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sched_regrid_exchanges, sched_regrid_exchanges_free)

/** How large a rank's part of a problem is, beside what was recorded: 1. */
typedef struct sched_regrid_part {
    double volume;
    double surface; /* of a face between two ranks, in the mean of the dimensions */
} sched_regrid_part;

/** Of one problem on @p small, where it was recorded, and on @p large, of as many dimensions. */
sched_regrid_part sched_regrid_part_of(const sched_grid *small, const sched_grid *large);

/**
 * Computation over the size of a problem's parts, from records of one program and problem on
 * different numbers of ranks: at each call site (what comes before and after it) of each class of
 * ranks, so much by the volume of a part and so much by its surface, or a line over its volume.
 * docs/regrid.md, section 3.
 */
typedef struct sched_regrid_scaling sched_regrid_scaling; /* immutable */

/**
 * @param first   is enlarged; borrowed, as are @p others [n], n >= 1: during this call alone
 * @param convert as both were recognised
 * @return owned by the caller; NULL with SCHED_ERROR_UNSUPPORTED, which names the record: it is of
 *         another program, or all have as many ranks
 */
sched_regrid_scaling *sched_regrid_scaling_new(const sched_regrid *first,
                                               const sched_regrid *const *others, size_t n,
                                               const sched_convert_options *convert,
                                               GError **error);
void sched_regrid_scaling_free(sched_regrid_scaling *scaling); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sched_regrid_scaling, sched_regrid_scaling_free)

/** One call site of one class of ranks, in parts of some size. */
typedef struct sched_regrid_site {
    const char *what;  /* "after MPI_Waitall, before MPI_Allreduce; first x inner"; borrowed */
    double share;      /* of the computation of the first record, 0..1 */
    uint32_t samples;  /* means of one rank in one record */
    double constant;   /* ps, of one passage: the sum of these, each times the part's size */
    double by_surface; /* 0: it has a constant */
    double by_volume;
    double half_width; /* of that sum, 95 %; NAN: two samples */
    double residual;   /* root mean square, ps; NAN: two samples */
    double factor;     /* computation is so much as in the first record */
    double factor_low; /* 95 % interval; NAN as above */
    double factor_high;
    bool fitted; /* else the factor is the volume */
} sched_regrid_site;

/** @return [*n], by share; owned by the caller. 0 < volume, surface */
sched_regrid_site *sched_regrid_scaling_sites(const sched_regrid_scaling *scaling,
                                              sched_regrid_part part, size_t *n);

typedef struct sched_regrid_target {
    uint32_t ranks;
    sched_grid grid; /* extents alone; num_dims 0: as even a growth as the number of ranks allows */
    bool strong;     /* the problem stays: bytes shrink with faces, computation with volume */
    const sched_regrid_scaling *scaling; /* strong: or as this says. Borrowed: must outlive what
                                            grows by it; NULL: by volume */
    uint64_t seed;                       /* which recorded rank of its class a rank follows */
} sched_regrid_target;

/**
 * The grid that @p regrid grows to; without growing dimensions that cannot.
 * @return false with SCHED_ERROR_UNSUPPORTED
 */
bool sched_regrid_fit(const sched_regrid *regrid, const sched_regrid_target *target,
                      sched_grid *grid, GError **error);

/**
 * The most ranks, up to @p ranks, that are a grid all of whose dimensions that can grow have grown
 * alike, as nearly as whole extents allow; those that were recorded if that is none, or if there
 * are refusals.
 */
uint32_t sched_regrid_near(const sched_regrid *regrid, uint32_t ranks);

/**
 * For sched_convert_options.growth. 4 bytes per rank; a partner takes O(1).
 * @param regrid borrowed: must outlive the growth
 * @return owned by the caller; NULL with SCHED_ERROR_UNSUPPORTED, also if there are refusals
 */
sched_growth *sched_regrid_grow(const sched_regrid *regrid, const sched_regrid_target *target,
                                GError **error);
void sched_growth_free(sched_growth *growth); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sched_growth, sched_growth_free)

G_END_DECLS
