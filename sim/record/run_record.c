/* sim/record/run_record.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/run_record_private.h"
#include "sim/error.h"
#include "sim/scratch_file.h"

#include <assert.h>
#include <errno.h>

sim_run_record *sim_record_new(void)
{
    sim_run_record *record = g_new0(sim_run_record, 1);
    record->makespan_op = SIM_ANY;
    record->label = g_strdup("");
    g_mutex_init(&record->mutex);
    return record;
}

sim_run_record *sim_run_record_create(const char *path, const char *label, GError **error)
{
    sim_out_file *file = sim_out_file_open(path, error);
    if (file == NULL) {
        return NULL;
    }
    sim_run_record *record = sim_record_new();
    record->path = g_strdup(path);
    record->file = file;
    record->stream = sim_out_file_stream(file);
    g_free(record->label);
    record->label = g_strdup(label != NULL ? label : "");
    return record;
}

sim_run_record *sim_run_record_spill(GError **error)
{
    FILE *stream = sim_scratch_file(NULL, error);
    if (stream == NULL) {
        return NULL;
    }
    sim_run_record *record = sim_record_new();
    record->path = g_strdup_printf("a file in %s", g_get_tmp_dir());
    record->stream = stream;
    return record;
}

bool sim_run_record_commit(sim_run_record *record, GError **error)
{
    assert(record->file != NULL);
    record->stream = NULL;
    return sim_out_file_commit(g_steal_pointer(&record->file), error);
}

sim_run_record *sim_run_record_open(const char *path, GError **error)
{
    g_autoptr(sim_run_record) record = sim_record_new();
    record->path = g_strdup(path);
    record->stream = fopen(path, "rb");
    if (record->stream == NULL || fseeko(record->stream, 0, SEEK_END) != 0) {
        g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(errno),
                    "%s: cannot be read: %s", path, g_strerror(errno));
        return NULL;
    }
    record->bytes = (uint64_t)ftello(record->stream);
    return sim_record_read_frame(record, error) ? g_steal_pointer(&record) : NULL;
}

void sim_record_levels(const sim_run_record *record, sim_level out[MESSAGE_LEVELS])
{
    const sim_levels levels = {.has_node = record->has_node, .node = record->node};
    message_levels_of(&record->params, &levels, out);
}

const char *sim_run_record_label(const sim_run_record *record)
{
    return record->label;
}

sim_run_facts sim_run_record_facts(const sim_run_record *record)
{
    return (sim_run_facts){.params = record->params,
                           .has_node = record->has_node,
                           .node = record->node,
                           .L_hop = record->L_hop,
                           .num_ranks = record->ranks.num_ranks,
                           .makespan = record->makespan,
                           .makespan_rank = record->makespan_rank,
                           .num_ops = record->num_ops,
                           .num_messages = record->num_messages};
}

void sim_run_record_free(sim_run_record *record)
{
    if (record == NULL) {
        return;
    }
    for (uint32_t i = 0; record->log != NULL && i < record->ranks.num_partitions; i++) {
        sim_record_clear_log(&record->log[i]);
    }
    if (record->file != NULL) {
        sim_out_file_discard(record->file);
    } else if (record->stream != NULL) {
        (void)fclose(record->stream);
    }
    g_mutex_clear(&record->mutex);
    g_free(record->log);
    g_free(record->label);
    g_free(record->path);
    g_free(record->last);
    g_free(record);
}

/* ---- a run fills it ---- */

void sim_record_begin(sim_run_record *record, const sim_params *params, const sim_levels *levels,
                      const rank_partition *ranks)
{
    assert(record->log == NULL && record->last == NULL); /* one run fills it */
    record->params = *params;
    if (levels != NULL) {
        record->has_levels = true;
        record->has_node = levels->has_node;
        record->node = levels->has_node ? levels->node : (sim_level){0};
        record->L_hop = levels->distance.kind != SIM_DISTANCE_NONE ? levels->distance.L_hop : 0;
    }
    record->ranks = *ranks;
    if (record->path == NULL) {
        record->log = g_new0(record_log, ranks->num_partitions);
    } else {
        record->last = g_new0(uint64_t, ranks->num_partitions);
        sim_record_write_header(record);
    }
}

record_log sim_record_log(sim_run_record *record, uint32_t partition)
{
    return (record_log){.record = record, .partition = partition};
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

/* Nothing more comes into its chunk. */
static void seal(record_log *log)
{
    if (log->chunk != NULL) {
        log->chunk->bytes = (size_t)(log->at - log->chunk->data);
        if (log->record->path != NULL && log->chunk->bytes > 0) {
            sim_record_write_chunk(log);
        }
    }
}

void sim_record_next_chunk(record_log *log)
{
    seal(log);
    record_chunk *chunk = log->chunk;
    if (chunk == NULL || log->record->path == NULL) {
        chunk = g_malloc(sizeof(record_chunk) + RECORD_CHUNK_BYTES);
        chunk->before = log->chunk;
    }
    log->chunk = chunk;
    log->at = chunk->data;
    log->full = chunk->data + RECORD_CHUNK_BYTES - RECORD_STEP_BYTES;
    log->state = sim_record_state(log->record);
}

void sim_record_take(record_log *log)
{
    seal(log);
    if (log->record->path == NULL) {
        log->record->log[log->partition] = *log;
        *log = (record_log){0};
    } else {
        sim_record_clear_log(log);
    }
}

bool sim_record_check(const sim_run_record *record, GError **error)
{
    const int code = atomic_load(&record->failed);
    if (code != 0) {
        g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(code),
                    "%s: cannot be written: %s", record->path, g_strerror(code));
    }
    return code == 0;
}

bool sim_record_end(sim_run_record *record, GError **error)
{
    if (record->path != NULL) {
        sim_record_write_end(record);
    }
    return sim_record_check(record, error);
}
