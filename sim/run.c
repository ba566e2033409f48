/* sim/run.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_private.h"
#include "sim/large.h"

#include <glib.h>

uint32_t sim_engine_ready_mark(const engine *e, uint32_t rank, uint32_t cause, sim_time at)
{
    return cause == SIM_ANY ? PATH_START : sim_path_of(e->path, rank, cause, at);
}

void sim_engine_overflow(engine *e, uint32_t rank)
{
    e->state = ENGINE_OVERFLOW;
    e->bad_rank = rank;
}

/* From when on the interface that a class needs is free; calcs need none. */
static sim_time class_nic(const engine *e, uint32_t rank, const pending_class *c)
{
    switch ((pending_kind)c->kind) {
    case PENDING_CALC:
        return 0;
    case PENDING_SEND:
        return engine_tx(e, rank, c->nic)->at;
    default:
        return engine_rx(e, rank, c->nic)->at;
    }
}

/* simulation-model.md section 3, between the firsts of two classes that start together. */
static bool goes_before(const pending_item *a, const pending_item *b)
{
    if (a->ready != b->ready) {
        return a->ready < b->ready;
    }
    return a->kind < b->kind || (a->kind == b->kind && a->tie < b->tie);
}

/* The instant at which @p rank can do its next thing, which engine_rank.next_class then names. */
static sim_time next_of(engine *e, uint32_t rank)
{
    engine_rank *r = engine_rank_of(e, rank);
    sim_time least = INT64_MAX;
    uint32_t first = PENDING_NONE;
    for (uint32_t c = r->classes; c != PENDING_NONE; c = e->pending.class[c].next) {
        sim_time start = 0;
        const pending_class *class = &e->pending.class[c];
        const uint32_t item = sim_pending_first(&e->pending, c, engine_cpu(e, rank, class->cpu)->at,
                                                class_nic(e, rank, class), &start);
        if (start < least || (start == least && first != PENDING_NONE &&
                              goes_before(&e->pending.item[item], &e->pending.item[first]))) {
            least = start;
            first = item;
            r->next_class = c;
        }
    }
    if (r->network != PENDING_NONE && e->pending.item[r->network].key <= least) {
        least = e->pending.item[r->network].key;
        r->next_class = PENDING_NONE; /* at one instant the network goes first */
    } else if (first == PENDING_NONE) {
        least = RANK_QUEUE_NEVER;
    }
    return least;
}

void sim_engine_due(engine *e, uint32_t rank, sim_time when)
{
    if (rank != e->running && when <= sim_rank_queue_key(&e->queue, rank)) {
        sim_rank_queue_set(&e->queue, rank, next_of(e, rank));
    }
}

size_t sim_engine_finish_op(engine *e, uint32_t rank, uint32_t op, sim_time at, sim_ready *out)
{
    engine_rank *r = engine_rank_of(e, rank);
    if (at > SIM_TIME_MAX) {
        sim_engine_overflow(e, rank);
        return 0;
    }
    if (at > r->finish || r->last == SIM_ANY) {
        r->finish = at;
        r->last = op;
    }
    return e->program->class->finished(e->cursor, rank, op, at, out);
}

static uint32_t new_item(engine *e, const sim_ready *ready)
{
    const uint32_t item = sim_pending_new(&e->pending);
    pending_item *i = &e->pending.item[item];
    i->key = i->ready = ready->time;
    i->tie = ready->index;
    i->size = ready->op.size;
    i->cause = ready->cause;
    i->peer = ready->op.peer;
    i->tag = ready->op.tag;
    i->comm = ready->op.comm;
    i->cpu = ready->op.cpu;
    i->nic = ready->op.nic;
    return item;
}

/*
 * May a receive that has become ready at this instant be posted without a network event of its
 * own? Yes, if that event would be the next of its rank and, where ranks can meet at an instant,
 * of all.
 */
static bool would_be_next(const engine *e, uint32_t rank)
{
    const uint32_t own = engine_rank_of(e, rank)->network;
    if (own != PENDING_NONE && e->pending.item[own].key <= e->now) {
        return false;
    }
    const rank_queue_entry next = sim_rank_queue_top(&e->queue);
    return e->window > 0 || next.key > e->now || next.rank >= rank;
}

