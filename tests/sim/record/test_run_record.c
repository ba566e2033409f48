/* tests/sim/record/test_run_record.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the record of a run says, against the run itself: each of its steps, from the instants of
 * what it names as its cause, happens when a sink has heard of it.
 */
#include "check.h"
#include "random_program.h"
#include "record/run_record_private.h"

#include <assert.h>

#define SEED 20101113U

static const random_shape SHAPE = {.max_ranks = 12,
                                   .max_steps = 40,
                                   .max_cpus = 3,
                                   .max_nics = 3,
                                   .max_size = 60,
                                   .max_calc = 5000,
                                   .wildcards = true};

/* ---- forward ---- */

/* Instants of an operation as its steps give them. */
typedef struct instants {
    sim_time start;                 /* on the CPU; of a receive: posted */
    sim_time cpu;                   /* the CPU has done with it */
    sim_time finish;                /* as far as is known */
    sim_time handed;                /* send */
    sim_time leaves;                /* handshake: its data */
    sim_time met;                   /* its message has met the receive; async, instant: may have */
    sim_time tx, rx;                /* until then the interface is busy with it */
    sim_time accepted, accepted_rx; /* async: its message, before there was a receive */
    uint32_t posted_by;             /* what made it ready; of a receive */
} instants;

typedef struct follower {
    const sim_graph *graph;
    const sim_params *params;
    instants **of;            /* [num_ranks][operations] */
    sim_time cpu_free[16][4]; /* polling */
    GArray *steps;            /* of record_step, in the order of the run */
    GArray *events;
    guint next_event;
    const char *where;
} follower;

static sim_time bytes_times(sim_rate rate, int64_t size)
{
    return sim_rate_times(rate, MAX(size, 1) - 1);
}

static sim_time cpu_of(const follower *f, uint32_t rank, record_ref ref)
{
    return ref.source == SIM_ANY ? f->of[rank][ref.op].cpu : f->of[ref.source][ref.op].accepted;
}

static sim_time rx_of(const follower *f, uint32_t rank, record_ref ref)
{
    return ref.source == SIM_ANY ? f->of[rank][ref.op].rx : f->of[ref.source][ref.op].accepted_rx;
}

static sim_time ready(const follower *f, const record_step *s)
{
    if (s->by.op == SIM_ANY) {
        return 0;
    }
    const instants *cause = &f->of[s->rank][s->by.op];
    return s->bound == RECORD_BY_START ? cause->start : cause->finish;
}

static bool leads_to(const uint32_t *steps, uint32_t n, uint32_t distance)
{
    bool leads = false;
    for (uint32_t i = 0; i < n; i++) {
        leads |= steps[i] == distance;
    }
    return leads;
}

/* When all that an operation depends on has happened; -1: it depends on nothing. */
static sim_time ready_by_graph(const follower *f, uint32_t rank, uint32_t op)
{
    sim_time at = -1;
    for (uint32_t i = 0; i < op; i++) { /* random programs refer to what is before */
        uint32_t n = 0;
        const uint32_t *steps = sim_graph_finish_steps(f->graph, rank, i, &n);
        if (leads_to(steps, n, op - i)) {
            at = MAX(at, f->of[rank][i].finish);
        }
        steps = sim_graph_start_steps(f->graph, rank, i, &n);
        if (leads_to(steps, n, op - i)) {
            at = MAX(at, f->of[rank][i].start);
        }
    }
    return at;
}

/* A calc or a send starts, a receive is posted: not before, and when it says so just when, it is
 * ready. */
static void check_ready(const follower *f, const record_step *s, sim_time start)
{
    const sim_time at = ready_by_graph(f, s->rank, s->op);
    if (s->bound == RECORD_BY_FINISH || s->bound == RECORD_BY_START) {
        CHECK_I64(start, MAX(at, 0), "%s: rank %u, operation %u", f->where, s->rank, s->op);
        CHECK((s->by.op == SIM_ANY) == (at < 0), "%s: rank %u, operation %u", f->where, s->rank,
              s->op);
    } else {
        CHECK(start >= at, "%s: rank %u, operation %u", f->where, s->rank, s->op);
    }
}

