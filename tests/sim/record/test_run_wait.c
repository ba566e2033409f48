/* tests/sim/record/test_run_wait.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The waits of recorded runs: small ones worked out by hand; of any run, those of a receive are
 * what lies between its posting and its start, and all detours are there.
 * Covers run_wait.c, run_wait_step.c and run_wait_marks.c.
 */
#include "check.h"
#include "random_levels.h"
#include "random_program.h"
#include "recorded_run.h"
#include "sim/graph.h"
#include "sim/run_wait.h"

#define SEED 20101113U

static void keep(const sim_wait *wait, void *user)
{
    g_array_append_vals(user, wait, 1);
}

static int compare(const void *a, const void *b)
{
    const sim_wait *x = a;
    const sim_wait *y = b;
    const int64_t of_x[] = {x->rank, x->op, x->start, x->cause.kind, x->cause.rank, x->cause.op};
    const int64_t of_y[] = {y->rank, y->op, y->start, y->cause.kind, y->cause.rank, y->cause.op};
    for (size_t i = 0; i < G_N_ELEMENTS(of_x); i++) {
        if (of_x[i] != of_y[i]) {
            return of_x[i] < of_y[i] ? -1 : 1;
        }
    }
    return 0;
}

/* By rank, operation and time; NULL: the run fails. */
static GArray *waits_of(const sim_program *program, const sim_params *params,
                        const sim_run_options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_run_record) record = recorded_run(program, params, options, &error);
    if (record == NULL) {
        return NULL;
    }
    GArray *waits = g_array_new(FALSE, FALSE, sizeof(sim_wait));
    CHECK(sim_run_record_visit_waits(record, keep, waits, &error), "%s",
          error != NULL ? error->message : "");
    g_array_sort(waits, compare);
    return waits;
}

static void check_waits(const char *name, sim_graph *graph, const sim_params *params,
                        const sim_noise *noise, const sim_wait *want, size_t n)
{
    const sim_run_options options = {.noise = noise};
    g_autoptr(GArray) waits = waits_of(sim_graph_program(graph), params, &options);
    if (!CHECK(waits != NULL && waits->len == n, "%s: %u waits", name,
               waits != NULL ? waits->len : 0)) {
        return;
    }
    for (guint i = 0; i < n; i++) {
        const sim_wait *w = &g_array_index(waits, sim_wait, i);
        CHECK(compare(w, &want[i]) == 0, "%s %u: rank %u, operation %u, because of %u, %u, %u",
              name, i, w->rank, w->op, w->cause.kind, w->cause.rank, w->cause.op);
        CHECK_I64(w->start, want[i].start, "%s %u: start", name, i);
        CHECK_I64(w->finish, want[i].finish, "%s %u: finish", name, i);
        CHECK_I64(w->length, want[i].length, "%s %u: length", name, i);
        CHECK(w->type == want[i].type && w->at_most == want[i].at_most, "%s %u", name, i);
    }
}

/*
 * Rank 0 computes 100 and sends 11 bytes, at rank 1 at 1110. Rank 1 computes 20 before it posts
 * the receive; ten bytes more than one cost 10 G - 10 O = 10 on the wire before they are taken
 * up, at 1120.
 */
static void a_late_message(void)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        sim_graph_builder_begin_rank(b, rank);
        sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_CALC, .size = rank == 0 ? 100 : 20});
        sim_graph_builder_add(
            b,
            &(sim_op){.type = rank == 0 ? SIM_OP_SEND : SIM_OP_RECV, .peer = 1 - rank, .size = 11});
        sim_graph_builder_require(b, 1, 0);
    }
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    const sim_wait want[] = {{.rank = 1,
                              .op = 1,
                              .type = SIM_OP_RECV,
                              .cause = {SIM_CAUSE_MESSAGE, 0, 1},
                              .start = 20,
                              .finish = 1120,
                              .length = 1100}};
    check_waits("message", graph, &PARAMS, NULL, want, G_N_ELEMENTS(want));
}

/*
 * 11 bytes are more than S = 5: their request is there at 1010, the receive is posted at 5000. The
 * clear-to-send is back at 6000, the data are there at 7000 and taken up after 10 more.
 */
