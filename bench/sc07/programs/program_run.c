/* bench/sc07/programs/program_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_programs. */
#include "noise/injection.h"
#include "noise/random.h"
#include "program_private.h"
#include "sim/run.h"

/* Gigabit per second in two directions, some microseconds: Myrinet of the time. */
static const sim_params NETWORK = {.L = 7 * SIM_US,
                                   .o = SIM_US,
                                   .g = 2 * SIM_US,
                                   .G = 4 * SIM_RATE_PER_PS * SIM_NS,
                                   .S = INT64_MAX};

/* Beside them nothing else of a run is random but noise. */
enum { STREAM_COMPUTE = 1, STREAM_SECTION = 2, STREAM_LAND = 3 };

static const double LEAST = 0.1; /* of the mean: nobody computes less */
static const double LIGHT = 0.3;

/* A program in one run: one operation of a rank after the other. */
typedef struct run_program {
    sim_program base; /* first: it is run as this */
    const sc07_program *program;
    uint64_t seed;
} run_program;

static uint64_t stream(unsigned what, uint32_t rank)
{
    return (uint64_t)what << 32 | rank;
}

static double factor(double deviation, uint64_t seed, uint64_t of, uint64_t number)
{
    return MAX(1 + deviation * noise_random_normal(seed, of, number), LEAST);
}

static sim_time drawn(const run_program *p, uint32_t rank, uint32_t i)
{
    const sc07_call *call = &g_array_index(p->program->calls, sc07_call, i);
    double times = factor(p->program->variation, p->seed, stream(STREAM_COMPUTE, rank), i);
    if (call->load == SC07_LIGHT && rank == 0) {
        times *= LIGHT;
    } else if (call->load == SC07_UNEVEN && rank != 0) {
        times *= factor(p->program->uneven, p->seed, stream(STREAM_SECTION, rank), call->section);
    }
    if (call->load != SC07_EVEN && p->program->land > 0) {
        /* The same in every run: where land is does not change. */
        times *= factor(p->program->land, 1, stream(STREAM_LAND, rank), 0);
    }
    return (sim_time)((double)call->compute * times);
}

/* @return rank itself: there is no message */
static uint32_t peer_of(const sc07_op *op, uint32_t rank)
{
    switch ((sc07_peer_rule)op->rule) {
    case SC07_PEER_XOR:
        return rank ^ op->peer;
    case SC07_PEER_TRANSPOSED:
        return rank % 8 * 8 + rank / 8;
    case SC07_PEER_UP:
        break;
    }
    return (op->type == SIM_OP_SEND ? rank + op->peer : rank + SC07_RANKS - op->peer) % SC07_RANKS;
}

static size_t hand_out(const run_program *p, uint32_t rank, uint32_t index, sim_time at,
                       sim_ready *out)
{
    if (index == p->program->ops->len) {
        return 0;
    }
    const sc07_op *op = &g_array_index(p->program->ops, sc07_op, index);
    const uint32_t peer = op->type == SIM_OP_CALC ? 0 : peer_of(op, rank);
    *out = (sim_ready){
        .time = at, .index = index, .cause = index > 0 ? index - 1 : SIM_ANY, .quiet = true};
    if (op->type == SIM_OP_CALC) {
        out->op = (sim_op){.type = SIM_OP_CALC, .size = drawn(p, rank, op->call)};
    } else if (peer == rank) {
        out->op = (sim_op){.type = SIM_OP_CALC};
    } else {
        out->op = (sim_op){.type = op->type, .size = op->bytes, .peer = peer};
    }
    return 1;
}

/* So many operations of each rank have begun. */
typedef struct cursor {
    const run_program *program;
    uint32_t begun[SC07_RANKS];
} cursor;

static void *begin(const sim_program *program)
{
    cursor *c = g_new0(cursor, 1);
    c->program = (const run_program *)program;
    return c;
}

