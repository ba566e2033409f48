/* tests/sim/graph/test_graph_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "graph_forms.h"
#include "random_program.h"
#include "round_trip.h"
#include "sim/error.h"
#include "sim/graph_file.h"
#include "sim/graph_repeat.h"
#include "sim/run.h"

#include <glib/gstdio.h>
#include <string.h>
#include <xxhash.h>

#define SEED 20101117

static void programs_come_back_in_every_form(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
    g_autofree char *path = temporary();
    for (int round = 0; round < 12; round++) {
        g_autoptr(sim_graph) plain = random_program(random, &RANDOM_STORED);
        const sim_params params = random_params(random, RANDOM_STORED.max_size);
        check_round_trip(plain, &params, path);
        for (graph_forms form = FORM_NARROW; form < NUM_FORMS; form++) {
            g_autoptr(sim_graph) g = graph_forms_copy(plain, form);
            check_round_trip(g, &params, path);
        }
    }
    (void)g_unlink(path);
}

/* Ranks in any order, some empty, with labels here and there. */
static sim_graph *labelled(void)
{
    static const uint32_t order[] = {4, 0, 2, 3};
    sim_graph_builder *b = sim_graph_builder_new(6);
    for (size_t k = 0; k < G_N_ELEMENTS(order); k++) {
        sim_graph_builder_begin_rank(b, order[k]);
        for (uint32_t i = 0; i < 10 * order[k]; i++) {
            const sim_op op = {.type = SIM_OP_CALC, .size = (int64_t)i << 40};
            (void)sim_graph_builder_add(b, &op);
            g_autofree char *label = g_strdup_printf("r%u_%u", order[k], i);
            if (i % 3 == 0 && order[k] != 3) {
                sim_graph_builder_label(b, label);
            }
            if (i > 1) {
                sim_graph_builder_require(b, i, i - 1);
                sim_graph_builder_irequire(b, i, i - 2);
            }
        }
    }
    return sim_graph_builder_finish(b, NULL);
}

static void labels_and_empty_ranks_come_back(void)
{
    g_autofree char *path = temporary();
    const sim_params params = {.S = INT64_MAX};
    g_autoptr(sim_graph) g = labelled();
    check_round_trip(g, &params, path);
    g_autoptr(sim_graph) empty = sim_graph_builder_finish(sim_graph_builder_new(3), NULL);
    check_round_trip(empty, &params, path);
    g_autoptr(sim_graph) nothing = sim_graph_builder_finish(sim_graph_builder_new(0), NULL);
    check_round_trip(nothing, &params, path);
    (void)g_unlink(path);
}

/* Names of a thousand bytes for each of 50 ranks. */
static sim_graph *named(bool again)
{
    static const sim_op OPS[] = {{.type = SIM_OP_CALC, .size = 1}, {.type = SIM_OP_CALC}};
    g_autofree char *text = g_strnfill(1000, 'n');
    const sim_name names[] = {{text, 1000, 0}, {text, 3, 1}};
    sim_graph_builder *b = sim_graph_builder_new(50);
    for (uint32_t r = 0; r < 50; r++) {
        sim_graph_builder_begin_rank(b, r);
        sim_graph_builder_ops(b, OPS, G_N_ELEMENTS(OPS));
        if (again && r > 0) {
            sim_graph_builder_names_again(b);
        } else {
            sim_graph_builder_names(b, names, G_N_ELEMENTS(names));
        }
    }
    return sim_graph_builder_finish(b, NULL);
}

static void names_that_are_there_once_come_back_to_every_rank(void)
{
    g_autofree char *path = temporary();
    const sim_params params = {.S = INT64_MAX};
    GStatBuf file[2] = {0};
    for (int again = 0; again < 2; again++) {
        g_autoptr(sim_graph) g = named(again);
        check_round_trip(g, &params, path);
        CHECK(sim_graph_save(g, path, NULL) && g_stat(path, &file[again]) == 0);
        g_autoptr(sim_graph) back = sim_graph_map(path, SIM_GRAPH_VERIFY, NULL);
        CHECK_STR(sim_graph_label(back, 49, 1), "nnn");
    }
    CHECK(file[0].st_size - file[1].st_size > 49000, "%" PRId64 " and %" PRId64 " bytes",
          (int64_t)file[0].st_size, (int64_t)file[1].st_size);
    (void)g_unlink(path);
}

/* ---- damage ---- */

/* A file in memory, aligned, that may be changed. */
typedef struct image {
    char *at;
    gsize len;
} image;

