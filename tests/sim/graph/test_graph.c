/* tests/sim/graph/test_graph.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "sim/error.h"
#include "sim/graph.h"

static uint32_t add_calc(sim_graph_builder *b, sim_time work)
{
    const sim_op op = {.type = SIM_OP_CALC, .size = work};
    return sim_graph_builder_add(b, &op);
}

static void check_successors(uint32_t from, const uint32_t *step, uint32_t n,
                             const uint32_t *wanted, uint32_t num_wanted)
{
    CHECK_I64(n, num_wanted);
    for (uint32_t i = 0; i < MIN(n, num_wanted); i++) {
        CHECK_I64(from + step[i], wanted[i], "edge %u", i);
    }
}

static void gives_back_what_was_added(void)
{
    sim_graph_builder *b = sim_graph_builder_new(3);
    sim_graph_builder_begin_rank(b, 2); /* in any order; rank 1 stays empty */
    const sim_op send = {
        .type = SIM_OP_SEND, .size = 7, .peer = 0, .tag = 5, .comm = 6, .cpu = 3, .nic = 4};
    CHECK_I64(sim_graph_builder_add(b, &send), 0);
    CHECK_I64(add_calc(b, 11), 1);
    sim_graph_builder_label(b, "work");
    CHECK_I64(add_calc(b, 12), 2);
    CHECK_I64(add_calc(b, 13), 3);
    sim_graph_builder_irequire(b, 3, 0);
    sim_graph_builder_require(b, 2, 0);
    sim_graph_builder_irequire(b, 1, 0);
    sim_graph_builder_require(b, 3, 0);
    sim_graph_builder_require(b, 3, 0); /* counts twice */
    sim_graph_builder_require(b, 3, 2);
    sim_graph_builder_begin_rank(b, 0);
    const sim_op recv = {.type = SIM_OP_RECV, .size = 7, .peer = SIM_ANY, .nic = 1};
    sim_graph_builder_add(b, &recv);
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) g = sim_graph_builder_finish(b, &error);
    if (!CHECK(g != NULL)) {
        return;
    }
    CHECK_I64(sim_graph_num_ranks(g), 3);
    CHECK_I64(sim_graph_num_ops(g, 0), 1);
    CHECK_I64(sim_graph_num_ops(g, 1), 0);
    CHECK_I64(sim_graph_num_ops(g, 2), 4);
    CHECK_I64(sim_graph_total_ops(g), 5);
    CHECK_I64(sim_graph_total_edges(g), 6);
    const sim_op back = sim_graph_op(g, 2, 0);
    CHECK(back.type == SIM_OP_SEND && back.size == 7 && back.peer == 0 && back.tag == 5 &&
          back.comm == 6 && back.cpu == 3 && back.nic == 4);
    CHECK_I64(sim_graph_op(g, 2, 3).size, 13);
    uint32_t n = 0;
    const uint32_t *edges = sim_graph_finish_steps(g, 2, 0, &n);
    check_successors(0, edges, n, (const uint32_t[]){2, 3, 3}, 3);
    edges = sim_graph_start_steps(g, 2, 0, &n);
    check_successors(0, edges, n, (const uint32_t[]){3, 1}, 2);
    edges = sim_graph_finish_steps(g, 2, 2, &n);
    check_successors(2, edges, n, (const uint32_t[]){3}, 1);
    sim_graph_finish_steps(g, 2, 3, &n);
    CHECK_I64(n, 0);
    const sim_program *p = sim_graph_program(g);
    CHECK_I64(p->num_cpus, 4);
    CHECK_I64(p->num_nics, 5);
    CHECK(p->any_source);
    CHECK(p->max_ready >= 3);
    CHECK(sim_graph_of(p) == g);
}

