/* tests/noise/places/test_divided.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file divided into named sources is the same noise as the file that is not: programs drawn at
 * random, at all places, in the engine and in the lanes, to the picosecond.
 */
#include "any_noise.h"
#include "check.h"
#include "coll/program.h"
#include "folder.h"
#include "noise/detour_file.h"
#include "noise/lanes.h"
#include "random_levels.h"
#include "random_program.h"
#include "sim/replica.h"
#include "sim/run.h"

#define SEED 20101113U

enum { MOST_DETOURS = 40, SOURCES = 4 };

static const char *const WHERE[] = {
    "",       "@core",  "@core",   "@node",     "@node",           "@node-fixed",   "@node-all",
    "@0-9/2", "@1,3-5", "@node:0", "@core:1-2", "@node-all:0-3/2", "@node-fixed:1",
};
static const char *const BESIDE[] = {
    "", "", "+poisson:800ps:60ps", "+fixed:613ps:90ps@node", "+slow:3%", "+drift=30000",
};

static uint32_t below(GRand *random, size_t n)
{
    return (uint32_t)g_rand_int_range(random, 0, (gint32)n);
}

/* Up to three runs of detours between some hundred picoseconds. */
static noise_detour_file *any_file(GRand *random)
{
    static char name[SOURCES][2] = {"a", "b", "c", "d"};
    static char kind[] = "program";
    noise_detour_file *f = g_new0(noise_detour_file, 1);
    f->num_runs = 1 + below(random, 3);
    f->runs = g_new0(noise_detour_run, f->num_runs);
    f->num_sources = 1 + below(random, SOURCES);
    f->sources = g_new0(noise_detour_source, f->num_sources);
    for (size_t i = 0; i < f->num_sources; i++) {
        f->sources[i] = (noise_detour_source){g_strdup(name[i]), g_strdup(kind), NULL};
    }
    for (size_t r = 0; r < f->num_runs; r++) {
        noise_detour_run *run = &f->runs[r];
        *run = (noise_detour_run){.n = below(random, MOST_DETOURS), .node = 0, .cpu = (uint32_t)r};
        run->start = g_new(sim_time, run->n + 1);
        run->length = g_new(sim_time, run->n + 1);
        run->source = g_new(uint16_t, run->n + 1);
        sim_time now = 0;
        for (size_t i = 0; i < run->n; i++) {
            now += below(random, 400); /* they may touch */
            run->start[i] = now;
            run->length[i] = 1 + below(random, 120);
            run->source[i] = (uint16_t)below(random, f->num_sources);
            now += run->length[i];
        }
        run->period = now + 1 + below(random, 500);
    }
    return f;
}

/* The noise of @p file written to @p path, with "text" around it. */
static noise_signature *signature_of(const noise_detour_file *file, const char *path, bool divided,
                                     const char *where, const char *beside)
{
    g_autofree char *content = noise_detour_file_to_text(file, divided);
    CHECK(g_file_set_contents(path, content, -1, NULL));
    g_autofree char *text = g_strdup_printf("%s%s%s", path, where, beside);
    g_autoptr(GError) error = NULL;
    noise_signature *s = noise_signature_parse(text, 7, &error);
    CHECK(s != NULL, "%s: %s\n%s", text, error != NULL ? error->message : "", content);
    return s;
}

static sim_result *run(const noise_signature *signature, sim_graph *graph, const sim_params *params,
                       const sim_levels *levels, const noise_injection_options *how)
{
    g_autoptr(noise_injection) in = noise_injection_new(signature, sim_graph_num_ranks(graph), how);
    const sim_run_options options = {.noise = noise_injection_hook(in), .levels = levels};
    return sim_run(sim_graph_program(graph), params, &options, NULL);
}

static const random_shape SHAPE = {
    .max_ranks = 12,
    .max_steps = 30,
    .max_cpus = 2,
    .max_nics = 2,
    .max_size = 60,
    .max_calc = 5000,
};

/* In the engine. @return whether the program came to its end */
static bool check_engine(GRand *random, const noise_signature *whole,
                         const noise_signature *divided, const char *where)
{
    sim_graph *graph = random_program(random, &SHAPE);
    const sim_params params = random_params(random, SHAPE.max_size);
    g_autoptr(random_levels) levels =
        random_levels_new(random, sim_graph_num_ranks(graph), &params, 0);
    const noise_injection_options how = any_noise_options(random, 2, &levels->engine.placement);
    g_autoptr(sim_result) a = run(whole, graph, &params, &levels->engine, &how);
    g_autoptr(sim_result) b = run(divided, graph, &params, &levels->engine, &how);
    CHECK((a == NULL) == (b == NULL), "%s", where);
    for (uint32_t r = 0; a != NULL && b != NULL && r < sim_graph_num_ranks(graph); r++) {
        CHECK_I64(b->finish[r], a->finish[r], "%s, rank %u", where, r);
    }
    sim_graph_free(graph);
    return a != NULL && b != NULL;
}

