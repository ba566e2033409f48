/* sim/machine.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * LogGOPS parameters of a machine, those of messages within a node, how far nodes are from each
 * other, what calls take beside their messages, and where each came from. docs/model.md, sections 1
 * and 10; presets: Table III of Hoefler et al., SC'10, and two systems measured with Netgauge.
 */
#pragma once

#include "sim/call_cost.h"
#include "sim/cold_cost.h"
#include "sim/levels.h"
#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef enum { SIM_PROGRESS_POLLING, SIM_PROGRESS_ASYNC } sim_progress;
typedef enum { SIM_RENDEZVOUS_HANDSHAKE, SIM_RENDEZVOUS_INSTANT } sim_rendezvous;

/** Which of what is pending at one instant goes first: docs/model.md, section 4. */
typedef enum {
    SIM_ORDER_MODEL,   /* by instants, ranks and indices: 4.1 to 4.3 */
    SIM_ORDER_CREATION /* as LogGOPSim: 4.4; with progress async and rendezvous instant alone, no
                          noise, no levels; one thread */
} sim_order;

/** What the engine needs: numbers only, copied freely. */
typedef struct sim_params {
    sim_time L; /* wire latency */
    sim_time o; /* CPU overhead per message */
    sim_time g; /* gap between messages of a NIC */
    sim_rate G; /* gap per byte */
    sim_rate O; /* CPU overhead per byte */
    int64_t S;  /* largest eager message, bytes; INT64_MAX: all are eager */
    sim_time H; /* what a handshake takes beside the way there and back; 0 unless it is said */
    sim_progress progress;
    sim_rendezvous rendezvous;
    sim_order order; /* no key of a machine: a run is asked for it */
} sim_params;

typedef enum {
    SIM_KEY_L,
    SIM_KEY_o,
    SIM_KEY_g,
    SIM_KEY_G,
    SIM_KEY_O,
    SIM_KEY_S,
    SIM_KEY_PROGRESS,
    SIM_KEY_RENDEZVOUS,
    SIM_KEY_DISTANCE, /* these and all that follow need not be there: sim_machine_has() */
    SIM_KEY_L_HOP,
    SIM_KEY_H,
    SIM_KEY_NODE_L, /* the keys of a level: L, o, g, G, O, S, H */
    SIM_KEY_NODE_o,
    SIM_KEY_NODE_g,
    SIM_KEY_NODE_G,
    SIM_KEY_NODE_O,
    SIM_KEY_NODE_S,
    SIM_KEY_NODE_H,
    SIM_KEY_CALLS, /* "calls.barrier", and one for each further sim_call, in that order */
    SIM_KEY_COLD = SIM_KEY_CALLS + SIM_NUM_CALLS, /* "calls.cold" */
    SIM_NUM_KEYS
} sim_key;

typedef struct sim_machine {
    char *name; /* preset name, file name without folder, or "custom" */
    sim_params params;
    /**
     * Bit i: SIM_KEY_NODE_L + i was said; what was not is as between nodes. 0: there is one level.
     */
    unsigned node_keys;
    sim_level node; /* if node_keys != 0 */
    /** "torus:8x8" or another form (sim/distance.h); a file is not opened here. NULL: none. */
    char *distance;
    sim_time L_hop;
    sim_call_cost calls[SIM_NUM_CALLS]; /* 0: it has no such key */
    sim_cold_cost cold;                 /* no points: likewise */
    /** One short phrase each, e.g. "SC'10 Table III", "--set"; NULL: it has no such value. */
    char *provenance[SIM_NUM_KEYS];
} sim_machine;

/**
 * A preset's name or the path of an INI file ([machine] with schema_version, name, L, o, …; of
 * version 2 also distance, L_hop and [node]; of version 3 also [calls]; of version 4 also its cold;
 * of version 5 also H; an optional [provenance] with the same keys). An unknown key is an error
 * with a suggestion. The files that `distance` names are beside this one.
 * @return owned by the caller, or NULL with SIM_ERROR_BAD_MACHINE (file, key and value named)
 */
sim_machine *sim_machine_load(const char *preset_or_path, GError **error);
/** The same from the text of an INI file; messages call it @p name. */
sim_machine *sim_machine_load_data(const char *name, const char *data, size_t len, GError **error);
void sim_machine_free(sim_machine *machine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sim_machine, sim_machine_free)

/**
 * Apply "L=3us", "S=64KiB", "S=inf", "progress=async", "node.L=300ns", "distance=torus:4x4",
 * "distance=none" (L_hop goes with it), "H=0" (none), "calls.bcast=50ns", "calls.bcast=none",
 * "calls=none", … All or nothing. Any key of a node gives the machine a second level.
 */
bool sim_machine_set(sim_machine *machine, const char *assignment, GError **error);

/** Names of the presets, NULL-terminated, static. */
const char *const *sim_machine_presets(void);
/** One line about a preset; NULL if there is none of that name. Static. */
const char *sim_machine_preset_description(const char *name);

/** Has it got a value? Those from L to rendezvous have always. */
bool sim_machine_has(const sim_machine *machine, sim_key key);
/** Has any call a cost beside its messages, or after a computation? */
bool sim_machine_has_calls(const sim_machine *machine);
/**
 * Is it whole? @return false with SIM_ERROR_BAD_MACHINE: a distance without L_hop, or L_hop without
 * a distance, H where no message has a handshake
 */
bool sim_machine_check(const sim_machine *machine, GError **error);
/** The key as written in --set: "L", "o", …, "progress", …, "node.L". Static. */
const char *sim_key_name(sim_key key);
/**
 * The value of @p key as text that sim_machine_set() takes; NULL: it has none. Owned by the caller.
 */
char *sim_machine_format_value(const sim_machine *machine, sim_key key);
/** The INI file that sim_machine_load() reads back to the same machine. Owned by the caller. */
char *sim_machine_to_ini(const sim_machine *machine);

G_END_DECLS