static void labels_are_kept_where_they_are_not_the_default(void)
{
    sim_graph_builder *b = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(b, 0);
    for (int i = 0; i < 5; i++) {
        add_calc(b, i);
        g_autofree char *label = i % 2 ? g_strdup_printf("l%d", i + 1) : g_strdup_printf("x%d", i);
        sim_graph_builder_label(b, label);
    }
    sim_graph_builder_label(b, "last");
    g_autoptr(sim_graph) g = sim_graph_builder_finish(b, NULL);
    CHECK_STR(sim_graph_label(g, 0, 0), "x0");
    CHECK(sim_graph_label(g, 0, 1) == NULL);
    CHECK_STR(sim_graph_label(g, 0, 2), "x2");
    CHECK_STR(sim_graph_label(g, 0, 4), "last");
    const sim_program *p = sim_graph_program(g);
    g_autofree char *first = p->methods->label(p, 0, 1);
    CHECK_STR(first, "l2");
}

/* Three operations, of which the first and the third have names. */
static void add_named(sim_graph_builder *b, uint32_t rank, bool again)
{
    static const char TEXT[] = "alphabet";
    static const sim_name NAMES[] = {{TEXT, 5, 0}, {TEXT + 5, 3, 2}};
    sim_graph_builder_begin_rank(b, rank);
    for (int i = 0; i < 3; i++) {
        add_calc(b, i);
    }
    if (again) {
        sim_graph_builder_names_again(b);
    } else {
        sim_graph_builder_names(b, NAMES, G_N_ELEMENTS(NAMES));
    }
}

static void names_that_come_again_are_stored_once(void)
{
    sim_graph_builder *b = sim_graph_builder_new(4);
    add_named(b, 3, false);
    add_named(b, 1, true);
    sim_graph_builder_begin_rank(b, 2); /* empty */
    add_named(b, 0, true);
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) g = sim_graph_builder_finish(b, &error);
    if (!CHECK(g != NULL, "%s", error != NULL ? error->message : "")) {
        return;
    }
    static const uint32_t named[] = {0, 1, 3};
    for (size_t k = 0; k < G_N_ELEMENTS(named); k++) {
        CHECK_STR(sim_graph_label(g, named[k], 0), "alpha");
        CHECK(sim_graph_label(g, named[k], 1) == NULL);
        CHECK_STR(sim_graph_label(g, named[k], 2), "bet");
        CHECK(sim_graph_label(g, named[k], 2) == sim_graph_label(g, 3, 2));
    }
}

/* A rank with names of its own, or none, is what comes again from then on. */
static void names_that_come_again_are_those_of_the_rank_before(void)
{
    static const sim_name OTHER = {"other", 5, 1};
    sim_graph_builder *b = sim_graph_builder_new(5);
    add_named(b, 0, false);
    sim_graph_builder_begin_rank(b, 1);
    add_calc(b, 1);
    add_calc(b, 2);
    sim_graph_builder_names(b, &OTHER, 1);
    sim_graph_builder_begin_rank(b, 2);
    add_calc(b, 1);
    add_calc(b, 2);
    sim_graph_builder_names_again(b);
    sim_graph_builder_begin_rank(b, 3);
    add_calc(b, 1);
    sim_graph_builder_begin_rank(b, 4);
    add_calc(b, 1);
    sim_graph_builder_names_again(b);
    g_autoptr(sim_graph) g = sim_graph_builder_finish(b, NULL);
    CHECK_STR(sim_graph_label(g, 0, 0), "alpha");
    CHECK_STR(sim_graph_label(g, 2, 1), "other");
    CHECK(sim_graph_label(g, 2, 0) == NULL);
    CHECK(sim_graph_label(g, 4, 0) == NULL);
}

static void what_is_refused_has_the_name_that_was_given(void)
{
    for (int again = 0; again < 2; again++) {
        sim_graph_builder *b = sim_graph_builder_new(2);
        add_named(b, 0, false);
        add_named(b, 1, again);
        static const sim_edge wrong = {.later = 2, .earlier = 7};
        sim_graph_builder_edges(b, &wrong, 1);
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_graph) g = sim_graph_builder_finish(b, &error);
        CHECK(g == NULL);
        CHECK_ERROR(error, "rank 1, l8: a dependency names it, but the rank has 3 operations");
        b = sim_graph_builder_new(2);
        add_named(b, 0, false);
        add_named(b, 1, again);
        const sim_op ops[] = {{.type = SIM_OP_CALC}, {.type = SIM_OP_CALC}, {.type = 3}};
        sim_graph_builder_ops(b, ops, G_N_ELEMENTS(ops));
        g_clear_error(&error);
        CHECK(sim_graph_builder_finish(b, &error) == NULL);
        CHECK_ERROR(error, "rank 1, bet: unknown kind of operation 3");
    }
}

