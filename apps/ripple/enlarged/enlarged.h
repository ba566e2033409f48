/* apps/ripple/enlarged/enlarged.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the enlargement of a record is worth: a record on few ranks is enlarged, on a larger grid
 * and in copies, to the size of another record of the same program, and what comes out is compared
 * with that one. docs/regrid.md, section 4.
 */
#pragma once

#include "options/program_options.h"
#include "output/result.h"
#include "sim/machine.h"

#include <stdbool.h>
#include <stdint.h>

/** Where a program comes from. */
typedef enum {
    APP_ENLARGED_RECORDED, /* the large record as it is */
    APP_ENLARGED_REGRIDDED,
    APP_ENLARGED_COPIES,
    APP_ENLARGED_SIDES
} app_enlarged_side;

/**
 * Of those: whether it differs is judged by its own size, or, of the parts of the critical path,
 * by the makespan that they add up to.
 */
typedef struct app_enlarged_row {
    char *what; /* "messages", "MPI_Isend: bytes", "path: compute" */
    bool is_time;
    int64_t value[APP_ENLARGED_SIDES]; /* a number, bytes, or ps */
    double off[APP_ENLARGED_SIDES];    /* (value - recorded) / base; INFINITY: the base is 0 */
} app_enlarged_row;

typedef struct app_enlarged_request {
    const char *small; /* paths of records */
    const char *large;
    const app_program_options *options; /* as for one program; no --extrapolate, no --ranks */
    const sim_params *params;
    double tolerance; /* share */
    unsigned threads;
} app_enlarged_request;

typedef struct app_enlarged {
    char *program; /* what kind of record it is */
    uint32_t small_ranks;
    uint32_t ranks;
    uint32_t copies_ranks; /* the multiple of small_ranks that is nearest to ranks; 0: refused */
    char *small_grid;      /* NULL: not regridded */
    char *large_grid;
    char *refusal[APP_ENLARGED_SIDES]; /* why it is not there; NULL: it is */
    GArray *rows;                      /* of app_enlarged_row */
    double tolerance;
    app_enlarged_side judged;      /* regridded; where that is refused, copies */
    const app_enlarged_row *worst; /* of the judged side: what is furthest off; NULL: no row */
} app_enlarged;

/**
 * Read both records, enlarge the small one, simulate without noise. Three programs one after the
 * other: O(operations). What takes effect goes into @p manifest.
 * @return owned by the caller; NULL with an error: a record cannot be read or converted, or there
 *   is no way to enlarge the small one
 */
app_enlarged *app_enlarged_new(const app_enlarged_request *request, app_manifest *manifest,
                               GError **error);
void app_enlarged_free(app_enlarged *enlarged); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_enlarged, app_enlarged_free)

/** Is everything within the tolerance? */
bool app_enlarged_holds(const app_enlarged *enlarged);
/** "regridded", "in copies", "recorded". Static. */
const char *app_enlarged_side_name(app_enlarged_side side);
