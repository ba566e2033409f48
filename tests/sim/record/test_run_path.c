/* tests/sim/record/test_run_path.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The critical path of recorded runs: small ones worked out by hand, and that any path adds up.
 * Covers critical_path.c and path_result.c.
 */
#include "check.h"
#include "random_levels.h"
#include "random_program.h"
#include "recorded_run.h"
#include "sim/graph.h"
#include "sim/run_path.h"

#include <inttypes.h>
#include <string.h>

#define SEED 20101113U

static void keep(const sim_path_stretch *stretch, void *user)
{
    g_array_append_vals(user, stretch, 1);
}

/* The path of a run, latest first. */
static GArray *path_of(sim_graph *graph, const sim_params *params, const sim_noise *noise,
                       const sim_levels *levels)
{
    GArray *path = g_array_new(FALSE, FALSE, sizeof(sim_path_stretch));
    g_autoptr(GError) error = NULL;
    const sim_run_options options = {.noise = noise, .levels = levels};
    g_autoptr(sim_run_record) record =
        recorded_run(sim_graph_program(graph), params, &options, &error);
    CHECK(record != NULL && sim_run_record_walk_path(record, keep, path, &error), "%s",
          error != NULL ? error->message : "");
    return path;
}

typedef struct wanted {
    uint32_t rank, op;
    sim_time start, finish;
    sim_cause cause;
    sim_time part[SIM_NUM_PARTS];
    uint64_t amount[SIM_NUM_PARTS];
} wanted;

static void check_path(const char *name, const GArray *path, const wanted *want, size_t n)
{
    CHECK_I64(path->len, n, "%s: stretches", name);
    for (guint i = 0; i < MIN(path->len, n); i++) {
        const sim_path_stretch *s = &g_array_index(path, sim_path_stretch, i);
        CHECK(s->rank == want[i].rank && s->op == want[i].op, "%s %u: rank %u, operation %u", name,
              i, s->rank, s->op);
        CHECK_I64(s->start, want[i].start, "%s %u: start", name, i);
        CHECK_I64(s->finish, want[i].finish, "%s %u: finish", name, i);
        CHECK(s->cause.kind == want[i].cause.kind && s->cause.rank == want[i].cause.rank &&
                  s->cause.op == want[i].cause.op,
              "%s %u: because of %u, rank %u, operation %u", name, i, s->cause.kind, s->cause.rank,
              s->cause.op);
        for (int p = 0; p < SIM_NUM_PARTS; p++) {
            CHECK_I64(s->part[p], want[i].part[p], "%s %u: part %d", name, i, p);
            CHECK_I64(s->amount[p], want[i].amount[p], "%s %u: amount %d", name, i, p);
        }
    }
}

#define BEGIN                                                                                      \
    {                                                                                              \
        SIM_CAUSE_BEGIN, SIM_ANY, SIM_ANY                                                          \
    }

/*
 * Rank 0 computes 100 and sends 11 bytes: handed over at 110, at rank 1 at 1110. Ten bytes more
 * than one cost 10 G - 10 O = 10 on the wire before they are taken up, at 1120; o and 10 O: 1140.
 */
static void an_eager_message(void)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    sim_graph_builder_begin_rank(b, 0);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_CALC, .size = 100});
    const uint32_t send =
        sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_SEND, .peer = 1, .size = 11});
    sim_graph_builder_require(b, send, 0);
    sim_graph_builder_begin_rank(b, 1);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_RECV, .peer = 0, .size = 11});
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    g_autoptr(GArray) path = path_of(graph, &PARAMS, NULL, NULL);
    const wanted want[] = {
        {.rank = 1,
         .op = 0,
         .start = 1110,
         .finish = 1140,
         .cause = {SIM_CAUSE_MESSAGE, 0, 1},
         .part = {[SIM_PART_o] = 10, [SIM_PART_O] = 10, [SIM_PART_G] = 10},
         .amount = {[SIM_PART_o] = 1, [SIM_PART_O] = 10, [SIM_PART_G] = 10}},
        {.rank = 0,
         .op = 1,
         .start = 100,
         .finish = 1110,
         .cause = {SIM_CAUSE_FINISH, 0, 0},
         .part = {[SIM_PART_o] = 10, [SIM_PART_L] = 1000},
         .amount = {[SIM_PART_o] = 1, [SIM_PART_L] = 1}},
        {.start = 0, .finish = 100, .cause = BEGIN, .part = {[SIM_PART_COMPUTE] = 100}}};
    check_path("eager", path, want, G_N_ELEMENTS(want));
}

