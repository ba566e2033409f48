/* sim/record/run_record_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * docs/formats.md, "The record of a run". Written from its beginning to its end, so each chunk says
 * where the one before of its log is, and the end where the last ones are.
 */
#include "record/run_record_private.h"
#include "sim/error.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#define MAGIC     "\x89RHB\r\n\x1a\n" /* as the one of PNG */
#define ORDER     UINT32_C(0x01020304)
#define VERSION   UINT32_C(1)
#define LEVELS    UINT32_C(2)          /* version of what has a file_levels */
#define HANDSHAKE UINT32_C(3)          /* of what has a file_handshake */
#define CHUNK_TAG UINT32_C(0x4b4e4843) /* "CHNK" where the lowest byte is first */
#define END_TAG   UINT32_C(0x20444e45)

enum { MOST_LABEL = 1 << 16, MOST_PARTS = 1 << 16 };

typedef struct file_header {
    char magic[8];
    uint32_t order;
    uint32_t version;
    uint32_t num_ranks;
    uint32_t num_logs;
    uint32_t shift; /* blocks of 2^shift ranks are dealt out to the logs in turn */
    uint32_t label_bytes;
    int64_t L, o, g; /* ps */
    int64_t G, O;    /* 10^-6 ps per byte */
    int64_t S;       /* bytes */
    uint32_t async;
    uint32_t instant;
    uint64_t checksum; /* of all before and the label, which follows */
} file_header;

/* What follows the label if handshakes take a time of their own; levels come after it. */
typedef struct file_handshake {
    uint32_t has_levels;
    uint32_t zero;
    int64_t H, node_H; /* ps */
    uint64_t checksum; /* of all before */
} file_handshake;

/* What follows the label if the machine has levels. */
typedef struct file_levels {
    uint32_t has_node;
    uint32_t zero;
    int64_t L, o, g; /* within a node, as in the header */
    int64_t G, O;
    int64_t S;
    int64_t L_hop;     /* ps */
    uint64_t checksum; /* of all before */
} file_levels;

typedef struct file_chunk {
    uint32_t tag;
    uint32_t log;
    uint32_t bytes; /* that follow */
    uint32_t zero;
    uint64_t before;   /* where the one before of this log begins; 0: there is none */
    uint64_t checksum; /* of all before and of the bytes */
} file_chunk;

/* The last bytes of a file; before them, for each log, 8 bytes: where its last chunk begins. */
typedef struct file_end {
    uint32_t tag;
    uint32_t makespan_rank;
    uint32_t makespan_op;
    uint32_t zero;
    int64_t makespan;
    uint64_t num_ops;
    uint64_t num_messages;
    uint64_t bytes;    /* of the file */
    uint64_t checksum; /* of the places and all before */
} file_end;

_Static_assert(sizeof(file_header) == 96 && sizeof(file_levels) == 72 &&
                   sizeof(file_handshake) == 32 && sizeof(file_chunk) == 32 &&
                   sizeof(file_end) == 56,
               "files are laid out as memory is");

/* Of two stretches of bytes. */
static uint64_t checksum(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    return XXH3_64bits_withSeed(b, b_bytes, XXH3_64bits(a, a_bytes));
}

/* ---- writing ---- */

static void put(sim_run_record *record, const void *data, size_t bytes)
{
    if (bytes > 0 && atomic_load(&record->failed) == 0 &&
        fwrite(data, 1, bytes, record->stream) != bytes) {
        atomic_store(&record->failed, errno != 0 ? errno : EIO);
    }
    record->bytes += bytes;
}

static void write_levels(sim_run_record *record)
{
    const sim_level *n = &record->node;
    file_levels l = {.has_node = record->has_node,
                     .L = n->L,
                     .o = n->o,
                     .g = n->g,
                     .G = n->G,
                     .O = n->O,
                     .S = n->S,
                     .L_hop = record->L_hop};
    l.checksum = XXH3_64bits(&l, offsetof(file_levels, checksum));
    put(record, &l, sizeof l);
}

