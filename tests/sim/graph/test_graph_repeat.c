/* tests/sim/graph/test_graph_repeat.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* A graph repeated by arithmetic against the same graph written out, copy by copy, pass by pass. */
#include "check.h"
#include "graph_forms.h"
#include "observed_program.h"
#include "random_program.h"
#include "sim/error.h"
#include "sim/graph_repeat.h"
#include "sim/run.h"

#include <string.h>

#define SEED 20261122U

/* ---- the same, written out ---- */

static uint32_t moved(uint32_t peer, uint8_t type, uint32_t shift)
{
    return type == SIM_OP_CALC || peer == SIM_ANY ? peer : peer + shift;
}

/* By definition: what waits for nothing in its pass waits for all of the pass before. */
static void write_pass(const sim_graph *g, uint32_t r, uint32_t shift, uint32_t pass,
                       sim_graph_builder *b)
{
    const uint32_t n = sim_graph_num_ops(g, r);
    const uint32_t first = pass * n;
    g_autofree bool *waits = g_new0(bool, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        sim_op op = sim_graph_op(g, r, i);
        op.peer = moved(op.peer, op.type, shift);
        (void)sim_graph_builder_add(b, &op);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t num;
        const uint32_t *step = sim_graph_finish_steps(g, r, i, &num);
        for (uint32_t k = 0; k < num; k++) {
            sim_graph_builder_require(b, first + i + step[k], first + i);
            waits[i + step[k]] = true;
        }
        step = sim_graph_start_steps(g, r, i, &num);
        for (uint32_t k = 0; k < num; k++) {
            sim_graph_builder_irequire(b, first + i + step[k], first + i);
            waits[i + step[k]] = true;
        }
    }
    for (uint32_t i = 0; i < n && pass > 0; i++) {
        for (uint32_t before = first - n; before < first && !waits[i]; before++) {
            sim_graph_builder_require(b, first + i, before);
        }
    }
}

static sim_graph *write_out(const sim_graph *g, uint32_t copies, uint32_t passes)
{
    const uint32_t own = sim_graph_num_ranks(g);
    sim_graph_builder *b = sim_graph_builder_new(own * copies);
    for (uint32_t r = 0; r < own * copies; r++) {
        sim_graph_builder_begin_rank(b, r);
        for (uint32_t pass = 0; pass < passes; pass++) {
            write_pass(g, r % own, r / own * own, pass, b);
        }
    }
    return sim_graph_builder_finish(b, NULL);
}

/* ---- runs of both ---- */

typedef struct tally {
    unsigned sound, stuck;
} tally;

static void compare_operations(const sim_program *a, const sim_program *b, const char *where)
{
    for (uint32_t r = 0; r < a->num_ranks; r++) {
        for (uint32_t i = 0; i < a->methods->num_ops(a, r); i++) {
            CHECK_I64(observed_program_finish(b, r, i), observed_program_finish(a, r, i),
                      "%s, rank %u, operation %u", where, r, i);
        }
    }
}

static void compare_results(const sim_result *a, const sim_result *b, const char *where)
{
    CHECK_I64(b->num_ops, a->num_ops, "%s", where);
    CHECK_I64(b->num_messages, a->num_messages, "%s", where);
    CHECK_I64(b->makespan, a->makespan, "%s", where);
    for (uint32_t r = 0; r < a->num_ranks; r++) {
        CHECK_I64(b->finish[r], a->finish[r], "%s, rank %u", where, r);
    }
    CHECK_I64(memcmp(&a->breakdown, &b->breakdown, sizeof a->breakdown), 0,
              "%s: the breakdown differs", where);
    if (CHECK_I64(b->path_len, a->path_len, "%s", where)) {
        for (size_t i = 0; i < a->path_len; i++) {
            const sim_result_stretch *x = &a->path[i];
            const sim_result_stretch *y = &b->path[i];
            CHECK(x->rank == y->rank && x->op == y->op && x->start == y->start &&
                      x->finish == y->finish && x->noise == y->noise,
                  "%s: step %zu of the path", where, i);
        }
    }
}

/* Without the cycle: the one says it within a pass. */
static char *first_lines(const GError *error)
{
    const char *cycle = strstr(error->message, "\n  dependency cycle");
    return cycle != NULL ? g_strndup(error->message, (gsize)(cycle - error->message))
                         : g_strdup(error->message);
}

