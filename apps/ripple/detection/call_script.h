/* apps/ripple/detection/call_script.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which calls the operations of a program stand for, so that a simulated run has a stream of calls
 * as a recorded one has. It is of a program, not of a run: one script serves all runs.
 */
#pragma once

#include "detection/run_calls.h"
#include "noise/call_symbol.h"
#include "sim/program.h"

/** In place of a symbol: the operation computes for the call that comes next. */
#define APP_CALL_COMPUTES UINT64_C(0)
/** It is part of the call before: a later round of a collective, say. */
#define APP_CALL_GOES_ON UINT64_C(1)

/**
 * What an operation is: one of the two above, or the symbol of the call that begins with it.
 * @param index of the operation within its rank
 */
typedef uint64_t app_op_symbol(void *data, uint32_t rank, uint32_t index, const sim_op *op);

typedef struct app_rank_script {
    size_t num_ops;
    uint32_t *part; /* [num_ops] which call it belongs to, with one of the marks below */
    size_t num_calls;
    uint64_t *symbol; /* [num_calls] */
    sim_time *base;   /* [num_calls] what is computed beside its operations; NULL: nothing */
    bool *anchor;     /* [num_calls] is it one? NULL: the set below says it */
} app_rank_script;

#define APP_PART_BEGINS                                                                            \
    UINT32_C(0x80000000)         /* the call begins with it; else it computes for it               \
                                  */
#define APP_PART_NONE UINT32_MAX /* neither */

typedef struct app_call_script {
    uint32_t num_ranks;
    app_rank_script *rank; /* [num_ranks] */
    GHashTable *names;     /* of symbols, as app_run_calls has them */
    GHashTable *anchors;   /* a set of symbols: of blocking collectives of all ranks */
} app_call_script;

/** The functions of a program's messages, where nobody says what they are. */
#define APP_CALL_SEND    "send"
#define APP_CALL_RECEIVE "receive"

/**
 * Calls are in the order of the rank's operations, not of time, so that they are the same under any
 * noise. Takes 4 bytes per operation and 8 per call. O(operations).
 * @param symbol_of NULL: each send and each receive is a call, "send to rank+1"
 * @param match     of these calls
 * @return owned by the caller
 */
app_call_script *app_call_script_new(const sim_program *program, app_op_symbol *symbol_of,
                                     void *data, noise_match match);
/** No operations and no calls yet, for one that fills the ranks itself. Owned by the caller. */
app_call_script *app_call_script_empty(uint32_t num_ranks);
/** A symbol that @p symbol_of returns is called so. Copies. */
void app_call_script_name(app_call_script *script, uint64_t symbol, const char *name);
/** Calls of @p symbol are blocking collectives of all ranks. Before the first run. */
void app_call_script_anchor(app_call_script *script, uint64_t symbol);
void app_call_script_free(app_call_script *script); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_call_script, app_call_script_free)
