/* noise/injection.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A signature laid over the ranks of one replica of a run: which rank sees it from which offset.
 */
#pragma once

#include "noise/signature.h"
#include "sim/noise.h"

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
    NOISE_UNSYNCHRONIZED, /* offsets independent and uniform */
    NOISE_COSCHEDULED,    /* one common offset, plus N(0, sigma) per node */
} noise_sync;

typedef struct noise_injection_options {
    noise_sync sync;
    sim_time sigma;          /* clock error of co-scheduling, >= 0; 0: perfect */
    uint32_t ranks_per_node; /* >= 1: ranks of a node share one offset */
    uint64_t seed;
    uint32_t replica; /* each replica draws offsets of its own */
} noise_injection_options;

typedef struct noise_injection noise_injection;

/**
 * Offsets come from a counter-based generator keyed (seed, replica, node): the same on any
 * machine and thread, and for any number of ranks. Unsynchronized offsets are uniform over the
 * period of the trace a rank sees. The common offset of co-scheduling is an instant, uniform over
 * the longest period of any rank's trace, and taken modulo the period of each.
 * Unsynchronized, a drift of the signature gives each node's clock a rate of its own, drawn from
 * the same key, at which all its noise is read (docs/noise.md, section 4).
 * 8 bytes per rank, 16 where ranks see different traces, 24 where they drift; the signature is
 * borrowed and must outlive it.
 * @return owned by the caller
 */
noise_injection *noise_injection_new(const noise_signature *signature, uint32_t num_ranks,
                                     const noise_injection_options *options);
void noise_injection_free(noise_injection *injection);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_injection, noise_injection_free)
/** What sim_run() takes. Borrowed; NULL if no rank has noise. */
const sim_noise *noise_injection_hook(const noise_injection *injection);
/** Offset of @p rank, for tests and reports. */
sim_time noise_injection_offset(const noise_injection *injection, uint32_t rank);

G_END_DECLS