static void compare(sim_graph *graph, uint32_t copies, uint32_t passes, const sim_params *params,
                    const sim_noise *noise, unsigned threads, const char *where, tally *t)
{
    g_autoptr(sim_graph) written = write_out(graph, copies, passes);
    sim_program *repeated = sim_graph_repeat_new(graph, copies, passes, NULL);
    sim_program *a = observed_program_new(sim_graph_program(written));
    sim_program *b = observed_program_new(repeated);
    const sim_run_options options = {.noise = noise, .explain = true};
    const sim_run_options threaded = {
        .noise = noise, .explain = true, .threads = threads, .serial_below = 1};
    g_autoptr(GError) error_a = NULL;
    g_autoptr(GError) error_b = NULL;
    g_autoptr(sim_result) x = sim_run(a, params, &options, &error_a);
    g_autoptr(sim_result) y = sim_run(b, params, &threaded, &error_b);
    compare_operations(a, b, where);
    if (CHECK((x == NULL) == (y == NULL), "%s: %s", where,
              x == NULL         ? error_a->message
              : error_b != NULL ? error_b->message
                                : "sound") &&
        x == NULL) {
        g_autofree char *said_a = first_lines(error_a);
        g_autofree char *said_b = first_lines(error_b);
        CHECK_STR(said_b, said_a, "%s", where);
        t->stuck++;
    } else if (y != NULL) {
        compare_results(x, y, where);
        t->sound++;
    }
    sim_program_free(a);
    sim_program_free(b);
    sim_program_free(repeated);
}

static const random_shape SHAPE = {
    .max_ranks = 6,
    .max_steps = 12,
    .max_cpus = 3,
    .max_nics = 3,
    .max_size = 60,
    .max_calc = 5000,
};

static tally compare_many(unsigned n, const random_shape *shape)
{
    tally t = {0};
    for (unsigned k = 0; k < n; k++) {
        GRand *random = g_rand_new_with_seed(SEED + k);
        random_shape s = *shape;
        s.max_cpus = 1 + k % shape->max_cpus;
        s.max_nics = 1 + k / 2 % shape->max_nics;
        s.exact = k % 4 == 3;
        g_autoptr(sim_graph) graph = random_program(random, &s);
        sim_params params = random_params(random, s.max_size); /* S among the sizes */
        params.progress = k & 1 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING;
        params.rendezvous = k & 2 ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE;
        const periodic_noise noise = random_noise(random);
        const uint32_t copies = 1 + g_rand_int(random) % 3;
        const uint32_t passes = 1 + g_rand_int(random) % 5;
        g_rand_free(random);
        for (unsigned noisy = 0; noisy < 2; noisy++) {
            g_autofree char *where = g_strdup_printf("seed %u, %u copies, %u passes, %s", SEED + k,
                                                     copies, passes, noisy ? "noisy" : "quiet");
            compare(graph, copies, passes, &params, noisy ? &noise.noise : NULL,
                    k % 16 == noisy ? 3 : 1, where, &t);
        }
    }
    return t;
}

static void equals_what_is_written_out(void)
{
    const tally t = compare_many(500, &SHAPE);
    CHECK(t.sound > 800, "%u", t.sound);
}

static void equals_what_is_written_out_with_wildcards(void)
{
    random_shape shape = SHAPE;
    shape.wildcards = true;
    const tally t = compare_many(400, &shape);
    CHECK(t.sound > 500, "%u", t.sound);
}

static void equals_what_is_written_out_when_both_get_stuck(void)
{
    random_shape shape = SHAPE;
    shape.loose = true;
    shape.max_ranks = 4;
    const tally t = compare_many(300, &shape);
    CHECK(t.stuck > 100 && t.sound > 50, "%u, %u", t.stuck, t.sound);
}

static void equals_what_is_written_out_of_long_chains_and_of_crowds(void)
{
    random_shape shape = SHAPE;
    shape.max_steps = 100;
    shape.blocking = true;
    tally t = compare_many(60, &shape);
    CHECK(t.sound > 40, "%u", t.sound);
    shape.blocking = false;
    shape.all_at_once = true; /* more finish out of order than a window of bits holds */
    t = compare_many(60, &shape);
    CHECK(t.sound > 80, "%u", t.sound);
}

static void equals_what_is_written_out_in_every_form(void)
{
    tally t = {0};
    for (unsigned form = FORM_NARROW; form < NUM_FORMS; form++) {
        GRand *random = g_rand_new_with_seed(SEED + form);
        const sim_params params = random_params(random, SHAPE.max_size);
        g_autoptr(sim_graph) plain = random_program(random, &SHAPE);
        g_rand_free(random);
        g_autoptr(sim_graph) graph = graph_forms_copy(plain, (graph_forms)form);
        sim_program *repeated = sim_graph_repeat_new(graph, 2, 3, NULL);
        sim_program *as_narrow = sim_graph_repeat_new(plain, 2, 3, NULL);
        const sim_run_options options = {0};
        g_autoptr(sim_result) x = sim_run(as_narrow, &params, &options, NULL);
        g_autoptr(sim_result) y = sim_run(repeated, &params, &options, NULL);
        const uint32_t own = as_narrow->num_ranks / 2;
        if (CHECK(x != NULL && y != NULL, "form %u", form)) {
            for (uint32_t r = 0; r < 2 * own; r++) { /* one rank more in each copy */
                CHECK_I64(y->finish[r / own * (own + 1) + r % own], x->finish[r], "form %u", form);
            }
            t.sound++;
        }
        sim_program_free(as_narrow);
        sim_program_free(repeated);
    }
    CHECK_I64(t.sound, NUM_FORMS);
}

