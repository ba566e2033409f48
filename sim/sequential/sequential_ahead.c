/* sim/sequential/sequential_ahead.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sequential_random. */
/*
 * Events in the order of time go from rank to rank at random, so nearly everything that one needs
 * is far away: its clocks, the slot of its envelope, who waits there, the operation of that, the
 * place where what depends on it is counted. Each is known from the one before. The queue's run
 * tells what comes next, so while one event is done, those that follow are each one step further.
 * These are hints: what is done in between may change who meets whom.
 */
#include "sequential/sequential_private.h"

static const uint8_t DISTANCE[AHEAD_STAGES] = {
    [AHEAD_RANK] = 16, [AHEAD_PARTNER] = 12, [AHEAD_OP] = 8, [AHEAD_NEXT] = 4};

static inline bool is_message(const sequential_event *e)
{
    return sequential_sort(e) == SEQUENTIAL_MESSAGE;
}

static inline void fetch_rank(const sequential *s, const sequential_event *e)
{
    __builtin_prefetch(sequential_cpus(s, e->rank), 1);
    if (s->program->methods->prefetch != NULL) {
        s->program->methods->prefetch(s->cursor, e->rank, SIM_ANY);
    }
    if (is_message(e) || sequential_sort(e) == SEQUENTIAL_POST) {
        const matching_envelope envelope = sequential_envelope(s, e);
        sim_matching_prefetch(s->matching, &envelope);
    }
}

static inline void fetch_partner(sequential *s, const sequential_event *e, size_t place)
{
    uint32_t partner = MATCHING_NONE;
    if (is_message(e)) {
        const matching_envelope envelope = sequential_envelope(s, e);
        partner = sim_matching_peek(s->matching, &envelope, false);
        __builtin_prefetch(&s->single[partner], 1);
    }
    if ((e->key & SEQUENTIAL_WAKE) != 0) {
        __builtin_prefetch(&s->waiting[*sim_sequential_line(s, e)], 1);
    }
    s->ahead.partner[place] = partner;
}

static inline void fetch_op(sequential *s, const sequential_event *e, size_t place)
{
    const uint32_t partner = s->ahead.partner[place];
    const uint32_t op = !is_message(e)             ? e->op
                        : partner != MATCHING_NONE ? s->single[partner].op
                                                   : SIM_ANY;
    s->ahead.op[place] = op;
    if (op != SIM_ANY && s->program->methods->prefetch != NULL) {
        s->program->methods->prefetch(s->cursor, e->rank, op);
    }
}

static inline void fetch(sequential *s, unsigned stage, size_t at)
{
    const sequential_event *e = &s->queue.run[at];
    const size_t place = at % AHEAD_EVENTS;
    switch (stage) {
    case AHEAD_RANK:
        fetch_rank(s, e);
        break;
    case AHEAD_PARTNER:
        fetch_partner(s, e, place);
        break;
    case AHEAD_OP:
        fetch_op(s, e, place);
        break;
    default:
        if (s->ahead.op[place] != SIM_ANY && s->program->methods->prefetch_next != NULL) {
            s->program->methods->prefetch_next(s->cursor, e->rank, s->ahead.op[place]);
        }
        break;
    }
}

void sim_sequential_fetch_ahead(sequential *s)
{
    sequential_ahead *a = &s->ahead;
    const instant_queue *q = &s->queue;
    if (a->runs != q->runs) { /* a new run: none of its events has been looked at */
        *a = (sequential_ahead){.runs = q->runs};
    }
    for (unsigned stage = 0; stage < AHEAD_STAGES; stage++) {
        const size_t end = MIN(q->next + DISTANCE[stage], q->num_run);
        for (; a->at[stage] < end; a->at[stage]++) {
            fetch(s, stage, a->at[stage]);
        }
    }
}
