/* schedgen/otf2/otf2_records.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_otf2, test_otf2_refused. */
/*
 * Where the records of the global definitions, or of a rank, end, from memory. OTF2 3.0 reads on
 * behind a file that is cut short, through whatever its memory held before: a child may live
 * through that and its parent not come to an end. So it gets only what is whole.
 *
 * What it makes of events differs with what it read before: they are looked at where it has failed.
 *
 * A file is chunks of the size that the anchor says, the last of them shorter. A chunk is a head
 * (a mark, the byte order, two numbers) and records (kind, bytes, content), among events also
 * instants (kind, 8 bytes). Behind these one that
 * is full has zeros, if anything, and the last has marks: end of the chunk, end of the file.
 */
#include "otf2_private.h"

#include <string.h>

enum {
    PADDING = 0,
    END_OF_FILE = 1,
    END_OF_CHUNK = 2,
    CHUNK = 3,
    INSTANT = 5, /* of events */
    INSTANT_BYTES = 9,
    HEAD_BYTES = 18,
    LONG_RECORD = 0xff, /* its bytes do not fit into one: 8 follow */
    BIG_ENDIAN_MARK = 0x23,
};

static uint64_t number(const uint8_t *at, bool big_endian)
{
    uint64_t n;
    memcpy(&n, at, sizeof n);
    return big_endian ? GUINT64_FROM_BE(n) : GUINT64_FROM_LE(n);
}

#define NOWHERE UINT64_MAX

/* Behind the record at @p at; NOWHERE: beyond @p end. */
static uint64_t record_end(const uint8_t *data, uint64_t at, uint64_t end, bool events,
                           bool big_endian)
{
    if (events && data[at] == INSTANT) {
        return end - at >= INSTANT_BYTES ? at + INSTANT_BYTES : NOWHERE;
    }
    if (end - at < 2) {
        return NOWHERE;
    }
    uint64_t bytes = data[at + 1];
    at += 2;
    if (bytes == LONG_RECORD) {
        if (end - at < sizeof bytes) {
            return NOWHERE;
        }
        bytes = number(data + at, big_endian);
        at += sizeof bytes;
    }
    return bytes <= end - at ? at + bytes : NOWHERE;
}

/* @return where the chunk at @p at is no longer whole, mostly NOWHERE. *@p last: nothing follows it
 */
static uint64_t chunk_check(const uint8_t *data, uint64_t at, uint64_t end, bool events, bool full,
                            bool *last)
{
    if (end - at <= HEAD_BYTES || data[at] != CHUNK) {
        return at;
    }
    const bool big_endian = data[at + 1] == BIG_ENDIAN_MARK;
    at += HEAD_BYTES;
    while (at < end && data[at] > CHUNK) {
        const uint64_t behind = record_end(data, at, end, events, big_endian);
        if (behind == NOWHERE) {
            return at;
        }
        at = behind;
    }
    *last = end - at >= 2 && data[at] == END_OF_CHUNK && data[at + 1] == END_OF_FILE;
    return *last || (full && (at == end || data[at] == PADDING)) ? NOWHERE : at;
}

bool sched_otf2_records_check(const char *file, bool events, uint64_t chunk_bytes, GError **error)
{
    g_autoptr(GMappedFile) map = g_mapped_file_new(file, FALSE, NULL);
    if (map == NULL || chunk_bytes < OTF2_CHUNK_SIZE_MIN || chunk_bytes > OTF2_CHUNK_SIZE_MAX) {
        return true; /* OTF2 says so itself */
    }
    const uint8_t *data = (const uint8_t *)g_mapped_file_get_contents(map);
    const uint64_t len = g_mapped_file_get_length(map);
    bool last = false;
    for (uint64_t at = 0; !last; at += chunk_bytes) {
        const uint64_t bytes = at < len ? MIN(chunk_bytes, len - at) : 0;
        const uint64_t wrong =
            bytes > 0 ? chunk_check(data, at, at + bytes, events, bytes == chunk_bytes, &last)
                      : len;
        if (wrong != NOWHERE) {
            g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE,
                        "%s: damaged or cut short: no whole record at byte %" G_GUINT64_FORMAT
                        " of %" G_GUINT64_FORMAT,
                        file, wrong, len);
            return false;
        }
    }
    return true;
}
