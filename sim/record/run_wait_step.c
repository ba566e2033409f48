/* sim/record/run_wait_step.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_wait. */
#include "record/run_wait_private.h"

#include <inttypes.h>

void sim_wait_fail(wait_walk *w, const char *format, ...)
{
    if (w->wrong == NULL) {
        va_list args;
        va_start(args, format);
        w->wrong = g_strdup_vprintf(format, args);
        va_end(args);
    }
}

/* Of a damaged record only, an instant may be too late. */
static sim_time after(wait_walk *w, sim_time at, sim_time length)
{
    if (length > SIM_TIME_MAX - at) {
        sim_wait_fail(w, "an instant later than %" PRId64 " ps", (int64_t)SIM_TIME_MAX);
        return SIM_TIME_MAX;
    }
    return at + length;
}

/* ---- waits ---- */

static void tell(wait_walk *w, sim_wait wait)
{
    if (wait.length > 0 && w->visit != NULL) {
        w->visit(&wait, w->user);
    }
}

static void tell_wait(wait_walk *w, uint32_t rank, uint32_t op, sim_op_type type, sim_cause cause,
                      sim_time start, sim_time finish)
{
    tell(w, (sim_wait){.rank = rank,
                       .op = op,
                       .type = (uint8_t)type,
                       .cause = cause,
                       .start = start,
                       .finish = finish,
                       .length = finish - start});
}

static sim_cause busy(sim_cause_kind kind, uint32_t rank, record_ref ref)
{
    return (sim_cause){(uint8_t)kind, ref.source != SIM_ANY ? ref.source : rank, ref.op};
}

/* A calc or send starts that the CPU, or the interface, could not start earlier. */
static void tell_held_up(wait_walk *w, const record_step *s, const instant *by)
{
    tell(w, (sim_wait){.rank = s->rank,
                       .op = s->op,
                       .type = s->kind == RECORD_CALC ? SIM_OP_CALC : SIM_OP_SEND,
                       .at_most = true,
                       .cause = busy(s->bound == RECORD_BY_CPU ? SIM_CAUSE_CPU : SIM_CAUSE_NIC,
                                     s->rank, s->by),
                       .start = by->since,
                       .finish = by->at,
                       .length = by->at - by->since});
}

static void tell_noise(wait_walk *w, const record_step *s, sim_op_type type, sim_time start,
                       sim_time end)
{
    tell(w, (sim_wait){.rank = s->rank,
                       .op = s->op,
                       .type = (uint8_t)type,
                       .cause = {SIM_CAUSE_NOISE, SIM_ANY, SIM_ANY},
                       .start = start,
                       .finish = end,
                       .length = MIN(s->noise[0], SIM_TIME_MAX) + MIN(s->noise[1], SIM_TIME_MAX)});
}

/* ---- work ---- */

/* Of a receive or an acceptance that the network held up, the message; else something of its own.
 */
static void tell_work(const wait_walk *w, const record_step *s, sim_op_type type, sim_time start,
                      sim_time end, sim_time work)
{
    if (w->visit_work == NULL) {
        return;
    }
    const bool by_message = type == SIM_OP_RECV && s->bound == RECORD_BY_NETWORK && !s->waited;
    w->visit_work(&(sim_event){.start = start,
                               .end = end,
                               .work = work,
                               .rank = s->rank,
                               .op = s->op,
                               .cause_rank = by_message ? s->peer : s->rank,
                               .cause_op = by_message ? s->send : SIM_ANY,
                               .type = (uint8_t)type},
                  w->user);
}

/* ---- messages ---- */

static const sim_level *level_of(const wait_walk *w, const record_step *s)
{
    return &w->level[s->level];
}

static message_cost cost_of(wait_walk *w, const record_step *s)
{
    return *message_cost_of(&w->costs[s->level], s->size);
}

/* Where a message, a request or a clear-to-send is, handed over at @p at. */
static sim_time flown(wait_walk *w, const record_step *s, sim_time at)
{
    return after(w, after(w, at, level_of(w, s)->L), s->distance);
}

static instant_key message_key(instant_kind kind, uint32_t sender, uint32_t send)
{
    return (instant_key){.rank = sender, .op = send, .source = SIM_ANY, .kind = kind};
}

static bool is_handshake(const wait_walk *w, const record_step *s)
{
    return s->size > level_of(w, s)->S && !w->instant;
}

bool sim_wait_needs(const wait_walk *w, const record_step *s, instant_key *out)
{
    switch ((record_kind)s->kind) {
    case RECORD_RECEIVE:
    case RECORD_ACCEPT:
        *out = message_key(is_handshake(w, s) ? INSTANT_DATA : INSTANT_MESSAGE, s->peer, s->send);
        return true;
    case RECORD_MEET:
        *out = message_key(INSTANT_MESSAGE, s->peer, s->send);
        return true;
    case RECORD_CLEARED:
    case RECORD_RELEASED:
        *out = message_key(INSTANT_MET, s->rank, s->op);
        return true;
    default:
        return false;
    }
}

