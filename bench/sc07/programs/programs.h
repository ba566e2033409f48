/* bench/sc07/programs/programs.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Programs of 64 ranks, two to a node, like those of Tabatabaee and Hollingsworth, SC07: they make
 * the calls of FT, CG (NPB class C) and POP in the same order, and compute between them. They run
 * in the simulator, with a job in the background of a node or without; docs/sc07.md.
 */
#pragma once

#include "noise/sequences.h"
#include "sim/program.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { SC07_RANKS = 64, SC07_RANKS_PER_NODE = 2 };

typedef enum {
    SC07_FT,        /* 47 calls, 20 iterations of some 6 s, a third of them computing */
    SC07_CG,        /* 59,964 calls, 76 cycles of 789 */
    SC07_POP,       /* 40 steps of two solvers and a part that varies between ranks */
    SC07_POP_SHORT, /* 20 steps: the other configuration */
    SC07_NUM_PROGRAMS
} sc07_program_kind;

typedef struct sc07_program sc07_program; /* immutable: any number of threads may run it */

/** @param variation standard deviation of what one rank computes before one call, as part of the
 *   mean; 0: that of docs/sc07.md (FT 0.15, CG 0.05, POP 0.15) */
sc07_program *sc07_program_new(sc07_program_kind kind, double variation);
/** What may differ from docs/sc07.md; 0: as there. */
typedef struct sc07_shape {
    double variation; /* of what a rank computes before a call; see sc07_program_new() */
    double uneven;    /* POP: what ranks have of a section where they vary a lot: N(1, uneven) */
    double land;      /* POP: each rank has N(1, land) of the ocean in every run; 0: all the same */
    double solvers;   /* POP: of what the solvers compute they keep this share, 0 < share <= 1; the
                         rest is computed between them, in calls that belong to no sequence */
} sc07_shape;

sc07_program *sc07_program_new_shaped(sc07_program_kind kind, const sc07_shape *shape);
void sc07_program_free(sc07_program *program); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sc07_program, sc07_program_free)

/** "FT", … Static. */
const char *sc07_program_name(const sc07_program *program);
/** Calls of each rank: all ranks make the same. */
uint32_t sc07_program_num_calls(const sc07_program *program);
/** Function of call @p i as a symbol: what sequences are matched by. */
uint64_t sc07_program_function(const sc07_program *program, uint32_t i);
/** Function and peer, as rank 0 has them: what its grammar is made of. */
uint64_t sc07_program_symbol(const sc07_program *program, uint32_t i);
/** The function of such a symbol. */
uint64_t sc07_symbol_function(uint64_t symbol);
/** "MPI_Send" of a symbol of either kind. Static. */
const char *sc07_symbol_name(uint64_t symbol);
/** Mean of what a rank computes before call @p i, ps. */
sim_time sc07_program_compute(const sc07_program *program, uint32_t i);

/** One run of a program. */
typedef struct sc07_scene {
    uint64_t seed;     /* of what ranks compute, of the job, and of where it begins */
    const char *noise; /* noise/signature.h: "job:4ms:500ms@node:1"; NULL: none */
} sc07_scene;

/** Told of each call of each rank, those of a rank in order; its symbol is the function. */
typedef void sc07_take(void *data, uint32_t rank, const noise_sequence_call *call);

/**
 * Run @p program once, on the thread that calls.
 * @param take NULL: nobody is told
 * @return when the last rank has ended, ps. What cannot be run is an error of ours: aborts
 */
sim_time sc07_run(const sc07_program *program, const sc07_scene *scene, sc07_take *take,
                  void *data);
