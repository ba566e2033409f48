/* tests/schedgen/goal/test_goal_binary.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "data.h"
#include "goal_random.h"
#include "sched/goal.h"

#include <glib/gstdio.h>
#include <stdlib.h>

#define SEED 20101113

/*
 * A file of LogGOPSim's converter, decoded by hand (docs/goal.md, section 3); but the size of rank
 * 0's receive, 2^64 - 1 in the original, is 2^63 - 1: the largest that is read.
 */
static const char EXAMPLE_TEXT[] = "num_ranks 2\n"
                                   "rank 0{\n"
                                   "l1: send 10b to 1 tag 7 cpu 3 nic 2\n"
                                   "l2 :calc 100 cpu 1\n"
                                   "l2 requires l1\n"
                                   "calc 5\n"
                                   "x_Y9: recv 9223372036854775807 b from -1 tag -1 nic 1\n"
                                   "x_Y9 irequires l2\n"
                                   "x_Y9 irequires l1\n"
                                   "x_Y9 requires l1\n"
                                   "}\n"
                                   "rank 1{\n"
                                   "a:recv10bfrom0tag7\n"
                                   "b : send 0b to 0\n"
                                   "b requiresa\n"
                                   "}\n";
static const char EXAMPLE_HEX[] =
    "7f10000000000000 02000000 03 02"
    "2600000000000000 e200000000000000 e200000000000000 4001000000000000"
    /* rank 0: N, K, roots */
    "04000000 02000000 00000000 02000000"
    /* in-degree, type, peer, size, tag, cpu, nic, finish n and first, start n and first */
    "00000000 01 01000000 0a00000000000000 07000000 03 02 02000000 00000000 01000000 02000000"
    "01000000 03 00000000 6400000000000000 00000000 01 00 00000000 03000000 01000000 03000000"
    "00000000 03 00000000 0500000000000000 00000000 00 00 00000000 04000000 00000000 04000000"
    "03000000 02 ffffffff ffffffffffffff7f ffffffff 00 01 00000000 04000000 00000000 04000000"
    "01000000 03000000 03000000 03000000"
    /* rank 1 */
    "02000000 01000000 00000000"
    "00000000 02 00000000 0a00000000000000 07000000 00 00 01000000 00000000 00000000 01000000"
    "01000000 01 00000000 0000000000000000 00000000 00 00 00000000 01000000 00000000 01000000"
    "01000000";
#define EXAMPLE_BYTES 328

static GByteArray *from_hex(const char *hex)
{
    GByteArray *bytes = g_byte_array_new();
    while (*hex != '\0') {
        if (*hex == ' ') {
            hex++;
            continue;
        }
        const guint8 byte =
            (guint8)(g_ascii_xdigit_value(hex[0]) << 4 | g_ascii_xdigit_value(hex[1]));
        g_byte_array_append(bytes, &byte, 1);
        hex += 2;
    }
    return bytes;
}

static GByteArray *write_binary(const sim_graph *graph)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "x.bin", NULL);
    g_autoptr(GError) error = NULL;
    CHECK(sched_goal_write_binary(graph, path, &error), "%s", error != NULL ? error->message : "");
    char *data = NULL;
    gsize len = 0;
    CHECK(g_file_get_contents(path, &data, &len, NULL) && sched_goal_probe(path));
    (void)g_unlink(path);
    CHECK(g_rmdir(dir) == 0, "nothing else is left there");
    return g_byte_array_new_take((guint8 *)data, len);
}

static sim_graph *read_binary(const GByteArray *bytes, GError **error)
{
    return sched_goal_read_data("f", (const char *)bytes->data, bytes->len, false, error);
}