/*
 * 11 bytes are more than S = 5. Rank 1 computes until 5000 before it posts the receive, which is
 * when the request, there at 1010, meets it. The clear-to-send leaves H = 300 later and is back at
 * 6300, the data are there at 7300, taken up after 10 more, and done with at 7330.
 */
static void a_rendezvous_with_a_late_receive(void)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    sim_graph_builder_begin_rank(b, 0);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_SEND, .peer = 1, .size = 11});
    sim_graph_builder_begin_rank(b, 1);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_CALC, .size = 5000});
    const uint32_t receive =
        sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_RECV, .peer = 0, .size = 11});
    sim_graph_builder_require(b, receive, 0);
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    sim_params params = PARAMS;
    params.S = 5;
    params.H = 300;
    g_autoptr(GArray) path = path_of(graph, &params, NULL, NULL);
    const wanted want[] = {{.rank = 1,
                            .op = 1,
                            .start = 7300,
                            .finish = 7330,
                            .cause = {SIM_CAUSE_MESSAGE, 0, 0},
                            .part = {[SIM_PART_o] = 10, [SIM_PART_O] = 10, [SIM_PART_G] = 10},
                            .amount = {[SIM_PART_o] = 1, [SIM_PART_O] = 10, [SIM_PART_G] = 10}},
                           {.rank = 0,
                            .op = 0,
                            .start = 5000,
                            .finish = 7300,
                            .cause = {SIM_CAUSE_RECEIVE, 1, 1},
                            .part = {[SIM_PART_L] = 1000, [SIM_PART_S] = 1000, [SIM_PART_H] = 300},
                            .amount = {[SIM_PART_L] = 1, [SIM_PART_S] = 1, [SIM_PART_H] = 1}},
                           {.rank = 1,
                            .start = 0,
                            .finish = 5000,
                            .cause = BEGIN,
                            .part = {[SIM_PART_COMPUTE] = 5000}}};
    check_path("rendezvous", path, want, G_N_ELEMENTS(want));
}

/*
 * Two sends of a byte, ready at 0: the interface is busy with the first until g = 100, so the
 * second is handed over at 110, there at 1110, and received at 1120.
 */
static void a_busy_interface(void)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        sim_graph_builder_begin_rank(b, rank);
        for (uint32_t tag = 0; tag < 2; tag++) {
            sim_graph_builder_add(b, &(sim_op){.type = rank == 0 ? SIM_OP_SEND : SIM_OP_RECV,
                                               .peer = 1 - rank,
                                               .size = 1,
                                               .tag = tag});
        }
    }
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    g_autoptr(GArray) path = path_of(graph, &PARAMS, NULL, NULL);
    const wanted want[] = {{.rank = 1,
                            .op = 1,
                            .start = 1110,
                            .finish = 1120,
                            .cause = {SIM_CAUSE_MESSAGE, 0, 1},
                            .part = {[SIM_PART_o] = 10},
                            .amount = {[SIM_PART_o] = 1}},
                           {.rank = 0,
                            .op = 1,
                            .start = 0,
                            .finish = 1110,
                            .cause = {SIM_CAUSE_NIC, 0, 0},
                            .part = {[SIM_PART_o] = 10, [SIM_PART_L] = 1000, [SIM_PART_g] = 100},
                            .amount = {[SIM_PART_o] = 1, [SIM_PART_L] = 1, [SIM_PART_g] = 1}}};
    check_path("interface", path, want, G_N_ELEMENTS(want));
}

/* Two computations of one CPU, which a detour takes away from 0 to 7: 7 + 30, then 50 more. */
static void a_busy_cpu_under_noise(void)
{
    sim_graph_builder *b = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(b, 0);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_CALC, .size = 30});
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_CALC, .size = 50});
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    const periodic_noise noise = {
        .noise = {.finish = periodic_noise_finish}, .period = 1000, .length = 7};
    g_autoptr(GArray) path = path_of(graph, &PARAMS, &noise.noise, NULL);
    const wanted want[] = {{.op = 1,
                            .start = 37,
                            .finish = 87,
                            .cause = {SIM_CAUSE_CPU, 0, 0},
                            .part = {[SIM_PART_COMPUTE] = 50}},
                           {.op = 0,
                            .start = 0,
                            .finish = 37,
                            .cause = BEGIN,
                            .part = {[SIM_PART_COMPUTE] = 30, [SIM_PART_NOISE] = 7}}};
    check_path("noise", path, want, G_N_ELEMENTS(want));
}