static bool has_handshake(const sim_run_record *record)
{
    return record->params.H > 0 || record->node.H > 0;
}

static void write_handshake(sim_run_record *record)
{
    file_handshake h = {
        .has_levels = record->has_levels, .H = record->params.H, .node_H = record->node.H};
    h.checksum = XXH3_64bits(&h, offsetof(file_handshake, checksum));
    put(record, &h, sizeof h);
}

void sim_record_write_header(sim_run_record *record)
{
    const sim_params *p = &record->params;
    const size_t label_bytes = MIN(strlen(record->label), MOST_LABEL);
    file_header h = {.order = ORDER,
                     .version = has_handshake(record) ? HANDSHAKE
                                : record->has_levels  ? LEVELS
                                                      : VERSION,
                     .num_ranks = record->ranks.num_ranks,
                     .num_logs = record->ranks.num_partitions,
                     .shift = record->ranks.shift,
                     .label_bytes = (uint32_t)label_bytes,
                     .L = p->L,
                     .o = p->o,
                     .g = p->g,
                     .G = p->G,
                     .O = p->O,
                     .S = p->S,
                     .async = p->progress == SIM_PROGRESS_ASYNC,
                     .instant = p->rendezvous == SIM_RENDEZVOUS_INSTANT};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    h.checksum = checksum(&h, offsetof(file_header, checksum), record->label, label_bytes);
    put(record, &h, sizeof h);
    put(record, record->label, label_bytes);
    if (has_handshake(record)) {
        write_handshake(record);
    }
    if (record->has_levels) {
        write_levels(record);
    }
}

void sim_record_write_chunk(const record_log *log)
{
    sim_run_record *record = log->record;
    file_chunk c = {.tag = CHUNK_TAG, .log = log->partition, .bytes = (uint32_t)log->chunk->bytes};
    c.before = record->last[log->partition];
    c.checksum = checksum(&c, offsetof(file_chunk, checksum), log->chunk->data, c.bytes);
    g_mutex_lock(&record->mutex);
    record->last[log->partition] = record->bytes;
    put(record, &c, sizeof c);
    put(record, log->chunk->data, c.bytes);
    g_mutex_unlock(&record->mutex);
}

void sim_record_write_end(sim_run_record *record)
{
    const size_t places = record->ranks.num_partitions * sizeof *record->last;
    file_end end = {.tag = END_TAG,
                    .makespan_rank = record->makespan_rank,
                    .makespan_op = record->makespan_op,
                    .makespan = record->makespan,
                    .num_ops = record->num_ops,
                    .num_messages = record->num_messages,
                    .bytes = record->bytes + places + sizeof end};
    end.checksum = checksum(record->last, places, &end, offsetof(file_end, checksum));
    put(record, record->last, places);
    put(record, &end, sizeof end);
    const int code = sim_out_stream_flush(record->stream);
    if (code != 0) {
        atomic_store(&record->failed, code);
    }
}

/* ---- reading ---- */

/* @return are all @p bytes there? */
static bool get(const sim_run_record *record, uint64_t offset, void *data, size_t bytes)
{
    char *to = data;
    while (bytes > 0) {
        const ssize_t n = pread(fileno(record->stream), to, bytes, (off_t)offset);
        if (n <= 0 && !(n < 0 && errno == EINTR)) {
            return false;
        }
        to += MAX(n, 0);
        offset += (uint64_t)MAX(n, 0);
        bytes -= (size_t)MAX(n, 0);
    }
    return true;
}

