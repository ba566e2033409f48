/* tests/collectives/algorithms/flow.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow_private.h"

#include <stdlib.h>
#include <string.h>

void flow_fail(flow *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (f->wrong == NULL) {
        f->wrong = g_strdup_vprintf(format, args);
    }
    va_end(args);
}

const coll_step *flow_step(const flow *f, uint32_t rank, uint32_t i)
{
    return i < f->steps[rank]->len ? &g_array_index(f->steps[rank], calls_step, i).step : NULL;
}

bool flow_is_exchange(const flow *f, uint32_t rank, uint32_t i)
{
    const coll_step *next = flow_step(f, rank, i + 1);
    return next != NULL && next->with_previous;
}

static uint8_t phase_of(const flow *f, uint32_t rank, uint32_t i)
{
    return g_array_index(f->steps[rank], calls_step, i).phase;
}

/*
 * A rank that enters a phase which collects the blocks of a scatter has its own only: what the
 * scatter passed through here does not count.
 */
static void enter_phase(flow *f, uint32_t rank)
{
    const uint32_t at = f->at[rank];
    const uint8_t phase = phase_of(f, rank, at);
    if (phase == 0 || (at > 0 && phase_of(f, rank, at - 1) == phase) ||
        f->phases[phase]->payload != COLL_CARRIES_MISSING ||
        f->phases[phase - 1]->payload != COLL_CARRIES_SUBTREE) {
        return;
    }
    for (uint32_t b = 0; b < f->num_blocks; b++) {
        if (b != rank) {
            f->has[(size_t)rank * f->num_blocks + b] = 0;
        }
    }
}

static void send_message(flow *f, uint32_t rank, const coll_step *step)
{
    if (step->peer >= f->p || step->peer == rank) {
        flow_fail(f, "rank %u sends to %u", rank, step->peer);
        return;
    }
    rank_set *const mine = f->has + (size_t)rank * f->num_blocks;
    flow_message *m = g_new0(flow_message, 1);
    *m = (flow_message){.blocks = g_memdup2(mine, f->num_blocks * sizeof *mine),
                        .bytes = step->size,
                        .number = f->sent[rank]++,
                        .trades = f->traded[rank],
                        .is_exchange = flow_is_exchange(f, rank, f->at[rank]),
                        .phase = phase_of(f, rank, f->at[rank])};
    f->traded[rank] += m->is_exchange ? 1 : 0;
    for (uint32_t b = 0; b < f->num_blocks; b++) {
        if (flow_payload(f, m) == COLL_CARRIES_BITS && flow_carries(f, rank, step->peer, m, b)) {
            mine[b] = 0; /* moved on */
        }
    }
    g_queue_push_tail(&f->wire[(size_t)rank * f->p + step->peer], m);
}

/* A scan: the group's part, and the result from lower ranks. */
static void receive_scan(flow *f, uint32_t rank, uint32_t from, const flow_message *m)
{
    const bool is_chain = !m->is_exchange; /* one sum is passed on; else each group has its part */
    const bool is_exscan = f->spec->kind == COLL_EXSCAN;
    const rank_set came = m->blocks[0];
    if ((f->has[rank] & came) != 0) {
        flow_fail(f, "rank %u gets contributions twice", rank);
    }
    f->has[rank] |= came;
    f->combined[rank] += is_chain && is_exscan && rank == f->p - 1 ? 0 : f->spec->bytes;
    if (from < rank) {
        f->combined[rank] += is_chain || (is_exscan && f->lower[rank] == 0) ? 0 : f->spec->bytes;
        f->lower[rank] |= came;
    }
}

static void receive_block(flow *f, uint32_t rank, uint32_t b, const flow_message *m)
{
    rank_set *const mine = f->has + (size_t)rank * f->num_blocks + b;
    const bool repeats = f->phases[m->phase]->repeats;
    const rank_set came = m->blocks[b];
    if (*mine == 0 || (came == flow_complete(f, b) && !repeats)) {
        *mine = came; /* a copy */
        return;
    }
    if ((*mine & came) != 0 && !repeats && f->spec->kind != COLL_BARRIER) {
        flow_fail(f, "rank %u gets contributions to block %u twice", rank, b);
    }
    *mine |= came;
    f->combined[rank] += flow_block_bytes(f, b);
}

/* @return false: nothing has come yet */
static bool receive_message(flow *f, uint32_t rank, const coll_step *step)
{
    if (step->peer >= f->p || step->peer == rank) {
        flow_fail(f, "rank %u receives from %u", rank, step->peer);
        return true;
    }
    flow_message *m = g_queue_pop_head(&f->wire[(size_t)step->peer * f->p + rank]);
    if (m == NULL) {
        return false;
    }
    int64_t bytes = 0;
    for (uint32_t b = 0; b < f->num_blocks; b++) {
        if (flow_carries(f, step->peer, rank, m, b)) {
            bytes += flow_block_bytes(f, b);
            if (flow_is_scan(f->spec->kind)) {
                receive_scan(f, rank, step->peer, m);
            } else if (m->blocks[b] != 0) {
                receive_block(f, rank, b, m);
            }
        }
    }
    if (bytes != m->bytes || bytes != step->size) {
        flow_fail(f,
                  "message %u of %u to %u: sent %" G_GINT64_FORMAT ", received %" G_GINT64_FORMAT
                  ", its blocks have %" G_GINT64_FORMAT,
                  m->number, step->peer, rank, m->bytes, step->size, bytes);
    }
    g_free(m->blocks);
    g_free(m);
    return true;
}