static image image_of(const sim_graph *graph)
{
    g_autofree char *path = temporary();
    image f = {NULL, 0};
    CHECK(sim_graph_save(graph, path, NULL));
    CHECK(g_file_get_contents(path, &f.at, &f.len, NULL));
    (void)g_unlink(path);
    return f;
}

/* Both ways to map it: refused when verified; when not, refused, or at least run without harm. */
static void check_refused(const image *f, const char *what, gsize at)
{
    const sim_params params = {.L = 1000, .o = 100, .S = INT64_MAX};
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) verified =
        sim_graph_map_data("f", f->at, f->len, SIM_GRAPH_VERIFY, &error);
    CHECK(verified == NULL, "%s at %zu", what, at);
    CHECK_ERROR(error, "f: ");
    CHECK(error != NULL && g_error_matches(error, SIM_ERROR, SIM_ERROR_BAD_FILE) &&
          strchr(error->message, '\n') == NULL);
    g_autoptr(sim_graph) trusted = sim_graph_map_data("f", f->at, f->len, SIM_GRAPH_TRUST, NULL);
    if (trusted != NULL) {
        sim_result_free(sim_run(sim_graph_program(trusted), &params, NULL, NULL));
    }
}

static void every_byte_counts(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED + 1);
    g_autoptr(sim_graph) plain = random_program(random, &RANDOM_STORED);
    g_autoptr(sim_graph) with_labels = labelled();
    const sim_graph *const graphs[] = {plain, with_labels};
    for (size_t k = 0; k < G_N_ELEMENTS(graphs); k++) {
        image f = image_of(graphs[k]);
        /* between sections are zeros that nobody reads: as far as the last section's end */
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_graph) sound = sim_graph_map_data("f", f.at, f.len, SIM_GRAPH_VERIFY, &error);
        CHECK(sound != NULL);
        uint32_t unread = 0;
        for (gsize at = 0; at < f.len; at++) {
            const char byte = f.at[at];
            f.at[at] = (char)(byte ^ (1 << g_rand_int(random) % 8));
            g_autoptr(sim_graph) g = sim_graph_map_data("f", f.at, f.len, SIM_GRAPH_VERIFY, NULL);
            if (g != NULL) {
                unread++;
                CHECK(byte == 0, "byte %zu", at);
            } else {
                check_refused(&f, "changed", at);
            }
            f.at[at] = byte;
        }
        CHECK(unread < 9 * 64, "%u", unread);
        g_free(f.at);
    }
}

static void files_of_another_length_are_refused(void)
{
    g_autoptr(sim_graph) g = labelled();
    image f = image_of(g);
    for (gsize len = 0; len < f.len; len++) {
        image part = {g_memdup2(f.at, len), len}; /* so that the sanitizer sees the end */
        check_refused(&part, "cut", len);
        g_free(part.at);
    }
    image more = {g_malloc0(f.len + 8), f.len + 8};
    memcpy(more.at, f.at, f.len);
    check_refused(&more, "joined", f.len);
    g_free(more.at);
    g_free(f.at);
}

/* Offsets of the header: docs/formats.md. */
enum { ORDER = 8, VERSION = 12, SECTIONS = 64, NUM_SECTIONS = 9, CHECKSUM = 64 + 24 * 9 };

/* The checksums of an image that was changed on purpose. */
static void seal(image *f)
{
    for (size_t k = 0; k < NUM_SECTIONS; k++) {
        uint64_t section[3];
        memcpy(section, f->at + SECTIONS + 24 * k, sizeof section);
        if (section[0] <= f->len && section[1] <= f->len - section[0]) {
            section[2] = XXH3_64bits(f->at + section[0], section[1]);
        }
        memcpy(f->at + SECTIONS + 24 * k, section, sizeof section);
    }
    const uint64_t sum = XXH3_64bits(f->at, CHECKSUM);
    memcpy(f->at + CHECKSUM, &sum, sizeof sum);
}

static void other_versions_and_byte_orders_are_named(void)
{
    static const struct {
        gsize at;
        uint32_t value;
        const char *wanted;
    } rows[] = {
        {VERSION, 2, "f: version 2 of the form; this is read: version 1"},
        {VERSION, 0, "f: version 0"},
        {ORDER, 0x04030201, "f: written on a machine of the other byte order"},
        {ORDER, 7, "f: damaged: the mark of the byte order is 0x00000007"},
        {0, 7, "f: not a program in Ripple's own form"},
    };
    g_autoptr(sim_graph) g = labelled();
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        image f = image_of(g);
        memcpy(f.at + rows[i].at, &rows[i].value, sizeof rows[i].value);
        seal(&f);
        g_autoptr(GError) error = NULL;
        CHECK(sim_graph_map_data("f", f.at, f.len, SIM_GRAPH_VERIFY, &error) == NULL);
        CHECK_ERROR(error, rows[i].wanted);
        g_free(f.at);
    }
}

