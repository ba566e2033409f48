/* schedgen/replay/replay.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "replay/replay_cursor_private.h"
#include "replay/replay_op_private.h"

/*
 * A rank goes along its record. What it does next depends on a few starts and finishes: those that
 * convert_stamp.c draws edges from. Here they are counted down, and their latest instant is kept;
 * when the last has been told, the next operation is computed and is ready.
 *
 * Requests of one wait need not be kept apart: their group counts those that have not finished, and
 * keeps the latest instant of those that have. A nonblocking collective is a chain of its own
 * beside the rank's, whose end counts in a group as a request does.
 *
 * Every call takes O(1), but for finding a request that is far: O(of those open at once).
 */

/* ---- what an operation depends on ---------------------------------------------------------- */

/* @return is it the latest so far? */
static inline bool tell(sim_time *latest, uint32_t *cause, sim_time at, uint32_t index)
{
    if (at > *latest || (at == *latest && index >= *cause + 1)) { /* after SIM_ANY comes 0 */
        *latest = at;
        *cause = index;
        return true;
    }
    return false;
}

static inline void tell_rank(replay_rank *r, sim_time at, uint32_t index, bool at_start)
{
    if (tell(&r->ready, &r->cause, at, index)) {
        r->at_start = at_start;
    }
}

/* @p out requires the instants known so far; what comes next does not. */
static inline void begin_stage(sim_ready *out, uint32_t index, sim_time *latest, uint32_t *cause)
{
    out->time = *latest;
    out->index = index;
    out->cause = *cause;
    out->at_start = false;
    out->quiet = false;
    *latest = 0;
    *cause = SIM_ANY;
}

static inline void begin_rank_stage(replay_rank *r, sim_ready *out)
{
    begin_stage(out, r->next, &r->ready, &r->cause);
    out->at_start = r->at_start && out->cause != SIM_ANY;
}

/* The rank goes on when the group is complete. @return true: it is */
static bool join_group(replay_rank *r, replay_group *group)
{
    if (group->pending > 0) {
        group->awaited = 1;
        r->waits = 1;
        return false;
    }
    if (group->cause != SIM_ANY) {
        tell_rank(r, group->at, group->cause, false);
    }
    *group = replay_group_none();
    return true;
}

/* ---- the rank ------------------------------------------------------------------------------ */

/* The operation in @p out is ready; what comes next requires its finish. */
static inline size_t emit(replay_rank *r, sim_ready *out)
{
    begin_rank_stage(r, out);
    out->quiet = r->walk.due != COLL_DUE_EXCHANGE;
    r->stage = r->next++;
    r->waits = 1;
    return 1;
}

/* The receive of an exchange: what comes next requires it as well as the send before. */
static inline size_t emit_exchange(const replay *p, replay_rank *r, uint32_t rank, sim_time at,
                                   uint32_t cause, sim_ready *out)
{
    const replay_self self = {rank, r->record};
    const replay_record *record = &p->record[self.record];
    if (r->in_coll) {
        (void)replay_coll_next(p, self, &record->order[r->step - 2], r->repetition, &r->walk,
                               &out->op);
    } else {
        replay_op_put_step(p, &record->steps[record->order[r->step++]], self, &out->op);
        r->walk.due = COLL_DUE_ROUND;
    }
    out->time = at;
    out->index = r->next++;
    out->cause = cause;
    out->at_start = true;
    out->quiet = r->walk.due != COLL_DUE_EXCHANGE;
    r->waits++;
    return 1;
}

/* A post: what comes next requires its start, and its group its finish. */
static size_t emit_post(const replay_cursor *c, replay_rank *r, const replay_step *step,
                        sim_ready *out)
{
    begin_rank_stage(r, out);
    if (c->num_near > 0) {
        *replay_near_at(c, r, r->next) = step->near; /* 0: none of a turn before is taken for it */
    }
    if (step->group != CONV_NONE) {
        if (step->near == 0) {
            replay_places_of(c, r)[step->place] = (replay_far){r->next, step->group};
        }
        replay_group *group = replay_group_at(c, r, step->group);
        group->pending++;
        __builtin_prefetch((const char *)group + REPLAY_LINE, 1); /* the next post's, mostly */
    }
    r->posted = true;
    r->next++;
    r->stage = r->next;
    return 1;
}

