/* tests/collectives/flow.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

typedef uint64_t rank_set; /* bit r: rank r */

typedef enum {
    WHOLE,   /* all that the sender has */
    LACKING, /* complete blocks that the receiver has not got complete */
    SUBTREE, /* the blocks of the receiver and all below it */
    OWN,     /* the block that the receiver ends with */
    PAIR,    /* the block from sender to receiver */
    BITS,    /* blocks with bit i of their distance set, i: how many messages were sent before */
    HALF,    /* the blocks that the receiver goes on answering for */
    ROUND,   /* the block that is due at its owner after size - 1 hops */
} rule;

typedef struct message {
    rank_set *blocks; /* [num_blocks] the sender's, when it sent */
    int64_t bytes;
    uint32_t number;  /* how many the sender had sent before */
    uint32_t trades;  /* how many of these were exchanges */
    bool is_exchange; /* the sender receives in the same stage */
} message;

typedef struct flow {
    const calls_spec *spec;
    uint32_t p;
    uint32_t num_blocks;
    GArray **steps;    /* [p] of coll_step */
    uint32_t *at;      /* [p] next step */
    uint32_t *sent;    /* [p] messages sent */
    uint32_t *traded;  /* [p] of these in exchanges */
    uint32_t *parent;  /* [p] in a scatter */
    uint32_t *member;  /* [p] recursive halving: number in the core */
    rank_set *has;     /* [p][num_blocks] */
    rank_set *lower;   /* [p] scan: contributions of lower ranks in the result */
    int64_t *combined; /* [p] bytes to be combined now */
    GQueue *wire;      /* [p][p] of message */
    char *wrong;
} flow;

static bool is_alltoall(coll_kind kind)
{
    return kind == COLL_ALLTOALL || kind == COLL_ALLTOALLV || kind == COLL_ALLTOALLW;
}

static bool is_scan(coll_kind kind)
{
    return kind == COLL_SCAN || kind == COLL_EXSCAN;
}

static bool is_reduce_scatter(coll_kind kind)
{
    return kind == COLL_REDUCE_SCATTER || kind == COLL_REDUCE_SCATTER_BLOCK;
}

static rank_set all_of(const flow *f)
{
    return f->p == 64 ? ~(rank_set)0 : ((rank_set)1 << f->p) - 1;
}

static rank_set only(uint32_t rank)
{
    return (rank_set)1 << rank;
}

static uint32_t core_size(uint32_t p)
{
    uint32_t core = 1;
    while (2 * core <= p) {
        core *= 2;
    }
    return core;
}

/* Into how many blocks is the payload cut? */
static uint32_t count_blocks(const calls_spec *spec)
{
    switch (spec->kind) {
    case COLL_BARRIER:
    case COLL_SCAN:
    case COLL_EXSCAN:
        return 1;
    case COLL_BCAST:
        return spec->algorithm == COLL_ALG_SCATTER_ALLGATHER ? spec->size : 1;
    case COLL_REDUCE:
    case COLL_ALLREDUCE:
        return spec->algorithm == COLL_ALG_RING && spec->kind == COLL_ALLREDUCE ? spec->size
               : spec->algorithm == COLL_ALG_RECURSIVE_HALVING ? core_size(spec->size)
                                                               : 1;
    default:
        return is_alltoall(spec->kind) ? spec->size * spec->size : spec->size;
    }
}

static int64_t block_bytes(const flow *f, uint32_t b)
{
    const calls_spec *spec = f->spec;
    switch (spec->kind) {
    case COLL_BARRIER:
        return 0;
    case COLL_BCAST:
    case COLL_REDUCE:
    case COLL_ALLREDUCE:
    case COLL_SCAN:
    case COLL_EXSCAN: /* as equal as can be, the longer ones first */
        return spec->bytes / f->num_blocks + (b < spec->bytes % f->num_blocks ? 1 : 0);
    default:
        return is_alltoall(spec->kind) ? calls_pair(spec, b / f->p, b % f->p)
                                       : calls_block(spec, b);
    }
}