/* What is damaged and has the right checksums all the same never does harm. */
static void crafted_files_do_no_harm(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED + 2);
    const sim_params params = {.L = 1000, .o = 100, .S = INT64_MAX};
    for (graph_forms form = FORM_NARROW; form < NUM_FORMS; form++) {
        g_autoptr(sim_graph) plain = random_program(random, &RANDOM_STORED);
        g_autoptr(sim_graph) g = graph_forms_copy(plain, form);
        image f = image_of(g);
        seal(&f);
        g_autoptr(sim_graph) sound = sim_graph_map_data("f", f.at, f.len, SIM_GRAPH_VERIFY, NULL);
        CHECK(sound != NULL, "sealing is what saving does");
        uint32_t refused = 0;
        const int rounds = form == FORM_NARROW ? 4000 : 60;
        for (int round = 0; round < rounds; round++) {
            /* mostly what is there at the end, the operations of the ranks after the odd one */
            const gsize reach = form == FORM_NARROW || round % 2 ? f.len : 4096;
            const gsize at =
                (form == FORM_NARROW ? 0 : f.len - reach) + g_rand_int(random) % (guint32)reach;
            image bad = {g_memdup2(f.at, f.len), f.len};
            bad.at[at] = (char)(bad.at[at] ^ (1 << g_rand_int(random) % 8));
            seal(&bad);
            for (sim_graph_trust trust = SIM_GRAPH_VERIFY; trust <= SIM_GRAPH_TRUST; trust++) {
                g_autoptr(sim_graph) m = sim_graph_map_data("f", bad.at, bad.len, trust, NULL);
                refused += m == NULL;
                if (m != NULL) {
                    sim_result_free(sim_run(sim_graph_program(m), &params, NULL, NULL));
                }
            }
            g_free(bad.at);
        }
        CHECK(refused > (uint32_t)rounds / 20, "%u of %d", refused, rounds);
        g_free(f.at);
    }
}

/* Where part @p k begins, of docs/formats.md's nine. */
static char *part(const image *f, size_t k, gsize *bytes)
{
    uint64_t section[2];
    memcpy(section, f->at + SECTIONS + 24 * k, sizeof section);
    *bytes = section[1];
    return f->at + section[0];
}

/* A number that is added to, in the header or in a part. */
typedef struct lie {
    const char *what;
    gsize at;    /* in it; or from its end */
    gsize width; /* bytes */
    int64_t add;
    int part; /* -1: the header */
    bool from_end;
} lie;

static void check_lie(const sim_graph *graph, const lie *l)
{
    image f = image_of(graph);
    gsize bytes = f.len;
    char *at = l->part < 0 ? f.at : part(&f, (size_t)l->part, &bytes);
    if (CHECK(l->at + l->width <= bytes, "%s", l->what)) {
        at += l->from_end ? bytes - l->at - l->width : l->at;
        uint64_t number = 0;
        memcpy(&number, at, l->width); /* files are little-endian */
        number += (uint64_t)l->add;
        memcpy(at, &number, l->width);
        seal(&f);
        check_refused(&f, l->what, l->at);
    }
    g_free(f.at);
}