/*
 * Ranks 0 and 1 share a node, rank 2 is on the next switch. Rank 0 sends 11 bytes to rank 1: o = 3
 * and, for ten bytes, 10 O = 20; there at 3 + L = 53. It is taken up at once, since 10 G = 10 are
 * less than 10 O, and done with at 53 + 3 + 20 = 76. Rank 1 sends a byte on to rank 2: handed over
 * at 86, there L + L_hop = 1080 later, at 1166, and after o = 10 more it is done with: 1176.
 */
static void a_message_within_a_node_and_one_between(void)
{
    sim_graph_builder *b = sim_graph_builder_new(3);
    sim_graph_builder_begin_rank(b, 0);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_SEND, .peer = 1, .size = 11});
    sim_graph_builder_begin_rank(b, 1);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_RECV, .peer = 0, .size = 11});
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_SEND, .peer = 2, .size = 1});
    sim_graph_builder_require(b, 1, 0);
    sim_graph_builder_begin_rank(b, 2);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_RECV, .peer = 1, .size = 1});
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    const sim_level node = {
        .L = 50, .o = 3, .g = 7, .G = SIM_RATE_PER_PS, .O = 2 * SIM_RATE_PER_PS, .S = INT64_MAX};
    sim_levels levels = {.placement = sim_placement_block(3, 2), .has_node = true, .node = node};
    CHECK(sim_distance_parse("torus:2", 80, &levels.distance, NULL));
    g_autoptr(GArray) path = path_of(graph, &PARAMS, NULL, &levels);
    const wanted want[] = {
        {.rank = 2,
         .start = 1166,
         .finish = 1176,
         .cause = {SIM_CAUSE_MESSAGE, 1, 1},
         .part = {[SIM_PART_o] = 10},
         .amount = {[SIM_PART_o] = 1}},
        {.rank = 1,
         .op = 1,
         .start = 76,
         .finish = 1166,
         .cause = {SIM_CAUSE_FINISH, 1, 0},
         .part = {[SIM_PART_o] = 10, [SIM_PART_L] = 1000, [SIM_PART_DISTANCE] = 80},
         .amount = {[SIM_PART_o] = 1, [SIM_PART_L] = 1, [SIM_PART_DISTANCE] = 1}},
        {.rank = 1,
         .start = 53,
         .finish = 76,
         .cause = {SIM_CAUSE_MESSAGE, 0, 0},
         .part = {[SIM_PART_NODE_o] = 3, [SIM_PART_NODE_O] = 20},
         .amount = {[SIM_PART_NODE_o] = 1, [SIM_PART_NODE_O] = 10}},
        {.rank = 0,
         .start = 0,
         .finish = 53,
         .cause = BEGIN,
         .part = {[SIM_PART_NODE_o] = 3, [SIM_PART_NODE_L] = 50},
         .amount = {[SIM_PART_NODE_o] = 1, [SIM_PART_NODE_L] = 1}}};
    check_path("levels", path, want, G_N_ELEMENTS(want));
}

/* ---- any program ---- */

/* Each cause, of the stretch before in the list (later in time), is where the path goes on. */
static void check_sums(const GArray *path, const sim_result *r, const char *where)
{
    sim_time at = r->makespan;
    sim_time part[SIM_NUM_PARTS] = {0};
    for (guint i = 0; i < path->len; i++) {
        const sim_path_stretch *s = &g_array_index(path, sim_path_stretch, i);
        CHECK_I64(s->finish, at, "%s: stretch %u", where, i);
        sim_time sum = 0;
        for (int p = 0; p < SIM_NUM_PARTS; p++) {
            sum += s->part[p];
            part[p] += s->part[p];
        }
        CHECK_I64(sum, s->finish - s->start, "%s: stretch %u", where, i);
        CHECK((s->cause.kind == SIM_CAUSE_BEGIN) == (s->cause.op == SIM_ANY), "%s: stretch %u",
              where, i);
        CHECK(s->cause.kind != SIM_CAUSE_BEGIN || i + 1 == path->len, "%s: stretch %u", where, i);
        at = s->start;
    }
    CHECK_I64(at, 0, "%s: a path begins at 0", where);
    sim_time node = 0;
    for (int p = SIM_PART_NODE_o; p <= SIM_PART_NODE_G; p++) {
        node += part[p];
    }
    const sim_breakdown *b = &r->breakdown;
    CHECK(b->compute == part[SIM_PART_COMPUTE] && b->o == part[SIM_PART_o] &&
              b->O == part[SIM_PART_O] && b->node == node &&
              b->L == part[SIM_PART_L] + part[SIM_PART_S] + part[SIM_PART_H] +
                          part[SIM_PART_DISTANCE] &&
              b->gap == part[SIM_PART_g] + part[SIM_PART_G] &&
              b->peer_noise == part[SIM_PART_PEER_NOISE] && b->noise == part[SIM_PART_NOISE],
          "%s: parts as the run's", where);
}