static void a_late_receive(void)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    sim_graph_builder_begin_rank(b, 0);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_SEND, .peer = 1, .size = 11});
    sim_graph_builder_begin_rank(b, 1);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_CALC, .size = 5000});
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_RECV, .peer = 0, .size = 11});
    sim_graph_builder_require(b, 1, 0);
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    sim_params params = PARAMS;
    params.S = 5;
    sim_wait want[] = {{.rank = 0,
                        .op = 0,
                        .type = SIM_OP_SEND,
                        .cause = {SIM_CAUSE_RECEIVE, 1, 1},
                        .start = 1010,
                        .finish = 5000,
                        .length = 3990},
                       {.rank = 1,
                        .op = 1,
                        .type = SIM_OP_RECV,
                        .cause = {SIM_CAUSE_MESSAGE, 0, 0},
                        .start = 5000,
                        .finish = 7010,
                        .length = 2010}};
    check_waits("handshake", graph, &params, NULL, want, 2);
    /* instant: the message itself has waited, and is taken up at once */
    params.rendezvous = SIM_RENDEZVOUS_INSTANT;
    check_waits("instant", graph, &params, NULL, want, 1);
    /* async: its CPU part on the receiver's side was done with at 1010 + 10 + 20 */
    params.progress = SIM_PROGRESS_ASYNC;
    check_waits("async, instant", graph, &params, NULL, want, 1);
}

/*
 * Two sends of a byte, ready at 0: the interface is busy with the first until g = 100. Their
 * messages are there at 1010 and 1110.
 */
static void busy_interfaces(void)
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
    const sim_wait want[] = {{.rank = 0,
                              .op = 1,
                              .type = SIM_OP_SEND,
                              .at_most = true,
                              .cause = {SIM_CAUSE_NIC, 0, 0},
                              .start = 0,
                              .finish = 100,
                              .length = 100},
                             {.rank = 1,
                              .op = 0,
                              .type = SIM_OP_RECV,
                              .cause = {SIM_CAUSE_MESSAGE, 0, 0},
                              .start = 0,
                              .finish = 1010,
                              .length = 1010},
                             {.rank = 1,
                              .op = 1,
                              .type = SIM_OP_RECV,
                              .cause = {SIM_CAUSE_MESSAGE, 0, 1},
                              .start = 0,
                              .finish = 1110,
                              .length = 1110}};
    check_waits("sending", graph, &PARAMS, NULL, want, G_N_ELEMENTS(want));
}

/*
 * Ranks 0 and 1 send a byte to rank 2 at 0: both are there at 1010. Its interface takes in that of
 * rank 0 and is busy for g = 100, so that of rank 1 is taken up at 1110.
 */
static void a_busy_receiving_interface(void)
{
    sim_graph_builder *b = sim_graph_builder_new(3);
    for (uint32_t rank = 0; rank < 3; rank++) {
        sim_graph_builder_begin_rank(b, rank);
        for (uint32_t peer = 0; peer < (rank == 2 ? 2U : 1U); peer++) {
            sim_graph_builder_add(b, &(sim_op){.type = rank < 2 ? SIM_OP_SEND : SIM_OP_RECV,
                                               .peer = rank < 2 ? 2 : peer,
                                               .size = 1});
        }
    }
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    const sim_wait want[] = {{.rank = 2,
                              .op = 0,
                              .type = SIM_OP_RECV,
                              .cause = {SIM_CAUSE_MESSAGE, 0, 0},
                              .start = 0,
                              .finish = 1010,
                              .length = 1010},
                             {.rank = 2,
                              .op = 1,
                              .type = SIM_OP_RECV,
                              .cause = {SIM_CAUSE_MESSAGE, 1, 0},
                              .start = 0,
                              .finish = 1010,
                              .length = 1010},
                             {.rank = 2,
                              .op = 1,
                              .type = SIM_OP_RECV,
                              .cause = {SIM_CAUSE_NIC, 2, 0},
                              .start = 1010,
                              .finish = 1110,
                              .length = 100}};
    check_waits("receiving", graph, &PARAMS, NULL, want, G_N_ELEMENTS(want));
}

/*
 * A detour takes the CPU away from 0 to 7, so the first computation of 30 ends at 37 and the
 * second waits for it, from 37 to 87. It makes the third ready, which ends at 87 + 1900 and 7 for
 * the detour at 1000: 1994. A receive posted at 0, whose message is there at 1010, waits for that
 * one, too; the detour at 2000 then meets its o. (Rank 1, at which detours come 500 later, sends
 * without any.)
 */
static void a_busy_cpu_under_noise(void)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    sim_graph_builder_begin_rank(b, 0);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_CALC, .size = 30});
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_CALC, .size = 50});
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_CALC, .size = 1900});
    sim_graph_builder_require(b, 2, 1);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_RECV, .peer = 1, .size = 1});
    sim_graph_builder_begin_rank(b, 1);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_SEND, .peer = 0, .size = 1});
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    const periodic_noise noise = {
        .noise = {.finish = periodic_noise_finish}, .period = 1000, .length = 7, .shift = 500};
    const sim_cause detour = {SIM_CAUSE_NOISE, SIM_ANY, SIM_ANY};
    const sim_wait want[] = {
        {0, 0, SIM_OP_CALC, false, detour, 0, 37, 7},
        {0, 1, SIM_OP_CALC, true, {SIM_CAUSE_CPU, 0, 0}, 0, 37, 37},
        {0, 2, SIM_OP_CALC, false, detour, 87, 1994, 7},
        {0, 3, SIM_OP_RECV, false, {SIM_CAUSE_MESSAGE, 1, 0}, 0, 1010, 1010},
        {0, 3, SIM_OP_RECV, false, {SIM_CAUSE_CPU, 0, 2}, 1010, 1994, 984},
        {0, 3, SIM_OP_RECV, false, detour, 1994, 2011, 7},
    };
    check_waits("noise", graph, &PARAMS, &noise.noise, want, G_N_ELEMENTS(want));
}

