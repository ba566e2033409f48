/* sim/run_loop.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nothing reaches another rank sooner than engine.width after its cause. So time is cut into
 * windows of that width, and all ranks that have something to do in a window take their turns one
 * after the other, each in its own order with all it has before it until the window's end:
 * whatever the others do in that window reaches it later. Its data stay in the cache meanwhile, and
 * the next ones' can be fetched; and different threads can do it for different ranks.
 *
 * Where all effects may be immediate (o + L = 0; handshakes and L = 0) the windows have no width: a
 * turn is one step, the lowest rank goes first at one instant, and there the network before the
 * CPU; docs/model.md, "Ties". Where one is, and the rest take their time: run_order.c.
 */
#include "run_private.h"

#include <glib.h>

#include <string.h>

void sim_engine_due(engine_part *p, engine_rank *r, uint32_t rank, sim_time when)
{
    const engine *e = p->e;
    if (__builtin_expect(when < e->ordered, 0)) {
        sim_engine_due_in_order(p, r, rank, when);
    } else {
        turn_queue_due(&p->queue, r, rank, when);
    }
}

static void settle(engine_part *p, engine_rank *r, uint32_t rank, sim_time when)
{
    if (p->e->width > 0) {
        turn_queue_put(&p->queue, r, rank, when);
    } else {
        sim_rank_queue_set(&p->e->heap, rank, when);
    }
}

/* ---- messages ---- */

static engine_message *new_outgoing(outbox *box)
{
    if (box->n == box->cap) {
        box->cap = MAX(2 * box->cap, 64);
        box->message = g_renew(engine_message, box->message, box->cap);
    }
    return &box->message[box->n++];
}

static void prefetch_agenda(const engine *e, uint32_t rank)
{
    const char *r = (const char *)engine_rank_of(e, rank);
    __builtin_prefetch(r, 1);
    __builtin_prefetch(r + 64, 1);
    __builtin_prefetch(r + 128, 1);
}

/* The first message that was delayed goes to its receiver. */
static void deliver_delayed(engine_part *p)
{
    const engine_message *m = &p->delayed[p->first_delayed];
    p->first_delayed = (p->first_delayed + 1) % ENGINE_DELAY;
    p->num_delayed--;
    sim_engine_deliver(p, m);
}

engine_message *sim_engine_new_message(engine_part *p, uint32_t dest)
{
    const engine *e = p->e;
    if (__builtin_expect(e->width == 0, 0)) {
        return &p->message;
    }
    const uint32_t to = rank_share_part_of(&p->share, dest);
    if (to != p->share.part) {
        return new_outgoing(&p->out[to]);
    }
    if (p->num_delayed == ENGINE_DELAY) {
        deliver_delayed(p);
    }
    prefetch_agenda(e, dest);
    return &p->delayed[(p->first_delayed + p->num_delayed++) % ENGINE_DELAY];
}

void sim_engine_emit(engine_part *p, const engine_message *m)
{
    if (m == &p->message) {
        const engine_message now = *m; /* what it causes may send the next */
        sim_engine_deliver(engine_part_of(p->e, m->dest), &now);
    }
}

void sim_engine_flush_delayed(engine_part *p)
{
    while (p->num_delayed > 0) {
        deliver_delayed(p);
    }
}

void sim_engine_take_in(engine_part *p)
{
    enum { AHEAD = 12 };
    const engine *e = p->e;
    for (uint32_t from = 0; from < e->num_parts; from++) {
        outbox *box = &e->part[from]->out[p->share.part];
        for (size_t i = 0; i < box->n; i++) {
            if (i + AHEAD < box->n) {
                prefetch_agenda(e, box->message[i + AHEAD].dest);
            }
            sim_engine_deliver(p, &box->message[i]);
        }
        box->n = 0;
    }
}

/* ---- turns ---- */

/* The rank does what it has before it until @p end, or until a release might reach it. */
static void take_turn(const engine_turn *t, sim_time end)
{
    engine_part *p = t->p;
    uint32_t which = 0;
    sim_time when = agenda_next(&p->agenda, t->r, 0, &which);
    const sim_time alone = MIN(end, agenda_exposed_from(&p->agenda, t->r));
    while (when < alone) {
        p->now = when;
        if (when > SIM_TIME_MAX) {
            sim_engine_overflow(p, t->rank, when);
            return;
        }
        when = engine_step(t, &which);
    }
    if (__builtin_expect(when < end, 0)) {
        sim_engine_expose(&p->exposed, t->rank, when);
        return;
    }
    turn_queue_put(&p->queue, t->r, t->rank, when);
}

