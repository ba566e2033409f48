/* tests/apps/pages/test_packed_column.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of numbers that a page carries, taken apart by a decoder of the test's own. */
#include "check.h"
#include "pages/packed_column.h"

#include <zlib.h>

enum { MOST = 4000 };

/* What a closed column is in JSON: kind, count, bytes after inflating. */
typedef struct packed {
    char *as;
    int64_t n;
    guint8 bytes[MOST * 10];
    uLongf num_bytes;
} packed;

static void take_apart(app_column *column, packed *out)
{
    g_autoptr(JsonBuilder) b = json_builder_new();
    json_builder_begin_object(b);
    app_column_build(column, "it", b);
    json_builder_end_object(b);
    g_autoptr(JsonNode) root = json_builder_get_root(b);
    JsonObject *it = json_object_get_object_member(json_node_get_object(root), "it");
    out->as = g_strdup(json_object_get_string_member(it, "as"));
    out->n = json_object_get_int_member(it, "n");
    gsize size = 0;
    g_autofree guint8 *deflated = g_base64_decode(json_object_get_string_member(it, "z"), &size);
    out->num_bytes = sizeof out->bytes;
    CHECK_I64(uncompress(out->bytes, &out->num_bytes, deflated, size), Z_OK);
}

/* Seven bits a byte, lowest first; the highest bit says that there are more. */
static size_t decode(const packed *p, int64_t *out)
{
    size_t n = 0, at = 0;
    int64_t sum = 0;
    while (at < p->num_bytes) {
        uint64_t value = 0;
        unsigned shift = 0;
        do {
            value |= (uint64_t)(p->bytes[at] & 127) << shift;
            shift += 7;
        } while (p->bytes[at++] > 127);
        int64_t number = (int64_t)value;
        if (strcmp(p->as, "counts") != 0) {
            number = (value & 1) == 0 ? (int64_t)(value >> 1) : -(int64_t)(value >> 1) - 1;
        }
        if (strcmp(p->as, "steps") == 0) {
            number += sum;
            sum = number;
        }
        out[n++] = number;
    }
    return n;
}

static void random_numbers_come_back(void)
{
    static const app_column_kind KINDS[] = {APP_COLUMN_COUNTS, APP_COLUMN_SIGNED, APP_COLUMN_STEPS};
    g_autoptr(GRand) rand = g_rand_new_with_seed(20101113);
    static int64_t wanted[MOST], got[MOST];
    static packed p;
    for (size_t k = 0; k < G_N_ELEMENTS(KINDS); k++) {
        g_autoptr(app_column) column = app_column_new(KINDS[k]);
        for (size_t i = 0; i < MOST; i++) {
            const int64_t large = ((int64_t)g_rand_int(rand) << 29) | g_rand_int_range(rand, 0, 99);
            wanted[i] = large >> g_rand_int_range(rand, 0, 61);
            if (KINDS[k] != APP_COLUMN_COUNTS && g_rand_boolean(rand)) {
                wanted[i] = -wanted[i];
            }
            app_column_add(column, wanted[i]);
        }
        app_column_close(column);
        take_apart(column, &p);
        CHECK_I64(p.n, MOST);
        CHECK_I64(decode(&p, got), MOST);
        CHECK(memcmp(got, wanted, sizeof got) == 0, "kind %zu", k);
        g_free(p.as);
    }
}

static void the_largest_times_come_back(void)
{
    static const int64_t LARGEST[] = {INT64_MAX / 4, 0, -(INT64_MAX / 4), INT64_MAX / 4, -1, 1};
    static packed p;
    int64_t got[G_N_ELEMENTS(LARGEST)];
    g_autoptr(app_column) column = app_column_new(APP_COLUMN_STEPS);
    for (size_t i = 0; i < G_N_ELEMENTS(LARGEST); i++) {
        app_column_add(column, LARGEST[i]);
    }
    app_column_close(column);
    take_apart(column, &p);
    CHECK_I64(decode(&p, got), G_N_ELEMENTS(LARGEST));
    for (size_t i = 0; i < G_N_ELEMENTS(LARGEST); i++) {
        CHECK_I64(got[i], LARGEST[i], "%zu", i);
    }
    g_free(p.as);
}

static void what_repeats_takes_no_room(void)
{
    g_autoptr(app_column) bytes = app_column_new(APP_COLUMN_BYTES);
    g_autoptr(app_column) steps = app_column_new(APP_COLUMN_STEPS);
    for (int64_t i = 0; i < 1000000; i++) {
        app_column_add(bytes, 7);
        app_column_add(steps, 50000 * i);
    }
    app_column_close(bytes);
    app_column_close(steps);
    CHECK(app_column_size(bytes) < 2000, "%zu", app_column_size(bytes));
    CHECK(app_column_size(steps) < 8000, "%zu", app_column_size(steps));
}

static void a_column_may_be_empty(void)
{
    static packed p;
    g_autoptr(app_column) column = app_column_new(APP_COLUMN_BYTES);
    app_column_close(column);
    take_apart(column, &p);
    CHECK_I64(p.n, 0);
    CHECK_I64(p.num_bytes, 0);
    CHECK_STR(p.as, "bytes");
    g_free(p.as);
}

/* Long ones are deflated in one of two ways: what repeats after a while must stay small. */
static void long_columns_of_bytes_come_back(void)
{
    enum { LONG = 1 << 18, LINE = 1000 };
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);
    g_autofree uint8_t *bytes = g_new(uint8_t, LONG);
    size_t size[2];
    for (int repeats = 0; repeats < 2; repeats++) {
        g_autoptr(app_column) column = app_column_new(APP_COLUMN_BYTES);
        for (size_t i = 0; i < LONG; i++) {
            bytes[i] =
                repeats && i >= LINE ? bytes[i - LINE] : (uint8_t)g_rand_int_range(rand, 0, 9);
        }
        app_column_add(column, bytes[0]);
        app_column_add_bytes(column, bytes + 1, LONG - 1);
        app_column_close(column);
        size[repeats] = app_column_size(column);
        g_autoptr(JsonBuilder) b = json_builder_new();
        json_builder_begin_object(b);
        app_column_build(column, "it", b);
        json_builder_end_object(b);
        g_autoptr(JsonNode) root = json_builder_get_root(b);
        JsonObject *it = json_object_get_object_member(json_node_get_object(root), "it");
        gsize n = 0;
        g_autofree guint8 *z = g_base64_decode(json_object_get_string_member(it, "z"), &n);
        g_autofree uint8_t *back = g_new0(uint8_t, LONG);
        uLongf got = LONG;
        CHECK_I64(json_object_get_int_member(it, "n"), LONG, "");
        CHECK(uncompress(back, &got, z, n) == Z_OK && got == LONG, "%lu", got);
        CHECK(memcmp(back, bytes, LONG) == 0, "repeats %d", repeats);
    }
    CHECK(size[1] < LONG / 50 && size[0] < LONG * 2 / 3, "%zu %zu", size[0], size[1]);
}

SUITE_MAIN("packed_column", TEST(random_numbers_come_back), TEST(the_largest_times_come_back),
           TEST(what_repeats_takes_no_room), TEST(a_column_may_be_empty),
           TEST(long_columns_of_bytes_come_back))