/* Where the parameters are not 0, how often each is there is what it took over what it is. */
static void check_amounts(const GArray *path, const sim_params *p, const sim_levels *levels,
                          const char *where)
{
    const sim_level none = {0};
    const sim_level *n = levels != NULL && levels->has_node ? &levels->node : &none;
    const sim_time price[SIM_NUM_PARTS] = {
        [SIM_PART_o] = p->o,      [SIM_PART_L] = p->L,
        [SIM_PART_S] = p->L,      [SIM_PART_H] = p->H,
        [SIM_PART_g] = p->g,      [SIM_PART_DISTANCE] = levels != NULL ? levels->distance.L_hop : 0,
        [SIM_PART_NODE_o] = n->o, [SIM_PART_NODE_L] = n->L,
        [SIM_PART_NODE_S] = n->L, [SIM_PART_NODE_H] = n->H,
        [SIM_PART_NODE_g] = n->g};
    for (guint i = 0; i < path->len; i++) {
        const sim_path_stretch *s = &g_array_index(path, sim_path_stretch, i);
        for (int part = 0; part < SIM_NUM_PARTS; part++) {
            if (price[part] > 0) {
                CHECK_I64((sim_time)s->amount[part] * price[part], s->part[part],
                          "%s: stretch %u, part %d", where, i, part);
            }
        }
    }
}

static uint64_t amount_of(const GArray *path, int part)
{
    uint64_t sum = 0;
    for (guint i = 0; i < path->len; i++) {
        sum += g_array_index(path, sim_path_stretch, i).amount[part];
    }
    return sum;
}

static void every_path_adds_up(void)
{
    uint64_t met[SIM_NUM_PARTS] = {0};
    guint stretches = 0;
    for (unsigned k = 0; k < 200; k++) {
        GRand *random = g_rand_new_with_seed(SEED + k);
        const random_shape shape = {.max_ranks = 12,
                                    .max_steps = 60,
                                    .max_cpus = 1 + k % 3,
                                    .max_nics = 1 + k / 2 % 3,
                                    .max_size = 60,
                                    .max_calc = 5000,
                                    .wildcards = true};
        g_autoptr(sim_graph) graph = random_program(random, &shape);
        sim_params params = random_params(random, shape.max_size);
        const periodic_noise noise = random_noise(random);
        const sim_params within = random_params(random, shape.max_size);
        g_autoptr(random_levels) levels =
            random_levels_new(random, sim_graph_num_ranks(graph), &within, 0);
        g_rand_free(random);
        for (int setting = 0; setting < 8; setting++) {
            params.progress = setting & 1 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING;
            params.rendezvous = setting & 2 ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE;
            const sim_run_options options = {.noise = setting & 4 ? &noise.noise : NULL,
                                             .levels = k % 2 != 0 ? &levels->engine : NULL,
                                             .explain = true};
            g_autoptr(sim_result) r = sim_run(sim_graph_program(graph), &params, &options, NULL);
            if (r != NULL) { /* some rendezvous wait for each other */
                g_autofree char *where = g_strdup_printf("seed %u, setting %d", SEED + k, setting);
                g_autoptr(GArray) path = path_of(graph, &params, options.noise, options.levels);
                check_sums(path, r, where);
                check_amounts(path, &params, options.levels, where);
                stretches += path->len;
                for (int p = 0; p < SIM_NUM_PARTS; p++) {
                    met[p] += amount_of(path, p);
                }
            }
        }
    }
    CHECK(stretches > 5000, "%u", stretches);
    for (int p = SIM_PART_o; p <= SIM_PART_NODE_G; p++) {
        CHECK(met[p] > 20, "part %d: %" PRIu64, p, met[p]);
    }
}

SUITE_MAIN("run_path", TEST(an_eager_message), TEST(a_rendezvous_with_a_late_receive),
           TEST(a_busy_interface), TEST(a_busy_cpu_under_noise),
           TEST(a_message_within_a_node_and_one_between), TEST(every_path_adds_up))