static size_t go_on(cursor *c, uint32_t rank, uint32_t index, sim_time at, sim_ready *out)
{
    const size_t n = hand_out(c->program, rank, index, at, out);
    c->begun[rank] += (uint32_t)n;
    return n;
}

static size_t first(void *data, uint32_t rank, sim_ready *out)
{
    return go_on(data, rank, 0, 0, out);
}

static size_t started(void *data, uint32_t rank, uint32_t index, sim_time at, sim_ready *out)
{
    (void)data;
    (void)rank;
    (void)index;
    (void)at;
    (void)out;
    return 0;
}

static size_t finished(void *data, uint32_t rank, uint32_t index, sim_time at, sim_ready *out)
{
    return go_on(data, rank, index + 1, at, out);
}

static uint64_t remaining(const void *data, uint32_t rank)
{
    const cursor *c = data;
    return c->program->program->ops->len - c->begun[rank];
}

static uint64_t num_ops(const sim_program *program, uint32_t rank)
{
    (void)rank;
    return ((const run_program *)program)->program->ops->len;
}

static char *label(const sim_program *program, uint32_t rank, uint32_t index)
{
    const run_program *p = (const run_program *)program;
    (void)rank;
    const uint32_t call = g_array_index(p->program->ops, sc07_op, index).call;
    return g_strdup_printf("call %u, %s", call,
                           sc07_symbol_name(sc07_program_symbol(p->program, call)));
}

static void nothing_to_free(sim_program *program)
{
    (void)program;
}

static const sim_program_class METHODS = {.free = nothing_to_free,
                                          .begin = begin,
                                          .end = g_free,
                                          .first = first,
                                          .started = started,
                                          .finished = finished,
                                          .remaining = remaining,
                                          .num_ops = num_ops,
                                          .label = label};

/* What is computed before a call becomes the call. */
typedef struct listener {
    sim_sink sink; /* first */
    const sc07_program *program;
    sc07_take *take;
    void *data;
} listener;

static void listen(sim_sink *sink, const sim_event *events, size_t n)
{
    const listener *l = (const listener *)(const void *)sink;
    for (size_t i = 0; i < n; i++) {
        const sim_event *e = &events[i];
        const uint32_t k = g_array_index(l->program->ops, sc07_op, e->op).call;
        const sc07_call *call = &g_array_index(l->program->calls, sc07_call, k);
        if (e->op == call->op) {
            const noise_sequence_call taken = {.symbol = sc07_program_function(l->program, k),
                                               .compute = e->end - e->start,
                                               .entered = e->end};
            l->take(l->data, e->rank, &taken);
        }
    }
}

static noise_signature *noise_of(const sc07_scene *scene)
{
    g_autoptr(GError) error = NULL;
    noise_signature *s =
        noise_signature_parse(scene->noise != NULL ? scene->noise : "none", scene->seed, &error);
    if (s == NULL) {
        g_error("sc07: %s", error->message);
    }
    return s;
}

sim_time sc07_run(const sc07_program *program, const sc07_scene *scene, sc07_take *take, void *data)
{
    const run_program run = {
        .base = {.methods = &METHODS,
                 .num_ranks = SC07_RANKS,
                 .num_cpus = 1,
                 .num_nics = 1,
                 .max_ready = 1,
                 .few_open = true},
        .program = program,
        .seed = scene->seed,
    };
    const sim_placement placement = sim_placement_block(SC07_RANKS, SC07_RANKS_PER_NODE);
    g_autoptr(noise_signature) signature = noise_of(scene);
    const noise_injection_options how = {.placement = &placement, .seed = scene->seed};
    g_autoptr(noise_injection) injection = noise_injection_new(signature, SC07_RANKS, &how);
    listener l = {{.events = listen, .is_brief = true}, program, take, data};
    const sim_run_options options = {.noise = noise_injection_hook(injection),
                                     .sink = take != NULL ? &l.sink : NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_result) result = sim_run(&run.base, &NETWORK, &options, &error);
    if (result == NULL) {
        g_error("sc07: %s", error->message);
    }
    return result->makespan;
}