/* ---- any program ---- */

typedef struct keeping_sink {
    sim_sink sink;
    GArray *events;
} keeping_sink;

static void keep_events(sim_sink *sink, const sim_event *events, size_t n)
{
    g_array_append_vals(((keeping_sink *)sink)->events, events, (guint)n);
}

static int64_t place(uint32_t rank, uint32_t op)
{
    return (int64_t)rank << 32 | op;
}

/* The waits of an operation for something to come, up to its start: one after the other. */
static guint check_operation(const GArray *waits, guint i, GHashTable *start, const char *where)
{
    const sim_wait *first = &g_array_index(waits, sim_wait, i);
    const int64_t key = place(first->rank, first->op);
    const sim_time *at = g_hash_table_lookup(start, &key);
    sim_time end = -1;
    for (; i < waits->len; i++) {
        const sim_wait *w = &g_array_index(waits, sim_wait, i);
        if (w->rank != first->rank || w->op != first->op) {
            break;
        }
        CHECK(w->cause.kind == SIM_CAUSE_NOISE || w->length == w->finish - w->start, "%s", where);
        if (w->at_most) {
            CHECK(at != NULL && w->finish == *at, "%s: rank %u, operation %u", where, w->rank,
                  w->op);
        } else if (w->type == SIM_OP_RECV && w->cause.kind != SIM_CAUSE_NOISE) {
            CHECK(end < 0 || w->start == end, "%s: rank %u, operation %u waits on", where, w->rank,
                  w->op);
            end = w->finish;
        }
    }
    CHECK(end < 0 || (at != NULL && *at == end), "%s: rank %u, operation %u starts at last", where,
          first->rank, first->op);
    return i;
}

static void check_run(const GArray *waits, const GArray *events, const sim_params *params,
                      const char *where)
{
    g_autoptr(GHashTable) start =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    sim_time stolen = 0;
    for (guint i = 0; i < events->len; i++) {
        const sim_event *e = &g_array_index(events, sim_event, i);
        const int64_t key = place(e->rank, e->op);
        g_hash_table_insert(start, g_memdup2(&key, sizeof key),
                            g_memdup2(&e->start, sizeof e->start));
        stolen += e->end - e->start - e->work;
    }
    sim_time told = 0;
    for (guint i = 0; i < waits->len; i++) {
        const sim_wait *w = &g_array_index(waits, sim_wait, i);
        told += w->cause.kind == SIM_CAUSE_NOISE ? w->length : 0;
    }
    if (params->progress == SIM_PROGRESS_POLLING) { /* async: the wire may take longer than O */
        CHECK_I64(told, stolen, "%s: noise", where);
        for (guint i = 0; i < waits->len;) {
            i = check_operation(waits, i, start, where);
        }
    }
}

static bool same_waits(const GArray *a, const GArray *b)
{
    bool same = a->len == b->len;
    for (guint i = 0; same && i < a->len; i++) {
        const sim_wait *x = &g_array_index(a, sim_wait, i);
        const sim_wait *y = &g_array_index(b, sim_wait, i);
        same = compare(x, y) == 0 && x->finish == y->finish && x->length == y->length;
    }
    return same;
}

