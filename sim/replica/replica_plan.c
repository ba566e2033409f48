/* sim/replica/replica_plan.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_replica. */
/*
 * The order of evaluation, found by walking through the program without times. A rank begins its
 * next round when the one before has ended and its last message has been taken, so that one row of
 * a table is enough for what a rank has sent; a round ends when its message has come and,
 * rendezvous, its own has met a receive. All that can be done at once is a level.
 */
#include "replica/replica_cost_private.h"
#include "sim/chain.h"

#include <stdlib.h>

enum { RUN_BYTES_PER_RANK = 256, RUN_BYTES = 64 << 20 };

static const sim_time NO_NEED = INT64_MIN / 2;

/* What is known of a rank while it is walked through. */
typedef struct walker {
    sim_chain_cursor cursor;
    sim_chain_round round; /* the current one */
    int64_t message;       /* bytes of the last message sent */
    int64_t incoming;      /* bytes of the message that the current round receives */
    sim_time tx_need;      /* for how long the interface may be busy after the CPU is free */
    sim_time rx_need;
    uint32_t to;    /* whom the last message is for */
    bool loaded;    /* there is a current round */
    bool begun;     /* the current round has begun */
    bool has_come;  /* the message of the current round is there */
    bool is_met;    /* the last message sent has met its receive */
    bool is_unread; /* the last message sent has not been taken yet */
    bool is_stuck;  /* the current round sends, and waits for that */
} walker;

typedef struct planner {
    replica_plan *plan;
    const sim_program *program;
    uint32_t num_walkers;
    walker *walkers;   /* [num_walkers] */
    GArray *starting;  /* of uint32_t: ranks that go on to their next round, ascending */
    GArray *begun;     /* that have begun one in this level, ascending */
    GArray *met;       /* senders of messages that have met their receives in this level */
    GArray *reached;   /* their receivers */
    GArray *touched;   /* ranks whose round may end: begun, met and reached together */
    GArray *following; /* starting in the next level */
    guint first_run;   /* of this part of the level */
    guint max_runs;
    replica_costs costs;
    double longest;  /* work of any step of this level, ps */
    double span;     /* its duration at most, but for work */
    const char *why; /* it cannot be done; NULL: so far it can */
} planner;

static const replica_cost *cost_at(const planner *p, uint32_t cost)
{
    return &g_array_index(p->plan->costs, replica_cost, cost);
}

/* All ranks do what rank 0 does. */
static void emit_all(planner *p, uint32_t peer, uint32_t cost)
{
    const uint32_t n = p->plan->num_ranks;
    if (p->plan->mirrors) {
        const replica_run all = {.n = n, .peer = peer, .cost = cost};
        g_array_append_val(p->plan->runs, all);
        return;
    }
    const replica_run runs[2] = {{.first = 0, .n = n - peer, .peer = peer, .cost = cost},
                                 {.first = n - peer, .n = peer, .peer = 0, .cost = cost}};
    g_array_append_vals(p->plan->runs, runs, peer > 0 ? 2 : 1);
}

/* The next rank of this part of the level: one more of the last run, if it fits on. */
static void emit(planner *p, uint32_t rank, uint32_t peer, uint32_t cost)
{
    GArray *runs = p->plan->runs;
    if (p->plan->is_alike) {
        emit_all(p, peer, cost);
        return;
    }
    replica_run *last =
        runs->len > p->first_run ? &g_array_index(runs, replica_run, runs->len - 1) : NULL;
    if (last != NULL && rank == last->first + last->n && peer == last->peer + last->n &&
        cost == last->cost) {
        last->n++;
        return;
    }
    if (runs->len >= p->max_runs) {
        p->why = "its messages are too irregular";
        return;
    }
    const replica_run run = {.first = rank, .n = 1, .peer = peer, .cost = cost};
    g_array_append_val(runs, run);
}

static int by_rank(const void *pa, const void *pb)
{
    const uint32_t a = *(const uint32_t *)pa;
    const uint32_t b = *(const uint32_t *)pb;
    return (a > b) - (a < b);
}

/* Ascending, each once. Most lists are so already. */
static void put_in_order(GArray *list)
{
    uint32_t *ranks = (uint32_t *)(void *)list->data;
    bool is_ordered = true;
    for (guint i = 1; i < list->len && is_ordered; i++) {
        is_ordered = ranks[i - 1] < ranks[i];
    }
    if (is_ordered) {
        return;
    }
    qsort(ranks, list->len, sizeof *ranks, by_rank);
    guint n = 1;
    for (guint i = 1; i < list->len; i++) {
        if (ranks[i] != ranks[n - 1]) {
            ranks[n++] = ranks[i];
        }
    }
    g_array_set_size(list, n);
}