/* A rendezvous message, there at @p arrival, has met its receive at @p met: its sender hears of it
 * by a handshake, or (instant) if that ends the send later than its CPU part, at @p end. */
static void meet(wait_walk *w, const record_step *s, sim_time arrival, sim_time met, sim_time end)
{
    tell_wait(w, s->peer, s->send, SIM_OP_SEND, (sim_cause){SIM_CAUSE_RECEIVE, s->rank, s->op},
              arrival, met);
    if (!w->instant || met > end) {
        sim_instant_put(&w->table, (instant){message_key(INSTANT_MET, s->peer, s->send), met, 0});
    }
}

/* ---- steps ---- */

static sim_time finishes(wait_walk *w, sim_time at)
{
    w->finish = MAX(w->finish, at);
    return at;
}

/* Of the things made known, those of @p kind are at @p at. */
static void make(happening *h, instant_kind kind, sim_time at, sim_time since)
{
    for (unsigned i = 0; i < h->num_made; i++) {
        if (h->made[i].key.kind == kind) {
            h->made[i].at = at;
            h->made[i].since = since;
        }
    }
}

/* A calc or a send starts, a receive is posted. */
static sim_time start_of(wait_walk *w, const happening *h)
{
    const record_step *s = h->s;
    if (s->bound == RECORD_BY_CPU || s->bound == RECORD_BY_TX) {
        tell_held_up(w, s, &h->used[0]);
    }
    return h->num_used > 0 ? h->used[0].at : 0;
}

static void follow_calc(wait_walk *w, happening *h)
{
    const record_step *s = h->s;
    const sim_time start = start_of(w, h);
    const sim_time end = finishes(w, after(w, after(w, start, s->noise[0]), s->size));
    tell_noise(w, s, SIM_OP_CALC, start, end);
    tell_work(w, s, SIM_OP_CALC, start, end, s->size);
    make(h, INSTANT_START, start, 0);
    make(h, INSTANT_FINISH, end, 0);
    make(h, INSTANT_CPU, end, start);
}

static void follow_send(wait_walk *w, happening *h)
{
    const record_step *s = h->s;
    const message_cost cost = cost_of(w, s);
    const sim_time start = start_of(w, h);
    const sim_time busy_from = after(w, start, s->noise[0]);
    const sim_time handed = after(w, busy_from, level_of(w, s)->o);
    const sim_time end = finishes(w, after(w, after(w, handed, s->noise[1]), cost.O));
    tell_noise(w, s, SIM_OP_SEND, start, end);
    tell_work(w, s, SIM_OP_SEND, start, end, level_of(w, s)->o + cost.O);
    make(h, INSTANT_START, start, 0);
    make(h, INSTANT_FINISH, end, 0);
    make(h, INSTANT_CPU, end, start);
    make(h, INSTANT_TX, after(w, after(w, busy_from, level_of(w, s)->g), cost.G), busy_from);
    sim_instant_put(&w->table,
                    (instant){message_key(INSTANT_MESSAGE, s->rank, s->op), handed, end});
}

/* When the network lets a receive, posted at @p posted, have its message. Of an acceptance, that
 * instant: nothing waits. */
static sim_time take_in(wait_walk *w, const happening *h, sim_time posted, sim_time arrival,
                        sim_time delay, sim_time *intake)
{
    const record_step *s = h->s;
    *intake = s->waited ? MAX(h->used[h->num_used - 1].at, arrival) : arrival;
    const sim_time there = after(w, *intake, delay);
    if (s->kind == RECORD_RECEIVE) {
        const sim_time come = s->waited ? MAX(arrival, posted) : MAX(there, posted);
        tell_wait(w, s->rank, s->op, SIM_OP_RECV, (sim_cause){SIM_CAUSE_MESSAGE, s->peer, s->send},
                  posted, come);
        if (s->waited) {
            tell_wait(w, s->rank, s->op, SIM_OP_RECV, busy(SIM_CAUSE_NIC, s->rank, s->rx), come,
                      there);
        }
    }
    return there;
}

/* The message has been used as often as it will be: by its receive, or once more when it gets one.
 */
static void use_message(wait_walk *w, const record_step *s, const instant *message,
                        sim_time arrival, sim_time posted, sim_time start)
{
    const bool rendezvous = s->size > level_of(w, s)->S;
    if (s->kind == RECORD_ACCEPT && rendezvous && w->instant) {
        return;
    }
    if (s->kind == RECORD_RECEIVE && rendezvous && w->instant && w->async) {
        tell_wait(w, s->peer, s->send, SIM_OP_SEND, (sim_cause){SIM_CAUSE_RECEIVE, s->rank, s->op},
                  arrival, posted);
        meet(w, s, start, start, message->since);
    }
    (void)sim_instant_remove(&w->table, message->key);
}

