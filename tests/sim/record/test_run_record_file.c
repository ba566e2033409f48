/* tests/sim/record/test_run_record_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The record of a run in a file: it says what the run said, files that are not whole are refused,
 * and a run or a disk that fails leaves none. Covers run_record_file.c.
 */
#include "check.h"
#include "random_levels.h"
#include "random_program.h"
#include "sim/error.h"
#include "sim/graph.h"
#include "sim/run_wait.h"

#include <glib/gstdio.h>
#include <string.h>

#define SEED 20101113U

static const random_shape SHAPE = {.max_ranks = 12,
                                   .max_steps = 40,
                                   .max_cpus = 3,
                                   .max_nics = 3,
                                   .max_size = 60,
                                   .max_calc = 5000,
                                   .wildcards = true};

/* Many chunks per log, and messages without receive. */
static sim_graph *long_program(GRand *random)
{
    random_shape shape = SHAPE;
    shape.wildcards = false;
    shape.blocking = true;
    shape.max_ranks = 8;
    shape.max_steps = 15000;
    return random_program(random, &shape);
}

static bool same_result(const sim_result *a, const sim_result *b)
{
    if (a->makespan != b->makespan || a->makespan_rank != b->makespan_rank ||
        a->num_ops != b->num_ops || a->num_messages != b->num_messages ||
        a->path_len != b->path_len ||
        memcmp(&a->breakdown, &b->breakdown, sizeof a->breakdown) != 0) {
        return false;
    }
    for (size_t i = 0; i < a->path_len; i++) {
        const sim_result_stretch *x = &a->path[i];
        const sim_result_stretch *y = &b->path[i];
        if (x->rank != y->rank || x->op != y->op || x->start != y->start ||
            x->finish != y->finish || x->noise != y->noise) {
            return false;
        }
    }
    return true;
}

static char *temporary(char **folder)
{
    *folder = g_dir_make_tmp("ripple-XXXXXX", NULL);
    return g_build_filename(*folder, "run.hb", NULL);
}

static void a_file_says_what_the_run_said(void)
{
    g_autofree char *folder = NULL;
    g_autofree char *path = temporary(&folder);
    for (unsigned k = 0; k < 12; k++) {
        GRand *random = g_rand_new_with_seed(SEED + k);
        g_autoptr(sim_graph) graph = long_program(random);
        sim_params params = random_params(random, SHAPE.max_size);
        const periodic_noise noise = random_noise(random);
        sim_params within = random_params(random, SHAPE.max_size);
        within.S = INT64_MAX;
        g_autoptr(random_levels) levels =
            random_levels_new(random, sim_graph_num_ranks(graph), &within, 0);
        g_rand_free(random);
        params.progress = k & 1 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING;
        params.rendezvous = k & 2 ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE;
        params.S = k & 2 ? INT64_MAX : 1 << 20; /* blocking: no rendezvous */
        sim_run_options options = {
            .noise = &noise.noise, .explain = true, .levels = k % 4 < 2 ? NULL : &levels->engine};
        g_autoptr(GError) error = NULL;
        const sim_program *program = sim_graph_program(graph);
        g_autoptr(sim_result) wanted = sim_run(program, &params, &options, &error);
        g_autoptr(sim_run_record) spilled = sim_run_record_spill(&error);
        options.record = spilled;
        options.threads = 1 + k % 3;
        options.serial_below = 1;
        g_autoptr(sim_result) from_spilled = sim_run(program, &params, &options, &error);
        g_autoptr(sim_run_record) record = sim_run_record_create(path, "seed=1", &error);
        options.record = record;
        options.explain = false;
        g_autoptr(sim_result) plain = sim_run(program, &params, &options, &error);
        CHECK(!g_file_test(path, G_FILE_TEST_EXISTS), "before it is whole");
        CHECK(sim_run_record_commit(record, &error));
        g_autoptr(sim_run_record) read = sim_run_record_open(path, &error);
        if (CHECK(wanted != NULL && from_spilled != NULL && plain != NULL && read != NULL,
                  "seed %u: %s", SEED + k, error != NULL ? error->message : "")) {
            CHECK_STR(sim_run_record_label(read), "seed=1");
            g_autoptr(sim_result) from_file = sim_run_record_explain(read, &error);
            CHECK(wanted->path_len > 100 && same_result(from_spilled, wanted), "seed %u", SEED + k);
            CHECK(from_file != NULL && same_result(from_file, wanted), "seed %u", SEED + k);
        }
        (void)g_unlink(path);
    }
    (void)g_rmdir(folder);
}

