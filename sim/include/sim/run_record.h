/* sim/run_record.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The record of a run: what each step of it waited for. The breakdown and the critical path follow
 * from it, at the end of the run or, from a file, later. Some 7 to 12 bytes per operation.
 * docs/formats.md, "The record of a run".
 */
#pragma once

#include "sim/run.h"

#include <glib.h>

G_BEGIN_DECLS

/**
 * A record to be filled by one run (sim_run_options.record). Its file appears, whole, when it is
 * committed.
 * @param label what the file says about itself, one line for people; may be NULL
 * @return owned by the caller; NULL with G_FILE_ERROR
 */
sim_run_record *sim_run_record_create(const char *path, const char *label, GError **error);
/** The same into a file without a name in $TMPDIR, which is gone with the record. */
sim_run_record *sim_run_record_spill(GError **error);
/** A run has filled the record: let its file appear. @return false with G_FILE_ERROR */
bool sim_run_record_commit(sim_run_record *record, GError **error);

/** Does the file begin as a record does? It may be damaged all the same. */
bool sim_run_record_is_one(const char *path);
/**
 * Open a file that sim_run_record_commit() has written.
 * @return owned by the caller; NULL with G_FILE_ERROR, or SIM_ERROR_BAD_FILE (place and value
 * named)
 */
sim_run_record *sim_run_record_open(const char *path, GError **error);
/** Its label; "" if it has none. Borrowed. */
const char *sim_run_record_label(const sim_run_record *record);
/** What is known of the run as a whole. */
typedef struct sim_run_facts {
    sim_params params; /* of the machine; with levels, of its network */
    bool has_node;     /* messages within a node took parameters of their own: */
    sim_level node;
    sim_time L_hop; /* what distance was counted in; 0: there was none */
    uint32_t num_ranks;
    sim_time makespan;
    uint32_t makespan_rank; /* the rank that finishes last */
    uint64_t num_ops;
    uint64_t num_messages;
} sim_run_facts;
sim_run_facts sim_run_record_facts(const sim_run_record *record);

/**
 * Breakdown and critical path of a run that is over. Reads each byte once, latest first; memory
 * for the path and little more.
 * @return owned by the caller, without sim_result.finish; NULL with G_FILE_ERROR or
 *   SIM_ERROR_BAD_FILE: the record is damaged
 */
sim_result *sim_run_record_explain(const sim_run_record *record, GError **error);

/** A file that was not committed does not appear. NULL is a no-op. */
void sim_run_record_free(sim_run_record *record);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sim_run_record, sim_run_record_free)

G_END_DECLS
