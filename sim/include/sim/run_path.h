/* sim/run_path.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The critical path of a recorded run, stretch by stretch: what each waited for, and which
 * parameter of the machine, which computation or which noise its time went to. docs/model.md,
 * section 7.
 */
#pragma once

#include "sim/run_record.h"

#include <glib.h>

G_BEGIN_DECLS

/**
 * What the makespan is made of; the parts of a path sum up to it. On a machine with levels, the
 * first eight are of messages through the network, but for what distance adds to their flights.
 */
typedef enum sim_part {
    SIM_PART_COMPUTE,
    SIM_PART_o,
    SIM_PART_O,
    SIM_PART_L,        /* flights of messages */
    SIM_PART_S,        /* flights of requests and clear-to-sends: messages larger than S */
    SIM_PART_H,        /* what handshakes take beside these */
    SIM_PART_g,        /* an interface is busy with the message before */
    SIM_PART_G,        /* bytes on the wire */
    SIM_PART_DISTANCE, /* of all flights: more switches on the way than one */
    SIM_PART_NODE_o,   /* the same seven of messages within a node, in the same order */
    SIM_PART_NODE_O,
    SIM_PART_NODE_L,
    SIM_PART_NODE_S,
    SIM_PART_NODE_H,
    SIM_PART_NODE_g,
    SIM_PART_NODE_G,
    SIM_PART_PEER_NOISE, /* noise on other ranks than the one that finishes last */
    SIM_PART_NOISE,      /* noise on the rank that finishes last */
    SIM_NUM_PARTS
} sim_part;

/** Why something did not happen earlier. */
typedef enum sim_cause_kind {
    SIM_CAUSE_BEGIN,   /* nothing: the run began */
    SIM_CAUSE_FINISH,  /* an operation of its rank that it requires had to finish */
    SIM_CAUSE_START,   /* one that it irequires had to start */
    SIM_CAUSE_CPU,     /* the CPU was busy */
    SIM_CAUSE_NIC,     /* the network interface was busy */
    SIM_CAUSE_MESSAGE, /* a message had not come */
    SIM_CAUSE_RECEIVE, /* a rendezvous message: its receive had not been posted */
    SIM_CAUSE_NOISE,   /* detours on its own CPU */
    SIM_NUM_CAUSES
} sim_cause_kind;

/**
 * The kind of a cause and the operation that it names: the one that the CPU or the interface was
 * busy with (a message without receive: its send), the send of the message, the receive. SIM_ANY
 * (BEGIN, NOISE): none.
 */
typedef struct sim_cause {
    uint8_t kind; /* sim_cause_kind */
    uint32_t rank;
    uint32_t op;
} sim_cause;

/**
 * A stretch of the path that one operation accounts for; a send: until its message, or on a busy
 * interface the next one, is through.
 */
typedef struct sim_path_stretch {
    uint32_t rank;
    uint32_t op;
    uint8_t type; /* sim_op_type */
    sim_cause cause;
    sim_time start;
    sim_time finish;
    sim_time part[SIM_NUM_PARTS]; /* they sum up to finish - start */
    /**
     * How often each part occurs in it, that is, what a change of its parameter costs: o, L, S
     * (each takes L) and g in times, O and G in bytes, distance in switches (each takes L_hop). 0
     * for the others.
     */
    uint64_t amount[SIM_NUM_PARTS];
} sim_path_stretch;

typedef void sim_path_visit(const sim_path_stretch *stretch, void *user);

/**
 * Call @p visit for each stretch, latest first: each starts where the next one finishes, the first
 * finishes at the makespan, the last starts at 0. Reads each byte of the record once; memory for
 * one chunk of each log, whatever its size.
 * @return false with G_FILE_ERROR or SIM_ERROR_BAD_FILE: the record is damaged, and what has been
 *   visited is not to be relied on
 */
bool sim_run_record_walk_path(const sim_run_record *record, sim_path_visit *visit, void *user,
                              GError **error);

G_END_DECLS
