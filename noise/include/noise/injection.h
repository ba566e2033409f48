/* noise/injection.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A signature laid over the cores of one replica of a run: whom each detour strikes, and when.
 */
#pragma once

#include "noise/signature.h"
#include "sim/noise.h"
#include "sim/placement.h"

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
    NOISE_UNSYNCHRONIZED, /* offsets independent and uniform */
    NOISE_COSCHEDULED,    /* one common offset, plus N(0, sigma) per node */
} noise_sync;

/** Cores of one rank. */
#define NOISE_MAX_THREADS 1024

/** Rank r is on the cores slot * threads_per_rank, ... of its node, by its slot there. */
typedef struct noise_injection_options {
    noise_sync sync;
    sim_time sigma;                 /* clock error of co-scheduling, >= 0; 0: perfect */
    const sim_placement *placement; /* of that many ranks; its list must outlive the injection.
                                     * NULL: every rank is a node */
    uint32_t threads_per_rank;      /* cores of a rank, 1..NOISE_MAX_THREADS: it works while all
                                     * are there; 0 counts as 1 */
    uint32_t cores_per_node;        /* at least what the ranks of a node use; 0: just that */
    uint64_t seed;
    uint32_t replica; /* each replica draws offsets of its own */
} noise_injection_options;

/** Cores of a node: cores_per_node, or what its ranks use. */
uint32_t noise_injection_cores(const noise_injection_options *options);

typedef struct noise_injection noise_injection;

/**
 * Offsets come from a counter-based generator keyed (seed, replica, node, core): the same on any
 * machine and thread, and for any number of ranks. Unsynchronized offsets are uniform over the
 * period of what repeats. The common offset of co-scheduling is an instant, uniform over the
 * longest period of any rank's trace, and taken modulo the period of each. Unsynchronized, a drift
 * of the signature gives each node's clock a rate of its own, drawn from the same key, at which all
 * its noise is read (docs/noise.md, section 4).
 *
 * Where each rank sees one trace without drift, the hook says how long a rank is left alone
 * (finish_quiet).
 *
 * Where each rank sees one trace from one offset, that is 8 bytes per rank, 16 where ranks see
 * different traces, 24 where they drift, and a look-up takes O(1). Else (detours at the place
 * "node" of nodes with several cores, ranks of several cores, components of several places, rates)
 * at most 8 bytes per rank and group of detours (docs/noise.md, section 3), and W takes O(cores of
 * the rank) and the detours met. Nothing is stored per core. noise_injection_bytes() is the bound.
 * The signature is borrowed and must outlive it.
 * @return owned by the caller
 */
noise_injection *noise_injection_new(const noise_signature *signature, uint32_t num_ranks,
                                     const noise_injection_options *options);
void noise_injection_free(noise_injection *injection);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_injection, noise_injection_free)
/** Will all ranks see the same, at the same instants (sim_noise.same)? O(components). */
bool noise_injection_is_common(const noise_signature *signature,
                               const noise_injection_options *options);
/** What sim_run() takes. Borrowed; NULL if no rank has noise. */
const sim_noise *noise_injection_hook(const noise_injection *injection);
/** Bytes per rank that an injection takes at most. */
uint64_t noise_injection_bytes(const noise_signature *signature);
/** Offset of @p rank, for tests and reports; 0 where it is not one trace from one offset on. */
sim_time noise_injection_offset(const noise_injection *injection, uint32_t rank);

G_END_DECLS