/* A record in a file; @p has_levels: of a machine with nodes and distance; @p H: of handshakes, of
 * which the run has none. */
static char *make_file(const char *path, bool has_levels, sim_time H, gsize *len)
{
    GRand *random = g_rand_new_with_seed(SEED);
    g_autoptr(sim_graph) graph = long_program(random);
    const sim_params params = random_params(random, SHAPE.max_size);
    g_rand_free(random);
    const uint32_t num_ranks = sim_graph_num_ranks(graph);
    sim_levels levels = {.placement = sim_placement_block(num_ranks, 2),
                         .has_node = true,
                         .node = {.L = 7, .o = 1, .S = INT64_MAX}};
    CHECK(sim_distance_parse("torus:4x4", 30, &levels.distance, NULL));
    g_autoptr(sim_run_record) record = sim_run_record_create(path, NULL, NULL);
    const sim_run_options options = {.record = record, .levels = has_levels ? &levels : NULL};
    sim_params eager = params;
    eager.S = INT64_MAX;
    eager.H = H;
    g_autoptr(sim_result) result = sim_run(sim_graph_program(graph), &eager, &options, NULL);
    CHECK(result != NULL && sim_run_record_commit(record, NULL));
    char *data = NULL;
    CHECK(g_file_get_contents(path, &data, len, NULL));
    return data;
}

static void pass_over(const sim_wait *wait, void *user)
{
    (void)wait;
    (void)user;
}

/* Opened, explained and followed: of a damaged one, neither can be. */
static bool is_refused(const char *path, const char *data, gsize len, GError **error)
{
    CHECK(g_file_set_contents(path, data, (gssize)len, NULL));
    g_autoptr(sim_run_record) record = sim_run_record_open(path, error);
    if (record == NULL) {
        return true;
    }
    g_autoptr(GError) other = NULL;
    const bool followed = sim_run_record_visit_waits(record, pass_over, NULL, &other);
    g_autoptr(sim_result) result = sim_run_record_explain(record, error);
    CHECK((result == NULL) == !followed, "%s", other != NULL ? other->message : "it is followed");
    if (other != NULL) {
        CHECK_ERROR(other, path);
    }
    return result == NULL;
}

static void check_refused(bool has_levels, sim_time H)
{
    g_autofree char *folder = NULL;
    g_autofree char *path = temporary(&folder);
    gsize len = 0;
    g_autofree char *data = make_file(path, has_levels, H, &len);
    CHECK_I64(data[12], H > 0 ? 3 : has_levels ? 2 : 1, "version of the form");
    CHECK(len > 50000);
    const gsize last = has_levels || H > 0 ? 232 : len; /* what differs is in front */
    for (gsize cut = 0; cut < last; cut += cut < 200 ? 1 : len / 97) {
        g_autoptr(GError) error = NULL;
        CHECK(is_refused(path, data, cut, &error), "cut to %zu bytes", cut);
        CHECK_ERROR(error, path);
    }
    for (gsize at = 0; at < last; at += at < 200 || at + 80 > len ? 1 : len / 97) {
        g_autoptr(GError) error = NULL;
        data[at] ^= 0x10;
        CHECK(is_refused(path, data, len, &error), "byte %zu changed", at);
        CHECK_ERROR(error, path);
        data[at] ^= 0x10;
    }
    g_autoptr(GError) error = NULL;
    CHECK(!is_refused(path, data, len, &error), "and as it was it is read");
    g_clear_error(&error);
    CHECK(sim_run_record_open("/no/such/file", &error) == NULL);
    CHECK_ERROR(error, "/no/such/file: cannot be read");
    (void)g_unlink(path);
    (void)g_rmdir(folder);
}

static void a_file_that_is_not_whole_is_refused(void)
{
    check_refused(false, 0);
}