static void waits_are_between_posting_and_start(void)
{
    guint found[SIM_NUM_CAUSES] = {0};
    for (unsigned k = 0; k < 200; k++) {
        GRand *random = g_rand_new_with_seed(SEED + k);
        const random_shape shape = {.max_ranks = 12,
                                    .max_steps = 60,
                                    .max_cpus = 1 + k % 3,
                                    .max_nics = 1 + k / 2 % 3,
                                    .max_size = 60,
                                    .max_calc = 5000,
                                    .all_at_once = k % 20 == 7,
                                    .wildcards = k % 2 == 0};
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
            g_autofree char *where = g_strdup_printf("seed %u, setting %d", SEED + k, setting);
            g_autoptr(GArray) events = g_array_new(FALSE, FALSE, sizeof(sim_event));
            keeping_sink sink = {{.events = keep_events}, events};
            sim_run_options options = {.noise = setting & 4 ? &noise.noise : NULL,
                                       .levels = k / 2 % 2 != 0 ? &levels->engine : NULL,
                                       .sink = &sink.sink};
            const sim_program *program = sim_graph_program(graph);
            g_autoptr(GArray) waits = waits_of(program, &params, &options);
            if (waits == NULL) { /* some rendezvous wait for each other */
                continue;
            }
            check_run(waits, events, &params, where);
            if (k % 10 == 0) {
                options.sink = NULL;
                options.threads = 3;
                options.serial_below = 1;
                g_autoptr(GArray) by_threads = waits_of(program, &params, &options);
                CHECK(by_threads != NULL && same_waits(waits, by_threads), "%s: threads", where);
            }
            for (guint i = 0; i < waits->len; i++) {
                found[g_array_index(waits, sim_wait, i).cause.kind]++;
            }
        }
    }
    for (int kind = SIM_CAUSE_CPU; kind < SIM_NUM_CAUSES; kind++) {
        CHECK(found[kind] > 100, "cause %d: %u", kind, found[kind]);
    }
}

static int by_place(const void *a, const void *b)
{
    const sim_event *x = a;
    const sim_event *y = b;
    return x->rank != y->rank     ? (x->rank > y->rank) - (x->rank < y->rank)
           : x->start != y->start ? (x->start > y->start) - (x->start < y->start)
           : x->type != y->type   ? (x->type > y->type) - (x->type < y->type)
                                  : (x->end > y->end) - (x->end < y->end);
}

static void keep_work(const sim_event *event, void *user)
{
    g_array_append_val((GArray *)user, *event);
}

static guint differences(GArray *told, GArray *read)
{
    g_array_sort(told, by_place);
    g_array_sort(read, by_place);
    guint wrong = 0;
    for (guint i = 0; i < MIN(told->len, read->len); i++) {
        const sim_event *t = &g_array_index(told, sim_event, i);
        const sim_event *r = &g_array_index(read, sim_event, i);
        wrong += t->rank != r->rank || t->start != r->start || t->end != r->end ||
                 t->work != r->work || t->type != r->type || t->cause_rank != r->cause_rank ||
                 (t->cause_rank != t->rank && t->cause_op != r->cause_op) ||
                 (t->op != r->op && t->op != SIM_ANY);
    }
    return wrong;
}

/* What a sink was told of a run, and what its record says. */
static void a_record_knows_all_work(void)
{
    guint all = 0;
    guint by_others = 0;
    for (unsigned k = 0; k < 160; k++) {
        GRand *random = g_rand_new_with_seed(SEED + k);
        const random_shape shape = {.max_ranks = 12,
                                    .max_steps = 60,
                                    .max_cpus = 1,
                                    .max_nics = 1 + k / 2 % 3,
                                    .max_size = 60,
                                    .max_calc = 5000,
                                    .wildcards = k % 2 == 0};
        g_autoptr(sim_graph) graph = random_program(random, &shape);
        sim_params params = random_params(random, shape.max_size);
        params.progress = k & 1 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING;
        params.rendezvous = k & 2 ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE;
        const periodic_noise noise = random_noise(random);
        g_rand_free(random);
        g_autoptr(GArray) told = g_array_new(FALSE, FALSE, sizeof(sim_event));
        g_autoptr(GArray) read = g_array_new(FALSE, FALSE, sizeof(sim_event));
        keeping_sink sink = {{.events = keep_events}, told};
        const sim_run_options options = {.noise = &noise.noise, .sink = &sink.sink};
        g_autoptr(sim_run_record) record =
            recorded_run(sim_graph_program(graph), &params, &options, NULL);
        if (record == NULL) {
            continue;
        }
        CHECK(sim_run_record_visit_work(record, keep_work, read, NULL), "seed %u", SEED + k);
        sim_time end[12] = {0};
        guint early = 0;
        for (guint i = 0; i < read->len; i++) {
            const sim_event *e = &g_array_index(read, sim_event, i);
            early += e->start < end[e->rank];
            end[e->rank] = e->end;
            by_others += e->cause_rank != e->rank;
        }
        CHECK_I64(early, 0, "seed %u: in order of time", SEED + k);
        CHECK_I64(read->len, told->len, "seed %u", SEED + k);
        CHECK_I64(differences(told, read), 0, "seed %u", SEED + k);
        all += read->len;
    }
    CHECK(all > 5000 && by_others > 500, "%u stretches, %u by others", all, by_others);
}

SUITE_MAIN("run_wait", TEST(a_late_message), TEST(a_late_receive), TEST(busy_interfaces),
           TEST(a_busy_receiving_interface), TEST(a_busy_cpu_under_noise),
           TEST(waits_are_between_posting_and_start), TEST(a_record_knows_all_work))