/* ---- by hand ---- */

/* Rank 0 computes for 1 ns, then sends to rank 1, which receives, from anybody if @p any. */
static sim_graph *pair(bool any)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    const sim_op calc = {.type = SIM_OP_CALC, .size = 1000};
    const sim_op send = {.type = SIM_OP_SEND, .peer = 1, .size = 8};
    const sim_op receive = {.type = SIM_OP_RECV, .peer = any ? SIM_ANY : 0, .size = 8};
    sim_graph_builder_begin_rank(b, 0);
    (void)sim_graph_builder_add(b, &calc);
    (void)sim_graph_builder_add(b, &send);
    sim_graph_builder_label(b, "out");
    sim_graph_builder_require(b, 1, 0);
    sim_graph_builder_begin_rank(b, 1);
    (void)sim_graph_builder_add(b, &receive);
    return sim_graph_builder_finish(b, NULL);
}

static void slices_end_with_halves_of_passes(void)
{
    enum { PASSES = 3 };
    g_autoptr(sim_graph) graph = pair(false);
    sim_program *p = sim_graph_repeat_new(graph, 2, PASSES, NULL);
    const sim_params params = {.L = 5000, .o = 100, .S = 65535};
    sim_time end[2 * PASSES] = {0};
    const sim_slices slices = {.n = 2 * PASSES, .end = end};
    const sim_run_options options = {.slices = &slices};
    CHECK_I64(p->num_slices, 2 * PASSES);
    g_autoptr(sim_result) result = sim_run(p, &params, &options, NULL);
    if (CHECK(result != NULL)) {
        /* Pass k of rank 0 ends with the send at 1100 (k + 1); what arrives 5000 later costs 100.
         * The one operation of rank 1 is its first half as well as its second. */
        for (size_t k = 0; k < PASSES; k++) {
            const sim_time received = (sim_time)(1100 * (k + 1) + 5000 + 100);
            CHECK_I64(end[2 * k], received, "pass %zu", k);
            CHECK_I64(end[2 * k + 1], received, "pass %zu", k);
        }
        CHECK_I64(result->makespan, end[2 * PASSES - 1]);
        CHECK_I64(result->finish[2], 1100 * PASSES);
    }
    sim_program_free(p);
}

static void a_pass_of_several_operations_has_two_slices(void)
{
    static const sim_time ends[] = {4000, 4500, 8500, 9000};
    sim_graph_builder *b = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(b, 0);
    for (uint32_t i = 0; i < 3; i++) { /* the first slice ends with the second */
        const sim_op calc = {.type = SIM_OP_CALC, .size = i == 1 ? 3000 : i == 0 ? 1000 : 500};
        (void)sim_graph_builder_add(b, &calc);
        if (i > 0) {
            sim_graph_builder_require(b, i, i - 1);
        }
    }
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    sim_program *p = sim_graph_repeat_new(graph, 1, 2, NULL);
    const sim_params params = {0};
    sim_time end[4] = {0};
    const sim_slices slices = {.n = 4, .end = end};
    const sim_run_options options = {.slices = &slices};
    sim_result_free(sim_run(p, &params, &options, NULL));
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        CHECK_I64(end[i], ends[i], "slice %zu", i);
    }
    sim_program_free(p);
}

static void names_are_said_with_their_pass(void)
{
    g_autoptr(sim_graph) graph = pair(false);
    sim_program *p = sim_graph_repeat_new(graph, 2, 3, NULL);
    static const char *const names[] = {"l1", "out", "l3", "out of pass 2", "l5", "out of pass 3"};
    for (uint32_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *name = p->methods->label(p, 2, i);
        CHECK_STR(name, names[i]);
    }
    CHECK(sim_graph_of(p) == NULL);
    CHECK_I64(p->methods->num_ops(p, 2), 6);
    CHECK_I64(p->methods->num_ops(p, 3), 3);
    sim_program_free(p);
}

enum { RECEIVE = 2, SEND, CROWD = 76 };

