/* sim/program.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the ranks of a parallel program do: operations and the order between them.
 *
 * The engine never sees a whole program. It asks which operations a rank may begin with, then
 * tells the program when an operation has started and when it has finished, and gets back the
 * operations that this makes ready. A program may be a stored happens-before graph
 * (sim/graph.h) or arithmetic that computes the next step on demand.
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

#define SIM_ANY UINT32_MAX /* any source (recv), any tag */

typedef enum { SIM_OP_CALC, SIM_OP_SEND, SIM_OP_RECV } sim_op_type;

typedef struct sim_op {
    int64_t size;  /* send, recv: bytes, >= 0; calc: CPU time in ps, 0..SIM_TIME_MAX */
    uint32_t peer; /* send: destination; recv: source or SIM_ANY; calc: 0 */
    uint32_t tag;  /* may be SIM_ANY; calc: 0 */
    uint32_t comm; /* matching context; messages match only receives of the same one */
    uint8_t type;  /* sim_op_type */
    uint8_t cpu;   /* 0..254 */
    uint8_t nic;   /* 0..254; calc: 0 */
} sim_op;

/** An operation that has become ready: all it depends on has started or finished. */
typedef struct sim_ready {
    sim_op op;
    sim_time time;  /* the latest of the instants it depends on; 0 if it depends on nothing */
    uint32_t index; /* of the operation within its rank */
    uint32_t cause; /* index of the operation whose instant that was; SIM_ANY: none */
    bool at_start;  /* that instant was the start of cause, not its finish */
    bool quiet;     /* nothing depends on its own start: started() need not be called */
} sim_ready;

typedef struct sim_program sim_program;
struct sim_chain_class;
struct sim_symmetry_class;
struct sim_passes_class;
struct sim_slices;

/**
 * What a kind of program implements. A *cursor* holds what one run has done of it so far; the
 * program itself is immutable and may be run by several threads at once, each with its cursor.
 * Every operation is started once, then finished once; a receive starts when it is posted, that
 * is, when it is ready (both may be told at once, ahead of the simulated instant: @p at only grows
 * along a dependency, not from call to call).
 */
typedef struct sim_program_class {
    void (*free)(sim_program *program);
    void *(*begin)(const sim_program *program);
    void (*end)(void *cursor);
    /** Operations of @p rank that depend on nothing; called once per rank. @return how many */
    size_t (*first)(void *cursor, uint32_t rank, sim_ready *out);
    size_t (*started)(void *cursor, uint32_t rank, uint32_t index, sim_time at, sim_ready *out);
    size_t (*finished)(void *cursor, uint32_t rank, uint32_t index, sim_time at, sim_ready *out);
    /**
     * A hint that @p rank will soon be asked about operation @p index, or, a little earlier with
     * SIM_ANY, about something: bring near what that takes. May be NULL.
     */
    void (*prefetch)(const void *cursor, uint32_t rank, uint32_t index);
    /** The same a little later: also what depends on that operation. May be NULL. */
    void (*prefetch_next)(const void *cursor, uint32_t rank, uint32_t index);
    /**
     * Would the ends of the @p n operations @p ops of @p rank, which have started, make another one
     * ready? May be NULL: it is taken that they would.
     */
    bool (*would_release)(const void *cursor, uint32_t rank, const uint32_t *ops, size_t n);
    /** Operations of @p rank that have not become ready yet (0 at the end of a sound run). */
    uint64_t (*remaining)(const void *cursor, uint32_t rank);
    /** How many operations @p rank has in all. */
    uint64_t (*num_ops)(const sim_program *program, uint32_t rank);
    /** Name of an operation for messages to people, e.g. "l17". Owned by the caller. */
    char *(*label)(const sim_program *program, uint32_t rank, uint32_t index);
    /**
     * Describe why operations that never became ready wait: the first dependency cycle, or NULL.
     * Owned by the caller. May be slow; called once, after a failed run. May be NULL.
     */
    char *(*explain_stuck)(const sim_program *program, const void *cursor);
    /**
     * From now on this run notes in @p slices when ranks leave slices of the program
     * (sim/slices.h). Called right after begin(), if at all, and only where there are slices. May
     * be NULL.
     */
    void (*note_slices)(void *cursor, const struct sim_slices *slices);
    /** For programs of Ripple itself: how to read it as a chain on every rank. Else NULL. */
    const struct sim_chain_class *chain;
    /** Likewise: which ranks do the same as others (docs/model.md, section 6.5). Else NULL. */
    const struct sim_symmetry_class *symmetry;
    /** Likewise: how to run some of its passes (docs/model.md, section 6.6). Else NULL. */
    const struct sim_passes_class *passes;
} sim_program_class;

struct sim_program {
    const sim_program_class *methods;
    uint32_t num_ranks;
    uint32_t num_cpus; /* per rank: highest cpu used + 1 */
    uint32_t num_nics; /* per rank: highest nic used + 1 */
    /**
     * Parts that every rank goes through one after the other: two for each pass of a program that
     * is repeated, the first and the second half of a rank's work. 0: the program does not say.
     */
    uint32_t num_slices;
    uint32_t max_ready; /* no call of first/started/finished writes more entries than this */
    bool any_source;    /* some receive has peer SIM_ANY, or some tag is SIM_ANY */
    bool few_open; /* most ranks have few operations open at a time: keep less memory for them */
};

/** NULL is a no-op. */
static inline void sim_program_free(sim_program *program)
{
    if (program != NULL) {
        program->methods->free(program);
    }
}

G_END_DECLS