/* Whatever a file says twice, or may not say, is looked at. */
static void files_that_contradict_themselves_are_refused(void)
{
    enum { RANKS, SEGMENTS, DESCS, SHAPES, STEPS, NAMED, LABELS, TEXT, OPS };
    static const lie lies[] = {
        {"one operation more", 24, 8, 1, -1, false},
        {"one operation less", 24, 8, -1, -1, false},
        {"one dependency more", 32, 8, 1, -1, false},
        {"one dependency less", 32, 8, -1, -1, false},
        {"one rank less", 40, 4, -1, -1, false},
        {"no cpu", 44, 4, -1, -1, false},
        {"no interface", 48, 4, -1, -1, false},
        {"too many cpus", 44, 4, 255, -1, false},
        {"fewer are ready at once", 52, 4, -1, -1, false},
        {"a part less", 60, 4, -1, -1, false},
        {"a part more", 60, 4, 1, -1, false},
        {"an operation more of a rank", 8, 4, 1, RANKS, false},
        {"the operations of a rank elsewhere", 64, 8, 1 << 20, RANKS, false},
        {"the operations of a rank end too late", 64, 8, 64, RANKS, false},
        {"another dictionary", 76, 2, 1, RANKS, false},
        {"a root more", 78, 2, 1, RANKS, false},
        {"a root less", 78, 2, -1, RANKS, false},
        {"a description of another cpu", 21, 1, 1, DESCS, false},
        {"a description of another interface", 22, 1, 1, DESCS, false},
        {"a description of another kind", 20, 1, 3, DESCS, false},
        {"a description of less than nothing", 7, 1, 128, DESCS, false},
        {"a rank named twice", 16, 4, 2, NAMED, false},
        {"text without end", 0, 1, 1, TEXT, true},
        {"a successor behind the rank", 0, 4, 100, STEPS, false},
        {"waits for more", 0, 4, 1, SHAPES, false},
    };
    g_autoptr(sim_graph) g = labelled();
    for (size_t i = 0; i < G_N_ELEMENTS(lies); i++) {
        check_lie(g, &lies[i]);
    }
    sim_graph_builder *b = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(b, 0);
    (void)sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_RECV, .peer = SIM_ANY});
    for (uint32_t k = 1; k < 4; k++) { /* three at once; but one at the beginning */
        (void)sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_CALC, .size = 1});
        sim_graph_builder_require(b, k, 0);
    }
    g_autoptr(sim_graph) wild = sim_graph_builder_finish(b, NULL);
    static const lie wild_lies[] = {
        {"no wildcards", 56, 4, -1, -1, false},
        {"two ready at once", 52, 4, -1, -1, false},
        {"a described peer", 8, 4, 1, DESCS, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(wild_lies); i++) {
        check_lie(wild, &wild_lies[i]);
    }
}

/* Not looked at before, found by the run. */
static void damage_that_was_not_looked_for_fails_the_run(void)
{
    const sim_params params = {.S = INT64_MAX};
    g_autoptr(sim_graph) g = labelled();
    image f = image_of(g);
    f.at[f.len - 1] = 0x7f; /* the last operation: how others depend on it */
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) m = sim_graph_map_data("f", f.at, f.len, SIM_GRAPH_TRUST, &error);
    if (CHECK(m != NULL)) {
        CHECK(sim_run(sim_graph_program(m), &params, NULL, &error) == NULL);
        CHECK_ERROR(error, "the program is damaged: rank 4, operation 39: refers to what is not "
                           "there");
        g_clear_error(&error);
        sim_program *repeated = sim_graph_repeat_new(m, 2, 2, NULL);
        CHECK(sim_run(repeated, &params, NULL, &error) == NULL);
        CHECK_ERROR(error, "the program is damaged: rank 4, operation 39");
        sim_program_free(repeated);
    }
    g_free(f.at);
}

static void what_cannot_be_opened_or_written_is_named(void)
{
    g_autoptr(GError) error = NULL;
    CHECK(sim_graph_map("/nonexistent/x.rpl", SIM_GRAPH_VERIFY, &error) == NULL);
    CHECK_ERROR(error, "/nonexistent/x.rpl");
    g_clear_error(&error);
    g_autoptr(sim_graph) g = labelled();
    CHECK(!sim_graph_save(g, "/nonexistent/x.rpl", &error));
    CHECK_ERROR(error, "/nonexistent");
    CHECK(!sim_graph_file_probe("/nonexistent/x.rpl"));
    CHECK(!sim_graph_file_probe("/"));
    if (g_file_test("/dev/full", G_FILE_TEST_EXISTS)) {
        g_clear_error(&error);
        CHECK(!sim_graph_save(g, "/dev/full", &error));
        CHECK_ERROR(error, "/dev/full");
    }
}

SUITE_MAIN("graph_file", TEST(programs_come_back_in_every_form),
           TEST(labels_and_empty_ranks_come_back),
           TEST(names_that_are_there_once_come_back_to_every_rank), TEST(every_byte_counts),
           TEST(files_of_another_length_are_refused),
           TEST(other_versions_and_byte_orders_are_named), TEST(crafted_files_do_no_harm),
           TEST(files_that_contradict_themselves_are_refused),
           TEST(damage_that_was_not_looked_for_fails_the_run),
           TEST(what_cannot_be_opened_or_written_is_named))
