/* apps/ripple/pages/packed_column.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "pages/packed_column.h"

#include "sim/json_member.h"

#include <assert.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

enum { DIGITS = 10 /* of a value, at most */ };

struct app_column {
    app_column_kind kind;
    int64_t n;
    int64_t before; /* the value added last */
    uint8_t *bytes; /* [room] not yet deflated; NULL: closed */
    size_t used;
    size_t room;
    char *base64;
};

app_column *app_column_new(app_column_kind kind)
{
    app_column *c = g_new0(app_column, 1);
    c->kind = kind;
    c->room = 1024;
    c->bytes = g_malloc(c->room);
    return c;
}

void app_column_free(app_column *c)
{
    if (c != NULL) {
        g_free(c->bytes);
        g_free(c->base64);
        g_free(c);
    }
}

/* The sign goes into the lowest bit, so that small ones of either sign are small. */
static uint64_t zigzag(int64_t value)
{
    return value >= 0 ? (uint64_t)value << 1 : ((uint64_t)(-(value + 1)) << 1) + 1;
}

static void reserve(app_column *c, size_t n)
{
    if (c->room - c->used < n) {
        c->room = 2 * (c->used + n);
        c->bytes = g_realloc(c->bytes, c->room);
    }
}

void app_column_add(app_column *c, int64_t value)
{
    assert(c->bytes != NULL);
    reserve(c, DIGITS);
    c->n++;
    if (c->kind == APP_COLUMN_BYTES) {
        assert(value >= 0 && value <= UINT8_MAX);
        c->bytes[c->used++] = (uint8_t)value;
        return;
    }
    assert(c->kind != APP_COLUMN_COUNTS || value >= 0);
    uint64_t rest = c->kind == APP_COLUMN_COUNTS  ? (uint64_t)value
                    : c->kind == APP_COLUMN_STEPS ? zigzag(value - c->before)
                                                  : zigzag(value);
    c->before = value;
    for (; rest > 127; rest >>= 7) { /* 7 bits, lowest first; all but the last are marked */
        c->bytes[c->used++] = (uint8_t)(rest | 128);
    }
    c->bytes[c->used++] = (uint8_t)rest;
}

void app_column_add_bytes(app_column *c, const uint8_t *values, size_t n)
{
    assert(c->bytes != NULL && c->kind == APP_COLUMN_BYTES);
    reserve(c, n);
    memcpy(c->bytes + c->used, values, n);
    c->used += n;
    c->n += (int64_t)n;
}

static Bytef *deflate_bytes(const uint8_t *bytes, size_t n, int strategy, size_t *size)
{
    enum { LEVEL = 6, WINDOW = 15, MEMORY = 8 /* as compress() has them */ };
    z_stream z = {0};
    int status = deflateInit2(&z, LEVEL, Z_DEFLATED, WINDOW, MEMORY, strategy);
    const uLong bound = deflateBound(&z, n);
    Bytef *out = g_malloc(bound);
    const uint8_t none = 0; /* zlib wants an address even of no bytes */
    z.next_in = n > 0 ? bytes : &none;
    z.avail_in = (uInt)n;
    z.next_out = out;
    z.avail_out = (uInt)bound;
    status = status == Z_OK ? deflate(&z, Z_FINISH) : status;
    assert(status == Z_STREAM_END); /* there is room, and g_malloc() has it */
    (void)status;
    *size = z.total_out;
    (void)deflateEnd(&z);
    return out;
}

/* Heat without order is no smaller where more than runs is looked for, which takes five times as
 * long. Whether that is so, a part of the column shows. */
static int strategy_for(const app_column *c)
{
    enum { SAMPLE = 1 << 16 };
    if (c->used <= SAMPLE) {
        return Z_DEFAULT_STRATEGY;
    }
    const uint8_t *sample = c->bytes + (c->used - SAMPLE) / 2;
    size_t runs;
    size_t all;
    g_free(deflate_bytes(sample, SAMPLE, Z_RLE, &runs));
    g_free(deflate_bytes(sample, SAMPLE, Z_DEFAULT_STRATEGY, &all));
    return runs <= all + all / 32 ? Z_RLE : Z_DEFAULT_STRATEGY;
}

void app_column_close(app_column *c)
{
    assert(c->bytes != NULL && c->used <= G_MAXUINT / 2);
    size_t size;
    g_autofree Bytef *deflated = deflate_bytes(c->bytes, c->used, strategy_for(c), &size);
    c->base64 = g_base64_encode(deflated, size);
    g_clear_pointer(&c->bytes, g_free);
}

size_t app_column_size(const app_column *c)
{
    assert(c->base64 != NULL);
    static const size_t AROUND = 48; /* its name, kind and count */
    return strlen(c->base64) + AROUND;
}

void app_column_build(const app_column *c, const char *name, JsonBuilder *b)
{
    static const char *const KINDS[] = {[APP_COLUMN_BYTES] = "bytes",
                                        [APP_COLUMN_COUNTS] = "counts",
                                        [APP_COLUMN_SIGNED] = "signed",
                                        [APP_COLUMN_STEPS] = "steps"};
    assert(c->base64 != NULL);
    sim_json_begin_object(b, name);
    sim_json_int(b, "n", c->n);
    sim_json_text(b, "as", KINDS[c->kind]);
    sim_json_text(b, "z", c->base64);
    json_builder_end_object(b);
}
