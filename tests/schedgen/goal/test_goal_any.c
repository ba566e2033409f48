/* tests/schedgen/goal/test_goal_any.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* GOAL has no communicators: receives of any tag still take the messages of theirs. */
#include "check.h"
#include "sched/error.h"
#include "sched/goal.h"
#include "sim/run.h"

#include <glib/gstdio.h>

static const sim_params MACHINE = {
    .L = 2 * SIM_US, .o = SIM_US, .g = SIM_US, .G = 1000000, .S = INT64_MAX};

/* What comes back; NULL with the writer's error. */
static sim_graph *round_trip(const sim_graph *graph, bool text, GError **error)
{
    g_autofree char *dir = g_dir_make_tmp("ripple-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "schedule", NULL);
    const bool ok = text ? sched_goal_write_text(graph, path, error)
                         : sched_goal_write_binary(graph, path, error);
    CHECK(g_file_test(path, G_FILE_TEST_EXISTS) == ok, "a file is there, or an error");
    sim_graph *back = ok ? sched_goal_read(path, false, error) : NULL;
    (void)g_unlink(path);
    (void)g_rmdir(dir);
    return back;
}

/* ---- by hand ------------------------------------------------------------------------------- */

typedef struct message {
    uint8_t type; /* on rank 1: a receive; else a send of rank 0 or 2 to it */
    uint32_t rank, peer, tag, comm;
} message;

#define SEND(rank_, comm_, tag_)                                                                   \
    {                                                                                              \
        SIM_OP_SEND, (rank_), 1, (tag_), (comm_)                                                   \
    }
#define RECV(peer_, comm_, tag_)                                                                   \
    {                                                                                              \
        SIM_OP_RECV, 1, (peer_), (tag_), (comm_)                                                   \
    }
#define ANY  SIM_ANY
#define MOST 8

static sim_graph *by_hand(const message *m, size_t n)
{
    sim_graph_builder *builder = sim_graph_builder_new(3);
    for (uint32_t rank = 0; rank < 3; rank++) {
        sim_graph_builder_begin_rank(builder, rank);
        for (size_t i = 0; i < n; i++) {
            const sim_op op = {.type = m[i].type,
                               .size = 1,
                               .peer = m[i].peer,
                               .tag = m[i].tag,
                               .comm = m[i].comm};
            if (m[i].rank == rank) {
                (void)sim_graph_builder_add(builder, &op);
            }
        }
    }
    return sim_graph_builder_finish(builder, NULL);
}

/* The tags of rank 1's receives, in order: "5 any 6". */
static char *tags_of(const sim_graph *graph)
{
    GString *text = g_string_new(NULL);
    for (uint32_t i = 0; i < sim_graph_num_ops(graph, 1); i++) {
        const sim_op op = sim_graph_op(graph, 1, i);
        const char *space = text->len > 0 ? " " : "";
        if (op.type == SIM_OP_RECV && op.tag == SIM_ANY) {
            g_string_append_printf(text, "%sany", space);
        } else if (op.type == SIM_OP_RECV) {
            g_string_append_printf(text, "%s%u", space, op.tag);
        }
    }
    return g_string_free(text, FALSE);
}

static void receives_of_any_tag_get_one_where_another_communicator_competes(void)
{
    static const struct {
        const char *name;
        const char *want; /* the tags of the receives; NULL: refused */
        message m[MOST];
        size_t n;
    } rows[] = {
        {"no other communicator reaches the rank",
         "any 5",
         {SEND(0, 0, 5), SEND(0, 0, 6), RECV(2, 0, ANY), RECV(2, 0, 5), {SIM_OP_SEND, 1, 2, 5, 1}},
         5},
        {"another source is no rival",
         "any 5 0",
         {SEND(2, 0, 5), SEND(2, 0, 6), SEND(0, 1, 5), RECV(2, 0, ANY), RECV(2, 0, 5),
          RECV(ANY, 1, 5)},
         6},
        {"one tag is as good as any",
         "5 0",
         {SEND(2, 0, 5), SEND(2, 1, 5), RECV(2, 0, ANY), RECV(2, 1, 5)},
         4},
        {"tags that nobody names become one",
         "5 5 0",
         {SEND(2, 0, 5), SEND(2, 0, 6), SEND(2, 1, 5), RECV(2, 0, ANY), RECV(ANY, 0, ANY),
          RECV(2, 1, 5)},
         6},
        {"tags that are named stay, if no such receive can take them",
         "7 5 0",
         {SEND(0, 0, 5), SEND(2, 0, 7), SEND(2, 0, 8), SEND(2, 1, 5), RECV(2, 0, ANY),
          RECV(0, 0, 5), RECV(2, 1, 5)},
         7},
        {"both communicators take any tag",
         "5 0",
         {SEND(2, 0, 5), SEND(2, 1, 5), SEND(2, 1, 6), RECV(2, 0, ANY), RECV(2, 1, ANY)},
         5},
        {"a receive that may take a named tag or another",
         NULL,
         {SEND(2, 0, 5), SEND(2, 0, 6), SEND(2, 1, 5), RECV(2, 0, ANY), RECV(2, 0, 5),
          RECV(2, 1, 5)},
         6},
        {"the same from any source",
         NULL,
         {SEND(2, 0, 5), SEND(2, 0, 6), SEND(2, 1, 5), RECV(ANY, 0, ANY), RECV(2, 0, 5),
          RECV(2, 1, 5)},
         6},
        {"a receive that nothing can ever meet",
         NULL,
         {SEND(2, 1, 5), RECV(2, 0, ANY), RECV(2, 1, 5)},
         3},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (int text = 0; text < 2; text++) {
            g_autoptr(GError) error = NULL;
            g_autoptr(sim_graph) graph = by_hand(rows[i].m, rows[i].n);
            g_autoptr(sim_graph) back = round_trip(graph, text != 0, &error);
            if (rows[i].want == NULL) {
                CHECK_ERROR(error, "a receive of any tag on communicator 0");
                CHECK(g_error_matches(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED));
            } else if (CHECK(back != NULL, "%s: %s", rows[i].name,
                             error != NULL ? error->message : "")) {
                g_autofree char *tags = tags_of(back);
                CHECK_STR(tags, rows[i].want, "%s", rows[i].name);
            }
        }
    }
}

/* ---- at random ----------------------------------------------------------------------------- */

enum { MAX_RANKS = 6, COMMS = 3, TAGS = 3 };

typedef struct program {
    GArray *ops[MAX_RANKS]; /* of sim_op: each requires or irequires the one before */
    GRand *rand;
    uint32_t num_ranks;
} program;

static uint32_t below(const program *p, uint32_t n)
{
    return (uint32_t)g_rand_int_range(p->rand, 0, (gint32)n);
}

static void add(const program *p, uint32_t rank, uint8_t type, uint32_t peer, uint32_t comm,
                uint32_t tag)
{
    const sim_op calc = {.type = SIM_OP_CALC, .size = (sim_time)below(p, 5000) * SIM_NS};
    const sim_op op = {.type = type,
                       .size = type == SIM_OP_SEND ? (int64_t)below(p, 2000) : 4000,
                       .peer = peer,
                       .comm = comm,
                       .tag = tag};
    if (below(p, 2) > 0) {
        g_array_append_val(p->ops[rank], calc);
    }
    g_array_append_val(p->ops[rank], op);
}

/* Several messages to one rank; it names their tags, or takes them as they come. */
static void add_messages(const program *p, const uint32_t *style)
{
    const uint32_t to = below(p, p->num_ranks);
    const uint32_t comm = below(p, COMMS);
    const uint32_t from = below(p, p->num_ranks);
    const uint32_t n = 1 + below(p, 4);
    const uint32_t shift = below(p, n);
    uint32_t tags[4];
    for (uint32_t i = 0; i < n; i++) {
        tags[i] = below(p, TAGS);
        add(p, from, SIM_OP_SEND, to, comm, tags[i]);
    }
    for (uint32_t i = 0; i < n; i++) { /* in another order */
        const bool any = style[to * COMMS + comm] > 0;
        const bool anyone = style[to * COMMS + comm] > 1;
        add(p, to, SIM_OP_RECV, anyone ? SIM_ANY : from, comm,
            any ? SIM_ANY : tags[(i + shift) % n]);
    }
}

static sim_graph *at_random(GRand *rand)
{
    program p = {.rand = rand, .num_ranks = (uint32_t)g_rand_int_range(rand, 2, MAX_RANKS + 1)};
    uint32_t style[MAX_RANKS * COMMS];
    for (uint32_t i = 0; i < MAX_RANKS * COMMS; i++) {
        style[i] = below(&p, 6) % 3; /* now and then both of these */
    }
    for (uint32_t r = 0; r < p.num_ranks; r++) {
        p.ops[r] = g_array_new(FALSE, FALSE, sizeof(sim_op));
    }
    const uint32_t steps = 1 + below(&p, 30);
    for (uint32_t i = 0; i < steps; i++) {
        if (below(&p, 5) == 0) {
            style[below(&p, MAX_RANKS * COMMS)] = below(&p, 3);
        }
        add_messages(&p, style);
    }
    sim_graph_builder *builder = sim_graph_builder_new(p.num_ranks);
    for (uint32_t r = 0; r < p.num_ranks; r++) {
        sim_graph_builder_begin_rank(builder, r);
        for (uint32_t i = 0; i < p.ops[r]->len; i++) {
            const sim_op *op = &g_array_index(p.ops[r], sim_op, i);
            (void)sim_graph_builder_add(builder, op);
            if (i > 0 && below(&p, 3) > 0) {
                sim_graph_builder_require(builder, i, i - 1);
            } else if (i > 0) {
                sim_graph_builder_irequire(builder, i, i - 1);
            }
        }
        g_array_unref(p.ops[r]);
    }
    return sim_graph_builder_finish(builder, NULL);
}

static bool finishes_alike(sim_graph *a, sim_graph *b, bool *ran)
{
    g_autoptr(sim_result) x = sim_run(sim_graph_program(a), &MACHINE, NULL, NULL);
    g_autoptr(sim_result) y = sim_run(sim_graph_program(b), &MACHINE, NULL, NULL);
    *ran = x != NULL;
    return (x == NULL) == (y == NULL) &&
           (x == NULL || memcmp(x->finish, y->finish, x->num_ranks * sizeof *x->finish) == 0);
}

static void what_is_written_runs_as_before(void)
{
    enum { SEED = 77, PROGRAMS = 600 };
    g_autoptr(GRand) rand = g_rand_new_with_seed(SEED);
    unsigned written = 0;
    unsigned ran = 0;
    for (int i = 0; i < PROGRAMS; i++) {
        g_autoptr(sim_graph) graph = at_random(rand);
        g_autoptr(sim_graph) back = round_trip(graph, i % 2 == 0, NULL);
        bool finished = false;
        if (back != NULL) {
            written++;
            CHECK(finishes_alike(graph, back, &finished), "seed %d, program %d", SEED, i);
            ran += finished;
        }
    }
    CHECK(written > PROGRAMS / 2, "only %u were written", written);
    CHECK(ran > PROGRAMS / 3, "only %u ran to their end", ran);
    CHECK(written < PROGRAMS, "none was refused");
}

SUITE_MAIN("goal_any", TEST(receives_of_any_tag_get_one_where_another_communicator_competes),
           TEST(what_is_written_runs_as_before))