/* What is left of a need when the CPU has worked. */
static sim_time less(sim_time need, sim_time work)
{
    return MAX(need - work, NO_NEED);
}

static void begin_round(planner *p, uint32_t rank)
{
    walker *w = &p->walkers[rank];
    replica_plan *plan = p->plan;
    const bool sends = w->round.to != SIM_NOBODY;
    const uint32_t cost =
        sim_replica_costs_find(&p->costs, (replica_cost_key){sends ? w->round.send : -1, -1, 0});
    w->begun = true;
    w->has_come = false;
    g_array_append_val(p->begun, rank);
    if (sends) {
        const replica_cost *c = cost_at(p, cost);
        const sim_params *m = &plan->params;
        w->message = w->round.send;
        w->to = w->round.to;
        w->is_met = false;
        w->is_unread = true;
        plan->rendezvous = plan->rendezvous || c->rendezvous;
        plan->tx = plan->tx || w->tx_need > 0;
        plan->bytes_cost = plan->bytes_cost || c->send_bytes > 0;
        w->rx_need = less(w->rx_need, m->o + c->send_bytes);
        w->tx_need = m->g + c->send_wire - m->o - c->send_bytes;
        plan->num_messages++;
        plan->num_ops++;
        p->longest = MAX(p->longest, (double)(m->o + c->send_bytes));
        p->span =
            MAX(p->span, 3.0 * (double)(m->g + m->L + m->H + c->send_wire)); /* handshake: twice */
    }
    emit(p, rank, rank, cost);
}

/* All that can go on. @return whether anything has begun */
static void begin_level(planner *p)
{
    for (guint i = 0; i < p->starting->len; i++) {
        const uint32_t rank = g_array_index(p->starting, uint32_t, i);
        walker *w = &p->walkers[rank];
        w->loaded =
            w->loaded || p->program->methods->chain->next(p->program, rank, &w->cursor, &w->round);
        if (!w->loaded) {
            continue;
        }
        w->is_stuck = w->is_unread && w->round.to != SIM_NOBODY;
        if (!w->is_stuck) {
            begin_round(p, rank);
        }
    }
}

/* Every rank receives in this round what the rank as far before it as the receiver of its own
 * message is after it sends in this round; mirrored, what that receiver itself sends. */
static void meet_alike(planner *p)
{
    walker *w = p->walkers;
    const sim_chain_round *r = &w->round;
    const uint32_t back = p->plan->mirrors ? r->to : p->plan->num_ranks - r->to;
    if (r->to == SIM_NOBODY || r->to == 0 || r->from != back) {
        p->why = "its ranks do not go on in step";
    } else if (r->send > r->recv) {
        p->why = "a message is larger than its receive";
    } else if (!w->is_met) {
        const uint32_t rank = 0;
        w->is_met = w->has_come = true;
        w->incoming = w->message;
        g_array_append_val(p->met, rank);
    }
}

/* Has the last message of @p source reached the receive of @p dest's round? */
static void try_to_meet(planner *p, uint32_t source, uint32_t dest)
{
    walker *s = &p->walkers[source];
    walker *d = &p->walkers[dest];
    if (p->plan->is_alike) {
        meet_alike(p);
        return;
    }
    if (!s->is_unread || s->is_met || s->to != dest || !d->begun || d->round.from != source) {
        return;
    }
    if (s->message > d->round.recv) {
        p->why = "a message is larger than its receive";
        return;
    }
    s->is_met = true;
    d->has_come = true;
    d->incoming = s->message;
    g_array_append_val(p->met, source);
    g_array_append_val(p->reached, dest);
}

static void meet_level(planner *p)
{
    for (guint i = 0; i < p->begun->len; i++) {
        const uint32_t rank = g_array_index(p->begun, uint32_t, i);
        const sim_chain_round *round = &p->walkers[rank].round;
        if (round->to != SIM_NOBODY) {
            try_to_meet(p, rank, round->to);
        }
        if (round->from != SIM_NOBODY) {
            try_to_meet(p, round->from, rank);
        }
    }
    put_in_order(p->met);
    put_in_order(p->reached);
    for (guint i = 0; i < p->met->len; i++) {
        const uint32_t rank = g_array_index(p->met, uint32_t, i);
        const walker *w = &p->walkers[rank];
        if (w->message > p->plan->params.S) {
            emit(p, rank, w->to,
                 sim_replica_costs_find(&p->costs, (replica_cost_key){w->message, -1, 0}));
        }
    }
}

/* The message of @p rank has been taken: it may send the next. */
static void free_sender(planner *p, uint32_t rank)
{
    walker *w = &p->walkers[rank];
    w->is_unread = false;
    if (w->is_stuck) {
        w->is_stuck = false;
        g_array_append_val(p->following, rank);
    }
}