static bool same_bytes(const GByteArray *a, const GByteArray *b)
{
    return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

static void the_worked_example_is_written_byte_for_byte(void)
{
    g_autoptr(sim_graph) graph =
        sched_goal_read_data("f", EXAMPLE_TEXT, strlen(EXAMPLE_TEXT), true, NULL);
    g_autoptr(GByteArray) wanted = from_hex(EXAMPLE_HEX);
    g_autoptr(GByteArray) bytes = write_binary(graph);
    CHECK_I64(wanted->len, EXAMPLE_BYTES);
    CHECK_I64(bytes->len, EXAMPLE_BYTES);
    for (guint i = 0; i < MIN(bytes->len, wanted->len); i++) {
        if (!CHECK_I64(bytes->data[i], wanted->data[i], "at byte %u", i)) {
            break;
        }
    }
    g_autoptr(sim_graph) back = read_binary(wanted, NULL);
    CHECK(back != NULL && goal_same_graph(graph, back, true));
}

static void random_schedules_survive(void)
{
    GRand *rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < 300; i++) {
        g_autoptr(sim_graph) graph = goal_random_graph(rand, 40);
        g_autoptr(GByteArray) bytes = write_binary(graph);
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_graph) back = read_binary(bytes, &error);
        if (!CHECK(back != NULL, "seed %d, schedule %d: %s", SEED, i,
                   error != NULL ? error->message : "")) {
            break;
        }
        CHECK(goal_same_graph(graph, back, true), "seed %d, schedule %d", SEED, i);
        g_autoptr(GByteArray) again = write_binary(back);
        CHECK(same_bytes(bytes, again), "seed %d, schedule %d", SEED, i);
    }
    g_rand_free(rand);
}

static void put_le(GByteArray *bytes, guint at, uint64_t value, int n)
{
    for (int i = 0; i < n; i++) {
        bytes->data[at + (guint)i] = (guint8)(value >> (8 * i));
    }
}

static uint64_t get_le(const GByteArray *bytes, guint at, int n)
{
    uint64_t value = 0;
    for (int i = n - 1; i >= 0; i--) {
        value = value << 8 | bytes->data[at + (guint)i];
    }
    return value;
}

/* The same file with larger records; what is in their tails does not matter. */
static GByteArray *with_record_size(const GByteArray *from, guint record, GRand *rand)
{
    const guint num_ranks = (guint)get_le(from, 8, 4);
    GByteArray *to = g_byte_array_new();
    g_byte_array_append(to, from->data, 14 + 16 * num_ranks);
    for (guint r = 0; r < num_ranks; r++) {
        const guint begin = 8 + (guint)get_le(from, 14 + 16 * r, 8);
        const guint end = 8 + (guint)get_le(from, 22 + 16 * r, 8);
        const guint n = (guint)get_le(from, begin, 4);
        const guint head = 8 + 4 * (guint)get_le(from, begin + 4, 4);
        put_le(to, 14 + 16 * r, to->len - 8, 8);
        g_byte_array_append(to, from->data + begin, head);
        for (guint i = 0; i < n; i++) {
            g_byte_array_append(to, from->data + begin + head + (gsize)39 * i, 39);
            for (guint k = 39; k < record; k++) {
                const guint8 any = (guint8)g_rand_int(rand);
                g_byte_array_append(to, &any, 1);
            }
        }
        const guint tail = begin + head + 39 * n;
        g_byte_array_append(to, from->data + tail, end - tail);
        put_le(to, 22 + 16 * r, to->len - 8, 8);
    }
    return to;
}

/* docs/goal.md, section 3. */
static void all_three_record_sizes_are_told_apart(void)
{
    GRand *rand = g_rand_new_with_seed(SEED);
    for (int i = 0; i < 200; i++) {
        g_autoptr(sim_graph) graph = goal_random_graph(rand, 20);
        g_autoptr(GByteArray) bytes = write_binary(graph);
        static const guint sizes[] = {56, 104};
        for (guint k = 0; k < G_N_ELEMENTS(sizes); k++) {
            g_autoptr(GByteArray) larger = with_record_size(bytes, sizes[k], rand);
            g_autoptr(GError) error = NULL;
            g_autoptr(sim_graph) back = read_binary(larger, &error);
            CHECK(back != NULL && goal_same_graph(graph, back, true),
                  "seed %d, schedule %d, %u bytes: %s", SEED, i, sizes[k],
                  error != NULL ? error->message : "");
        }
    }
    g_rand_free(rand);
}

