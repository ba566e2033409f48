/* sim/run_record.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_record_private.h"

sim_run_record *sim_run_record_new(const sim_params *params, const rank_share *share)
{
    sim_run_record *record = g_new(sim_run_record, 1);
    *record = (sim_run_record){.params = *params, .share = *share, .makespan_op = SIM_ANY};
    record->log = g_new0(record_log, share->num_parts);
    return record;
}

void sim_record_clear_log(record_log *log)
{
    record_chunk *chunk = log->chunk;
    while (chunk != NULL) {
        record_chunk *before = chunk->before;
        g_free(chunk);
        chunk = before;
    }
    *log = (record_log){0};
}

void sim_run_record_free(sim_run_record *record)
{
    if (record == NULL) {
        return;
    }
    for (uint32_t i = 0; i < record->share.num_parts; i++) {
        sim_record_clear_log(&record->log[i]);
    }
    g_free(record->log);
    g_free(record);
}

void sim_record_next_chunk(record_log *log)
{
    if (log->chunk != NULL) {
        log->chunk->bytes = (size_t)(log->at - log->chunk->data);
    }
    record_chunk *chunk = g_malloc(sizeof(record_chunk) + RECORD_CHUNK_BYTES);
    chunk->before = log->chunk;
    log->chunk = chunk;
    log->at = chunk->data;
    log->full = chunk->data + RECORD_CHUNK_BYTES - RECORD_STEP_BYTES;
    log->state = (record_state){0};
}