static void end_round(planner *p, uint32_t rank)
{
    walker *w = &p->walkers[rank];
    replica_plan *plan = p->plan;
    const sim_params *m = &plan->params;
    const bool receives = w->round.from != SIM_NOBODY;
    const bool sends = w->round.to != SIM_NOBODY;
    const replica_cost_key key = {sends ? w->round.send : -1, receives ? w->incoming : -1,
                                  w->round.work};
    const uint32_t cost = sim_replica_costs_find(&p->costs, key);
    const replica_cost c = *cost_at(p, cost);
    w->begun = w->loaded = false;
    g_array_append_val(p->following, rank);
    if (receives) {
        const sim_time overhead = m->o + c.recv_bytes;
        plan->rx = plan->rx || w->rx_need + c.delay > 0;
        w->tx_need = less(w->tx_need, overhead);
        w->rx_need = m->g + c.recv_wire - c.delay - overhead;
        plan->num_ops++;
        p->longest = MAX(p->longest, (double)MAX(overhead, c.work));
        p->span = MAX(p->span, 3.0 * (double)(m->g + m->L + m->H + c.recv_wire));
        free_sender(p, plan->is_alike ? rank : w->round.from);
    }
    if (c.rendezvous && plan->params.rendezvous == SIM_RENDEZVOUS_HANDSHAKE) {
        w->tx_need = m->g; /* the send ends with the last byte */
    }
    if (c.work > 0) {
        w->tx_need = less(w->tx_need, c.work);
        w->rx_need = less(w->rx_need, c.work);
        plan->num_ops++;
    }
    if (receives || c.rendezvous) {
        emit(p, rank, receives ? w->round.from : rank, cost);
    }
}

/* Who has begun, who has met a receive, who has been reached: each rank once, ascending. */
static void merge_lists(planner *p)
{
    GArray *const lists[] = {p->begun, p->met, p->reached};
    guint at[G_N_ELEMENTS(lists)] = {0};
    for (uint32_t next = 0; next != SIM_NOBODY;) {
        next = SIM_NOBODY;
        for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
            if (at[i] < lists[i]->len) {
                next = MIN(next, g_array_index(lists[i], uint32_t, at[i]));
            }
        }
        for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
            at[i] += at[i] < lists[i]->len && g_array_index(lists[i], uint32_t, at[i]) == next;
        }
        if (next != SIM_NOBODY) {
            g_array_append_val(p->touched, next);
        }
    }
}

static void end_level(planner *p)
{
    merge_lists(p);
    for (guint i = 0; i < p->touched->len; i++) {
        const uint32_t rank = g_array_index(p->touched, uint32_t, i);
        const walker *w = &p->walkers[rank];
        const bool waits =
            w->round.to != SIM_NOBODY && w->round.send > p->plan->params.S && !w->is_met;
        if (w->begun && !waits && (w->round.from == SIM_NOBODY || w->has_come)) {
            end_round(p, rank);
        }
    }
    put_in_order(p->following);
}

/* One level. @return false: nothing is left that could go on */
static bool plan_level(planner *p)
{
    replica_plan *plan = p->plan;
    const guint first = plan->runs->len;
    p->longest = p->span = 0;
    p->first_run = first;
    begin_level(p);
    replica_level level = {.begins = plan->runs->len};
    p->first_run = plan->runs->len;
    meet_level(p);
    level.meetings = plan->runs->len;
    p->first_run = plan->runs->len;
    end_level(p);
    level.ends = plan->runs->len;
    for (guint i = first; i < level.ends; i++) {
        level.rows += g_array_index(plan->runs, replica_run, i).n;
    }
    if (level.ends > first) { /* not the last, in which every rank finds that it is through */
        g_array_append_val(plan->levels, level);
    }
    plan->span += p->span;
    plan->work += 4 * p->longest; /* send, its bytes, receive, computation */
    plan->uses += 4;
    GArray *const done = p->starting;
    p->starting = p->following;
    p->following = done;
    g_array_set_size(p->following, 0);
    g_array_set_size(p->begun, 0);
    g_array_set_size(p->met, 0);
    g_array_set_size(p->reached, 0);
    g_array_set_size(p->touched, 0);
    return p->starting->len > 0;
}

/* The longest that a receive may lag behind its interface, for what one repetition leaves over. */
static sim_time longest_delay(const replica_plan *plan)
{
    sim_time longest = 0;
    for (guint i = 0; i < plan->costs->len; i++) {
        longest = MAX(longest, g_array_index(plan->costs, replica_cost, i).delay);
    }
    return longest;
}

