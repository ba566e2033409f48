/* tests/noise/handover/test_sample_reader.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/sample_reader.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

enum { SEQUENCES = 3, MODEL = 77 };

/* What came, as text. */
static void note(void *data, const noise_sample_header *h, const noise_sample_record *s)
{
    g_string_append_printf(data, "%u:%u/%" PRIu64 " %" PRIi64 "-%" PRIi64 " %" PRIi64 "; ", h->rank,
                           s->sequence, s->t, s->begin, s->end, s->compute);
}

static void count(void *data, const noise_sample_header *h, const noise_sample_record *s)
{
    (void)h;
    uint64_t *sum = data;
    sum[0]++;
    sum[1] += (uint64_t)s->compute;
}

static void add_header(GByteArray *file)
{
    noise_sample_header h = {.rank = 1, .num_ranks = 2, .num_sequences = SEQUENCES, .model = MODEL};
    noise_sample_header_seal(&h);
    g_byte_array_append(file, (const guint8 *)&h, sizeof h);
}

/* A block of @p n records from the i-th on, each of 10 ps; 4 calls each. */
static void add_block(GByteArray *file, uint32_t i, uint32_t n, noise_sample_end end)
{
    static noise_sample_page p;
    const uint32_t last = i + n;
    p.block =
        (noise_sample_block){.num = n,
                             .end = end,
                             .totals = {4 * (uint64_t)last, 2 * (uint64_t)last, 10 * (int64_t)last,
                                        5 * (int64_t)last, 100 * (int64_t)last}};
    for (uint32_t k = 0; k < n; k++) {
        const int64_t at = 100 * (int64_t)(i + k);
        p.record[k] = (noise_sample_record){i + k, at, at + 50, 10, -1, (i + k) % SEQUENCES, 0};
    }
    g_byte_array_append(file, (const guint8 *)&p, (guint)noise_sample_page_seal(&p));
}

static void blocks_come_as_they_are_added_whatever_a_read_sees(void)
{
    g_autoptr(GByteArray) file = g_byte_array_new();
    add_header(file);
    add_block(file, 0, 2, NOISE_SAMPLE_RUNNING);
    add_block(file, 2, 0, NOISE_SAMPLE_RUNNING);
    add_block(file, 2, 1, NOISE_SAMPLE_FINALIZED);
    g_autoptr(noise_sample_reader) r = noise_sample_reader_new("f");
    g_autoptr(GString) text = g_string_new("");
    g_autoptr(GError) error = NULL;
    size_t at = 0;
    for (size_t seen = 0; seen <= file->len; seen++) { /* each byte more than before */
        at += noise_sample_reader_feed(r, file->data + at, seen - at, note, text, &error);
        CHECK((noise_sample_reader_header(r) != NULL) == (seen >= sizeof(noise_sample_header)));
    }
    CHECK(error == NULL);
    CHECK_I64(at, file->len);
    CHECK_STR(text->str, "1:0/0 0-50 10; 1:1/1 100-150 10; 1:2/2 200-250 10; ");
    CHECK_I64(noise_sample_reader_end(r), NOISE_SAMPLE_FINALIZED);
    CHECK_I64(noise_sample_reader_totals(r)->calls, 12);
    CHECK_I64(noise_sample_reader_totals(r)->until, 300);
    CHECK_I64(noise_sample_reader_header(r)->model, MODEL);
}

static void no_byte_can_be_changed_unseen(void)
{
    g_autoptr(GByteArray) file = g_byte_array_new();
    add_header(file);
    add_block(file, 0, 2, NOISE_SAMPLE_RUNNING);
    for (size_t i = 0; i < file->len; i++) {
        file->data[i] ^= 1;
        g_autoptr(noise_sample_reader) r = noise_sample_reader_new("f");
        g_autoptr(GString) text = g_string_new("");
        g_autoptr(GError) error = NULL;
        const size_t used = noise_sample_reader_feed(r, file->data, file->len, note, text, &error);
        CHECK(used < file->len, "byte %zu", i);
        CHECK_STR(text->str, "", "byte %zu", i);
        CHECK((error != NULL) == (i < sizeof(noise_sample_header)), "byte %zu", i);
        file->data[i] ^= 1;
    }
}

