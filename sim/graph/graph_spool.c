/* sim/graph/graph_spool.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "graph/graph_spool.h"

#include <errno.h>
#include <xxhash.h>

enum { BLOCK_BYTES = 1 << 20 };

typedef struct spool_room {
    char *at;
    size_t cap;
} spool_room;

struct graph_spool {
    sim_out_file *file; /* NULL: put in its place */
    char *name;         /* of it, for messages */
    FILE *ranks;
    uint64_t bytes;
    XXH3_state_t *checksum;
    spool_room room[2]; /* of the rank before, which the next is often like, and the next */
    unsigned next;
};

graph_spool *sim_graph_spool_new(const char *path, GError **error)
{
    g_autoptr(sim_out_file) file = sim_out_file_open(path, error);
    FILE *ranks = file != NULL ? sim_out_file_scratch(file, error) : NULL;
    if (ranks == NULL) {
        return NULL;
    }
    graph_spool *s = g_new0(graph_spool, 1);
    s->file = g_steal_pointer(&file);
    s->name = g_strdup(sim_out_file_name(path));
    s->ranks = ranks;
    s->checksum = XXH3_createState();
    (void)XXH3_64bits_reset(s->checksum);
    return s;
}

void sim_graph_spool_free(graph_spool *s)
{
    if (s == NULL) {
        return;
    }
    sim_out_file_discard(s->file);
    (void)fclose(s->ranks);
    (void)XXH3_freeState(s->checksum);
    g_free(s->room[0].at);
    g_free(s->room[1].at);
    g_free(s->name);
    g_free(s);
}

char *sim_graph_spool_room(graph_spool *s, size_t bytes)
{
    spool_room *room = &s->room[s->next];
    if (room->cap < bytes) {
        g_free(room->at); /* nothing in it has been taken */
        room->cap = bytes + bytes / 4;
        room->at = g_malloc(room->cap);
    }
    return room->at;
}

uint64_t sim_graph_spool_take(graph_spool *s, size_t bytes)
{
    const uint64_t offset = s->bytes;
    const char *rank = s->room[s->next].at;
    if (!ferror(s->ranks)) {
        (void)fwrite(rank, 1, bytes, s->ranks);
    }
    (void)XXH3_64bits_update(s->checksum, rank, bytes);
    s->bytes += bytes;
    s->next = 1 - s->next;
    return offset;
}

bool sim_graph_spool_has_failed(const graph_spool *s)
{
    return ferror(s->ranks) != 0;
}

void sim_graph_spool_sum_up(const graph_spool *s, uint64_t *bytes, uint64_t *checksum)
{
    *bytes = s->bytes;
    *checksum = XXH3_64bits_digest(s->checksum);
}

FILE *sim_graph_spool_stream(const graph_spool *s)
{
    return sim_out_file_stream(s->file);
}

/* @return 0 or errno, of what was gathered; of what is written committing tells */
static int copy_ranks(const graph_spool *s, FILE *out)
{
    const int code = sim_out_stream_flush(s->ranks);
    if (code != 0 || fseeko(s->ranks, 0, SEEK_SET) != 0) {
        return code != 0 ? code : errno;
    }
    g_autofree char *block = g_malloc(BLOCK_BYTES);
    for (uint64_t left = s->bytes; left > 0 && !ferror(out);) {
        const size_t n = (size_t)MIN(left, BLOCK_BYTES);
        errno = 0;
        if (fread(block, 1, n, s->ranks) != n) {
            return errno != 0 ? errno : EIO;
        }
        (void)fwrite(block, 1, n, out);
        left -= n;
    }
    return 0;
}

bool sim_graph_spool_commit(graph_spool *s, GError **error)
{
    const int code = copy_ranks(s, sim_out_file_stream(s->file));
    if (code != 0) {
        g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(code),
                    "%s: cannot be written: %s", s->name, g_strerror(code));
        return false;
    }
    return sim_out_file_commit(g_steal_pointer(&s->file), error);
}