/* Is every rank through? And what does one repetition leave to the next? */
static void check_end(planner *p)
{
    replica_plan *plan = p->plan;
    const sim_time delay = longest_delay(plan);
    for (uint32_t rank = 0; rank < p->num_walkers; rank++) {
        const walker *w = &p->walkers[rank];
        if (w->loaded || w->is_unread) {
            p->why = "its ranks do not go on in step";
            return;
        }
        if (plan->repeat > 1) {
            plan->tx = plan->tx || w->tx_need > 0;
            plan->rx = plan->rx || w->rx_need + delay > 0;
        }
    }
    const uint64_t times = (uint64_t)plan->repeat * (plan->is_alike ? plan->num_ranks : 1);
    plan->num_ops *= times;
    plan->num_messages *= times;
    plan->span *= plan->repeat;
    plan->work *= plan->repeat;
    plan->uses *= plan->repeat;
}

static void plan_passes(planner *p)
{
    replica_plan *plan = p->plan;
    const bool is_plain = !plan->rendezvous || (!plan->mirrors && (!plan->tx || plan->repeat == 1));
    plan->in_passes = plan->is_alike && plan->levels->len > 1 && is_plain;
    if (plan->in_passes) {
        sim_replica_plan_groups(plan);
    }
}

static void plan_all(planner *p)
{
    const uint32_t n = p->plan->num_ranks;
    p->num_walkers = p->plan->is_alike ? 1 : n;
    p->walkers = g_new0(walker, p->num_walkers);
    sim_replica_costs_init(&p->costs, &p->plan->params, p->plan->costs);
    p->max_runs = (guint)(RUN_BYTES / sizeof(replica_run) +
                          (uint64_t)n * RUN_BYTES_PER_RANK / sizeof(replica_run));
    GArray **lists[] = {&p->starting, &p->begun, &p->met, &p->reached, &p->touched, &p->following};
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
        *lists[i] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
    for (uint32_t rank = 0; rank < p->num_walkers; rank++) {
        p->walkers[rank].tx_need = p->walkers[rank].rx_need = NO_NEED;
        g_array_append_val(p->starting, rank);
    }
    bool more = n > 0;
    while (more && p->why == NULL) {
        more = plan_level(p);
    }
    if (p->why == NULL) {
        check_end(p);
        plan_passes(p);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
        g_array_unref(*lists[i]);
    }
    sim_replica_costs_clear(&p->costs);
    g_free(p->walkers);
}

/* What is known of all ranks at once. */
typedef enum { DIFFERENT, ROTATED, MIRRORED } kinship;

static replica_plan *plan_new(const sim_program *program, const sim_params *params, kinship kin,
                              const char **why)
{
    replica_plan *plan = g_new0(replica_plan, 1);
    plan->is_alike = kin != DIFFERENT;
    plan->mirrors = kin == MIRRORED;
    plan->params = *params;
    plan->num_ranks = program->num_ranks;
    plan->repeat = program->methods->chain->repeat(program);
    plan->levels = g_array_new(FALSE, FALSE, sizeof(replica_level));
    plan->runs = g_array_new(FALSE, FALSE, sizeof(replica_run));
    plan->costs = g_array_new(FALSE, FALSE, sizeof(replica_cost));
    plan->groups = g_array_new(FALSE, FALSE, sizeof(replica_group));
    planner p = {.plan = plan, .program = program};
    plan_all(&p);
    *why = p.why;
    if (p.why != NULL) {
        sim_replica_plan_free(plan);
        return NULL;
    }
    return plan;
}

replica_plan *sim_replica_plan_new(const sim_program *program, const sim_params *params,
                                   const char **why)
{
    const sim_chain_class *chain = program->methods->chain;
    *why = params->progress == SIM_PROGRESS_ASYNC ? "progress is async"
           : chain == NULL                        ? "the program is not known to be a chain"
                                                  : NULL;
    if (*why != NULL) {
        return NULL;
    }
    const bool some = program->num_ranks > 1;
    if (some && chain->rotates != NULL && chain->rotates(program)) {
        return plan_new(program, params, ROTATED, why);
    }
    replica_plan *plan = some && chain->mirrors != NULL && chain->mirrors(program)
                             ? plan_new(program, params, MIRRORED, why)
                             : NULL;
    return plan != NULL ? plan : plan_new(program, params, DIFFERENT, why);
}

void sim_replica_plan_free(replica_plan *plan)
{
    if (plan != NULL) {
        g_array_unref(plan->levels);
        g_array_unref(plan->runs);
        g_array_unref(plan->costs);
        g_array_unref(plan->groups);
        g_free(plan);
    }
}