/* When the CPU takes up a calc or a send. */
static sim_time local_start(const follower *f, const record_step *s)
{
    return s->bound == RECORD_BY_CPU  ? cpu_of(f, s->rank, s->by)
           : s->bound == RECORD_BY_TX ? f->of[s->rank][s->by.op].tx
                                      : ready(f, s);
}

/* What made a step start, as sinks are told: an operation; SIM_ANY: nothing, or no operation. */
static void check_cause(const follower *f, const record_step *s, const sim_event *e)
{
    uint32_t rank = s->rank;
    uint32_t op = s->by.op;
    if (s->bound == RECORD_BY_POSTING) {
        op = f->of[s->rank][s->op].posted_by;
    } else if (s->bound == RECORD_BY_NETWORK && !s->waited) {
        rank = s->peer;
        op = s->send;
    } else if (s->bound == RECORD_BY_NETWORK) {
        op = s->rx.source == SIM_ANY ? s->rx.op : SIM_ANY;
    } else {
        op = s->by.source == SIM_ANY ? op : SIM_ANY;
    }
    CHECK(e->cause_rank == rank && e->cause_op == op,
          "%s: rank %u, operation %u: because of rank %u, operation %u; but %u, %u", f->where,
          s->rank, s->op, rank, op, e->cause_rank, e->cause_op);
}

/* The next event that the sink has heard of is this one. */
static void meets_event(follower *f, const record_step *s, sim_time start, sim_time end)
{
    if (!CHECK(f->next_event < f->events->len, "%s: more steps than events", f->where)) {
        return;
    }
    const sim_event *e = &g_array_index(f->events, sim_event, f->next_event++);
    CHECK(e->rank == s->rank && e->op == s->op && e->start == start && e->end == end,
          "%s: rank %u, operation %u, %" PRId64 "..%" PRId64 "; but rank %u, operation %u, "
          "%" PRId64 "..%" PRId64,
          f->where, s->rank, s->op, start, end, e->rank, e->op, e->start, e->end);
    check_cause(f, s, e);
    if (f->params->progress == SIM_PROGRESS_POLLING) {
        f->cpu_free[s->rank][e->cpu] = end;
    }
}

static void follow_receive(follower *f, const record_step *s)
{
    const sim_params *p = f->params;
    const bool async = p->progress == SIM_PROGRESS_ASYNC;
    const bool handshake = s->size > p->S && p->rendezvous == SIM_RENDEZVOUS_HANDSHAKE;
    const sim_time G = bytes_times(p->G, s->size);
    const sim_time O = bytes_times(p->O, s->size);
    instants *message = &f->of[s->peer][s->send];
    const sim_time arrival = (handshake ? message->leaves : message->handed) + p->L;
    const sim_time intake = s->waited ? rx_of(f, s->rank, s->rx) : arrival;
    CHECK(intake >= arrival, "%s: taken in before it is there", f->where);
    const sim_time start = s->bound == RECORD_BY_CPU       ? cpu_of(f, s->rank, s->by)
                           : s->bound == RECORD_BY_POSTING ? f->of[s->rank][s->op].start
                           : async                         ? intake
                                                           : intake + MAX(G - O, 0);
    if (!async) { /* of several things until the same instant, docs/model.md says which */
        const uint8_t cpu = sim_graph_op(f->graph, s->rank, s->op).cpu;
        CHECK(s->bound == RECORD_BY_NETWORK || intake + MAX(G - O, 0) < start, "%s", f->where);
        CHECK(s->bound != RECORD_BY_POSTING || f->cpu_free[s->rank][cpu] < start, "%s", f->where);
    }
    const sim_time handed = start + s->noise[0] + p->o;
    sim_time end = handed + s->noise[1] + O;
    end = async ? MAX(end, handed + G) : end;
    meets_event(f, s, start, end);
    if (s->kind == RECORD_ACCEPT) {
        message->accepted = end;
        message->accepted_rx = start + p->g + G;
        return;
    }
    instants *own = &f->of[s->rank][s->op];
    own->cpu = own->finish = end;
    own->rx = (async ? start : intake) + p->g + G;
    message->met = async ? start : message->met;
}

