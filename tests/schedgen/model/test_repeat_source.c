/* tests/schedgen/model/test_repeat_source.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* A graph repeated and written out against the program that repeats it by arithmetic. */
#include "check.h"
#include "random_program.h"
#include "sched/rank_source.h"
#include "sim/graph_repeat.h"
#include "sim/run.h"

#include <string.h>

#define SEED 20261123U

static const random_shape SHAPE = {
    .max_ranks = 5,
    .max_steps = 16,
    .max_cpus = 3,
    .max_nics = 3,
    .max_size = 60,
    .max_calc = 5000,
    .wildcards = true,
};

static sim_graph *write_out(const sim_graph *graph, uint32_t copies, uint32_t passes)
{
    sched_repeat_source source;
    sched_repeat_source_init(&source, graph, copies, passes);
    sim_graph *written = sched_rank_source_build(&source.source, NULL);
    sched_repeat_source_clear(&source);
    return written;
}

static void compare(const sim_program *a, const sim_program *b, const sim_params *params,
                    const sim_noise *noise, const char *where)
{
    const sim_run_options options = {.noise = noise, .explain = true};
    g_autoptr(GError) error_a = NULL;
    g_autoptr(GError) error_b = NULL;
    g_autoptr(sim_result) x = sim_run(a, params, &options, &error_a);
    g_autoptr(sim_result) y = sim_run(b, params, &options, &error_b);
    CHECK(a->num_cpus == b->num_cpus && a->num_nics == b->num_nics &&
              a->any_source == b->any_source,
          "%s", where);
    if (!CHECK((x == NULL) == (y == NULL), "%s", where) || x == NULL || y == NULL) {
        return;
    }
    CHECK_I64(x->num_ops, y->num_ops, "%s", where);
    CHECK_I64(x->num_messages, y->num_messages, "%s", where);
    CHECK_I64(memcmp(x->finish, y->finish, a->num_ranks * sizeof *x->finish), 0,
              "%s: a rank finishes at another instant", where);
    CHECK_I64(memcmp(&x->breakdown, &y->breakdown, sizeof x->breakdown), 0, "%s", where);
    CHECK_I64(x->path_len, y->path_len, "%s", where);
}

static void takes_the_time_of_the_program_that_is_not_stored(void)
{
    for (unsigned k = 0; k < 200; k++) {
        GRand *random = g_rand_new_with_seed(SEED + k);
        random_shape shape = SHAPE;
        shape.all_at_once = k % 5 == 4; /* many begin a pass, many end it */
        g_autoptr(sim_graph) graph = random_program(random, &shape);
        const sim_params params = random_params(random, SHAPE.max_size);
        const periodic_noise noise = random_noise(random);
        const uint32_t copies = 1 + g_rand_int(random) % 3;
        const uint32_t passes = 1 + g_rand_int(random) % 5;
        g_rand_free(random);
        g_autofree char *where =
            g_strdup_printf("seed %u, %u copies, %u passes", SEED + k, copies, passes);
        g_autoptr(sim_graph) written = write_out(graph, copies, passes);
        sim_program *repeated = sim_graph_repeat_new(graph, copies, passes, NULL);
        compare(repeated, sim_graph_program(written), &params, &noise.noise, where);
        sim_program_free(repeated);
    }
}

static void counts_the_edges_between_passes(void)
{
    for (unsigned k = 0; k < 50; k++) {
        GRand *random = g_rand_new_with_seed(SEED + k);
        g_autoptr(sim_graph) graph = random_program(random, &SHAPE);
        g_rand_free(random);
        g_autoptr(sim_graph) written = write_out(graph, 2, 4);
        double most;
        const double all = sched_repeat_count_joins(graph, 4, &most);
        CHECK_I64((uint64_t)(2 * all) + 8 * sim_graph_total_edges(graph),
                  sim_graph_total_edges(written), "seed %u", SEED + k);
        CHECK(most <= all && most * sim_graph_num_ranks(graph) >= all);
    }
}

/* Begins with 0, 1 and 3; 2 starts with 1, and requires 0; 4 requires 3. 1, 2 and 4 end it. */
static void a_pass_is_joined_from_what_none_requires_to_what_waits_for_none(void)
{
    sim_graph_builder *b = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(b, 0);
    for (uint32_t i = 0; i < 5; i++) {
        const sim_op calc = {.type = SIM_OP_CALC, .size = 1};
        (void)sim_graph_builder_add(b, &calc);
    }
    sim_graph_builder_require(b, 2, 0);
    sim_graph_builder_irequire(b, 2, 1);
    sim_graph_builder_require(b, 4, 3);
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    double most;
    CHECK_NEAR(sched_repeat_count_joins(graph, 3, &most), 2.0 * 3 * 3, 0);
    CHECK_NEAR(most, 2.0 * 3 * 3, 0);
    sched_repeat_source source;
    sched_repeat_source_init(&source, graph, 1, 2);
    sched_rank_ops ops;
    CHECK(source.source.get(&source.source, 0, &ops, NULL));
    CHECK_I64(ops.num_ops, 10);
    CHECK_I64(ops.num_edges, 3 + 3 + 9);
    bool joined[10][10] = {{false}};
    for (size_t e = 0; e < ops.num_edges; e++) {
        joined[ops.edges[e].earlier][ops.edges[e].later] = true;
        CHECK(!ops.edges[e].start || ops.edges[e].later % 5 == 2);
    }
    for (uint32_t i = 0; i < 5; i++) {
        for (uint32_t j = 0; j < 5; j++) {
            const bool ends = i == 1 || i == 2 || i == 4;
            const bool begins = j == 0 || j == 1 || j == 3;
            CHECK(joined[i][5 + j] == (ends && begins), "%u to %u", i, j);
        }
    }
    sched_repeat_source_clear(&source);
}

SUITE_MAIN("repeat_source", TEST(takes_the_time_of_the_program_that_is_not_stored),
           TEST(counts_the_edges_between_passes),
           TEST(a_pass_is_joined_from_what_none_requires_to_what_waits_for_none))
