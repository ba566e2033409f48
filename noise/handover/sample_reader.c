/* noise/handover/sample_reader.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/sample_reader.h"

#include "noise/error.h"
#include "sim/time.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 18, GIVE_BACK = 1 << 20 }; /* bytes */

struct noise_sample_reader {
    char *path;
    int file; /* -1: not open; it is between polls, as there may be a file for each of many ranks */
    bool has_header;
    noise_sample_header header;
    noise_sample_totals totals;
    noise_sample_end end;
    uint64_t blocks, most;     /* read so far; not to be read beyond */
    int64_t taken, given_back; /* bytes of the file */
};

noise_sample_reader *noise_sample_reader_new(const char *path)
{
    noise_sample_reader *r = g_new0(noise_sample_reader, 1);
    r->path = g_strdup(path);
    r->file = -1;
    r->most = UINT64_MAX;
    return r;
}

void noise_sample_reader_free(noise_sample_reader *r)
{
    if (r != NULL) {
        g_free(r->path);
        g_free(r);
    }
}

const noise_sample_header *noise_sample_reader_header(const noise_sample_reader *r)
{
    return r->has_header ? &r->header : NULL;
}

const noise_sample_totals *noise_sample_reader_totals(const noise_sample_reader *r)
{
    return &r->totals;
}

noise_sample_end noise_sample_reader_end(const noise_sample_reader *r)
{
    return r->end;
}

static bool refuse(const noise_sample_reader *r, const char *what, GError **error)
{
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE, "%s: %s", r->path, what);
    return false;
}

static bool refuse_block(const noise_sample_reader *r, const char *what, GError **error)
{
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE, "%s: block %" G_GUINT64_FORMAT " %s",
                r->path, r->blocks, what);
    return false;
}

static bool take_header(noise_sample_reader *r, const char *bytes, GError **error)
{
    noise_sample_header h;
    memcpy(&h, bytes, sizeof h);
    if (memcmp(h.magic, NOISE_SAMPLE_MAGIC, sizeof h.magic) != 0) {
        return refuse(r, "no samples of typical sequences", error);
    }
    if (h.version != NOISE_SAMPLE_VERSION || h.header_bytes != sizeof(noise_sample_header) ||
        h.block_bytes != sizeof(noise_sample_block) ||
        h.record_bytes != sizeof(noise_sample_record)) {
        return refuse(r, "samples of another version or byte order", error);
    }
    if (!noise_sample_header_is_whole(&h) || h.rank >= h.num_ranks) {
        return refuse(r, "the header of its samples is damaged", error);
    }
    r->header = h;
    r->has_header = true;
    return true;
}

static bool is_time(int64_t t)
{
    return t >= -SIM_TIME_MAX && t <= SIM_TIME_MAX;
}

static bool is_duration(int64_t t)
{
    return t >= 0 && t <= SIM_TIME_MAX;
}

/* Sums only grow. */
static bool is_later(const noise_sample_totals *a, const noise_sample_totals *b)
{
    return b->calls >= a->calls && b->covered_calls >= a->covered_calls &&
           b->covered_calls <= b->calls && b->compute >= a->compute &&
           b->covered_compute >= a->covered_compute && b->covered_compute <= b->compute &&
           is_duration(b->compute) && is_time(b->until) && (a->calls == 0 || b->until >= a->until);
}

static bool check_page(const noise_sample_reader *r, const noise_sample_page *p, GError **error)
{
    if (p->block.end > NOISE_SAMPLE_CUT_OFF || !is_later(&r->totals, &p->block.totals)) {
        return refuse_block(r, "contradicts what comes before it", error);
    }
    for (uint32_t i = 0; i < p->block.num; i++) {
        const noise_sample_record *s = &p->record[i];
        if (s->sequence >= r->header.num_sequences || s->unused != 0 || !is_time(s->begin) ||
            !is_time(s->end) || s->end < s->begin || !is_duration(s->compute) || s->off < -1 ||
            s->off > s->compute) {
            return refuse_block(r, "holds a sample that cannot be", error);
        }
    }
    return true;
}

