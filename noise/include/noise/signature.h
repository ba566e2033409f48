/* noise/signature.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The noise of a node as a set of named components (a tick, a daemon), each a detour trace or a
 * model, so that any one of them can be left out again.
 *
 * Text form, on the command line and in outputs:
 *   none | PRESET | FILE | MODEL, several joined by '+', each followed by '@RANKS' (0,5-7) to
 *   apply to those ranks only; and drift=PPM among them, once, where one of them is locked.
 *   MODEL: NAME:VALUE:..., as listed in docs/noise.md, section 2; e.g. fixed:1kHz:100us
 *   PRESET: chic, altix, zeptoos, jaguar (docs/noise.md, section 7), cnk (none)
 *   FILE: Netgauge output, LogGOPSim's two columns, Ripple's own (noise/detour_file.h); all its
 *         runs, one after the other
 * docs/noise.md, section 3, says how models are drawn and components combined.
 */
#pragma once

#include "noise/detour_trace.h"
#include "noise/error.h"
#include "noise/provenance.h"
#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
    NOISE_ORIGIN_MODEL,  /* written down */
    NOISE_ORIGIN_PRESET, /* inferred from what a paper says of a machine */
    NOISE_ORIGIN_FILE,   /* measured */
} noise_origin;

typedef struct noise_component {
    char *name;      /* "fixed:1kHz:100us", "jaguar: poisson:20s:2.5ms", a file's name */
    bool some_ranks; /* restricted to ranks[] */
    uint32_t num_ranges;
    uint32_t (*ranges)[2]; /* [num_ranges] first and last rank, inclusive */
    double share;          /* of CPU time that it steals where it applies, 0..1 */
    double interval;    /* ps, mean time between the starts of detours; infinite: there are none */
    double mean_length; /* ps, of the model or the file; 0: there are none */
    sim_time longest;   /* ps, of the detours that were drawn or measured; a run meets none longer,
                         * except where detours queue for the CPU */
    sim_time list_length; /* ps, after which what it holds repeats: a period, a file's length, or
                           * the shortest of the traces that were drawn with it */
    bool is_locked; /* it repeats from the beginning, so that a rank's phase stays what was drawn,
                     * unless the signature drifts; others are locked once a run is longer than
                     * list_length */
    noise_origin origin;
    const char *preset;           /* of NOISE_ORIGIN_PRESET; static, else NULL */
    noise_provenance *provenance; /* of NOISE_ORIGIN_FILE; else NULL */
} noise_component;

typedef struct noise_signature noise_signature; /* immutable */

/**
 * Parse the text form. Models are drawn into traces with @p seed, long enough to hold at least
 * 100 detours of the rarest component (docs/noise.md, section 3).
 * @return owned by the caller; "none" gives a signature without components. NULL with NOISE_ERROR
 */
noise_signature *noise_signature_parse(const char *text, uint64_t seed, GError **error);
/** Is any of it drawn: gaps, lengths, or how several components lie to each other? */
bool noise_signature_is_drawn(const noise_signature *signature);
/**
 * The same components on another machine: drawn anew for @p replica; 0 is the one at hand. Reads
 * files again. O(what noise_signature_parse() takes).
 * @return owned by the caller; NULL with NOISE_ERROR
 */
noise_signature *noise_signature_redraw(const noise_signature *signature, uint64_t seed,
                                        uint32_t replica, GError **error);
void noise_signature_free(noise_signature *signature);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_signature, noise_signature_free)

size_t noise_signature_num_components(const noise_signature *signature);
const noise_component *noise_signature_component(const noise_signature *signature, size_t i);
/** The text it was parsed from. Borrowed. */
const char *noise_signature_text(const noise_signature *signature);
/** The merged trace that @p rank sees, or NULL if none of the components applies to it. Borrowed.
 */
const noise_detour_trace *noise_signature_trace(const noise_signature *signature, uint32_t rank);
/** Share of CPU time stolen on @p rank, 0..1. */
double noise_signature_share(const noise_signature *signature, uint32_t rank);
/**
 * Standard deviation of the rates of the nodes' clocks in parts per million, 0..1e5; 0: all are the
 * same. Where it is above, unsynchronized components are not locked: a phase wanders through an
 * interval within interval / (drift * 1e-6).
 */
double noise_signature_drift(const noise_signature *signature);
/** Longest period of the traces of all ranks; 1 if there is no noise. */
sim_time noise_signature_longest_period(const noise_signature *signature);

/** Names of the models. @return [NULL-terminated] owned by the caller, the names static */
const char **noise_signature_models(void);
/** Names of the presets, NULL-terminated, and one line about each. Static. */
const char *const *noise_presets(void);
const char *noise_preset_description(const char *name);

G_END_DECLS