void sim_engine_take_up(engine *e, uint32_t rank, const sim_ready *ready, size_t n, bool direct)
{
    size_t receives = 0;
    uint32_t receive = PENDING_NONE; /* the last one */
    for (size_t k = 0; k < n; k++) {
        const uint32_t item = new_item(e, &ready[k]);
        pending_item *i = &e->pending.item[item];
        switch ((sim_op_type)ready[k].op.type) {
        case SIM_OP_CALC:
            i->kind = PENDING_CALC;
            i->nic = 0;
            sim_pending_add(&e->pending, &engine_rank_of(e, rank)->classes, item);
            break;
        case SIM_OP_SEND:
            i->kind = PENDING_SEND;
            sim_pending_add(&e->pending, &engine_rank_of(e, rank)->classes, item);
            break;
        case SIM_OP_RECV:
            i->kind = PENDING_POST;
            i->ready = PENDING_POST; /* heaps of network events compare key, ready, tie */
            receives++;
            if (direct && receives == 1 && i->key == e->now) {
                receive = item;
            } else {
                sim_pending_push(&e->pending, &engine_rank_of(e, rank)->network, item);
            }
        }
    }
    if (receive == PENDING_NONE) {
        return;
    }
    if (would_be_next(e, rank)) {
        sim_engine_post(e, rank, receive);
    } else {
        sim_pending_push(&e->pending, &engine_rank_of(e, rank)->network, receive);
    }
}

static void engine_init(engine *e, const sim_program *program, const sim_params *params,
                        const sim_run_options *options)
{
    *e = (engine){.program = program, .params = *params};
    e->noise = options->noise;
    e->sink = options->sink;
    e->path = options->explain ? sim_path_new(program) : NULL;
    e->async = params->progress == SIM_PROGRESS_ASYNC;
    e->instant = params->rendezvous == SIM_RENDEZVOUS_INSTANT;
    e->window = e->instant ? 0 : params->L;
    e->match_early = !program->any_source && !(e->async && program->num_cpus > 1);
    e->cursor = program->class->begin(program);
    const size_t num_ranks = program->num_ranks;
    const uint32_t num_clocks = program->num_cpus + 2 * program->num_nics;
    e->rank_bytes = sizeof(engine_rank) + num_clocks * sizeof(engine_clock);
    e->rank_bytes += -e->rank_bytes % ENGINE_LINE;
    e->ranks = sim_large_new(num_ranks, e->rank_bytes);
    for (uint32_t r = 0; r < num_ranks; r++) {
        *engine_rank_of(e, r) = (engine_rank){.last = SIM_ANY};
        for (uint32_t c = 0; c < num_clocks; c++) {
            engine_rank_of(e, r)->clock[c] = (engine_clock){.op = SIM_ANY};
        }
    }
    sim_rank_queue_init(&e->queue, program->num_ranks);
    sim_pending_init(&e->pending, !e->async && params->G > params->O);
    e->matching = sim_matching_new(program->any_source);
    e->cap_messages = 256;
    e->message = g_new(engine_message, e->cap_messages);
    e->num_messages = 1; /* 0 is no message */
    e->cost.size = -1;
    e->ready = g_new(sim_ready, 2 * (size_t)program->max_ready + 1);
    e->posted = g_new(sim_ready, (size_t)program->max_ready + 1);
    e->event = e->sink != NULL ? g_new(sim_event, ENGINE_EVENTS) : NULL;
}

static void engine_clear(engine *e)
{
    e->program->class->end(e->cursor);
    sim_large_free(e->ranks);
    sim_rank_queue_clear(&e->queue);
    sim_pending_clear(&e->pending);
    sim_matching_free(e->matching);
    g_free(e->message);
    g_free(e->ready);
    g_free(e->posted);
    g_free(e->event);
    sim_path_free(e->path);
}

/* The next of all that @p rank can do. @return the instant of the one after it */
static sim_time engine_step(engine *e, uint32_t rank)
{
    if (engine_rank_of(e, rank)->next_class == PENDING_NONE) {
        sim_engine_network_step(e, rank);
    } else {
        sim_engine_cpu_step(e, rank);
    }
    return next_of(e, rank);
}

/* @p rank does what it has before it until @p end. */
static void engine_turn(engine *e, uint32_t rank, sim_time end)
{
    sim_time when = next_of(e, rank);
    e->running = rank;
    do {
        e->now = when;
        if (when > SIM_TIME_MAX) {
            sim_engine_overflow(e, rank);
            return;
        }
        when = engine_step(e, rank);
    } while (when < end && e->state == ENGINE_SOUND);
    e->running = SIM_ANY;
    sim_rank_queue_set(&e->queue, rank, when);
}

/*
 * What a rank's turn touches first is brought near while others have theirs, in steps that each
 * need what the one before has brought: at many ranks most of the cost is waiting for memory.
 */