/* Whose contributions make block b complete? */
static rank_set complete(const flow *f, uint32_t b)
{
    switch (f->spec->kind) {
    case COLL_BCAST:
    case COLL_SCATTER:
    case COLL_SCATTERV:
        return only(f->spec->root);
    case COLL_GATHER:
    case COLL_GATHERV:
    case COLL_ALLGATHER:
    case COLL_ALLGATHERV:
        return only(b);
    default:
        return is_alltoall(f->spec->kind) ? only(b / f->p) : all_of(f);
    }
}

/* Has @p rank a contribution to block b to begin with? */
static bool begins_with(const flow *f, uint32_t rank, uint32_t b)
{
    return (complete(f, b) >> rank & 1) != 0;
}

/* Does MPI say that @p rank ends with block b complete? */
static bool must_end_with(const flow *f, uint32_t rank, uint32_t b)
{
    switch (f->spec->kind) {
    case COLL_REDUCE:
    case COLL_GATHER:
    case COLL_GATHERV:
        return rank == f->spec->root;
    case COLL_SCATTER:
    case COLL_SCATTERV:
    case COLL_REDUCE_SCATTER:
    case COLL_REDUCE_SCATTER_BLOCK:
        return b == rank;
    default:
        return is_alltoall(f->spec->kind) ? b % f->p == rank : true;
    }
}

G_GNUC_PRINTF(2, 3) static void fail(flow *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (f->wrong == NULL) {
        f->wrong = g_strdup_vprintf(format, args);
    }
    va_end(args);
}

static const coll_step *step_of(const flow *f, uint32_t rank, uint32_t i)
{
    return i < f->steps[rank]->len ? &g_array_index(f->steps[rank], coll_step, i) : NULL;
}

/* Is step i of @p rank a send whose receive comes in the same stage? */
static bool is_exchange(const flow *f, uint32_t rank, uint32_t i)
{
    const coll_step *next = step_of(f, rank, i + 1);
    return next != NULL && next->with_previous;
}

static rule rule_for(const flow *f, uint32_t from, const message *m)
{
    const coll_algorithm algorithm = f->spec->algorithm;
    const bool is_inward = m->number == 0 && from != 0; /* of a composition over root 0 */
    switch (f->spec->kind) {
    case COLL_BCAST:
        return algorithm != COLL_ALG_SCATTER_ALLGATHER ? WHOLE : m->is_exchange ? LACKING : SUBTREE;
    case COLL_REDUCE:
    case COLL_ALLREDUCE:
    case COLL_REDUCE_SCATTER:
    case COLL_REDUCE_SCATTER_BLOCK:
        if (algorithm == COLL_ALG_RING && f->spec->kind != COLL_REDUCE) {
            return m->number < f->p - 1 ? ROUND : LACKING;
        }
        if (algorithm == COLL_ALG_RECURSIVE_HALVING) {
            const bool halves = m->is_exchange && 1U << m->trades < core_size(f->p);
            return halves                             ? HALF
                   : m->number == 0                   ? WHOLE /* a rank that waits */
                   : is_reduce_scatter(f->spec->kind) ? OWN
                                                      : LACKING;
        }
        if (is_reduce_scatter(f->spec->kind)) {
            return algorithm == COLL_ALG_PAIRWISE ? OWN : is_inward ? WHOLE : SUBTREE;
        }
        return WHOLE;
    case COLL_ALLGATHER:
    case COLL_ALLGATHERV:
        return (algorithm == COLL_ALG_LINEAR || algorithm == COLL_ALG_COMPOSITE) && !is_inward
                   ? WHOLE
                   : LACKING;
    case COLL_GATHER:
    case COLL_GATHERV:
        return LACKING;
    case COLL_SCATTER:
    case COLL_SCATTERV:
        return SUBTREE;
    case COLL_ALLTOALL:
        return algorithm == COLL_ALG_DISSEMINATION || algorithm == COLL_ALG_BRUCK ? BITS : PAIR;
    case COLL_ALLTOALLV:
    case COLL_ALLTOALLW:
        return PAIR;
    default:
        return WHOLE;
    }
}