typedef struct refusal {
    sim_op op;
    uint32_t require_of; /* operation 0 requires it */
    const char *wanted;  /* in the message */
} refusal;

static void refuses_what_is_out_of_range_and_names_it(void)
{
    static const refusal rows[] = {
        {{.type = SIM_OP_SEND, .peer = 2}, 1, "rank 1, name: peer 2"},
        {{.type = SIM_OP_SEND, .peer = SIM_ANY}, 1, "rank 1, name: peer 4294967295"},
        {{.type = SIM_OP_RECV, .peer = 9}, 1, "rank 1, name: peer 9"},
        {{.type = SIM_OP_SEND, .size = -1}, 1, "rank 1, name: size -1"},
        {{.type = SIM_OP_CALC, .size = SIM_TIME_MAX + 1}, 1, "rank 1, name: size 230584300921369"},
        {{.type = SIM_OP_CALC, .cpu = 255}, 1, "rank 1, name: cpu 255"},
        {{.type = SIM_OP_RECV, .nic = 255}, 1, "rank 1, name: nic 255"},
        {{.type = 3}, 1, "rank 1, name: unknown kind of operation 3"},
        {{.type = SIM_OP_CALC}, 2, "rank 1, l3: a dependency names it"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        sim_graph_builder *b = sim_graph_builder_new(2);
        sim_graph_builder_begin_rank(b, 1);
        sim_graph_builder_add(b, &rows[i].op);
        sim_graph_builder_label(b, "name");
        add_calc(b, 1);
        sim_graph_builder_require(b, 0, rows[i].require_of);
        sim_graph_builder_begin_rank(b, 0);
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_graph) g = sim_graph_builder_finish(b, &error);
        CHECK(g == NULL, "row %zu", i);
        CHECK_ERROR(error, rows[i].wanted);
        CHECK(g_error_matches(error, SIM_ERROR, SIM_ERROR_BAD_PROGRAM), "row %zu", i);
    }
}

static void refuses_ranks_twice_or_out_of_range(void)
{
    static const uint32_t second[] = {0, 2};
    static const char *const wanted[] = {"rank 0 is there twice", "rank 2 is out of range"};
    for (size_t i = 0; i < G_N_ELEMENTS(second); i++) {
        sim_graph_builder *b = sim_graph_builder_new(2);
        sim_graph_builder_begin_rank(b, 0);
        sim_graph_builder_begin_rank(b, second[i]);
        add_calc(b, 1);
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_graph) g = sim_graph_builder_finish(b, &error);
        CHECK(g == NULL);
        CHECK_ERROR(error, wanted[i]);
    }
}

static void an_abandoned_builder_leaves_nothing_behind(void)
{
    sim_graph_builder *b = sim_graph_builder_new(3);
    sim_graph_builder_begin_rank(b, 0);
    add_calc(b, 1);
    sim_graph_builder_label(b, "x");
    sim_graph_builder_begin_rank(b, 1);
    add_calc(b, -1);
    sim_graph_builder_begin_rank(b, 2);
    sim_graph_builder_free(b); /* the address sanitizer looks */
    sim_graph_builder_free(NULL);
    sim_graph_free(NULL);
    CHECK(sim_graph_of(NULL) == NULL);
}

SUITE_MAIN("graph", TEST(gives_back_what_was_added),
           TEST(labels_are_kept_where_they_are_not_the_default),
           TEST(names_that_come_again_are_stored_once),
           TEST(names_that_come_again_are_those_of_the_rank_before),
           TEST(what_is_refused_has_the_name_that_was_given),
           TEST(refuses_what_is_out_of_range_and_names_it),
           TEST(refuses_ranks_twice_or_out_of_range),
           TEST(an_abandoned_builder_leaves_nothing_behind))
