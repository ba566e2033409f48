/* noise/nit/nit_reader.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_nit_file, fuzz_nit. */
#include "nit/nit_format.h"
#include "nit/nit_records.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zlib.h>

typedef struct frame {
    nit_frame_kind kind;
    size_t inflated, stored;
    const uint8_t *data;
} frame;

bool noise_nit_is(const void *data, size_t size)
{
    return size >= strlen(NIT_MAGIC) && memcmp(data, NIT_MAGIC, strlen(NIT_MAGIC)) == 0;
}

G_GNUC_PRINTF(4, 5)
static void fail(const char *name, size_t at, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE, "%s: byte %zu: %s", name, at, what);
}

typedef enum { WHOLE, CUT, BROKEN } frame_state;

/* The frame at @p at, which is whole, ends early, or cannot be trusted. */
static frame_state look(const uint8_t *at, size_t left, frame *out, const char **wrong)
{
    if (left < NIT_FRAME_HEADER) {
        return CUT;
    }
    *wrong = "this is not the head of a frame";
    if (nit_get_fixed(at, 4) != NIT_FRAME_MAGIC) {
        return BROKEN;
    }
    out->kind = (nit_frame_kind)nit_get_fixed(at + 4, 4);
    out->inflated = nit_get_fixed(at + 8, 4);
    out->stored = nit_get_fixed(at + 12, 4);
    out->data = at + NIT_FRAME_HEADER;
    if (out->kind < NIT_FRAME_HEAD || out->kind > NIT_FRAME_END ||
        out->inflated > NIT_MOST_INFLATED || out->stored > NIT_MOST_STORED) {
        return BROKEN;
    }
    if (out->stored > left - NIT_FRAME_HEADER) {
        return CUT;
    }
    *wrong = "the checksum of this frame is another one";
    const uint64_t sum = XXH3_64bits_withSeed(out->data, out->stored,
                                              nit_get_fixed(at + 4, 4) ^ nit_get_fixed(at + 8, 8));
    return sum == nit_get_fixed(at + 16, 8) ? WHOLE : BROKEN;
}

/* Who is killed in the middle of writing leaves the beginning of a frame, the last of the file. Is
 * there a whole one behind it? Then its length is wrong. */
static bool is_followed(const uint8_t *at, size_t left)
{
    frame f;
    const char *wrong;
    for (size_t i = 1; i < left; i++) {
        const uint8_t *next = memchr(at + i, 'n', left - i);
        if (next == NULL) {
            return false;
        }
        i = (size_t)(next - at);
        if (look(next, left - i, &f, &wrong) == WHOLE) {
            return true;
        }
    }
    return false;
}

static const char *take(noise_nit_contents *contents, const frame *f)
{
    g_autofree uint8_t *bytes = g_malloc(f->inflated + 1);
    uLongf n = f->inflated;
    if (uncompress(bytes, &n, f->data, f->stored) != Z_OK || n != f->inflated) {
        return "this frame cannot be inflated";
    }
    nit_cursor c = {bytes, bytes + n, false};
    return noise_nit_contents_take(contents, f->kind, &c);
}

/* @return false with @p error */
static bool read_frames(noise_nit_contents *contents, const char *name, const uint8_t *data,
                        size_t size, GError **error)
{
    size_t at = NIT_FILE_HEADER;
    bool ended = false;
    contents->node.is_cut = true;
    while (at < size && !ended) {
        frame f;
        const char *wrong = NULL;
        const frame_state state = look(data + at, size - at, &f, &wrong);
        if (state == CUT && !is_followed(data + at, size - at)) {
            break;
        }
        wrong = state == CUT ? "this frame is longer than the file" : wrong;
        wrong = state == WHOLE ? take(contents, &f) : wrong;
        if (wrong != NULL) {
            fail(name, at, error, "%s", wrong);
            return false;
        }
        at += NIT_FRAME_HEADER + f.stored;
        ended = f.kind == NIT_FRAME_END;
    }
    if (ended && at < size) {
        fail(name, at, error, "something follows the last frame");
        return false;
    }
    contents->node.is_cut = !ended;
    if (contents->node.name == NULL) {
        fail(name, at, error, "the file ends before it says whose it is");
        return false;
    }
    return true;
}

noise_nit *noise_nit_parse(const char *name, const void *data, size_t size, GError **error)
{
    const uint8_t *bytes = data;
    if (!noise_nit_is(data, size) || size < NIT_FILE_HEADER) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE,
                    "%s: this is not a .nit file: it does not begin with %s and a version", name,
                    NIT_MAGIC);
        return NULL;
    }
    const uint64_t version = nit_get_fixed(bytes + 8, 4);
    if (version != NIT_VERSION) {
        fail(name, 8, error, "version %u of the format; this program reads version %d",
             (unsigned)version, NIT_VERSION);
        return NULL;
    }
    noise_nit_contents contents;
    noise_nit_contents_init(&contents);
    noise_nit *nit = NULL;
    if (read_frames(&contents, name, bytes, size, error)) {
        nit = noise_nit_contents_finish(&contents);
    }
    noise_nit_contents_clear(&contents);
    return nit;
}

noise_nit *noise_nit_read(const char *path, GError **error)
{
    g_autofree char *data = NULL;
    gsize size = 0;
    if (!g_file_get_contents(path, &data, &size, error)) {
        return NULL;
    }
    return noise_nit_parse(path, data, size, error);
}