size_t sim_record_read_chunk(const sim_run_record *record, uint32_t partition, uint64_t *offset,
                             uint8_t *data, char **wrong)
{
    const uint64_t at = *offset;
    file_chunk c;
    if (at > record->bytes || record->bytes - at < sizeof c || !get(record, at, &c, sizeof c)) {
        *wrong = g_strdup_printf("byte %" PRIu64 ": cannot be read", at);
        return 0;
    }
    if (c.tag != CHUNK_TAG || c.log != partition || c.bytes == 0 || c.bytes > RECORD_CHUNK_BYTES ||
        c.before >= at || !get(record, at + sizeof c, data, c.bytes)) {
        *wrong = g_strdup_printf("byte %" PRIu64 ": no chunk of log %" PRIu32, at, partition);
        return 0;
    }
    if (checksum(&c, offsetof(file_chunk, checksum), data, c.bytes) != c.checksum) {
        *wrong = g_strdup_printf("byte %" PRIu64 ": the chunk does not match its checksum", at);
        return 0;
    }
    *offset = c.before;
    return c.bytes;
}

G_GNUC_PRINTF(3, 4)
static bool fail(const sim_run_record *record, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error(error, SIM_ERROR, SIM_ERROR_BAD_FILE, "%s: %s", record->path, what);
    return false;
}

static bool is_time(int64_t t)
{
    return t >= 0 && t <= SIM_TIME_MAX;
}

/* @p values: L, o, g, G, O, S */
static bool check_parameters(const sim_run_record *record, const int64_t values[6], GError **error)
{
    static const char names[] = "LogGOS";
    for (size_t i = 0; i < 6; i++) {
        const bool is_rate = names[i] == 'G' || names[i] == 'O';
        if (values[i] < 0 || (is_rate && values[i] > SIM_RATE_MAX) ||
            (i < 3 && !is_time(values[i]))) {
            return fail(record, error, "damaged: %c is %" PRId64, names[i], values[i]);
        }
    }
    return true;
}

static bool check_values(const sim_run_record *record, const file_header *h, GError **error)
{
    if (h->num_logs == 0 || h->num_logs > MOST_PARTS || h->shift > 31 ||
        h->label_bytes > MOST_LABEL) {
        return fail(record, error,
                    "damaged: %" PRIu32 " logs, blocks of 2^%" PRIu32 ", a label of %" PRIu32
                    " bytes",
                    h->num_logs, h->shift, h->label_bytes);
    }
    return check_parameters(record, (int64_t[]){h->L, h->o, h->g, h->G, h->O, h->S}, error);
}

/* @p at: where they begin */
static bool read_levels(sim_run_record *record, uint64_t at, GError **error)
{
    file_levels l;
    if (!get(record, at, &l, sizeof l)) {
        return fail(record, error, "cut short: %" PRIu64 " bytes", record->bytes);
    }
    if (XXH3_64bits(&l, offsetof(file_levels, checksum)) != l.checksum) {
        return fail(record, error, "damaged: the levels do not match their checksum");
    }
    if (!check_parameters(record, (int64_t[]){l.L, l.o, l.g, l.G, l.O, l.S}, error)) {
        return false;
    }
    if (!is_time(l.L_hop)) {
        return fail(record, error, "damaged: L_hop is %" PRId64, l.L_hop);
    }
    record->has_levels = true;
    record->has_node = l.has_node != 0;
    record->node = (sim_level){.L = l.L, .o = l.o, .g = l.g, .G = l.G, .O = l.O, .S = l.S};
    record->L_hop = l.L_hop;
    return true;
}

static bool read_handshake(sim_run_record *record, uint64_t at, GError **error)
{
    file_handshake h;
    if (!get(record, at, &h, sizeof h)) {
        return fail(record, error, "cut short: %" PRIu64 " bytes", record->bytes);
    }
    if (XXH3_64bits(&h, offsetof(file_handshake, checksum)) != h.checksum) {
        return fail(record, error, "damaged: the handshakes do not match their checksum");
    }
    if (!is_time(h.H) || !is_time(h.node_H)) {
        return fail(record, error, "damaged: H is %" PRId64 ", within a node %" PRId64, h.H,
                    h.node_H);
    }
    if (h.has_levels != 0 && !read_levels(record, at + sizeof h, error)) {
        return false;
    }
    record->params.H = h.H;
    record->node.H = h.node_H;
    return true;
}