static void follow_send(follower *f, const record_step *s)
{
    const sim_params *p = f->params;
    instants *own = &f->of[s->rank][s->op];
    own->start = local_start(f, s);
    check_ready(f, s, own->start);
    own->handed = own->start + s->noise[0] + p->o;
    own->cpu = own->finish = own->handed + s->noise[1] + bytes_times(p->O, s->size);
    own->tx = own->handed - p->o + p->g + bytes_times(p->G, s->size);
    meets_event(f, s, own->start, own->cpu);
}

static void follow(follower *f, const record_step *s)
{
    const sim_params *p = f->params;
    instants *own = &f->of[s->rank][s->op != SIM_ANY ? s->op : 0];
    instants *message = &f->of[s->peer][s->send]; /* where there is one */
    switch ((record_kind)s->kind) {
    case RECORD_CALC:
        own->start = local_start(f, s);
        check_ready(f, s, own->start);
        own->cpu = own->finish = own->start + s->noise[0] + s->size;
        meets_event(f, s, own->start, own->cpu);
        break;
    case RECORD_SEND:
        follow_send(f, s);
        break;
    case RECORD_POST:
        own->start = ready(f, s);
        own->posted_by = s->by.op;
        check_ready(f, s, own->start);
        break;
    case RECORD_MEET:
        message->met = s->bound == RECORD_BY_POSTING ? own->start : message->handed + p->L;
        CHECK(message->met >= own->start && message->met >= message->handed + p->L, "%s", f->where);
        CHECK((s->bound == RECORD_BY_POSTING) == (own->start > message->handed + p->L), "%s",
              f->where);
        break;
    case RECORD_CLEARED:
        own->leaves =
            s->bound == RECORD_BY_TX ? f->of[s->rank][s->by.op].tx : own->met + p->H + p->L;
        CHECK(own->leaves >= own->met + p->H + p->L, "%s: the data leave too soon", f->where);
        own->tx = own->leaves + p->g + bytes_times(p->G, s->size);
        CHECK(s->later == (own->leaves + bytes_times(p->G, s->size) > own->cpu), "%s", f->where);
        own->finish = MAX(own->cpu, own->leaves + bytes_times(p->G, s->size));
        break;
    case RECORD_RELEASED:
        CHECK(own->met > own->cpu, "%s: released later than its CPU part ends", f->where);
        own->finish = own->met;
        break;
    case RECORD_LATE:
        own->finish = MAX(own->start, message->accepted);
        CHECK((s->bound == RECORD_BY_POSTING) == (own->start > message->accepted), "%s", f->where);
        message->met = own->start;
        break;
    default:
        follow_receive(f, s);
    }
}

typedef struct keeping_sink {
    sim_sink sink;
    GArray *events;
} keeping_sink;

static void keep(sim_sink *sink, const sim_event *events, size_t n)
{
    g_array_append_vals(((keeping_sink *)sink)->events, events, (guint)n);
}

/* All steps of a record with one log, first one first; acceptances without their receive. */
static GArray *steps_of(const sim_run_record *record)
{
    GArray *steps = g_array_new(FALSE, FALSE, sizeof(record_step));
    record_reader reader;
    sim_record_reader_init(&reader, record);
    for (const record_step *s; (s = record_reader_back(&reader, 0)) != NULL;) {
        g_array_append_vals(steps, s, 1);
    }
    CHECK(reader.wrong == NULL, "%s", reader.wrong);
    sim_record_reader_clear(&reader);
    for (guint i = 0; i < steps->len / 2; i++) {
        const record_step swap = g_array_index(steps, record_step, i);
        record_step *other = &g_array_index(steps, record_step, steps->len - 1 - i);
        g_array_index(steps, record_step, i) = *other;
        *other = swap;
    }
    for (guint i = 0; i < steps->len; i++) {
        record_step *s = &g_array_index(steps, record_step, i);
        s->op = s->kind == RECORD_ACCEPT ? SIM_ANY : s->op;
    }
    return steps;
}

/* Ranks finish when the run says so. */
static void check_finishes(follower *f, const sim_program *program, const sim_result *result)
{
    for (uint32_t r = 0; r < result->num_ranks; r++) {
        sim_time finish = 0;
        const instants *of = f->of[r];
        assert(of != NULL);
        for (uint64_t op = 0; op < program->methods->num_ops(program, r); op++) {
            finish = MAX(finish, of[op].finish);
        }
        CHECK_I64(finish, result->finish[r], "%s, rank %u", f->where, r);
        g_free(f->of[r]);
    }
}