static void a_file_with_levels_that_is_not_whole_is_refused(void)
{
    check_refused(true, 0);
}

static void a_file_with_handshakes_that_is_not_whole_is_refused(void)
{
    check_refused(false, 1);
    check_refused(true, SIM_TIME_MAX);
}

/* The form has not changed since these were written. */
static void records_of_earlier_runs_are_read(void)
{
    static const struct {
        const char *name;
        sim_time makespan;
        sim_breakdown parts;
    } row[] = {{"random0", 1992, {.compute = 783, .o = 1209}},
               {"random1", 418014, {.compute = 3098, .o = 1972, .O = 636, .noise = 412308}},
               {"random2", 4664, {.o = 114, .gap = 4550}},
               {"random3", 5519, {.compute = 4514, .noise = 1005}},
               {"random4", 280, {.o = 6, .L = 4, .gap = 270}},
               {"random7", 69662, {.compute = 2, .o = 1104, .O = 2101, .L = 1884, .noise = 64571}},
               {"levels2", 3958, {.o = 4, .L = 2708, .gap = 1246}},
               {"levels4",
                7314,
                {.compute = 1321,
                 .o = 792,
                 .O = 1,
                 .L = 796,
                 .gap = 4,
                 .node = 1875,
                 .peer_noise = 1439,
                 .noise = 1086}},
               {"levels5", 53334, {.compute = 2969, .node = 38248, .noise = 12117}},
               {"levels7",
                6924,
                {.o = 454, .O = 588, .L = 1456, .node = 3212, .peer_noise = 571, .noise = 643}}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *path =
            g_strdup_printf("%s/fuzz/run_record/%s.hb", RIPPLE_TEST_DATA, row[i].name);
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_run_record) record = sim_run_record_open(path, &error);
        g_autoptr(sim_result) result =
            record != NULL ? sim_run_record_explain(record, &error) : NULL;
        if (CHECK(result != NULL, "%s: %s", path, error != NULL ? error->message : "")) {
            CHECK_I64(result->makespan, row[i].makespan, "%s", path);
            CHECK_I64(memcmp(&result->breakdown, &row[i].parts, sizeof row[i].parts), 0, "%s",
                      path);
        }
    }
}

static void a_full_disk_ends_the_run_with_an_error(void)
{
    if (!g_file_test("/dev/full", G_FILE_TEST_EXISTS)) {
        SKIP_TEST("there is no /dev/full");
    }
    GRand *random = g_rand_new_with_seed(SEED);
    g_autoptr(sim_graph) graph = long_program(random);
    sim_params params = random_params(random, SHAPE.max_size);
    g_rand_free(random);
    params.S = INT64_MAX;
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_run_record) record = sim_run_record_create("/dev/full", NULL, &error);
    const sim_run_options options = {.record = record};
    CHECK(sim_run(sim_graph_program(graph), &params, &options, &error) == NULL);
    CHECK_ERROR(error, "/dev/full: cannot be written");
    CHECK(g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC));
}

static void a_run_that_fails_leaves_no_file(void)
{
    g_autofree char *folder = NULL;
    g_autofree char *path = temporary(&folder);
    sim_graph_builder *b = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(b, 0);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_RECV});
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    const sim_params params = {.L = 1};
    g_autoptr(GError) error = NULL;
    sim_run_record *record = sim_run_record_create(path, NULL, NULL);
    const sim_run_options options = {.record = record};
    CHECK(sim_run(sim_graph_program(graph), &params, &options, &error) == NULL);
    CHECK(g_error_matches(error, SIM_ERROR, SIM_ERROR_UNMATCHED));
    sim_run_record_free(record);
    CHECK_I64(g_rmdir(folder), 0, "nothing is left in it");
}

SUITE_MAIN("run_record_file", TEST(a_file_says_what_the_run_said),
           TEST(a_file_that_is_not_whole_is_refused),
           TEST(a_file_with_levels_that_is_not_whole_is_refused),
           TEST(a_file_with_handshakes_that_is_not_whole_is_refused),
           TEST(records_of_earlier_runs_are_read), TEST(a_full_disk_ends_the_run_with_an_error),
           TEST(a_run_that_fails_leaves_no_file))