static void prefetch_rank(const engine *e, uint32_t rank)
{
    __builtin_prefetch(engine_rank_of(e, rank), 1);
    __builtin_prefetch((const char *)engine_rank_of(e, rank) + ENGINE_LINE, 1);
    if (e->program->class->prefetch != NULL) {
        e->program->class->prefetch(e->cursor, rank, SIM_ANY);
    }
}

static void prefetch_work(const engine *e, uint32_t rank)
{
    const engine_rank *r = engine_rank_of(e, rank);
    __builtin_prefetch(&e->pending.class[r->classes], 1);
    __builtin_prefetch(&e->pending.item[r->network], 1);
}

/* The first item of the rank's CPU work, or PENDING_NONE. */
static uint32_t first_item(const engine *e, uint32_t rank)
{
    const uint32_t class = engine_rank_of(e, rank)->classes;
    return class != PENDING_NONE ? e->pending.class[class].waiting : PENDING_NONE;
}

static void prefetch_item(const engine *e, uint32_t rank)
{
    __builtin_prefetch(&e->pending.item[first_item(e, rank)], 1);
}

static void prefetch_op(const engine *e, uint32_t rank)
{
    const uint32_t item = first_item(e, rank);
    if (item != PENDING_NONE && !e->async && e->program->class->prefetch != NULL) {
        e->program->class->prefetch(e->cursor, rank, sim_pending_op(&e->pending.item[item]));
    }
}

/*
 * The loop. Nothing reaches another rank sooner than L after its cause. So all ranks that have
 * something to do within L of the earliest take their turns one after the other, each in its own
 * order with all it has before it until then: whatever the others do in that window reaches it
 * later. Its data stay in the cache meanwhile, and the next ones' can be fetched.
 *
 * Where effects may be immediate (instant rendezvous, L = 0) the window has no width: a turn is one
 * step, the lowest rank goes first at one instant, and there the network before the CPU;
 * docs/model.md, "Ties". O(log ranks) per turn, O(log pending) per event.
 */
static void engine_loop(engine *e)
{
    uint32_t turn[ENGINE_TURNS];
    e->running = SIM_ANY;
    for (uint32_t r = 0; r < e->program->num_ranks; r++) {
        const size_t n = e->program->class->first(e->cursor, r, e->ready);
        sim_engine_take_up(e, r, e->ready, n, false);
        sim_rank_queue_set(&e->queue, r, next_of(e, r));
    }
    while (e->queue.n > 0 && e->state == ENGINE_SOUND) {
        const sim_time end = sim_rank_queue_top(&e->queue).key + e->window;
        size_t n = 0;
        do {
            turn[n] = sim_rank_queue_take(&e->queue);
            prefetch_rank(e, turn[n++]);
        } while (n < ENGINE_TURNS && sim_rank_queue_top(&e->queue).key < end);
        for (size_t i = 0; i < n && e->state == ENGINE_SOUND; i++) {
            prefetch_work(e, turn[MIN(i + 6, n - 1)]);
            prefetch_item(e, turn[MIN(i + 4, n - 1)]);
            prefetch_op(e, turn[MIN(i + 2, n - 1)]);
            engine_turn(e, turn[i], end);
        }
    }
    if (e->num_events > 0) {
        e->sink->events(e->sink, e->event, e->num_events);
    }
}

static sim_result *engine_result(const engine *e)
{
    sim_result *result = g_new0(sim_result, 1);
    result->num_ranks = e->program->num_ranks;
    result->num_messages = e->total_messages;
    result->finish = g_new(sim_time, MAX(result->num_ranks, 1));
    for (uint32_t r = 0; r < result->num_ranks; r++) {
        result->finish[r] = engine_rank_of(e, r)->finish;
        result->num_ops += e->program->class->num_ops(e->program, r);
        if (result->finish[r] > result->makespan) {
            result->makespan = result->finish[r];
            result->makespan_rank = r;
        }
    }
    if (e->path != NULL && result->num_ranks > 0) {
        sim_path_explain(e->path, engine_rank_of(e, result->makespan_rank)->last, result);
    }
    return result;
}

sim_result *sim_run(const sim_program *program, const sim_params *params,
                    const sim_run_options *options, GError **error)
{
    static const sim_run_options defaults = {0};
    engine e;
    engine_init(&e, program, params, options != NULL ? options : &defaults);
    engine_loop(&e);
    sim_result *result = sim_engine_check_end(&e, error) ? engine_result(&e) : NULL;
    engine_clear(&e);
    return result;
}

void sim_result_free(sim_result *result)
{
    if (result != NULL) {
        g_free(result->finish);
        g_free(result->path);
        g_free(result);
    }
}