/* A nonblocking collective begins, in which the rank may have nothing to do. */
static size_t emit_chain(const replay_cursor *c, replay_rank *r, const replay_step *step,
                         replay_self self, sim_ready *out)
{
    const replay_coll *coll = &c->program->record[self.record].colls[step->peer];
    const uint32_t n =
        (uint32_t)coll_course_num_steps(&coll->course, replay_coll_rank(c->program, coll, self));
    if (n == 0) {
        return 0;
    }
    replay_chain *chain = replay_chain_at(r, step->place);
    *chain = (replay_chain){.cause = SIM_ANY,
                            .first = r->next,
                            .end = r->next + n,
                            .next = r->next + 1,
                            .step = r->step - 2,
                            .repetition = r->repetition,
                            .waits = 1};
    const uint32_t *entry = &c->program->record[self.record].order[chain->step];
    (void)replay_coll_next(c->program, self, entry, chain->repetition, &chain->walk, &out->op);
    begin_rank_stage(r, out);
    if (step->group != CONV_NONE) {
        replay_group_at(c, r, step->group)->pending++;
    }
    r->posted = true;
    r->next += n;
    r->stage = r->next;
    return 1;
}

/* The rank has half, or all, of a repetition behind it. */
static inline void leave_slice(const replay_cursor *c, const replay_rank *r, uint32_t half)
{
    if (c->slices != NULL) {
        sim_slices_note(c->slices, 2U * r->repetition + half, r->ready);
    }
}

/* Nothing is awaited: go along the record to the next operation, or to something to wait for. */
G_NO_INLINE static size_t go_on_further(const replay_cursor *c, replay_rank *r, uint32_t rank,
                                        sim_ready *out)
{
    const replay *p = c->program;
    const replay_self self = {rank, r->record};
    const replay_record *record = &p->record[self.record];
    for (;;) {
        if (r->in_coll) {
            if (replay_coll_next(p, self, &record->order[r->step - 2], r->repetition, &r->walk,
                                 &out->op)) {
                return emit(r, out);
            }
            r->in_coll = false;
        }
        const uint32_t entry = record->order[r->step++];
        if ((entry & REPLAY_CALC) != 0) {
            replay_op_put_calc(replay_computed(p, self, r->repetition, entry, &r->step), &out->op);
            return emit(r, out);
        }
        const replay_step *step = &record->steps[entry];
        switch ((replay_step_kind)step->kind) {
        case REPLAY_PAIR:
            r->walk.due = COLL_DUE_EXCHANGE;
            // fall through
        case REPLAY_OP:
        case REPLAY_EXCHANGE:
            replay_op_put_step(p, step, self, &out->op);
            return emit(r, out);
        case REPLAY_POST:
            replay_op_put_step(p, step, self, &out->op);
            return emit_post(c, r, step, out);
        case REPLAY_JOIN:
            if (!join_group(r, replay_group_at(c, r, step->group))) {
                return 0;
            }
            break;
        case REPLAY_COLL:
            r->step++; /* the tag */
            r->walk = (coll_walk){0};
            r->in_coll = true;
            break;
        case REPLAY_ICOLL: {
            r->step++;
            const size_t n = emit_chain(c, r, step, self, out);
            if (n > 0) {
                return n;
            }
            break;
        }
        case REPLAY_HALF:
            leave_slice(c, r, 0);
            break;
        case REPLAY_END:
            leave_slice(c, r, 1);
            if (r->repetition + 1U == p->repeat) {
                r->step--;
                return 0;
            }
            r->repetition++;
            r->step = 0;
            break;
        }
    }
}

/* The same. What comes next is mostly a calculation or a message: that takes no loop, and few
 * registers. */