/* @return bytes of the page; 0: it is not whole (yet), or refused */
static size_t take_page(noise_sample_reader *r, const char *bytes, size_t size,
                        noise_sample_take *take, void *data, GError **error)
{
    noise_sample_page p;
    if (size < sizeof p.block) {
        return 0;
    }
    memcpy(&p.block, bytes, sizeof p.block);
    const size_t rest = (size_t)p.block.num * sizeof p.record[0];
    if (p.block.num > NOISE_SAMPLE_ROOM || size - sizeof p.block < rest) {
        return 0;
    }
    memcpy(p.record, bytes + sizeof p.block, rest);
    if (!noise_sample_page_is_whole(&p) || !check_page(r, &p, error)) {
        return 0;
    }
    for (uint32_t i = 0; i < p.block.num; i++) {
        take(data, &r->header, &p.record[i]);
    }
    r->totals = p.block.totals;
    r->end = (noise_sample_end)p.block.end;
    r->blocks++;
    return sizeof p.block + rest;
}

size_t noise_sample_reader_feed(noise_sample_reader *r, const void *bytes, size_t size,
                                noise_sample_take *take, void *data, GError **error)
{
    size_t at = 0;
    if (!r->has_header) {
        if (size < sizeof r->header || !take_header(r, bytes, error)) {
            return 0;
        }
        at = sizeof r->header;
    }
    size_t more = 1;
    while (more > 0 && r->end == NOISE_SAMPLE_RUNNING && r->blocks < r->most) {
        more = take_page(r, (const char *)bytes + at, size - at, take, data, error);
        at += more;
    }
    return at;
}

/* What has been taken needs no room on the disk any more; where it stands in the file stays. */
static void give_back(noise_sample_reader *r)
{
    if (r->taken - r->given_back >= GIVE_BACK) {
        (void)fallocate(r->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, r->given_back,
                        r->taken - r->given_back);
        r->given_back = r->taken;
    }
}

static bool open_file(noise_sample_reader *r, GError **error)
{
    r->file = open(r->path, O_RDWR | O_CLOEXEC);
    r->file = r->file >= 0 ? r->file : open(r->path, O_RDONLY | O_CLOEXEC);
    if (r->file < 0 && errno != ENOENT) {
        const int code = errno;
        g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "%s: %s", r->path,
                    g_strerror(code));
        return false;
    }
    return true;
}

/* @return bytes read of what has not been taken yet; -1: error */
static ssize_t read_more(const noise_sample_reader *r, char *chunk, GError **error)
{
    ssize_t n;
    do {
        n = pread(r->file, chunk, CHUNK, r->taken);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        const int code = errno;
        g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(code), "%s: %s", r->path,
                    g_strerror(code));
    }
    return n;
}

static void close_file(noise_sample_reader *r)
{
    if (r->file >= 0) {
        (void)close(r->file);
        r->file = -1;
    }
}

bool noise_sample_reader_poll(noise_sample_reader *r, bool is_last, noise_sample_take *take,
                              void *data, GError **error)
{
    bool more = false;
    return noise_sample_reader_poll_some(r, UINT64_MAX, is_last, &more, take, data, error);
}

bool noise_sample_reader_poll_some(noise_sample_reader *r, uint64_t blocks, bool is_last,
                                   bool *more, noise_sample_take *take, void *data, GError **error)
{
    GError *why = NULL;
    r->most = blocks < UINT64_MAX - r->blocks ? r->blocks + blocks : UINT64_MAX;
    *more = false;
    if (!open_file(r, error)) {
        return false;
    }
    g_autofree char *chunk = r->file >= 0 ? g_malloc(CHUNK) : NULL;
    ssize_t n = 0;
    size_t used = 0;
    do {
        n = r->file >= 0 ? read_more(r, chunk, &why) : 0;
        used = n > 0 ? noise_sample_reader_feed(r, chunk, (size_t)n, take, data, &why) : 0;
        r->taken += (int64_t)used;
        give_back(r);
    } while (used > 0 && why == NULL && r->blocks < r->most);
    *more = r->blocks == r->most;
    close_file(r);
    if (why == NULL && is_last && n > 0 && !*more) {
        (void)(r->has_header ? refuse_block(r, "is damaged, or only a part of it was written", &why)
                             : refuse(r, "samples that were cut off in their header", &why));
    }
    if (why != NULL) {
        g_propagate_error(error, why);
        return false;
    }
    return true;
}