static bool is_below(const flow *f, uint32_t rank, uint32_t ancestor)
{
    for (uint32_t hops = 0; hops <= f->p; hops++) {
        if (rank == ancestor) {
            return true;
        }
        if (f->parent[rank] == UINT32_MAX) {
            return false;
        }
        rank = f->parent[rank];
    }
    return false;
}

/* The core member that answers for block b in the end. */
static uint32_t answers_for(const flow *f, uint32_t b)
{
    if (!is_reduce_scatter(f->spec->kind)) {
        return b; /* a part of the vector */
    }
    return f->member[b] != UINT32_MAX ? f->member[b] : f->member[b + 1];
}

/* Up to exchange i, has every exchange chosen the side of block b that the receiver is on? */
static bool is_in_half(const flow *f, uint32_t b, uint32_t to, uint32_t i)
{
    const uint32_t core = core_size(f->p);
    for (uint32_t t = 0; t <= i; t++) {
        const uint32_t block_bit = core >> (t + 1);
        const uint32_t rank_bit = f->spec->kind == COLL_ALLREDUCE ? 1U << t : block_bit;
        if (((answers_for(f, b) & block_bit) != 0) != ((f->member[to] & rank_bit) != 0)) {
            return false;
        }
    }
    return true;
}

/* Is block b in message @p m? */
static bool carries(const flow *f, uint32_t from, uint32_t to, const message *m, uint32_t b)
{
    switch (rule_for(f, from, m)) {
    case WHOLE:
        return true;
    case LACKING:
        return m->blocks[b] == complete(f, b) &&
               f->has[(size_t)to * f->num_blocks + b] != complete(f, b);
    case SUBTREE:
        return is_below(f, b, to);
    case OWN:
        return b == to;
    case PAIR:
        return b == from * f->p + to;
    case BITS:
        return m->blocks[b] != 0 && ((b % f->p + f->p - b / f->p) % f->p >> m->number & 1) != 0;
    case HALF:
        return is_in_half(f, b, to, m->trades);
    case ROUND:
        return (b + 1 + m->number) % f->p == from;
    }
    return false;
}

static void send_message(flow *f, uint32_t rank, const coll_step *step)
{
    if (step->peer >= f->p || step->peer == rank) {
        fail(f, "rank %u sends to %u", rank, step->peer);
        return;
    }
    rank_set *const mine = f->has + (size_t)rank * f->num_blocks;
    if (f->spec->kind == COLL_BCAST && f->traded[rank] == 0 && is_exchange(f, rank, f->at[rank])) {
        /* The allgather takes no account of what the scatter passed through here. */
        for (uint32_t b = 0; b < f->num_blocks; b++) {
            mine[b] = b == rank ? mine[b] : 0;
        }
    }
    message *m = g_new0(message, 1);
    *m = (message){.blocks = g_memdup2(mine, f->num_blocks * sizeof *mine),
                   .bytes = step->size,
                   .number = f->sent[rank]++,
                   .trades = f->traded[rank],
                   .is_exchange = is_exchange(f, rank, f->at[rank])};
    f->traded[rank] += m->is_exchange ? 1 : 0;
    for (uint32_t b = 0; b < f->num_blocks; b++) {
        if (rule_for(f, rank, m) == BITS && carries(f, rank, step->peer, m, b)) {
            mine[b] = 0; /* moved on */
        }
    }
    g_queue_push_tail(&f->wire[(size_t)rank * f->p + step->peer], m);
}

/* A scan: the group's part, and the result from lower ranks. */
static void receive_scan(flow *f, uint32_t rank, uint32_t from, rank_set came, int64_t bytes)
{
    const bool is_linear = f->spec->algorithm == COLL_ALG_LINEAR;
    const bool is_exscan = f->spec->kind == COLL_EXSCAN;
    if ((f->has[rank] & came) != 0) {
        fail(f, "rank %u gets contributions twice", rank);
    }
    f->has[rank] |= came;
    /* linear: the one sum that is passed on; else the group's part. */
    f->combined[rank] += is_linear && is_exscan && rank == f->p - 1 ? 0 : bytes;
    if (from < rank) {
        f->combined[rank] += is_linear || (is_exscan && f->lower[rank] == 0) ? 0 : bytes;
        f->lower[rank] |= came;
    }
}