static inline size_t go_on(const replay_cursor *c, replay_rank *r, uint32_t rank, sim_ready *out)
{
    const replay_record *record = &c->record[r->record];
    const uint32_t entry = record->order[r->step];
    if (r->in_coll || r->varied) {
        return go_on_further(c, r, rank, out);
    }
    if ((entry & REPLAY_CALC) != 0) {
        if ((entry & REPLAY_LONG) != 0) {
            return go_on_further(c, r, rank, out);
        }
        replay_op_put_calc((entry & (REPLAY_LONG - 1)) * record->unit, &out->op);
    } else {
        const replay_step *step = &record->steps[entry];
        if (step->kind > REPLAY_POST) {
            return go_on_further(c, r, rank, out);
        }
        replay_op_put_copy(step, rank - r->record, &out->op);
        if (step->kind == REPLAY_POST) {
            r->step++;
            return emit_post(c, r, step, out);
        }
        if (step->kind == REPLAY_PAIR) {
            r->walk.due = COLL_DUE_EXCHANGE;
        }
    }
    r->step++;
    return emit(r, out);
}

/* A request, or a chain, of a group has finished. */
static size_t finish_in_group(const replay_cursor *c, replay_rank *r, uint32_t rank, uint32_t group,
                              sim_time at, uint32_t index, sim_ready *out)
{
    replay_group *g = replay_group_at(c, r, group);
    sim_time latest = g->at;
    uint32_t cause = g->cause;
    (void)tell(&latest, &cause, at, index);
    g->at = latest;
    g->cause = cause;
    g->pending--;
    if (g->pending > 0 || !g->awaited) {
        return 0;
    }
    r->waits = 0;
    (void)join_group(r, g);
    return go_on(c, r, rank, out);
}

/* ---- requests and chains ------------------------------------------------------------------- */

/* The group that awaits an operation which has been posted, or CONV_NONE. What is near has been
 * posted so lately that nothing else can have its byte. */
static uint32_t find_group(const replay_cursor *c, replay_rank *r, uint32_t index)
{
    if (r->next - index <= c->num_near) {
        const uint8_t near = *replay_near_at(c, r, index);
        if (near > 0) {
            return near - 1U;
        }
    }
    const replay_far *places = replay_places_of(c, r);
    for (uint32_t i = 0; i < c->extent.places; i++) {
        if (places[i].index == index) {
            return places[i].group;
        }
    }
    return CONV_NONE;
}

static replay_chain *find_chain(const replay_cursor *c, replay_rank *r, uint32_t index)
{
    for (uint32_t i = 0; i < c->extent.chains; i++) {
        replay_chain *chain = replay_chain_at(r, i);
        if (index - chain->first < chain->end - chain->first) {
            return chain;
        }
    }
    return NULL;
}

static size_t start_in_chain(const replay *p, replay_chain *chain, replay_self self, uint32_t index,
                             sim_time at, sim_ready *out)
{
    if (chain->walk.due != COLL_DUE_EXCHANGE || index + 1 != chain->next) {
        return 0;
    }
    const replay_record *record = &p->record[self.record];
    (void)replay_coll_next(p, self, &record->order[chain->step], chain->repetition, &chain->walk,
                           &out->op);
    out->time = at;
    out->index = chain->next++;
    out->cause = index;
    out->at_start = true;
    chain->waits++;
    return 1;
}

static size_t finish_in_chain(const replay_cursor *c, replay_rank *r, replay_chain *chain,
                              uint32_t rank, uint32_t index, sim_time at, sim_ready *out)
{
    const replay *p = c->program;
    (void)tell(&chain->ready, &chain->cause, at, index);
    if (--chain->waits > 0) {
        return 0;
    }
    const replay_self self = {rank, r->record};
    const replay_record *record = &p->record[self.record];
    const uint32_t *entry = &record->order[chain->step];
    if (replay_coll_next(p, self, entry, chain->repetition, &chain->walk, &out->op)) {
        begin_stage(out, chain->next++, &chain->ready, &chain->cause);
        chain->waits = 1;
        return 1;
    }
    const uint32_t group = record->steps[*entry].group;
    const replay_chain done = *chain;
    *chain = (replay_chain){0};
    return group != CONV_NONE ? finish_in_group(c, r, rank, group, done.ready, done.cause, out) : 0;
}