/* In the lanes. @return whether they take the noise */
static bool check_lanes(GRand *random, const noise_signature *whole, const noise_signature *divided,
                        const char *where)
{
    enum { RANKS = 13 };
    const coll_call call = {.kind = COLL_ALLREDUCE, .size = RANKS, .bytes = 8};
    const sim_params params = {.L = 700, .o = 200, .g = 100, .S = INT64_MAX};
    const sim_placement placement = sim_placement_block(RANKS, 1 + below(random, 4));
    noise_injection_options how = any_noise_options(random, 2, &placement);
    how.threads_per_rank = 1;
    const bool may = noise_lanes_may(whole, &how);
    CHECK(noise_lanes_may(divided, &how) == may, "%s", where);
    if (!may) {
        return false;
    }
    sim_program *program = coll_program_new(&call, coll_algorithm_get("dissemination"), 5, NULL);
    const char *why = NULL;
    g_autoptr(sim_replicas) replicas = sim_replicas_new(program, &params, &why);
    const noise_signature *const each[] = {whole, divided};
    sim_time makespan[2][SIM_LANES];
    for (int i = 0; i < 2; i++) {
        g_autoptr(noise_lanes) lanes = noise_lanes_new(each[i], RANKS, &how, SIM_LANES);
        sim_time finish[SIM_LANES][RANKS];
        sim_time *to[SIM_LANES];
        for (int lane = 0; lane < SIM_LANES; lane++) {
            to[lane] = finish[lane];
        }
        CHECK(sim_replicas_run(replicas, noise_lanes_hook(lanes), NULL, makespan[i], to));
    }
    for (int lane = 0; lane < SIM_LANES; lane++) {
        CHECK_I64(makespan[1][lane], makespan[0][lane], "%s, lane %d", where, lane);
    }
    sim_program_free(program);
    return true;
}

