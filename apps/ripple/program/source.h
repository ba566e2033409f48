/* apps/ripple/program/source.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A program as named on the command line, at any size asked for:
 *   a stored program, Ripple's own form or GOAL (in copies that do not communicate with each
 *   other), a recorded trace (both at multiples of their own size),
 *   collective:NAME[:ALGORITHM][:BYTES] or pattern:ITEM,... (any size).
 */
#pragma once

#include "options/program_options.h"
#include "output/context.h"
#include "sched/convert.h"
#include "sched/regrid.h"
#include "sim/graph.h"
#include "sim/machine.h"

typedef enum {
    APP_SOURCE_GOAL, /* stored: GOAL, or Ripple's own form */
    APP_SOURCE_TRACE,
    APP_SOURCE_COLLECTIVE,
    APP_SOURCE_PATTERN
} app_source_kind;
typedef struct app_source app_source;

/**
 * Read the program; what took effect goes into @p manifest.
 * @param strict GOAL: only what the reference's own converter accepts
 * @return owned by the caller; NULL with an error
 */
app_source *app_source_open(const char *text, const app_program_options *options, bool strict,
                            app_manifest *manifest, GError **error);
void app_source_free(app_source *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_source, app_source_free)

app_source_kind app_source_get_kind(const app_source *source);
/**
 * "GOAL schedule", "Ripple program", "liballprof 1", "allreduce, dissemination, 1 B",
 * "(ring:8)*20". Borrowed.
 */
const char *app_source_description(const app_source *source);
/** Is it computed, at any size: a collective or a pattern? */
bool app_source_is_computed(const app_source *source);
/** Ranks of the file; of what is computed: 64. */
uint32_t app_source_own_ranks(const app_source *source);
/**
 * Without --ranks, take the sizes of a scaling study (app_scaling_sizes()) instead of the program's
 * own; a stored program keeps its own.
 */
void app_source_scale_by_default(app_source *source, uint32_t first, uint32_t last);
/** What a result at @p ranks does not stand for, as it is with copies of a schedule; or NULL.
 * Static. */
const char *app_source_limit(const app_source *source, uint32_t ranks);
/** Where collectives of an enlarged trace have their root: "global", "copy"; NULL: no trace.
 * Static. */
const char *app_source_roots(const app_source *source);
/** Do copies of a trace compute in an order of their own (--copies=resampled)? */
bool app_source_is_resampled(const app_source *source);
/**
 * Sizes asked for by --ranks, else the program's own; they go into @p manifest, and their limit to
 * the notices. Called once.
 * @return [*n] owned by the caller; NULL with an error of usage
 */
uint32_t *app_source_sizes(app_source *source, app_manifest *manifest, size_t *n, GError **error);
/** Can the program be had at @p ranks? An error of usage names --ranks. */
bool app_source_check_size(const app_source *source, uint32_t ranks, GError **error);
/**
 * Where an option ("--coll", of app_program_options or "--strict") has no effect, if that is with
 * this program: "on a stored schedule"; else NULL. Static.
 */
const char *app_source_ignores(const app_source *source, const char *option);
/**
 * Before anything is asked for of it: on that machine calls take so much beside their messages,
 * and after a computation. A notice says what of it the source does not know.
 * @return false with an error
 */
bool app_source_take_calls(app_source *source, const sim_machine *machine, GError **error);
/** How often every rank repeats its part of the program in a run: --repeat. */
uint32_t app_source_repeat(const app_source *source);
/** From now on so often; what the source has handed out is no longer valid. */
void app_source_set_repeat(app_source *source, uint32_t repeat);
/** The trace behind it, or NULL. Borrowed. From now on its calls are there, which takes some ten
 * times the memory: whether there is one says app_source_get_kind(). */
const sched_trace *app_source_trace(const app_source *source);

/**
 * The grid of the trace behind @p source, found when it is first asked for. Borrowed.
 * @return NULL with an error: it is no trace, or cannot be converted
 */
const sched_regrid *app_source_recognise(app_source *source, GError **error);
/** Computation as it is fitted to further records (--fit); NULL: there are none. Borrowed. */
const sched_regrid_scaling *app_source_scaling(const app_source *source);
/** Is it enlarged on a larger grid (--extrapolate=regrid)? */
bool app_source_is_regridded(const app_source *source);
/**
 * Of a pattern: "stencil3d on 1009 x 1 x 1", as sched_pattern_long_grid() has it. Owned by the
 * caller; NULL: no grid is long.
 */
char *app_source_long_grid(const app_source *source, uint32_t ranks);
/** "8 x 8 x 8, open": the grid at @p ranks, if it is; owned by the caller. */
char *app_source_grid_text(const app_source *source, uint32_t ranks);

/** How that is less than recorded on a larger grid: ", times 0.125, ..."; owned by the caller. */
char *app_source_computation_text(const app_source *source, uint32_t ranks);
/** As --grid has it: "4x4x4,periodic=nnn,to=8x8x8,seed=1"; owned by the caller. */
char *app_source_grid_option(const app_source *source, uint32_t ranks);

/** The recorded rank that @p rank of a trace at @p ranks follows. */
uint32_t app_source_followed(const app_source *source, uint32_t ranks, uint32_t rank);

/**
 * The program at @p ranks (one of app_source_sizes()), which is what is stored for GOAL that is
 * not repeated. Borrowed;
 * valid until the program is asked for at another size or in another form, or the end.
 * @return NULL with an error
 */
const sim_program *app_source_program(app_source *source, uint32_t ranks, GError **error);
/** What is stored, as it is, of GOAL; else NULL. Borrowed. */
const sim_program *app_source_own_program(const app_source *source);
/** Is that the program at @p ranks? Then app_source_graph() takes nothing more. */
bool app_source_is_stored(const app_source *source, uint32_t ranks);
/** Does the engine keep little for what a rank has open at a time? sim_program.few_open */
bool app_source_is_few_open(const app_source *source);
/**
 * The same, rank by rank, for writers. Holds one rank of a program that is not stored. It is an
 * error, too, if one rank does not fit into memory, or there are too many operations to go through.
 */
sched_rank_source *app_source_stream(app_source *source, uint32_t ranks, GError **error);
/**
 * About how many operations that is: exactly for GOAL, in O(ranks); else counted on some 1,000
 * ranks, which is exact where all but the root have the same number.
 */
bool app_source_count(app_source *source, uint32_t ranks, uint64_t *ops, GError **error);
/** The same, stored. APP_ERROR_MEMORY if that takes more memory than there is. */
const sim_graph *app_source_graph(app_source *source, uint32_t ranks, GError **error);
/** Bytes that the program and one run of it take at @p ranks; an estimate. */
uint64_t app_source_memory(const app_source *source, uint32_t ranks);
/**
 * Is there memory for the program at @p ranks and @p more bytes? An estimate, made before
 * anything is built; APP_ERROR_MEMORY says what is needed and what there is.
 */
bool app_source_check_memory(const app_source *source, uint32_t ranks, uint64_t more,
                             GError **error);
/** What the reader and the conversion dropped, assumed, inferred: of sched_notice. Borrowed. */
const GArray *app_source_notices(const app_source *source);
/** Add them as member "notices" to the object being built. */
void app_source_build_notices(const app_source *source, JsonBuilder *builder);
/** Print them on standard error, one line each. */
void app_source_report_notices(const app_source *source, const app_context *context);