static void damaged_files_are_refused(void)
{
    /* Offsets into the worked example. */
    static const struct {
        uint64_t at;
        uint64_t value;
        int64_t bytes;
        const char *wanted;
    } row[] = {
        {0, 2342, 8, "f: a simulator has consumed this schedule"},
        {8, 0, 4, "f: 0 ranks do not fit"},
        {8, 20, 4, "f: 20 ranks do not fit"},
        {8, 0xffffffff, 4, "f: 4294967295 ranks do not fit"},
        {14, 400, 8, "f: rank 0: section 400..226 is not within"},
        {22, 321, 8, "f: rank 0: section 38..321 is not within"},
        {22, UINT64_MAX, 8, "f: rank 0: section 38..18446744073709551615 is not within"},
        {22, 225, 8, "f: rank 0: 4 operations with 2 roots do not fill 179 bytes"},
        {46, 5, 4, "f: rank 0: 5 operations with 2 roots do not fill"},
        {50, 5, 4, "f: rank 0: 4 operations with 5 roots do not fill"},
        {54, 1, 4, "f: rank 0: operation 0 is missing in the list of roots"},
        {62 + 4, 0, 1, "f: rank 0, operation 0: type is 0"},
        {62 + 4, 12, 1, "f: rank 0, operation 0: type is 12"},
        {62 + 4, 4, 1, "f: rank 0, operation 0: Portals operation not supported: type 4"},
        {62 + 5, 2, 4, "f: rank 0, operation 0: peer is not one of the 2 ranks: 2"},
        {62 + 5, 0xffffffff, 4, "peer is not one of the 2 ranks: 4294967295"},
        {62 + 9, UINT64_MAX, 8, "f: rank 0, operation 0: size is out of range: 18446744"},
        {62 + 21, 255, 1, "f: rank 0, operation 0: cpu 255 or nic 2 is above 254"},
        {62 + 22, 255, 1, "cpu 3 or nic 255 is above 254"},
        {62 + 23, 5, 4, "f: rank 0, operation 0: successors lie outside the list of 4"},
        {62 + 27, 3, 4, "f: rank 0, operation 0: successors lie outside"},
        {62 + 23, 1, 4, "f: rank 0: 4 dependencies, 3 successors and 2 roots found"},
        {101 + 9, UINT64_C(2305843009213694), 8, "operation 1: duration is out of range"},
        {218, 4, 4, "f: rank 0, operation 0: successor 4 is not one of 4 operations"},
        {222, 2, 4, "f: rank 0, operation 2: has 1 dependencies, says 0"},
        {218, 0, 4, "f: rank 0, operation 0: has 1 dependencies, says 0"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GByteArray) bytes = from_hex(EXAMPLE_HEX);
        put_le(bytes, (guint)row[i].at, row[i].value, (int)row[i].bytes);
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_graph) graph = read_binary(bytes, &error);
        CHECK(graph == NULL, "row %zu", i);
        CHECK_ERROR(error, row[i].wanted);
    }
}

static void a_file_cut_short_is_refused_wherever_it_is_cut(void)
{
    g_autoptr(GByteArray) whole = from_hex(EXAMPLE_HEX);
    for (guint len = 8; len < whole->len; len++) {
        /* A copy of that size, so that reading past its end shows. */
        g_autofree char *part = g_memdup2(whole->data, len);
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_graph) graph = sched_goal_read_data("f", part, len, false, &error);
        CHECK(graph == NULL && error != NULL, "%u bytes", len);
    }
}