static size_t finish_request(const replay_cursor *c, replay_rank *r, uint32_t rank, uint32_t index,
                             sim_time at, sim_ready *out)
{
    const uint32_t group = find_group(c, r, index);
    return group != CONV_NONE ? finish_in_group(c, r, rank, group, at, index, out) : 0;
}

/* ---- the program --------------------------------------------------------------------------- */

static size_t replay_first(void *opaque, uint32_t rank, sim_ready *out)
{
    const replay_cursor *c = opaque;
    return go_on(c, replay_rank_of(c, rank), rank, out);
}

/* A post, or an operation of a chain, which are not what the rank waits for the finish of. */
G_NO_INLINE static size_t start_earlier(const replay_cursor *c, replay_rank *r, uint32_t rank,
                                        uint32_t index, sim_time at, sim_ready *out)
{
    size_t n = 0;
    if (c->extent.chains > 0) {
        replay_chain *chain = find_chain(c, r, index);
        if (chain != NULL) {
            const replay_self self = {rank, r->record};
            n = start_in_chain(c->program, chain, self, index, at, out);
            if (index != chain->first || chain->end != r->next) {
                return n;
            }
        }
    }
    if (!r->posted) {
        return n;
    }
    r->posted = false;
    tell_rank(r, at, index, true);
    return n + go_on(c, r, rank, out + n);
}

static size_t replay_started(void *opaque, uint32_t rank, uint32_t index, sim_time at,
                             sim_ready *out)
{
    const replay_cursor *c = opaque;
    replay_rank *r = replay_rank_of(c, rank);
    if (index < r->stage) {
        return start_earlier(c, r, rank, index, at, out);
    }
    return r->walk.due == COLL_DUE_EXCHANGE && index + 1 == r->next
               ? emit_exchange(c->program, r, rank, at, index, out)
               : 0;
}

G_NO_INLINE static size_t finish_earlier(const replay_cursor *c, replay_rank *r, uint32_t rank,
                                         uint32_t index, sim_time at, sim_ready *out)
{
    replay_chain *chain = c->extent.chains > 0 ? find_chain(c, r, index) : NULL;
    return chain != NULL ? finish_in_chain(c, r, chain, rank, index, at, out)
                         : finish_request(c, r, rank, index, at, out);
}

static size_t replay_finished(void *opaque, uint32_t rank, uint32_t index, sim_time at,
                              sim_ready *out)
{
    const replay_cursor *c = opaque;
    replay_rank *r = replay_rank_of(c, rank);
    if (index < r->stage) {
        return finish_earlier(c, r, rank, index, at, out);
    }
    tell_rank(r, at, index, false);
    return --r->waits > 0 ? 0 : go_on(c, r, rank, out);
}

/*
 * Two lines of each rank, where the groups of few near requests are among them. Else a little
 * later, when a request is what will finish, also that of its group.
 */
static void replay_prefetch(const void *opaque, uint32_t rank, uint32_t index)
{
    const replay_cursor *c = opaque;
    replay_rank *r = replay_rank_of(c, rank);
    if (index == SIM_ANY) {
        __builtin_prefetch(r, 1);
        __builtin_prefetch((const char *)r + REPLAY_LINE, 1);
        if (c->num_near > REPLAY_LINE) {
            __builtin_prefetch((const char *)r + 2 * REPLAY_LINE, 1);
        }
    } else if (c->stride > 2 * REPLAY_LINE && index < r->stage) {
        const uint32_t group = c->num_near > 0 ? *replay_near_at(c, r, index) : 0;
        __builtin_prefetch(replay_group_at(c, r, group > 0 ? group - 1 : 0), 1);
    }
}

const sim_program_class sched_replay_class = {
    .free = sched_replay_free,
    .begin = sched_replay_cursor_new,
    .end = sched_replay_cursor_free,
    .first = replay_first,
    .started = replay_started,
    .finished = replay_finished,
    .prefetch = replay_prefetch,
    .note_slices = sched_replay_cursor_note_slices,
    .remaining = sched_replay_cursor_remaining,
    .num_ops = sched_replay_cursor_num_ops,
    .label = sched_replay_cursor_label,
    .symmetry = &sched_replay_symmetry,
    .passes = &sched_replay_passes,
};