/*
 * What a turn touches first is brought near while others have theirs, in steps that each need what
 * the one before has brought: at many ranks most of the cost is waiting for memory.
 */
static void prefetch_rank(const engine *e, uint32_t rank)
{
    prefetch_agenda(e, rank);
    if (e->program->class->prefetch != NULL) {
        e->program->class->prefetch(e->cursor, rank, SIM_ANY);
    }
    if (e->noise != NULL && e->noise->prefetch != NULL) {
        e->noise->prefetch(e->noise, rank);
    }
}

static void prefetch_work(const engine *e, uint32_t rank)
{
    const engine_rank *r = engine_rank_of(e, rank);
    if (r->active == 0 || r->outside != 0) {
        return;
    }
    const agenda_item *i =
        (const agenda_item *)(const void *)((const char *)r + e->layout.items_at) +
        __builtin_ctz(r->active);
    if (agenda_has_op(e->async, i) && e->program->class->prefetch != NULL) {
        e->program->class->prefetch(e->cursor, rank, i->index);
    }
}

void sim_engine_run_window(engine_part *p)
{
    enum {
        LINE = 32,
        RANK_AHEAD = 12,
        WORK_AHEAD = 5
    }; /* a line of ranks in front of their turn */
    const engine *e = p->e;
    const sim_time end = engine_window_end(p);
    turn_cursor cursor = sim_turn_queue_begin(&p->queue);
    uint32_t line[LINE];
    uint32_t read = 0;
    bool more = true;
    p->exposed.n = 0;
    p->kept.n = 0;
    for (uint32_t next = 0; more || next < read; next++) {
        while (more && read < next + RANK_AHEAD) {
            uint32_t rank = 0;
            more = turn_queue_read(&p->queue, &cursor, &rank);
            if (more) {
                prefetch_rank(e, rank);
                line[read++ % LINE] = rank;
            }
        }
        if (next + WORK_AHEAD < read) {
            prefetch_work(e, line[(next + WORK_AHEAD) % LINE]);
        }
        if (next < read) {
            const uint32_t rank = line[next % LINE];
            const engine_turn t = {.p = p, .r = engine_rank_of(e, rank), .rank = rank};
            if (turn_queue_is_due(&p->queue, t.r)) {
                take_turn(&t, end);
            }
        }
    }
    sim_engine_flush_delayed(p);
}

/* ---- the whole ---- */

void sim_engine_begin_part(engine_part *p)
{
    engine *e = p->e;
    for (uint32_t place = 0; place < rank_share_places(&p->share); place++) {
        const uint32_t rank = (uint32_t)rank_share_rank(&p->share, place);
        if (rank >= p->share.num_ranks) {
            break;
        }
        const engine_turn t = {.p = p, .r = engine_rank_of(e, rank), .rank = rank};
        *t.r = (engine_rank){.place = TURN_RUNNING};
        memset(t.r->clock, 0, e->layout.num_clocks * sizeof *t.r->clock);
        for (uint32_t c = 0; e->noted && c < e->layout.num_clocks; c++) {
            agenda_clock_notes(&p->agenda, t.r)[c] = (clock_note){.op = SIM_ANY, .source = SIM_ANY};
        }
        const size_t n = e->program->class->first(e->cursor, rank, p->ready);
        sim_engine_take_up(&t, p->ready, n, false);
        uint32_t which = 0;
        settle(p, t.r, rank, agenda_next(&p->agenda, t.r, 0, &which));
    }
}

/* Windows are narrower from now on. */
static void narrow(engine *e, sim_time width)
{
    e->width = width;
    if (width == 0) {
        e->ordered = AGENDA_NEVER;
        sim_rank_queue_clear(&e->heap);
        sim_rank_queue_init(&e->heap, e->program->num_ranks);
    }
    for (uint32_t i = 0; i < e->num_parts; i++) {
        engine_part *p = e->part[i];
        const uint64_t end = (p->queue.now + 1) * p->queue.width;
        sim_turn_queue_clear(&p->queue);
        if (width > 0) {
            sim_turn_queue_init(&p->queue, &p->share, width);
            p->queue.now = end / (uint64_t)width;
        }
        for (uint32_t place = 0; place < rank_share_places(&p->share); place++) {
            const uint32_t rank = (uint32_t)rank_share_rank(&p->share, place);
            if (rank >= p->share.num_ranks) {
                break;
            }
            engine_rank *r = engine_rank_of(e, rank);
            uint32_t which = 0;
            r->is_parked = false;
            settle(p, r, rank, agenda_next(&p->agenda, r, 0, &which));
        }
    }
}

