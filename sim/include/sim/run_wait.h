/* sim/run_wait.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What every operation of a recorded run waited for, and how long, whether it is on the critical
 * path or not. docs/model.md, section 8.
 */
#pragma once

#include "sim/run_path.h"
#include "sim/sink.h"

#include <glib.h>

G_BEGIN_DECLS

/**
 * A wait for one thing. A receive, from its posting: for the message until it is taken in
 * (MESSAGE), for an interface that is busy with another (NIC), then for the CPU. A rendezvous
 * send, from when its request, or message, is there: for the receive to be posted (RECEIVE); from
 * when it may send: for the interface. Any CPU work: for detours (NOISE).
 */
typedef struct sim_wait {
    uint32_t rank;
    uint32_t op; /* SIM_ANY (async): a message taken in before its receive was posted */
    uint8_t type;
    /**
     * The length is an upper bound. So it is for a calc, and for a send that waited for CPU or NIC:
     * a record does not say when they became ready, so the wait is counted from the instant at
     * which the operation that they waited for took over the CPU or the interface.
     */
    bool at_most;
    sim_cause cause;
    sim_time start;
    sim_time finish;
    sim_time length; /* finish - start; NOISE: what was stolen between the two */
} sim_wait;

typedef void sim_wait_visit(const sim_wait *wait, void *user);

/**
 * Call @p visit for each wait that is longer than 0. The order depends on the record alone. Reads
 * each byte twice; a byte per step in a file without a name in $TMPDIR; memory for what is under
 * way at a time: messages, and operations that others still wait for.
 * @param record in a file: opened, or spilled
 * @return false with G_FILE_ERROR or SIM_ERROR_BAD_FILE: the record is damaged, and what has been
 *   visited is not to be relied on
 */
bool sim_run_record_visit_waits(const sim_run_record *record, sim_wait_visit *visit, void *user,
                                GError **error);

typedef void sim_work_visit(const sim_event *event, void *user);

/**
 * Call @p visit for each stretch of CPU work, as a sink of the run that was brief would have heard
 * of it, but for its CPU: a record does not say which, and cpu is 0. Those of a rank come in the
 * order in which they were taken up, that is, of time; ranks interleave in an order that depends on
 * the record alone. Cost and errors: sim_run_record_visit_waits().
 */
bool sim_run_record_visit_work(const sim_run_record *record, sim_work_visit *visit, void *user,
                               GError **error);

G_END_DECLS
