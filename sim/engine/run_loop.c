/* sim/engine/run_loop.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run, test_run_random. */
/*
 * Nothing that a rank does reaches another rank sooner than engine.width later: the lookahead. So
 * time is cut into windows of that width. All ranks that have something to do in a window take
 * their turns one after the other; in its turn a rank does everything that is due before the window
 * ends, since whatever other ranks do in that window reaches it later. Its data stay in the cache
 * meanwhile, those of the next ranks can be fetched ahead, and threads can share the ranks. Where
 * nothing that others do can come before its next step, a rank even goes on beyond the end
 * (may_go_on() in run_window.inl).
 *
 * Where effects may be immediate (o + L = 0 at a level; or handshakes, and L = 0), windows have no
 * width: a turn is one step; at one instant the lowest rank goes first, and on a rank the network
 * before the CPU (docs/model.md, section 4). run_order.c is for the case in which only releases are
 * immediate.
 */
#include "engine/run_private.h"

#include <glib.h>

/* Windows are narrower from now on. */
static void narrow(engine *e, sim_time width)
{
    e->width = width;
    if (width == 0) {
        sim_rank_queue_clear(&e->heap);
        sim_rank_queue_init(&e->heap, e->program->num_ranks);
    }
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        engine_partition *p = e->partition[i];
        const uint64_t end = (p->queue.now + 1) * p->queue.width;
        sim_calendar_queue_clear(&p->queue);
        if (width > 0) {
            sim_calendar_queue_init(&p->queue, &p->ranks, width, end / (uint64_t)width);
        }
        for (uint32_t place = 0; place < rank_partition_places(&p->ranks); place++) {
            const uint32_t rank = (uint32_t)rank_partition_rank(&p->ranks, place);
            if (rank >= p->ranks.num_ranks) {
                break;
            }
            engine_rank *r = engine_rank_of(e, rank);
            uint32_t which = 0;
            r->is_parked = false;
            engine_settle(p, r, rank, event_list_next(&p->event_list, r, 0, &which));
        }
    }
}

/* Are windows too wide for a handshake that is under way? */
static void narrow_for_handshake(engine *e)
{
    bool handshakes[MESSAGE_LEVELS] = {false};
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        for (int l = 0; l < MESSAGE_LEVELS; l++) {
            handshakes[l] |= e->partition[i]->rendezvous[l];
        }
    }
    const sim_time width = sim_engine_lookahead(e->level, e->has_node, handshakes);
    if (e->width > width) {
        narrow(e, width);
    }
}

static bool is_sound(const engine *e)
{
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        if (!sim_engine_is_sound(e->partition[i])) {
            return false;
        }
    }
    return true;
}

/* Between two windows. @return false: the run ends here */
static bool look(engine *e)
{
    if (!sim_engine_is_look_due(e, e->unwatched)) {
        return true;
    }
    e->unwatched = 0;
    uint64_t num_ops = 0;
    sim_time now = 0;
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        const engine_partition *p = e->partition[i];
        num_ops += p->num_ops;
        now = MAX(now, e->width > 0 ? (sim_time)(p->queue.now * p->queue.width) : p->now);
    }
    e->stopped = !e->watch->look(e->watch, num_ops, now);
    return !e->stopped;
}

static bool is_any_out(const engine *e)
{
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        if (e->partition[i]->out_from != EVENT_NEVER) {
            return true;
        }
    }
    return false;
}

/* All take in what there is; what they take in may be answered. */
static void take_in(engine *e)
{
    while (is_any_out(e)) {
        for (uint32_t i = 0; i < e->num_partitions; i++) {
            e->turns->take_in(e->partition[i]);
        }
    }
}

/* All partitions do the next window, or more. @return false: there is none */
static bool do_window(engine *e, engine_team *team)
{
    uint64_t window = CALENDAR_NO_WINDOW;
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        window = MIN(window, sim_calendar_queue_next(&e->partition[i]->queue));
    }
    if (window == CALENDAR_NO_WINDOW) {
        return false;
    }
    uint32_t turns = 0;
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        turns += sim_calendar_queue_count(&e->partition[i]->queue, window);
        sim_calendar_queue_advance(&e->partition[i]->queue, window, e->ranks, e->layout.rank_bytes);
    }
    e->unwatched += turns;
    if (team != NULL && turns >= e->serial_below) {
        sim_engine_team_run_windows(team);
        take_in(e);
        return true;
    }
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        e->turns->run_window(e->partition[i]);
    }
    if (sim_engine_is_order_needed(e)) {
        for (uint32_t i = 0; i < e->num_partitions; i++) {
            sim_engine_begin_order(e->partition[i]);
        }
        sim_engine_run_in_order(e);
        for (uint32_t i = 0; i < e->num_partitions; i++) {
            sim_engine_end_order(e->partition[i]);
        }
    }
    take_in(e);
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
        .p = engine_partition_of(e, rank), .r = engine_rank_of(e, rank), .rank = rank};
    t.p->now = now;
    if (now > SIM_TIME_MAX) {
        sim_engine_overflow(t.p, rank, now);
        return false;
    }
    uint32_t which = 0;
    (void)event_list_next(&t.p->event_list, t.r, now, &which);
    sim_rank_queue_set(&e->heap, rank, e->turns->step(&t, which));
    return true;
}

void sim_engine_loop(engine *e)
{
    engine_team *team = sim_engine_team_new(e);
    if (team != NULL) {
        sim_engine_team_begin(team);
    }
    for (uint32_t i = 0; team == NULL && i < e->num_partitions; i++) {
        e->turns->begin_partition(e->partition[i]);
    }
    bool more = true;
    while (more && look(e)) {
        more = (e->width > 0 ? do_window(e, team) : do_step(e)) && is_sound(e);
        if (e->width > 0 && !e->instant) {
            narrow_for_handshake(e);
        }
    }
    sim_engine_team_free(team);
    for (uint32_t i = 0; i < e->num_partitions; i++) {
        const engine_partition *p = e->partition[i];
        if (p->num_events > 0) {
            p->sink->events(p->sink, p->event, p->num_events);
        }
    }
}