bool sim_run_record_is_one(const char *path)
{
    char begin[sizeof MAGIC - 1];
    FILE *file = fopen(path, "rb");
    const bool is_one = file != NULL && fread(begin, sizeof begin, 1, file) == 1 &&
                        memcmp(begin, MAGIC, sizeof begin) == 0;
    if (file != NULL) {
        (void)fclose(file);
    }
    return is_one;
}

static bool read_header(sim_run_record *record, GError **error)
{
    file_header h;
    if (!get(record, 0, &h, sizeof h.magic) || memcmp(h.magic, MAGIC, sizeof h.magic) != 0) {
        return fail(record, error, "not the record of a run");
    }
    if (!get(record, 0, &h, sizeof h)) {
        return fail(record, error, "cut short: %" PRIu64 " bytes", record->bytes);
    }
    if (h.order != ORDER) {
        return fail(record, error,
                    h.order == GUINT32_SWAP_LE_BE(ORDER)
                        ? "written on a machine of the other byte order"
                        : "damaged: the mark of the byte order is wrong");
    }
    if (h.version < VERSION || h.version > HANDSHAKE) {
        return fail(record, error,
                    "version %" PRIu32 " of the form; these are read: versions %" PRIu32
                    " to %" PRIu32,
                    h.version, VERSION, HANDSHAKE);
    }
    if (!check_values(record, &h, error)) {
        return false;
    }
    g_free(record->label);
    record->label = g_malloc0(h.label_bytes + (gsize)1);
    if (!get(record, sizeof h, record->label, h.label_bytes) ||
        checksum(&h, offsetof(file_header, checksum), record->label, h.label_bytes) != h.checksum) {
        return fail(record, error, "damaged: the header does not match its checksum");
    }
    record->ranks =
        (rank_partition){.num_partitions = h.num_logs, .shift = h.shift, .num_ranks = h.num_ranks};
    record->params = (sim_params){
        .L = h.L,
        .o = h.o,
        .g = h.g,
        .G = h.G,
        .O = h.O,
        .S = h.S,
        .progress = h.async != 0 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING,
        .rendezvous = h.instant != 0 ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE};
    const uint64_t at = sizeof h + h.label_bytes;
    return h.version == HANDSHAKE ? read_handshake(record, at, error)
           : h.version == LEVELS  ? read_levels(record, at, error)
                                  : true;
}

static bool read_end(sim_run_record *record, GError **error)
{
    const size_t places = record->ranks.num_partitions * sizeof *record->last;
    file_end end;
    record->last = g_new0(uint64_t, record->ranks.num_partitions);
    if (record->bytes < sizeof(file_header) + places + sizeof end ||
        !get(record, record->bytes - sizeof end, &end, sizeof end) ||
        !get(record, record->bytes - sizeof end - places, record->last, places) ||
        end.tag != END_TAG || end.bytes != record->bytes) {
        return fail(record, error, "%" PRIu64 " bytes, the last of which are no end: cut short",
                    record->bytes);
    }
    if (checksum(record->last, places, &end, offsetof(file_end, checksum)) != end.checksum) {
        return fail(record, error, "damaged: the end does not match its checksum");
    }
    if (!is_time(end.makespan) ||
        (end.makespan_rank >= record->ranks.num_ranks && record->ranks.num_ranks > 0)) {
        return fail(record, error, "damaged: a makespan of %" PRId64 " ps on rank %" PRIu32,
                    end.makespan, end.makespan_rank);
    }
    record->makespan = end.makespan;
    record->makespan_rank = end.makespan_rank;
    record->makespan_op = end.makespan_op;
    record->num_ops = end.num_ops;
    record->num_messages = end.num_messages;
    return true;
}

bool sim_record_read_frame(sim_run_record *record, GError **error)
{
    return read_header(record, error) && read_end(record, error);
}
