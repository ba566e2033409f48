/* schedgen/replay/replay_op_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * An operation as a program hands it out: of a step of the record, of a calculation in its order,
 * or of a collective. Inline: all of it is done for each operation of a run.
 */
#pragma once

#include "replay/replay_private.h"

static inline uint32_t replay_coll_peer(const replay *p, const replay_coll *coll, replay_self self,
                                        uint32_t peer)
{
    const conv_coll *recorded = &coll->recorded;
    if (p->growth != NULL) {
        return p->growth->methods->member(p->growth, self.rank, recorded->span, peer);
    }
    const uint32_t size = recorded->call.size;
    if (!recorded->grows) {
        return recorded->members[peer] + replay_shift(self);
    }
    return coll->in_order ? peer : recorded->members[peer % size] + peer / size * size;
}

/*
 * The next operation of a rank in a collective that it makes at @p entry of the order. Inlined,
 * since the round need not go through memory when all of it is handed out at once. @return false:
 * no more
 */
G_ALWAYS_INLINE static inline bool replay_coll_next(const replay *p, replay_self self,
                                                    const uint32_t *entry, uint32_t repetition,
                                                    coll_walk *walk, sim_op *op)
{
    const replay_record *record = &p->record[self.record];
    const replay_coll *coll = &record->colls[record->steps[entry[0]].peer];
    const uint32_t rank = replay_coll_rank(p, coll, self);
    if (walk->due == COLL_DUE_ROUND && !coll_walk_round(&coll->course, rank, walk)) {
        return false;
    }
    const coll_step next = coll_walk_step(&coll->course, rank, walk);
    const bool message = next.type != SIM_OP_CALC;
    op->size = next.size; /* field by field: a whole one would be put together elsewhere first */
    op->peer = message ? replay_coll_peer(p, coll, self, next.peer) : 0;
    op->tag = message ? entry[1] + repetition * coll->recorded.tags : 0;
    op->comm = message ? coll->recorded.comm : 0;
    op->type = next.type;
    op->cpu = 0;
    op->nic = 0;
    return true;
}

static inline void replay_op_put_calc(sim_time size, sim_op *op)
{
    *op = (sim_op){.type = SIM_OP_CALC};
    op->size = size;
}

static inline void replay_op_put(const replay_step *step, uint32_t peer, sim_op *op)
{
    op->size = step->size;
    op->peer = peer;
    op->tag = step->tag;
    op->comm = step->comm;
    op->type = step->op;
    op->cpu = 0;
    op->nic = 0;
}

static inline void replay_op_put_copy(const replay_step *step, uint32_t shift, sim_op *op)
{
    replay_op_put(step, step->peer != SIM_ANY ? step->peer + shift : SIM_ANY, op);
}

static inline void replay_op_put_step(const replay *p, const replay_step *step, replay_self self,
                                      sim_op *op)
{
    if (p->growth == NULL || step->peer == SIM_ANY || step->op == SIM_OP_CALC) {
        replay_op_put_copy(step, replay_shift(self), op);
    } else {
        replay_op_put(step, p->growth->methods->peer(p->growth, self.rank, step->peer), op);
    }
}
