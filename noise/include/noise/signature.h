/* noise/signature.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The noise of a machine as a set of named components (a tick, a daemon, a slow core), each a
 * detour trace, a model or a rate, so that any one of them can be left out again.
 *
 * Text form, on the command line and in outputs:
 *   none | PRESET | FILE | MODEL, several joined by '+', each followed by '@' and whom it strikes,
 *   if not every core; and drift=PPM among them, once, where one of them is locked; and
 *   without=NAME,NAME: components that are left out (noise_signature_without()).
 *   MODEL: NAME:VALUE:..., as listed in docs/noise.md, section 2; e.g. fixed:1kHz:100us
 *   behind '@': ranks (0,5-7,64-1023/64), or core, node, node-fixed, node-all, or one of these with
 *         nodes behind ':' (node:3-5); docs/noise.md, section 2.1
 *   PRESET: chic, altix, zeptoos, jaguar (docs/noise.md, section 7), cnk (none)
 *   FILE: Netgauge output, LogGOPSim's two columns, Ripple's own (noise/detour_file.h); all its
 *         runs, one after the other. A divided file gives a component for each of its sources,
 *         one that names several nodes gives them to the nodes in turn
 * docs/noise.md, section 3, says how models are drawn and components combined.
 */
#pragma once

#include "noise/detour_trace.h"
#include "noise/error.h"
#include "noise/provenance.h"
#include "sim/placement.h"
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

/** Which cores of a node a component strikes. */
typedef enum {
    NOISE_PLACE_CORE,       /* every core, each at a time of its own */
    NOISE_PLACE_NODE,       /* one core at a time, chosen for each detour; a rate: as node-all */
    NOISE_PLACE_NODE_FIXED, /* one core, always the same */
    NOISE_PLACE_NODE_ALL,   /* all cores, together */
} noise_place;

/** Where. */
typedef enum { NOISE_SCOPE_ALL, NOISE_SCOPE_RANKS, NOISE_SCOPE_NODES } noise_scope;

/** Ranks or nodes first, first + stride, ... up to and with last. */
typedef struct noise_range {
    uint32_t first;
    uint32_t last;
    uint32_t stride; /* > 0 */
} noise_range;

typedef struct noise_component {
    char *name;  /* "fixed:1kHz:100us", "jaguar: poisson:20s:2.5ms", a file's name;
                  * "node.detours: cron" */
    char *where; /* as behind '@', "node:17"; NULL: every core */
    noise_place place;
    noise_scope scope; /* what the ranges are of */
    uint32_t num_ranges;
    noise_range *ranges; /* [num_ranges]; NULL where the scope is all */
    double share;        /* of CPU time that it steals, 0..1: of one core that it strikes; at the
                          * place "node" of all cores of the node together, as if they were one */
    bool is_rate;        /* it has no detours: cores give less of their time, always or in phases */
    double slow;         /* of a rate: so much less while it is slow, 0..1 */
    sim_time phase;      /* ps, of a rate: it is slow for so long in each interval; 0: always */
    double interval;     /* ps, mean time between the starts of detours, or of phases; infinite:
                          * there are none */
    double mean_length;  /* ps, of the model or the file; 0: there are none; of a rate what a phase
                          * costs */
    sim_time longest;    /* ps, of the detours that were drawn or measured; a run meets none longer,
                          * except where detours queue for the CPU; 0 of a rate */
    sim_time list_length; /* ps, after which what it holds repeats: a period, a file's length, or
                           * the shortest of the traces that were drawn with it; of a rate that
                           * holds always 1 */
    bool is_locked; /* it repeats from the beginning, so that a rank's phase stays what was drawn,
                     * unless the signature drifts; others are locked once a run is longer than
                     * list_length */
    noise_origin origin;
    const char *preset;           /* of NOISE_ORIGIN_PRESET; static, else NULL */
    noise_provenance *provenance; /* of NOISE_ORIGIN_FILE; else NULL */
    /* Of a divided file; else NULL and 0. Its components lie to each other as in the file. */
    char *source;       /* "cron"; the name is "node.detours: cron" */
    char *kind;         /* "scheduler", ...; noise/detour_file.h */
    char *evidence;     /* or NULL */
    uint32_t part;      /* which of its components, from 0 */
    uint32_t num_nodes; /* measured in the file and told apart, of which it is one: it is of every
                         * n-th node; else 1 */
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
/**
 * The same without some of its components: all is laid out and drawn as with them, then their
 * detours, or rates, are not there. So periods, phases and random numbers of the others stay bit
 * for bit, and what had queued behind those that are left out comes as if they had never been
 * there. Its text is that of @p signature with "+without=NAME,NAME" behind it. Files are read
 * again.
 * @param names [NULL-terminated] each a component's name ("jaguar: poisson:20s:2.5ms"), the part of
 *   it behind ": " or before (a preset, a divided file: then all of it), with or without '@' and
 *   whom it strikes, or the path of a file; it means all components that are called so
 * @return owned by the caller; NULL with NOISE_ERROR: an unknown name lists the names there are
 */
/** Before the names, in the text. */
#define NOISE_SIGNATURE_WITHOUT "without="
noise_signature *noise_signature_without(const noise_signature *signature, const char *const *names,
                                         GError **error);
void noise_signature_free(noise_signature *signature);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_signature, noise_signature_free)

/** Those that are left out are not among them. */
size_t noise_signature_num_components(const noise_signature *signature);
const noise_component *noise_signature_component(const noise_signature *signature, size_t i);
/** Is component @p i of a file, and the first of it? What is said of a file is said with it. */
bool noise_signature_begins_file(const noise_signature *signature, size_t i);
/** "NAME@WHERE", or "NAME" where it strikes every core. Owned by the caller. */
char *noise_component_label(const noise_component *component);
/** The text it was parsed from. Borrowed. */
const char *noise_signature_text(const noise_signature *signature);
/** "core", "node", "node-fixed", "node-all". Static. */
const char *noise_place_name(noise_place place);
/** Is @p rank among those that the component may strike? @p placement may be NULL: every rank is a
 * node. O(ranges). */
bool noise_component_holds(const noise_component *component, uint32_t rank,
                           const sim_placement *placement);
/** How many of the first @p num_ranks ranks that are; the number of the placement, if there is one.
 * O(ranges), and O(ranks) where the scope is nodes or a range has a stride. */
uint32_t noise_component_count_ranks(const noise_component *component, uint32_t num_ranks,
                                     const sim_placement *placement);
/**
 * The merged trace of all that strikes every core, or every core of some ranks (the place "core"
 * without nodes), as @p rank sees it; NULL if there is nothing of it. Borrowed.
 */
const noise_detour_trace *noise_signature_trace(const noise_signature *signature, uint32_t rank);
/** Share of CPU time that this trace steals on a core of @p rank, 0..1. */
double noise_signature_share(const noise_signature *signature, uint32_t rank);
/**
 * Standard deviation of the rates of the nodes' clocks in parts per million, 0..1e5; 0: all are the
 * same. Where it is above, unsynchronized components are not locked: a phase wanders through an
 * interval within interval / (drift * 1e-6).
 */
double noise_signature_drift(const noise_signature *signature);
/** Longest period of the traces of all ranks and of phases of rates; 1 if there is none. */
sim_time noise_signature_longest_period(const noise_signature *signature);

/** Names of the models. @return [NULL-terminated] owned by the caller, the names static */
const char **noise_signature_models(void);
/** Names of the presets, NULL-terminated, and one line about each. Static. */
const char *const *noise_presets(void);
const char *noise_preset_description(const char *name);

G_END_DECLS