static void a_divided_file_is_the_same_noise_as_the_whole(void)
{
    g_autofree char *folder = g_dir_make_tmp("divided-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "node.detours", NULL);
    unsigned ran = 0;
    unsigned in_lanes = 0;
    for (unsigned i = 0; i < 400; i++) {
        g_autoptr(GRand) random = g_rand_new_with_seed(SEED + i);
        g_autoptr(noise_detour_file) file = any_file(random);
        const char *at = WHERE[below(random, G_N_ELEMENTS(WHERE))];
        const char *beside = BESIDE[below(random, G_N_ELEMENTS(BESIDE))];
        g_autofree char *where = g_strdup_printf("seed %u: %s%s", SEED + i, at, beside);
        g_autoptr(noise_signature) whole = signature_of(file, path, false, at, beside);
        g_autoptr(noise_signature) divided = signature_of(file, path, true, at, beside);
        if (whole == NULL || divided == NULL) {
            continue; /* said */
        }
        CHECK_I64(noise_signature_num_components(divided) - file->num_sources,
                  noise_signature_num_components(whole) - 1, "%s", where);
        CHECK(noise_signature_is_drawn(divided) == noise_signature_is_drawn(whole), "%s", where);
        ran += check_engine(random, whole, divided, where);
        in_lanes += check_lanes(random, whole, divided, where);
    }
    CHECK(ran > 300, "%u", ran);
    CHECK(in_lanes > 100, "%u", in_lanes);
    folder_remove(folder);
}

/* Files of one node each, at their nodes by a stride, are the file of all of them. */
static void several_measured_nodes_stand_for_simulated_ones_in_turn(void)
{
    g_autofree char *folder = g_dir_make_tmp("divided-XXXXXX", NULL);
    g_autofree char *all = g_build_filename(folder, "all.detours", NULL);
    g_autofree char *a = g_build_filename(folder, "a.detours", NULL);
    g_autofree char *b = g_build_filename(folder, "b.detours", NULL);
    static const char *const PLACE[] = {"core", "node", "node-fixed", "node-all"};
    for (unsigned i = 0; i < 100; i++) {
        g_autoptr(GRand) random = g_rand_new_with_seed(SEED + i);
        g_autoptr(noise_detour_file) file = any_file(random);
        const size_t n = file->num_runs;
        if (n < 2) {
            continue;
        }
        for (size_t r = 0; r < n; r++) {
            file->runs[r].node = r < n - 1 ? 4 : 9;
        }
        const char *place = PLACE[below(random, G_N_ELEMENTS(PLACE))];
        g_autofree char *at = g_strdup_printf("@%s", place);
        g_autofree char *at_a =
            g_strdup_printf("@%s:0-4294967294/2+%s@%s:1-4294967294/2", place, b, place);
        g_autofree char *where = g_strdup_printf("seed %u%s", SEED + i, at);
        noise_detour_file last = *file;
        last.num_runs = 1;
        last.runs = &file->runs[n - 1];
        g_autoptr(noise_signature) only_b = signature_of(&last, b, true, "", "");
        noise_detour_file first = *file;
        first.num_runs = n - 1;
        g_autoptr(noise_signature) two = signature_of(&first, a, true, at_a, "");
        g_autoptr(noise_signature) one = signature_of(file, all, true, at, "");
        CU_ASSERT_FATAL(two != NULL && one != NULL);
        CHECK_I64(noise_signature_num_components(one), 2 * file->num_sources, "%s", where);
        CHECK_I64(noise_signature_component(one, 0)->num_nodes, 2, "%s", where);
        CHECK(!noise_signature_begins_file(one, file->num_sources), "%s", where);
        check_engine(random, two, one, where);
        check_lanes(random, two, one, where);
    }
    folder_remove(folder);
}

static void the_parts_share_out_what_the_file_takes(void)
{
    g_autofree char *folder = g_dir_make_tmp("divided-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "node.detours", NULL);
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
    g_autoptr(noise_detour_file) file = any_file(random);
    g_autoptr(noise_signature) whole = signature_of(file, path, false, "", "");
    g_autoptr(noise_signature) divided = signature_of(file, path, true, "", "");
    CU_ASSERT_FATAL(whole != NULL && divided != NULL);
    double share = 0;
    for (size_t i = 0; i < noise_signature_num_components(divided); i++) {
        const noise_component *c = noise_signature_component(divided, i);
        g_autofree char *name = g_strdup_printf("node.detours: %s", file->sources[i].name);
        CHECK_STR(c->name, name);
        CHECK_STR(c->source, file->sources[i].name);
        CHECK_STR(c->kind, "program");
        CHECK_I64(c->part, i);
        CHECK_I64(c->list_length, noise_signature_longest_period(whole));
        share += c->share;
    }
    CHECK_NEAR(share, noise_signature_component(whole, 0)->share, 1e-12);
    CHECK(noise_signature_component(whole, 0)->source == NULL);
    folder_remove(folder);
}

static void a_file_begins_with_the_first_part_that_is_there(void)
{
    g_autofree char *folder = g_dir_make_tmp("divided-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "node.detours", NULL);
    CHECK(g_file_set_contents(path,
                              "# ripple: {\"sources\": [{\"name\": \"a\"}, {\"name\": \"b\"}, "
                              "{\"name\": \"c\"}]}\n1000 1 0\n3000 1 1\n5000 1 2\n",
                              -1, NULL));
    g_autofree char *text = g_strdup_printf("fixed:1ms:1us+%s+%s+without=a", path, path);
    g_autoptr(noise_signature) s = noise_signature_parse(text, 1, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    static const bool begins[] = {false, true, false, true, false};
    CHECK_I64(noise_signature_num_components(s), G_N_ELEMENTS(begins));
    for (size_t i = 0; i < G_N_ELEMENTS(begins); i++) {
        CHECK(noise_signature_begins_file(s, i) == begins[i], "%zu", i);
    }
    folder_remove(folder);
}

/* 60 sources and the 5 models beside them would be one too many. */
static void a_file_leaves_room_for_what_stands_beside_it(void)
{
    g_autofree char *folder = g_dir_make_tmp("divided-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "node.detours", NULL);
    g_autoptr(GString) content = g_string_new("# ripple: {\"sources\": [");
    for (int i = 0; i < NOISE_DETOUR_MOST_SOURCES; i++) {
        g_string_append_printf(content, "%s{\"name\": \"s%d\"}", i > 0 ? "," : "", i);
    }
    g_string_append(content, "]}\n");
    for (int i = 0; i < NOISE_DETOUR_MOST_SOURCES; i++) {
        g_string_append_printf(content, "%d %d %d\n", 1000 * i, i + 1, i);
    }
    CHECK(g_file_set_contents(path, content->str, -1, NULL));
    g_autofree char *text = g_strdup_printf(
        "fixed:1ms:1us+fixed:1ms:1us+%s+fixed:1ms:1us+fixed:1ms:1us+fixed:1ms:1us", path);
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_signature) s = noise_signature_parse(text, 1, &error);
    CHECK(s != NULL, "%s", error != NULL ? error->message : "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CHECK_I64(noise_signature_num_components(s), 64);
    const noise_component *others = noise_signature_component(s, 2 + 58);
    CHECK_STR(others->source, "others");
    CHECK_STR(others->evidence, "the 2 sources that took the least time");
    folder_remove(folder);
}

SUITE_MAIN("divided", TEST(a_file_begins_with_the_first_part_that_is_there),
           TEST(a_divided_file_is_the_same_noise_as_the_whole),
           TEST(several_measured_nodes_stand_for_simulated_ones_in_turn),
           TEST(the_parts_share_out_what_the_file_takes),
           TEST(a_file_leaves_room_for_what_stands_beside_it))