/* After a receive comes the work of combining, where there is some. */
static void check_work(flow *f, uint32_t rank)
{
    const coll_step *next = flow_step(f, rank, f->at[rank]);
    const sim_time work = sim_rate_times(f->spec->reduce, f->combined[rank]);
    const sim_time found = next != NULL && next->type == SIM_OP_CALC ? next->size : 0;
    if (work != found) {
        flow_fail(f,
                  "rank %u before step %u: calc of %" G_GINT64_FORMAT ", wanted %" G_GINT64_FORMAT,
                  rank, f->at[rank], found, work);
    }
    f->combined[rank] = 0;
}

/* Do what @p rank can do. @return whether that was anything */
static bool advance(flow *f, uint32_t rank)
{
    bool moved = false;
    const coll_step *step = NULL;
    while (f->wrong == NULL && (step = flow_step(f, rank, f->at[rank])) != NULL) {
        const coll_step *before = f->at[rank] > 0 ? flow_step(f, rank, f->at[rank] - 1) : NULL;
        enter_phase(f, rank);
        if (step->with_previous &&
            (step->type != SIM_OP_RECV || before == NULL || before->type != SIM_OP_SEND)) {
            flow_fail(f,
                      "rank %u step %u: only the receive of an exchange goes with the one before",
                      rank, f->at[rank]);
        }
        if (step->type == SIM_OP_SEND) {
            send_message(f, rank, step);
        } else if (step->type == SIM_OP_RECV && !receive_message(f, rank, step)) {
            return moved;
        } else if (step->type == SIM_OP_CALC && (before == NULL || before->type != SIM_OP_RECV)) {
            flow_fail(f, "rank %u step %u: calc without a receive", rank, f->at[rank]);
        }
        f->at[rank]++;
        moved = true;
        if (step->type == SIM_OP_RECV) {
            check_work(f, rank);
        }
    }
    return moved;
}

static void check_received(flow *f, uint32_t from, uint32_t to)
{
    flow_message *m = NULL;
    while ((m = g_queue_pop_head(&f->wire[(size_t)from * f->p + to])) != NULL) {
        flow_fail(f, "a message from %u to %u is never received", from, to);
        g_free(m->blocks);
        g_free(m);
    }
}

static void check_end(flow *f)
{
    for (uint32_t rank = 0; rank < f->p; rank++) {
        if (f->at[rank] < f->steps[rank]->len) {
            flow_fail(f, "rank %u waits for ever at step %u of %u", rank, f->at[rank],
                      f->steps[rank]->len);
        }
        if (flow_is_scan(f->spec->kind)) {
            if (f->lower[rank] != flow_only(rank) - 1) {
                flow_fail(f, "rank %u has %" G_GINT64_MODIFIER "x of the lower ranks", rank,
                          f->lower[rank]);
            }
            continue;
        }
        for (uint32_t b = 0; b < f->num_blocks; b++) {
            const rank_set has = f->has[(size_t)rank * f->num_blocks + b];
            const bool is_void = f->spec->kind != COLL_BARRIER && flow_block_bytes(f, b) == 0;
            if (!is_void && flow_must_end_with(f, rank, b) && has != flow_complete(f, b)) {
                flow_fail(f, "rank %u has %" G_GINT64_MODIFIER "x of block %u", rank, has, b);
            }
        }
    }
    for (uint32_t from = 0; from < f->p; from++) {
        for (uint32_t to = 0; to < f->p; to++) {
            check_received(f, from, to);
        }
    }
}

char *flow_check(const calls_spec *spec)
{
    const uint32_t p = spec->size;
    const coll_phase *const *phases = spec->algorithm.how->phases[spec->kind];
    flow f = {.spec = spec,
              .p = p,
              .phases = phases,
              .num_blocks = flow_count_blocks(spec, phases),
              .steps = calls_steps(spec),
              .at = g_new0(uint32_t, p),
              .sent = g_new0(uint32_t, p),
              .traded = g_new0(uint32_t, p),
              .parent = g_new0(uint32_t, p),
              .member = g_new0(uint32_t, p),
              .lower = g_new0(rank_set, p),
              .combined = g_new0(int64_t, p),
              .wire = g_new0(GQueue, (size_t)p * p)};
    f.has = g_new0(rank_set, (size_t)p * f.num_blocks);
    for (uint32_t rank = 0; rank < p; rank++) {
        for (uint32_t b = 0; b < f.num_blocks; b++) {
            f.has[(size_t)rank * f.num_blocks + b] = flow_complete(&f, b) & flow_only(rank);
        }
    }
    flow_find_roles(&f);
    bool moved = true;
    while (moved) {
        moved = false;
        for (uint32_t rank = 0; rank < p; rank++) {
            moved = advance(&f, rank) || moved;
        }
    }
    check_end(&f);
    flow_check_rendezvous(&f);
    calls_steps_free(f.steps, p);
    g_free(f.at);
    g_free(f.sent);
    g_free(f.traded);
    g_free(f.parent);
    g_free(f.member);
    g_free(f.lower);
    g_free(f.combined);
    g_free(f.wire);
    g_free(f.has);
    return f.wrong;
}