static void receive_block(flow *f, uint32_t rank, uint32_t b, rank_set came)
{
    rank_set *const mine = f->has + (size_t)rank * f->num_blocks + b;
    const bool is_idempotent = f->spec->algorithm == COLL_ALG_DISSEMINATION;
    if (*mine == 0 || (came == complete(f, b) && !is_idempotent)) {
        *mine = came; /* a copy */
        return;
    }
    if ((*mine & came) != 0 && !is_idempotent && f->spec->kind != COLL_BARRIER) {
        fail(f, "rank %u gets contributions to block %u twice", rank, b);
    }
    *mine |= came;
    f->combined[rank] += block_bytes(f, b);
}

/* @return false: nothing has come yet */
static bool receive_message(flow *f, uint32_t rank, const coll_step *step)
{
    if (step->peer >= f->p || step->peer == rank) {
        fail(f, "rank %u receives from %u", rank, step->peer);
        return true;
    }
    message *m = g_queue_pop_head(&f->wire[(size_t)step->peer * f->p + rank]);
    if (m == NULL) {
        return false;
    }
    int64_t bytes = 0;
    for (uint32_t b = 0; b < f->num_blocks; b++) {
        if (carries(f, step->peer, rank, m, b)) {
            bytes += block_bytes(f, b);
            if (is_scan(f->spec->kind)) {
                receive_scan(f, rank, step->peer, m->blocks[b], block_bytes(f, b));
            } else if (m->blocks[b] != 0) {
                receive_block(f, rank, b, m->blocks[b]);
            }
        }
    }
    if (bytes != m->bytes || bytes != step->size) {
        fail(f,
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
    const coll_step *next = step_of(f, rank, f->at[rank]);
    const sim_time work = sim_rate_times(f->spec->reduce, f->combined[rank]);
    const sim_time found = next != NULL && next->type == SIM_OP_CALC ? next->size : 0;
    if (work != found) {
        fail(f, "rank %u before step %u: calc of %" G_GINT64_FORMAT ", wanted %" G_GINT64_FORMAT,
             rank, f->at[rank], found, work);
    }
    f->combined[rank] = 0;
}

/* Do what @p rank can do. @return whether that was anything */
static bool advance(flow *f, uint32_t rank)
{
    bool moved = false;
    const coll_step *step = NULL;
    while (f->wrong == NULL && (step = step_of(f, rank, f->at[rank])) != NULL) {
        const coll_step *before = f->at[rank] > 0 ? step - 1 : NULL;
        if (step->with_previous &&
            (step->type != SIM_OP_RECV || before == NULL || before->type != SIM_OP_SEND)) {
            fail(f, "rank %u step %u: only the receive of an exchange goes with the one before",
                 rank, f->at[rank]);
        }
        if (step->type == SIM_OP_SEND) {
            send_message(f, rank, step);
        } else if (step->type == SIM_OP_RECV && !receive_message(f, rank, step)) {
            return moved;
        } else if (step->type == SIM_OP_CALC && (before == NULL || before->type != SIM_OP_RECV)) {
            fail(f, "rank %u step %u: calc without a receive", rank, f->at[rank]);
        }
        f->at[rank]++;
        moved = true;
        if (step->type == SIM_OP_RECV) {
            check_work(f, rank);
        }
    }
    return moved;
}

/* The tree of a scatter, and the numbers in the core, as the steps show them. */
static void find_roles(flow *f)
{
    for (uint32_t rank = 0; rank < f->p; rank++) {
        f->parent[rank] = UINT32_MAX;
        f->member[rank] = UINT32_MAX;
        for (uint32_t i = 0; i < f->steps[rank]->len; i++) {
            const coll_step *step = step_of(f, rank, i);
            const bool is_first = f->parent[rank] == UINT32_MAX;
            /* A broadcast begins with the scatter, a reduce_scatter ends with it. */
            if (step->type == SIM_OP_RECV && !step->with_previous &&
                (is_first || f->spec->kind != COLL_BCAST)) {
                f->parent[rank] = step->peer;
            }
        }
    }
    const uint32_t root = coll_kind_is_rooted(f->spec->kind) ? f->spec->root : 0;
    f->parent[root] = UINT32_MAX;
    uint32_t next = 0;
    for (uint32_t i = 0; i < f->p; i++) {
        const uint32_t rank = (root + i) % f->p;
        const coll_step *first = step_of(f, rank, 0);
        const bool waits = first != NULL && first->type == SIM_OP_SEND && !is_exchange(f, rank, 0);
        if (!waits) {
            f->member[rank] = next++;
        }
    }
}

static void check_end(flow *f)
{
    for (uint32_t rank = 0; rank < f->p; rank++) {
        if (f->at[rank] < f->steps[rank]->len) {
            fail(f, "rank %u waits for ever at step %u of %u", rank, f->at[rank],
                 f->steps[rank]->len);
        }
        if (is_scan(f->spec->kind)) {
            if (f->lower[rank] != only(rank) - 1) {
                fail(f, "rank %u has %" G_GINT64_MODIFIER "x of the lower ranks", rank,
                     f->lower[rank]);
            }
            continue;
        }
        for (uint32_t b = 0; b < f->num_blocks; b++) {
            const rank_set has = f->has[(size_t)rank * f->num_blocks + b];
            const bool is_void = f->spec->kind != COLL_BARRIER && block_bytes(f, b) == 0;
            if (!is_void && must_end_with(f, rank, b) && has != complete(f, b)) {
                fail(f, "rank %u has %" G_GINT64_MODIFIER "x of block %u", rank, has, b);
            }
        }
    }
    for (size_t i = 0; i < (size_t)f->p * f->p; i++) {
        message *m = NULL;
        while ((m = g_queue_pop_head(&f->wire[i])) != NULL) {
            fail(f, "a message from %zu to %zu is never received", i / f->p, i % f->p);
            g_free(m->blocks);
            g_free(m);
        }
    }
}

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
    const coll_step *step = step_of(f, rank, s[rank].at);
    if (step != NULL && step->type != type && is_exchange(f, rank, s[rank].at)) {
        step++;
    }
    return step != NULL && step->type == type ? step : NULL;
}

/* Go on to the next stage if this one is through. */
static bool leave_stage(const flow *f, standing *s, uint32_t rank)
{
    if (step_of(f, rank, s[rank].at) == NULL ||
        (step_under_way(f, s, rank, SIM_OP_SEND) != NULL && !s[rank].sent) ||
        (step_under_way(f, s, rank, SIM_OP_RECV) != NULL && !s[rank].received)) {
        return false;
    }
    s[rank].at += is_exchange(f, rank, s[rank].at) ? 2 : 1;
    s[rank].sent = s[rank].received = false;
    return true;
}

/* The same steps, where a send goes no further than its receive. */
static void check_rendezvous(flow *f)
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
            fail(f, "with rendezvous, rank %u waits for ever at step %u", r, s[r].at);
        }
    }
}

char *flow_check(const calls_spec *spec)
{
    const uint32_t p = spec->size;
    flow f = {.spec = spec,
              .p = p,
              .num_blocks = count_blocks(spec),
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
            f.has[(size_t)rank * f.num_blocks + b] = begins_with(&f, rank, b) ? only(rank) : 0;
        }
    }
    find_roles(&f);
    bool moved = true;
    while (moved) {
        moved = false;
        for (uint32_t rank = 0; rank < p; rank++) {
            moved = advance(&f, rank) || moved;
        }
    }
    check_end(&f);
    check_rendezvous(&f);
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
