/* schedgen/dumpi/dumpi_stream.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_dumpi, fuzz_dumpi. */
/*
 * A file begins with eight bytes that say what it is, and ends with an index: the same bytes, then
 * where the other parts are, in 64 bits each. Older versions have fewer of these.
 */
#include "dumpi/dumpi_private.h"

#include "sched/error.h"

#include <string.h>

static const uint8_t MAGIC[8] = {0xff, 0xaa, 0xdd, 'D', 'U', 'M', 'P', 'I'};

enum {
    MOST_ENTRIES = 7, /* of an index: sizes, addresses, counters, header, body, footer, keys */
    LEAST_ENTRIES = 4,
    OLDEST = 609, /* version 0.6.9: before, some arguments were cut off */
};

bool sched_dumpi_is_head(const char *data, size_t size)
{
    return size >= sizeof MAGIC && memcmp(data, MAGIC, sizeof MAGIC) == 0;
}

uint64_t sched_dumpi_take(dumpi_stream *stream, int bytes)
{
    uint64_t value = 0;
    if (stream->end - stream->at < (size_t)bytes) {
        stream->is_cut = true;
        stream->at = stream->end;
        return 0;
    }
    for (int i = 0; i < bytes; i++) {
        value = value << 8 | stream->data[stream->at++];
    }
    return value;
}

void sched_dumpi_skip(dumpi_stream *stream, uint64_t bytes)
{
    if (stream->end - stream->at < bytes) {
        stream->is_cut = true;
        stream->at = stream->end;
    } else {
        stream->at += (size_t)bytes;
    }
}

bool sched_dumpi_fail(const dumpi_stream *stream, const char *what, int64_t value, GError **error)
{
    if (stream->record == 0) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s: %s '%" G_GINT64_FORMAT "'",
                    stream->file, what, value);
    } else {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE,
                    "%s: record %u at byte %zu%s%s: %s '%" G_GINT64_FORMAT "'", stream->file,
                    stream->record, stream->begin, stream->what != NULL ? ", " : "",
                    stream->what != NULL ? stream->what : "", what, value);
    }
    return false;
}

/* Where the parts are, header and sizes; 0: there are no sizes. */
static bool read_index(dumpi_stream *s, size_t *header, size_t *body, size_t *sizes)
{
    for (size_t n = MOST_ENTRIES; n >= LEAST_ENTRIES; n--) {
        const size_t bytes = 8 * (n + 1);
        if (s->end < bytes + sizeof MAGIC ||
            memcmp(s->data + s->end - bytes, MAGIC, sizeof MAGIC) != 0) {
            continue;
        }
        uint64_t entry[MOST_ENTRIES];
        s->at = s->end - bytes + sizeof MAGIC;
        for (size_t i = 0; i < n; i++) {
            entry[i] = sched_dumpi_take(s, 8);
        }
        *sizes = n == MOST_ENTRIES && entry[0] < s->end ? (size_t)entry[0] : 0;
        *header = (size_t)MIN(entry[n - 4], (uint64_t)s->end);
        *body = (size_t)MIN(entry[n - 3], (uint64_t)s->end);
        return true;
    }
    return false;
}

static void read_sizes(dumpi_stream *s, size_t at, GArray *sizes)
{
    s->at = at;
    const uint64_t n = at > 0 ? sched_dumpi_take(s, 4) : 0;
    for (uint64_t i = 0; i < n && s->end - s->at >= 4; i++) {
        const int64_t size = (int32_t)sched_dumpi_take(s, 4);
        g_array_append_val(sizes, size);
    }
}

bool sched_dumpi_stream_open(dumpi_stream *s, const char *file, const char *data, size_t size,
                             dumpi_head *head, GError **error)
{
    *s = (dumpi_stream){.file = file, .data = (const uint8_t *)data, .end = size};
    size_t header = 0;
    size_t body = 0;
    size_t sizes = 0;
    if (!sched_dumpi_is_head(data, size)) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_NOT_RECOGNISED, "%s: no file of DUMPI", file);
        return false;
    }
    if (!read_index(s, &header, &body, &sizes) || header <= body) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_INCOMPLETE,
                    "%s: no index at its end: the file is cut short", file);
        return false;
    }
    s->at = header;
    unsigned version[3];
    for (int i = 0; i < 3; i++) {
        version[i] = (unsigned)sched_dumpi_take(s, 1);
    }
    if (version[0] * 10000 + version[1] * 100 + version[2] < OLDEST) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                    "%s: version '%u.%u.%u' of DUMPI; read are 0.6.9 and later", file, version[0],
                    version[1], version[2]);
        return false;
    }
    read_sizes(s, sizes, head->sizes);
    s->at = body;
    s->end = header;
    (void)sched_dumpi_take(s, 4); /* where CPU time begins: only differences are used */
    head->wall_s = sched_dumpi_take(s, 4);
    return !s->is_cut || sched_dumpi_fail(s, "no records at byte", (int64_t)body, error);
}