static unsigned steps_followed;

static void follow_run(sim_graph *graph, const sim_params *params, const sim_noise *noise,
                       const char *where)
{
    const sim_program *program = sim_graph_program(graph);
    keeping_sink sink = {{.events = keep}, g_array_new(FALSE, FALSE, sizeof(sim_event))};
    sim_run_record *record = sim_record_new();
    const sim_run_options options = {.noise = noise, .sink = &sink.sink, .record = record};
    g_autoptr(sim_result) result = sim_run(program, params, &options, NULL);
    if (result != NULL) {
        follower f = {.graph = graph, .params = params, .where = where, .events = sink.events};
        f.of = g_new0(instants *, program->num_ranks);
        for (uint32_t r = 0; r < program->num_ranks; r++) {
            f.of[r] = g_new0(instants, program->methods->num_ops(program, r) + 1);
        }
        f.steps = steps_of(record);
        for (guint i = 0; i < f.steps->len; i++) {
            follow(&f, &g_array_index(f.steps, record_step, i));
        }
        CHECK_I64(f.next_event, sink.events->len, "%s: events without steps", where);
        check_finishes(&f, program, result);
        steps_followed += f.steps->len;
        g_array_unref(f.steps);
        g_free(f.of);
    }
    g_array_unref(sink.events);
    sim_run_record_free(record);
}

static void every_step_follows_from_the_ones_it_names(void)
{
    for (unsigned k = 0; k < 600; k++) {
        GRand *random = g_rand_new_with_seed(SEED + k);
        random_shape shape = SHAPE;
        shape.max_cpus = 1 + k % 3;
        shape.max_nics = 1 + k / 2 % 3;
        shape.all_at_once = k % 50 == 7;
        if (k % 50 == 8) { /* lists that spill, too, in which something follows */
            shape.sparse = true;
            shape.max_ranks = 4;
            shape.max_steps = 300;
        }
        g_autoptr(sim_graph) graph = random_program(random, &shape);
        sim_params params = random_params(random, shape.max_size);
        const periodic_noise noise = random_noise(random);
        g_rand_free(random);
        for (int setting = 0; setting < 8; setting++) {
            params.progress = setting & 1 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING;
            params.rendezvous = setting & 2 ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE;
            g_autofree char *where = g_strdup_printf("seed %u, setting %d", SEED + k, setting);
            follow_run(graph, &params, setting & 4 ? &noise.noise : NULL, where);
        }
    }
    CHECK(steps_followed > 100000);
    fprintf(stderr, "[%u steps] ", steps_followed);
}

/* Some is there before; what follows from one operation then makes its list spill. */
static void a_list_that_spills_keeps_what_made_it_ready(void)
{
    sim_graph_builder *b = sim_graph_builder_new(2);
    sim_graph_builder_begin_rank(b, 0);
    for (uint32_t k = 0; k < 100; k++) {
        const bool calc = k % 4 == 0;
        const uint32_t op =
            sim_graph_builder_add(b, &(sim_op){.type = calc ? SIM_OP_CALC : SIM_OP_RECV,
                                               .peer = calc ? 0 : 1,
                                               .size = 7,
                                               .tag = k});
        if (k > 8) {
            sim_graph_builder_require(b, op, 0);
        }
    }
    sim_graph_builder_begin_rank(b, 1);
    for (uint32_t k = 0; k < 100; k++) {
        if (k % 4 != 0) {
            sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_SEND, .size = 7, .tag = k});
        }
    }
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    const unsigned followed = steps_followed;
    for (int setting = 0; setting < 8; setting++) {
        const sim_params params = {
            .L = 10,
            .o = 3,
            .S = setting & 4 ? 6 : INT64_MAX,
            .progress = setting & 1 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING,
            .rendezvous = setting & 2 ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE};
        g_autofree char *where = g_strdup_printf("setting %d", setting);
        follow_run(graph, &params, NULL, where);
    }
    CHECK(steps_followed > followed + 8 * 150U);
}

SUITE_MAIN("run_record", TEST(every_step_follows_from_the_ones_it_names),
           TEST(a_list_that_spills_keeps_what_made_it_ready))
