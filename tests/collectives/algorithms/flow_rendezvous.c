/* tests/collectives/algorithms/flow_rendezvous.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow_private.h"

/* Where a rank stands with sends that wait for their receive. */
typedef struct standing {
    uint32_t at;   /* first step of the stage under way */
    bool sent;     /* its send has met a receive */
    bool received; /* its receive has met a send */
} standing;

/* The step of the stage under way of @p rank that is of @p type, or NULL. */
static const coll_step *step_under_way(const flow *f, const standing *s, uint32_t rank,
                                       sim_op_type type)
{
    const coll_step *step = flow_step(f, rank, s[rank].at);
    if (step != NULL && step->type != type && flow_is_exchange(f, rank, s[rank].at)) {
        step = flow_step(f, rank, s[rank].at + 1);
    }
    return step != NULL && step->type == type ? step : NULL;
}

/* Go on to the next stage if this one is through. */
static bool leave_stage(const flow *f, standing *s, uint32_t rank)
{
    if (flow_step(f, rank, s[rank].at) == NULL ||
        (step_under_way(f, s, rank, SIM_OP_SEND) != NULL && !s[rank].sent) ||
        (step_under_way(f, s, rank, SIM_OP_RECV) != NULL && !s[rank].received)) {
        return false;
    }
    s[rank].at += flow_is_exchange(f, rank, s[rank].at) ? 2 : 1;
    s[rank].sent = s[rank].received = false;
    return true;
}

void flow_check_rendezvous(flow *f)
{
    g_autofree standing *s = g_new0(standing, f->p);
    bool moved = true;
    while (moved) {
        moved = false;
        for (uint32_t r = 0; r < f->p; r++) {
            moved = leave_stage(f, s, r) || moved;
            const coll_step *send = step_under_way(f, s, r, SIM_OP_SEND);
            if (send == NULL || s[r].sent) {
                continue;
            }
            const coll_step *recv = step_under_way(f, s, send->peer, SIM_OP_RECV);
            if (recv != NULL && recv->peer == r && !s[send->peer].received) {
                s[r].sent = s[send->peer].received = moved = true;
            }
        }
    }
    for (uint32_t r = 0; r < f->p; r++) {
        if (s[r].at < f->steps[r]->len) {
            flow_fail(f, "with rendezvous, rank %u waits for ever at step %u", r, s[r].at);
        }
    }
}