/* The CPU takes up a receive, or (async) a message without one. */
static void follow_receive(wait_walk *w, happening *h)
{
    const record_step *s = h->s;
    const message_cost cost = cost_of(w, s);
    const bool accept = s->kind == RECORD_ACCEPT;
    instant_key key = {0};
    (void)sim_wait_needs(w, s, &key);
    const instant message = *sim_instant_find(&w->table, key);
    const sim_time arrival = flown(w, s, message.at);
    const sim_time posted = accept ? arrival : h->used[0].at;
    sim_time intake = 0;
    const sim_time there = take_in(w, h, posted, arrival, w->async ? 0 : cost.delay, &intake);
    sim_time start = s->bound == RECORD_BY_POSTING ? posted : there;
    if (s->bound == RECORD_BY_CPU) {
        start = h->used[accept ? 0 : 1].at;
        if (!accept) {
            tell_wait(w, s->rank, s->op, SIM_OP_RECV, busy(SIM_CAUSE_CPU, s->rank, s->by),
                      MAX(posted, there), start);
        }
    }
    const sim_time handed = after(w, after(w, start, s->noise[0]), level_of(w, s)->o);
    sim_time end = after(w, after(w, handed, s->noise[1]), cost.O);
    if (w->async) {
        end = MAX(end, after(w, handed, cost.G));
    }
    tell_noise(w, s, SIM_OP_RECV, start, end);
    tell_work(w, s, SIM_OP_RECV, start, end,
              level_of(w, s)->o + (w->async ? MAX(cost.O, cost.G) : cost.O));
    make(h, INSTANT_FINISH, accept ? end : finishes(w, end), 0);
    make(h, INSTANT_CPU, end, start);
    const sim_time rx = w->async ? start : intake;
    make(h, INSTANT_RX, after(w, after(w, rx, level_of(w, s)->g), cost.G), rx);
    use_message(w, s, &message, arrival, posted, start);
}

/* A rendezvous message, or its request, and its receive are both there. */
static void follow_meeting(wait_walk *w, const happening *h)
{
    const record_step *s = h->s;
    const instant_key key = message_key(INSTANT_MESSAGE, s->peer, s->send);
    const instant message = *sim_instant_find(&w->table, key);
    const sim_time arrival = flown(w, s, message.at);
    meet(w, s, arrival, s->bound == RECORD_BY_POSTING ? h->used[0].at : arrival, message.since);
    if (!w->instant) {
        (void)sim_instant_remove(&w->table, key);
    }
}

/* async: a message that has been accepted gets its receive. */
static void follow_late(wait_walk *w, happening *h)
{
    const record_step *s = h->s;
    const sim_time posted = h->used[0].at;
    const sim_time accepted = h->used[1].at;
    tell_wait(w, s->rank, s->op, SIM_OP_RECV, (sim_cause){SIM_CAUSE_CPU, s->peer, s->send}, posted,
              accepted);
    make(h, INSTANT_FINISH, finishes(w, MAX(posted, accepted)), 0);
    const instant_key key = message_key(INSTANT_MESSAGE, s->peer, s->send);
    const instant *message = sim_instant_find(&w->table, key);
    if (message != NULL) { /* instant: its sender has waited for this */
        const instant held = *message;
        meet(w, s, flown(w, s, held.at), posted, held.since);
        (void)sim_instant_remove(&w->table, key);
    }
}

/* handshake: the data leave. */
static void follow_cleared(wait_walk *w, happening *h)
{
    const record_step *s = h->s;
    const instant_key key = message_key(INSTANT_MET, s->rank, s->op);
    const sim_time gap = cost_of(w, s).G;
    const sim_time cleared =
        after(w, flown(w, s, sim_instant_find(&w->table, key)->at), level_of(w, s)->H);
    const sim_time leave = s->bound == RECORD_BY_TX ? h->used[0].at : cleared;
    tell_wait(w, s->rank, s->op, SIM_OP_SEND, busy(SIM_CAUSE_NIC, s->rank, s->by), cleared, leave);
    const sim_time through = after(w, leave, gap);
    make(h, INSTANT_TX, after(w, through, level_of(w, s)->g), leave);
    if (s->later) {
        make(h, INSTANT_FINISH, finishes(w, through), 0);
    }
    (void)sim_instant_remove(&w->table, key);
    sim_instant_put(&w->table, (instant){message_key(INSTANT_DATA, s->rank, s->op), leave, 0});
}

static void follow_released(wait_walk *w, happening *h)
{
    const instant_key key = message_key(INSTANT_MET, h->s->rank, h->s->op);
    make(h, INSTANT_FINISH, finishes(w, sim_instant_find(&w->table, key)->at), 0);
    (void)sim_instant_remove(&w->table, key);
}

void sim_wait_follow(wait_walk *w, happening *h)
{
    switch ((record_kind)h->s->kind) {
    case RECORD_CALC:
        follow_calc(w, h);
        break;
    case RECORD_SEND:
        follow_send(w, h);
        break;
    case RECORD_POST:
        make(h, INSTANT_START, start_of(w, h), 0);
        break;
    case RECORD_MEET:
        follow_meeting(w, h);
        break;
    case RECORD_CLEARED:
        follow_cleared(w, h);
        break;
    case RECORD_RELEASED:
        follow_released(w, h);
        break;
    case RECORD_LATE:
        follow_late(w, h);
        break;
    default:
        follow_receive(w, h);
    }
}