static void cycles_are_named(void)
{
    /* Rank 1: a and b wait for each other. */
    g_autoptr(GByteArray) bytes = from_hex("7f10000000000000 01000000 00 00"
                                           "1600000000000000 7400000000000000"
                                           "02000000 00000000"
                                           "01000000 03 00000000 0100000000000000 00000000 00 00"
                                           "01000000 00000000 00000000 01000000"
                                           "01000000 03 00000000 0100000000000000 00000000 00 00"
                                           "01000000 01000000 00000000 02000000"
                                           "01000000 00000000");
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) graph = read_binary(bytes, &error);
    CHECK(graph == NULL);
    CHECK_ERROR(error, "f: dependency cycle in rank 0: l1 → l2 → l1");
    CHECK(g_error_matches(error, SCHED_ERROR, SCHED_ERROR_CYCLE));
}

static void empty_ranks_are_legal(void)
{
    static const char text[] = "num_ranks 3\nrank 1 {\ncalc 4\n}\n";
    g_autoptr(sim_graph) graph = sched_goal_read_data("f", text, strlen(text), false, NULL);
    g_autoptr(GByteArray) bytes = write_binary(graph);
    /* 14 + 3 table entries; twice 8 bytes; 8 + 4 + 39 with one root. */
    CHECK_I64(bytes->len, 14 + 3 * 16 + 2 * 8 + (8 + 4 + 39));
    g_autoptr(sim_graph) back = read_binary(bytes, NULL);
    CHECK(back != NULL && goal_same_graph(graph, back, true));
}

/* What has been read of it is let go, several times. */
static void a_large_file_is_read_as_its_bytes_are(void)
{
    enum { RANKS = 40, CHAIN = 2500 };
    sim_graph_builder *b = sim_graph_builder_new(RANKS);
    for (uint32_t r = 0; r < RANKS; r++) {
        sim_graph_builder_begin_rank(b, r);
        for (uint32_t i = 0; i < CHAIN; i++) {
            const sim_op op = {.type = SIM_OP_CALC, .size = (int64_t)(i * r + 1) * SIM_NS};
            const uint32_t at = sim_graph_builder_add(b, &op);
            if (at > 0) {
                sim_graph_builder_require(b, at, at - 1);
            }
        }
    }
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "ripple-large.XXXXXX", NULL);
    const int file = g_mkstemp(path);
    g_assert_true(file >= 0);
    (void)g_close(file, NULL);
    CHECK(sched_goal_write_binary(graph, path, NULL));
    g_autoptr(sim_graph) mapped = sched_goal_read(path, false, NULL);
    CHECK(mapped != NULL && goal_same_graph(graph, mapped, true));
    (void)g_unlink(path);
}

static void text_and_binary_say_the_same(void)
{
    g_autofree char *folder = test_data("vectors");
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    unsigned n = 0;
    while ((name = g_dir_read_name(dir)) != NULL) {
        if (!g_str_has_suffix(name, ".goal")) {
            continue;
        }
        n++;
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_autoptr(sim_graph) graph = sched_goal_read(path, false, NULL);
        g_autoptr(GByteArray) bytes = write_binary(graph);
        g_autoptr(sim_graph) back = read_binary(bytes, NULL);
        CHECK(back != NULL && goal_same_graph(graph, back, true), "%s", name);
    }
    CHECK_I64(n, 295);
}

static void a_full_disk_is_an_error(void)
{
    if (!g_file_test("/dev/full", G_FILE_TEST_EXISTS)) {
        SKIP_TEST("there is no /dev/full");
    }
    g_autoptr(sim_graph) graph =
        sched_goal_read_data("f", EXAMPLE_TEXT, strlen(EXAMPLE_TEXT), true, NULL);
    g_autoptr(GError) error = NULL;
    CHECK(!sched_goal_write_binary(graph, "/dev/full", &error));
    CHECK_ERROR(error, "/dev/full");
}

SUITE_MAIN("goal_binary", TEST(the_worked_example_is_written_byte_for_byte),
           TEST(random_schedules_survive), TEST(all_three_record_sizes_are_told_apart),
           TEST(damaged_files_are_refused), TEST(a_file_cut_short_is_refused_wherever_it_is_cut),
           TEST(cycles_are_named), TEST(empty_ranks_are_legal),
           TEST(a_large_file_is_read_as_its_bytes_are), TEST(text_and_binary_say_the_same),
           TEST(a_full_disk_is_an_error))