/* What is sealed but cannot be. */
static void what_contradicts_itself_is_refused(void)
{
    static const struct {
        const char *what;
        noise_sample_totals totals;
        noise_sample_record record;
        uint32_t end;
        const char *why;
    } row[] = {
        {"more covered than there is", {4, 5, 10, 5, 9}, {7, 0, 1, 1, 0, 0, 0}, 0, "contradicts"},
        {"fewer calls than before", {3, 2, 10, 5, 100}, {7, 0, 1, 1, 0, 0, 0}, 0, "contradicts"},
        {"back in time", {4, 2, 10, 5, 99}, {7, 0, 1, 1, 0, 0, 0}, 0, "contradicts"},
        {"an end unheard of", {4, 2, 10, 5, 100}, {7, 0, 1, 1, 0, 0, 0}, 3, "contradicts"},
        {"no such sequence", {4, 2, 10, 5, 100}, {7, 0, 1, 1, 0, SEQUENCES, 0}, 0, "cannot be"},
        {"ends before it begins", {4, 2, 10, 5, 100}, {7, 2, 1, 1, 0, 0, 0}, 0, "cannot be"},
        {"negative", {4, 2, 10, 5, 100}, {7, 0, 1, -1, 0, 0, 0}, 0, "cannot be"},
        {"off the CPU for longer than it took",
         {4, 2, 10, 5, 100},
         {7, 0, 5, 1, 2, 0, 0},
         0,
         "cannot be"},
        {"off the CPU for a negative time",
         {4, 2, 10, 5, 100},
         {7, 0, 5, 1, -2, 0, 0},
         0,
         "cannot be"},
        {"beyond time", {4, 2, 10, 5, 100}, {7, 0, INT64_MAX, 1, 0, 0, 0}, 0, "cannot be"},
        {"something unknown", {4, 2, 10, 5, 100}, {7, 0, 1, 1, 0, 0, 1}, 0, "cannot be"},
    };
    static noise_sample_page p;
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GByteArray) file = g_byte_array_new();
        add_header(file);
        add_block(file, 0, 1, NOISE_SAMPLE_RUNNING);
        p.block = (noise_sample_block){.num = 1, .end = row[i].end, .totals = row[i].totals};
        p.record[0] = row[i].record;
        g_byte_array_append(file, (const guint8 *)&p, (guint)noise_sample_page_seal(&p));
        g_autoptr(noise_sample_reader) r = noise_sample_reader_new("f");
        g_autoptr(GString) text = g_string_new("");
        g_autoptr(GError) error = NULL;
        (void)noise_sample_reader_feed(r, file->data, file->len, note, text, &error);
        CHECK_ERROR(error, row[i].why);
        CHECK_ERROR(error, "f: block 1");
        CHECK_STR(text->str, "1:0/0 0-50 10; ", "%s", row[i].what);
    }
}

static void other_files_are_refused(void)
{
    noise_sample_header h = {.rank = 2, .num_ranks = 2};
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_sample_reader) r = noise_sample_reader_new("f");
    noise_sample_header_seal(&h);
    CHECK_I64(noise_sample_reader_feed(r, &h, sizeof h, note, NULL, &error), 0);
    CHECK_ERROR(error, "f: the header of its samples is damaged");
    g_clear_error(&error);
    h.version++;
    CHECK_I64(noise_sample_reader_feed(r, &h, sizeof h, note, NULL, &error), 0);
    CHECK_ERROR(error, "f: samples of another version or byte order");
    g_clear_error(&error);
    h.magic[0] = 'R';
    CHECK_I64(noise_sample_reader_feed(r, &h, sizeof h, note, NULL, &error), 0);
    CHECK_ERROR(error, "f: no samples of typical sequences");
}

static void append(const char *path, GByteArray *bytes, size_t n)
{
    FILE *f = g_fopen(path, "ab");
    CHECK(f != NULL && fwrite(bytes->data, 1, n, f) == n && fclose(f) == 0);
    g_byte_array_remove_range(bytes, 0, (guint)n);
}

static void a_file_is_read_while_it_grows(void)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-samples-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, NOISE_SAMPLE_FILE "1", NULL);
    g_autoptr(noise_sample_reader) r = noise_sample_reader_new(path);
    g_autoptr(GByteArray) more = g_byte_array_new();
    g_autoptr(GError) error = NULL;
    uint64_t sum[2] = {0, 0};
    CHECK(noise_sample_reader_poll(r, false, count, sum, &error)); /* it is not there yet */
    CHECK(noise_sample_reader_header(r) == NULL);
    add_header(more);
    for (uint32_t i = 0; i < 400; i++) { /* 3 MB */
        add_block(more, i * NOISE_SAMPLE_ROOM, NOISE_SAMPLE_ROOM, NOISE_SAMPLE_RUNNING);
        append(path, more, more->len - i % 5); /* the end of a block comes with the next one */
        CHECK(noise_sample_reader_poll(r, false, count, sum, &error));
        CHECK_I64(sum[0], (i + (i % 5 == 0 ? 1 : 0)) * (uint64_t)NOISE_SAMPLE_ROOM, "block %u", i);
    }
    CHECK(!noise_sample_reader_poll(r, true, count, sum, &error));
    CHECK_ERROR(error, "block 399 is damaged, or only a part of it was written");
    g_clear_error(&error);
    append(path, more, more->len);
    CHECK(noise_sample_reader_poll(r, true, count, sum, &error));
    CHECK_I64(sum[0], 400 * NOISE_SAMPLE_ROOM);
    CHECK_I64(sum[1], 10 * 400 * NOISE_SAMPLE_ROOM);
    (void)g_remove(path);
    (void)g_rmdir(dir);
}

SUITE_MAIN("sample_reader", TEST(blocks_come_as_they_are_added_whatever_a_read_sees),
           TEST(no_byte_can_be_changed_unseen), TEST(what_contradicts_itself_is_refused),
           TEST(other_files_are_refused), TEST(a_file_is_read_while_it_grows))
