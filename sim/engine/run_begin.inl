/* sim/engine/run_begin.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How the ranks of a partition begin; included by run_turn.inl alone, which is compiled five times.
 */
#pragma once

#include "engine/run_steps_private.h"
#include "sim/passes.h"

#include <string.h>

/* Is it known in which order the receives among the first operations are posted? */
static bool are_posts_in_order(const sim_ready *ready, size_t n)
{
    uint32_t next = 0;
    for (size_t k = 0; k < n; k++) {
        if (ready[k].op.type == SIM_OP_RECV) {
            if (!ready[k].quiet || ready[k].index < next) {
                return false;
            }
            next = ready[k].index + 1;
        }
    }
    return true;
}

/*
 * There are no messages yet: where windows have a width, what a rank can receive from the beginning
 * is posted without events of their own. @return how many of @p ready are left, now its first
 */
static size_t post_first(const engine_turn *t, sim_ready *ready, size_t n)
{
    engine_partition *p = t->p;
    if (p->e->width == 0 || engine_recorded(p->e) || !are_posts_in_order(ready, n)) {
        return n;
    }
    enum { AHEAD = 8 };
    size_t left = 0;
    for (size_t k = 0; k < n; k++) {
        if (n - k > AHEAD && event_list_has_spilled(t->r)) {
            const sim_op *op = &ready[k + AHEAD].op;
            const event_item later = {.peer = op->peer, .tag = op->tag, .comm = op->comm};
            sim_spill_prefetch_receive(&p->event_list, t->rank, &later);
        }
        if (ready[k].op.type != SIM_OP_RECV) {
            ready[left++] = ready[k];
            continue;
        }
        event_entry entry = {.cause = {.cause = ready[k].cause, .at_start = ready[k].at_start}};
        engine_write_item(t, &entry.item, &ready[k]);
        event_list_post(&p->event_list, t->r, t->rank, EVENT_TAKEN, &entry);
    }
    p->num_ops += n - left;
    return left;
}

static void engine_begin_partition(engine_partition *p)
{
    engine *e = p->e;
    for (uint32_t place = 0; place < rank_partition_places(&p->ranks); place++) {
        const uint32_t rank = (uint32_t)rank_partition_rank(&p->ranks, place);
        if (rank >= p->ranks.num_ranks) {
            break;
        }
        const engine_turn t = {.p = p, .r = engine_rank_of(e, rank), .rank = rank};
        *t.r = (engine_rank){.place = CALENDAR_RUNNING};
        if (e->keeps_quiet) {
            *engine_quiet_of(e, rank) = (engine_quiet){0, 0};
        }
        if (e->standing == NULL) {
            memset(t.r->clock, 0, e->layout.num_clocks * sizeof *t.r->clock);
        } else {
            const sim_time *at = engine_standing_at(e->standing, rank);
            e->program->methods->passes->start_at(e->cursor, rank, at[0]);
            memcpy(t.r->clock, at + 1, e->layout.num_clocks * sizeof *at);
        }
        for (uint32_t c = 0; engine_keeps_causes(e) && c < e->layout.num_clocks; c++) {
            event_list_clock_causes(&p->event_list, t.r)[c] =
                (clock_cause){.op = SIM_ANY, .source = SIM_ANY};
        }
        const size_t n = e->program->methods->first(e->cursor, rank, p->ready);
        engine_take_up(&t, p->ready, post_first(&t, p->ready, n), false);
        next_step next;
        engine_settle(p, t.r, rank, choose_next(&t, 0, &next));
        keep_next(&t, &next);
    }
}
