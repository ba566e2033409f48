/* apps/ripple/pages/packed_column.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "pages/packed_column.h"

#include "sim/json_member.h"

#include <assert.h>
#include <zlib.h>

struct app_column {
    app_column_kind kind;
    int64_t n;
    int64_t before;    /* the value added last */
    GByteArray *bytes; /* not yet deflated; NULL: closed */
    char *base64;
};

app_column *app_column_new(app_column_kind kind)
{
    app_column *c = g_new0(app_column, 1);
    c->kind = kind;
    c->bytes = g_byte_array_new();
    return c;
}

void app_column_free(app_column *c)
{
    if (c != NULL) {
        if (c->bytes != NULL) {
            g_byte_array_unref(c->bytes);
        }
        g_free(c->base64);
        g_free(c);
    }
}

/* The sign goes into the lowest bit, so that small ones of either sign are small. */
static uint64_t zigzag(int64_t value)
{
    return value >= 0 ? (uint64_t)value << 1 : ((uint64_t)(-(value + 1)) << 1) + 1;
}

void app_column_add(app_column *c, int64_t value)
{
    assert(c->bytes != NULL);
    c->n++;
    if (c->kind == APP_COLUMN_BYTES) {
        assert(value >= 0 && value <= UINT8_MAX);
        const guint8 byte = (guint8)value;
        g_byte_array_append(c->bytes, &byte, 1);
        return;
    }
    assert(c->kind != APP_COLUMN_COUNTS || value >= 0);
    uint64_t rest = c->kind == APP_COLUMN_COUNTS  ? (uint64_t)value
                    : c->kind == APP_COLUMN_STEPS ? zigzag(value - c->before)
                                                  : zigzag(value);
    c->before = value;
    guint8 digits[10]; /* of 7 bits, lowest first; all but the last are marked */
    guint used = 0;
    for (; rest > 127; rest >>= 7) {
        digits[used++] = (guint8)(rest | 128);
    }
    digits[used++] = (guint8)rest;
    g_byte_array_append(c->bytes, digits, used);
}

void app_column_close(app_column *c)
{
    assert(c->bytes != NULL);
    uLongf size = compressBound(c->bytes->len);
    g_autofree Bytef *deflated = g_malloc(size);
    /* An empty array has no data to point to. */
    const Bytef *data = c->bytes->data != NULL ? c->bytes->data : (const Bytef *)"";
    const int status = compress2(deflated, &size, data, c->bytes->len, 6);
    assert(status == Z_OK); /* there is room, and g_malloc() has it */
    (void)status;
    c->base64 = g_base64_encode(deflated, size);
    g_byte_array_unref(c->bytes);
    c->bytes = NULL;
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