/* Each of two ranks sends only when it has received from the other; and has calcs beside that. */
static sim_graph *deadlock(void)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    for (uint32_t r = 0; r < 2; r++) {
        const sim_op calc = {.type = SIM_OP_CALC, .size = 1};
        const sim_op receive = {.type = SIM_OP_RECV, .peer = 1 - r, .size = 8};
        const sim_op send = {.type = SIM_OP_SEND, .peer = 1 - r, .size = 8};
        sim_graph_builder_begin_rank(b, r);
        for (uint32_t i = 0; i < CROWD; i++) {
            (void)sim_graph_builder_add(b, i == RECEIVE ? &receive : i == SEND ? &send : &calc);
        }
        sim_graph_builder_require(b, SEND, RECEIVE);
    }
    return sim_graph_builder_finish(b, NULL);
}

/* All of a pass finishes, in an order that a window of bits does not hold. */
static void finish_pass(const sim_program *p, void *cursor, uint32_t rank, uint32_t first,
                        bool last)
{
    static const uint32_t early[] = {0, RECEIVE, SEND, CROWD - 1};
    sim_ready out[CROWD];
    for (uint32_t k = 0; k < CROWD; k++) {
        const uint32_t i = k < 4 ? early[k] : k == 4 ? 1 : k - 1;
        const size_t ready = i == RECEIVE ? 1 : k + 1 == CROWD && !last ? CROWD - 1 : 0;
        CHECK_I64(p->methods->finished(cursor, rank, first + i, 100, out), ready);
        CHECK(i != RECEIVE || out[0].index == first + SEND);
    }
    for (uint32_t i = 0; i < CROWD - 1 && !last; i++) { /* all but the send */
        CHECK_I64(out[i].index, first + CROWD + i + (i >= SEND ? 1 : 0));
        CHECK(out[i].time == 100 && out[i].cause == first + CROWD - 2 && !out[i].at_start);
    }
}

/* Tell the program of a run in which all of copy 0, and the first pass of copy 1, has finished. */
static void a_cycle_is_told_of_the_copy_and_pass_it_is_in(void)
{
    g_autoptr(sim_graph) graph = deadlock();
    sim_program *p = sim_graph_repeat_new(graph, 2, 2, NULL);
    void *cursor = p->methods->begin(p);
    sim_ready out[CROWD];
    for (uint32_t rank = 0; rank < 4; rank++) {
        CHECK_I64(p->methods->first(cursor, rank, out), CROWD - 1);
        CHECK_I64(out[0].op.peer, 0);
        CHECK_I64(out[RECEIVE].op.peer, rank ^ 1U);
        finish_pass(p, cursor, rank, 0, false);
        if (rank < 2) {
            finish_pass(p, cursor, rank, CROWD, true);
        }
        CHECK_I64(p->methods->remaining(cursor, rank), rank < 2 ? 0 : 1);
    }
    g_autofree char *text = p->methods->explain_stuck(p, cursor);
    CHECK_STR(text, "dependency cycle: rank 2, l79 waits for rank 3, l80; rank 3, l80 requires "
                    "l79; rank 3, l79 waits for rank 2, l80; rank 2, l80 requires l79");
    p->methods->end(cursor);
    sim_program_free(p);
}

static void refuses_what_cannot_be_numbered(void)
{
    g_autoptr(sim_graph) graph = pair(false);
    g_autoptr(GError) error = NULL;
    CHECK(sim_graph_repeat_new(graph, UINT32_MAX / 2 + 1, 1, &error) == NULL);
    CHECK(g_error_matches(error, SIM_ERROR, SIM_ERROR_BAD_PROGRAM));
    CHECK_ERROR(error, "'2147483648' copies of 2 ranks: more ranks than can be numbered");
    g_autoptr(GError) passes = NULL;
    CHECK(sim_graph_repeat_new(graph, 1, UINT32_MAX / 2, &passes) == NULL);
    CHECK_ERROR(passes, "rank 0 has 2 operations, in '2147483647' passes more than can be");
    sim_program *most = sim_graph_repeat_new(graph, 1, UINT32_MAX / 2 - 1, NULL);
    CHECK(most != NULL);
    sim_program_free(most);
}

SUITE_MAIN("graph_repeat", TEST(equals_what_is_written_out),
           TEST(equals_what_is_written_out_with_wildcards),
           TEST(equals_what_is_written_out_when_both_get_stuck),
           TEST(equals_what_is_written_out_of_long_chains_and_of_crowds),
           TEST(equals_what_is_written_out_in_every_form), TEST(slices_end_with_halves_of_passes),
           TEST(a_pass_of_several_operations_has_two_slices), TEST(names_are_said_with_their_pass),
           TEST(a_cycle_is_told_of_the_copy_and_pass_it_is_in),
           TEST(refuses_what_cannot_be_numbered))
