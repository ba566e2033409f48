/* sim/record/run_record_read.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_record_file. */
#include "record/run_record_private.h"

/* An accepted message and its receive. */
typedef struct late_receive {
    uint32_t rank;
    uint32_t source;
    uint32_t send;
    uint32_t op; /* what is looked for, by the others */
} late_receive;

static guint late_hash(gconstpointer data)
{
    const late_receive *l = data;
    uint64_t h = l->rank * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ l->source) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ l->send) * UINT64_C(0x94d049bb133111eb);
    return (guint)(h >> 32);
}

static gboolean late_equal(gconstpointer a, gconstpointer b)
{
    const late_receive *x = a;
    const late_receive *y = b;
    return x->rank == y->rank && x->source == y->source && x->send == y->send;
}

void sim_record_reader_init(record_reader *reader, const sim_run_record *record)
{
    *reader = (record_reader){.record = record};
    reader->place = g_new0(record_place, record->ranks.num_partitions);
    for (uint32_t i = 0; i < record->ranks.num_partitions; i++) {
        record_place *place = &reader->place[i];
        if (record->path == NULL) {
            place->chunk = record->log[i].chunk;
        } else {
            place->offset = record->last[i];
            place->data = place->offset != 0 ? g_malloc(RECORD_CHUNK_BYTES) : NULL;
        }
    }
    reader->late = g_hash_table_new_full(late_hash, late_equal, g_free, NULL);
}

void sim_record_reader_clear(record_reader *reader)
{
    for (uint32_t i = 0; i < reader->record->ranks.num_partitions; i++) {
        g_free(reader->place[i].step);
        g_free(reader->place[i].data);
    }
    g_free(reader->place);
    g_hash_table_destroy(reader->late);
    g_free(reader->wrong);
}

/* A step of log @p partition, as it can be. */
static bool is_possible(const rank_partition *ranks, uint32_t partition, const record_step *s)
{
    return s->rank < ranks->num_ranks && s->peer < ranks->num_ranks &&
           rank_partition_of(ranks, s->rank) == partition;
}

bool sim_record_decode_chunk(const sim_run_record *record, uint32_t partition, const uint8_t *data,
                             size_t bytes, record_place *place, char **wrong)
{
    const uint8_t *at = data;
    const uint8_t *end = data + bytes;
    record_state state = sim_record_state(record);
    while (at < end) {
        if (place->n == place->cap) {
            place->cap = MAX(2 * place->cap, 1024);
            place->step = g_renew(record_step, place->step, place->cap);
        }
        const uint8_t *next = sim_record_decode(&state, at, end, &place->step[place->n]);
        if (next == NULL || !is_possible(&record->ranks, partition, &place->step[place->n])) {
            *wrong = g_strdup_printf("log %" G_GUINT32_FORMAT
                                     ": byte %zu of a chunk begins no step of this run",
                                     partition, (size_t)(at - data));
            place->n = 0;
            return false;
        }
        at = next;
        place->n++;
    }
    return true;
}

/* The steps of a chunk. @return false: it is damaged */
static bool decode(record_reader *reader, uint32_t partition, const uint8_t *data, size_t bytes)
{
    return sim_record_decode_chunk(reader->record, partition, data, bytes,
                                   &reader->place[partition], &reader->wrong);
}

/* The steps of the chunk before. @return false: there is none, or it is damaged */
static bool read_chunk(record_reader *reader, uint32_t partition)
{
    record_place *place = &reader->place[partition];
    if (reader->wrong != NULL) {
        return false;
    }
    if (place->offset != 0) {
        const size_t bytes = sim_record_read_chunk(reader->record, partition, &place->offset,
                                                   place->data, &reader->wrong);
        return bytes > 0 && decode(reader, partition, place->data, bytes);
    }
    const record_chunk *chunk = place->chunk;
    if (chunk == NULL) {
        return false;
    }
    place->chunk = chunk->before;
    return decode(reader, partition, chunk->data, chunk->bytes);
}

record_step *sim_record_reader_back(record_reader *reader, uint32_t partition)
{
    record_place *place = &reader->place[partition];
    while (place->n == 0) {
        if (!read_chunk(reader, partition)) {
            return NULL;
        }
    }
    record_step *s = &place->step[--place->n];
    const late_receive key = {.rank = s->rank, .source = s->peer, .send = s->send, .op = s->op};
    if (s->kind == RECORD_LATE) {
        (void)g_hash_table_add(reader->late, g_memdup2(&key, sizeof key));
    } else if (s->kind == RECORD_ACCEPT) {
        const late_receive *found = g_hash_table_lookup(reader->late, &key);
        s->op = found != NULL ? found->op : SIM_ANY;
        (void)g_hash_table_remove(reader->late, &key);
    }
    return s;
}