/* Are windows too wide for a handshake that is under way? */
static void narrow_for_handshake(engine *e)
{
    const sim_time width = e->params.L;
    bool rendezvous = false;
    for (uint32_t i = 0; i < e->num_parts; i++) {
        rendezvous |= e->part[i]->rendezvous;
    }
    if (rendezvous && e->width > width) {
        narrow(e, width);
    }
}

static bool is_sound(const engine *e)
{
    for (uint32_t i = 0; i < e->num_parts; i++) {
        if (e->part[i]->error.state != ENGINE_SOUND) {
            return false;
        }
    }
    return true;
}

/* Between two windows, every so many turns. @return false: the run ends here */
static bool look(engine *e)
{
    enum { TURNS = 1 << 17 }; /* some 50 ms */
    if (e->watch == NULL || e->unwatched < TURNS) {
        return true;
    }
    e->unwatched = 0;
    uint64_t num_ops = 0;
    sim_time now = 0;
    for (uint32_t i = 0; i < e->num_parts; i++) {
        num_ops += e->part[i]->num_ops;
        now = MAX(now, e->part[i]->now);
    }
    e->stopped = !e->watch->look(e->watch, num_ops, now);
    return !e->stopped;
}

/* All parts do the next window. @return false: there is none */
static bool do_window(engine *e, engine_team *team)
{
    uint64_t window = TURN_NO_WINDOW;
    for (uint32_t i = 0; i < e->num_parts; i++) {
        window = MIN(window, sim_turn_queue_next(&e->part[i]->queue));
    }
    if (window == TURN_NO_WINDOW) {
        return false;
    }
    uint32_t turns = 0;
    for (uint32_t i = 0; i < e->num_parts; i++) {
        turns += sim_turn_queue_count(&e->part[i]->queue, window);
        sim_turn_queue_advance(&e->part[i]->queue, window, e->ranks, e->layout.rank_bytes);
    }
    e->unwatched += turns;
    if (team != NULL && turns >= e->serial_below) {
        sim_engine_team_run_window(team);
        return true;
    }
    for (uint32_t i = 0; i < e->num_parts; i++) {
        sim_engine_run_window(e->part[i]);
    }
    if (sim_engine_is_order_needed(e)) {
        sim_engine_run_in_order(e);
    }
    for (uint32_t i = 0; i < e->num_parts && e->num_parts > 1; i++) {
        sim_engine_take_in(e->part[i]);
    }
    return true;
}

/* One step of the rank that goes first, where windows have no width. @return false: there is none
 */
static bool do_step(engine *e)
{
    const sim_time now = sim_rank_queue_top(&e->heap).key;
    if (now == RANK_QUEUE_NEVER) {
        return false;
    }
    e->unwatched++;
    const uint32_t rank = sim_rank_queue_take(&e->heap);
    const engine_turn t = {
        .p = engine_part_of(e, rank), .r = engine_rank_of(e, rank), .rank = rank};
    t.p->now = now;
    if (now > SIM_TIME_MAX) {
        sim_engine_overflow(t.p, rank, now);
        return false;
    }
    uint32_t which = 0;
    (void)agenda_next(&t.p->agenda, t.r, now, &which);
    sim_rank_queue_set(&e->heap, rank, engine_step(&t, &which));
    return true;
}

void sim_engine_loop(engine *e)
{
    engine_team *team = sim_engine_team_new(e);
    if (team != NULL) {
        sim_engine_team_begin(team);
    }
    for (uint32_t i = 0; team == NULL && i < e->num_parts; i++) {
        sim_engine_begin_part(e->part[i]);
    }
    bool more = true;
    while (more && is_sound(e) && look(e)) {
        more = e->width > 0 ? do_window(e, team) : do_step(e);
        if (e->width > 0 && !e->instant) {
            narrow_for_handshake(e);
        }
    }
    sim_engine_team_free(team);
    for (uint32_t i = 0; i < e->num_parts; i++) {
        const engine_part *p = e->part[i];
        if (p->num_events > 0) {
            e->sink->events(e->sink, p->event, p->num_events);
        }
    }
}
