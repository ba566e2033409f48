/* tests/sim/random_program.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "random_program.h"

#include <stdlib.h>

/* An operation and its place in one order of everything. */
typedef struct draft {
    sim_op op;
    uint32_t rank;
    uint32_t place; /* of the send and, a little later, of its receive */
} draft;

const random_shape RANDOM_STORED = {.max_ranks = 9,
                                    .max_steps = 150,
                                    .max_cpus = 3,
                                    .max_nics = 2,
                                    .wildcards = true,
                                    .max_size = 10000,
                                    .max_calc = 100000};

static uint32_t below(GRand *random, uint32_t n)
{
    return (uint32_t)g_rand_int_range(random, 0, (gint32)n);
}

static bool chance(GRand *random, uint32_t one_in)
{
    return below(random, one_in) == 0;
}

/* Small numbers often, so that instants coincide; large ones too. */
static int64_t amount(GRand *random, int64_t most)
{
    switch (below(random, 4)) {
    case 0:
        return 0;
    case 1:
        return MIN(most, (int64_t)below(random, 4));
    default:
        return (int64_t)below(random, (uint32_t)MIN(most, INT32_MAX - 1) + 1);
    }
}

static int by_place(const void *a, const void *b)
{
    const draft *x = a;
    const draft *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static GArray *draw(GRand *random, const random_shape *shape, uint32_t num_ranks)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(draft));
    const uint32_t steps = 1 + below(random, shape->max_steps);
    for (uint32_t k = 0; k < steps; k++) {
        draft d = {.rank = below(random, num_ranks), .place = 8 * k};
        d.op.cpu = (uint8_t)below(random, shape->max_cpus);
        if (chance(random, 3)) {
            d.op.type = SIM_OP_CALC;
            d.op.size = amount(random, shape->max_calc);
            d.op.size -= shape->unit > 0 ? d.op.size % shape->unit : 0;
            g_array_append_val(all, d);
            continue;
        }
        draft r = {.rank = below(random, num_ranks)};
        r.place = d.place + 1 + 8 * below(random, 3); /* receives may change places */
        r.op.type = SIM_OP_RECV;
        r.op.peer = d.rank;
        r.op.cpu = (uint8_t)below(random, shape->max_cpus);
        r.op.nic = (uint8_t)below(random, shape->max_nics);
        d.op.type = SIM_OP_SEND;
        d.op.peer = r.rank;
        d.op.nic = (uint8_t)below(random, shape->max_nics);
        d.op.tag = r.op.tag = below(random, 2);
        d.op.comm = r.op.comm = chance(random, 5);
        d.op.size = amount(random, shape->max_size);
        /* sends and receives of a pair may be matched crosswise: most fit any message */
        r.op.size = shape->exact ? d.op.size : shape->max_size;
        g_array_append_val(all, d);
        g_array_append_val(all, r);
    }
    qsort(all->data, all->len, sizeof(draft), by_place);
    return all;
}

/*
 * Wildcards by whole (rank, communicator): if every receive there takes anything, all are served
 * whatever the order.
 */
static void add_wildcards(GRand *random, GArray *all, uint32_t num_ranks)
{
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        for (uint32_t comm = 0; comm < 2; comm++) {
            const bool any_source = chance(random, 2);
            const bool any_tag = chance(random, 2);
            for (guint i = 0; i < all->len; i++) {
                draft *d = &g_array_index(all, draft, i);
                if (d->op.comm != comm) {
                    continue;
                }
                if (d->op.type == SIM_OP_RECV && d->rank == rank) {
                    d->op.peer = any_source ? SIM_ANY : d->op.peer;
                    d->op.tag = any_tag ? SIM_ANY : d->op.tag;
                } else if (d->op.type == SIM_OP_SEND && d->op.peer == rank && any_tag &&
                           chance(random, 4)) {
                    d->op.tag = SIM_ANY;
                }
            }
        }
    }
}

/* Receives of some and of any source, or tag, wait for the same messages. */
static void add_loose_wildcards(GRand *random, GArray *all)
{
    for (guint i = 0; i < all->len; i++) {
        draft *d = &g_array_index(all, draft, i);
        if (d->op.type == SIM_OP_CALC) {
            continue;
        }
        d->op.tag = chance(random, 4) ? SIM_ANY : d->op.tag;
        d->op.peer = d->op.type == SIM_OP_RECV && chance(random, 4) ? SIM_ANY : d->op.peer;
    }
}

/*
 * A chain (docs/model.md, section 6.1): each operation requires the one before. A receive may
 * irequire the send before it: an exchange; what follows requires both.
 */
static void add_chain_edges(GRand *random, sim_graph_builder *b, uint32_t index,
                            const sim_op *before, const sim_op *op, bool *exchanging)
{
    if (before == NULL) {
        return;
    }
    if (*exchanging) {
        sim_graph_builder_require(b, index, index - 2);
    }
    *exchanging =
        before->type == SIM_OP_SEND && op->type == SIM_OP_RECV && !*exchanging && chance(random, 2);
    if (*exchanging) {
        sim_graph_builder_irequire(b, index, index - 1);
    } else {
        sim_graph_builder_require(b, index, index - 1);
    }
}

static void add_edges(GRand *random, sim_graph_builder *b, uint32_t index)
{
    const uint32_t edges = index > 0 ? below(random, 3) : 0;
    for (uint32_t k = 0; k < edges; k++) {
        const uint32_t earlier = index - 1 - below(random, MIN(index, 4));
        if (chance(random, 3)) {
            sim_graph_builder_irequire(b, index, earlier);
        } else {
            sim_graph_builder_require(b, index, earlier);
        }
    }
}

sim_graph *random_program(GRand *random, const random_shape *shape)
{
    const uint32_t num_ranks = 2 + below(random, shape->max_ranks - 1);
    GArray *all = draw(random, shape, num_ranks);
    if (shape->wildcards) {
        add_wildcards(random, all, num_ranks);
    } else if (shape->loose) {
        add_loose_wildcards(random, all);
    }
    sim_graph_builder *b = sim_graph_builder_new(num_ranks);
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        sim_graph_builder_begin_rank(b, rank);
        const sim_op *before = NULL;
        bool exchanging = false;
        for (guint i = 0; i < all->len; i++) {
            const draft *d = &g_array_index(all, draft, i);
            if (d->rank != rank) {
                continue;
            }
            const uint32_t index = sim_graph_builder_add(b, &d->op);
            if (shape->blocking) {
                add_chain_edges(random, b, index, before, &d->op, &exchanging);
            } else if (!shape->all_at_once && (!shape->sparse || chance(random, 5))) {
                add_edges(random, b, index);
            }
            before = &d->op;
        }
    }
    g_array_free(all, TRUE);
    return sim_graph_builder_finish(b, NULL);
}

sim_params random_params(GRand *random, int64_t max_size)
{
    sim_params p = {0}; /* field by field: draws have an order */
    p.L = amount(random, 3000);
    p.o = amount(random, 500);
    p.g = chance(random, 4) ? amount(random, 20000) : amount(random, 1000);
    p.G = amount(random, 50) * SIM_RATE_PER_PS;
    p.G /= chance(random, 4) ? 7 : 1;
    p.O = amount(random, 50) * SIM_RATE_PER_PS;
    p.O /= chance(random, 4) ? 3 : 1;
    p.S = INT64_MAX;
    if (chance(random, 2)) {
        p.S = amount(random, max_size);
    }
    p.H = (p.L + p.o) % 9 * (p.L + p.g) % 4001; /* of values drawn: sometimes 0 */
    return p;
}

sim_params random_coarse_params(GRand *random, sim_time unit)
{
    sim_params p = {0}; /* field by field, as above */
    p.L = unit * below(random, 4);
    p.o = unit * below(random, 3);
    p.g = unit * below(random, 3);
    p.G = unit * below(random, 2) * SIM_RATE_PER_PS;
    p.O = unit * below(random, 2) * SIM_RATE_PER_PS;
    p.S = below(random, 2);
    p.H = (p.L + p.g) % (3 * MAX(unit, 1));
    return p;
}

sim_params random_narrow_params(GRand *random)
{
    sim_params p = {0}; /* field by field, as above */
    p.L = below(random, 3);
    p.o = below(random, 2);
    p.g = below(random, 3);
    p.G = below(random, 2) * SIM_RATE_PER_PS;
    p.O = below(random, 2) * SIM_RATE_PER_PS;
    p.S = below(random, 3);
    p.H = (p.L + p.g) % 3;
    return p;
}

static sim_time periodic_phase(const periodic_noise *n, uint32_t rank, sim_time t)
{
    return (t + n->period - (rank * n->shift) % n->period) % n->period;
}

sim_time periodic_noise_finish(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    const periodic_noise *n = (const periodic_noise *)noise;
    sim_time t = start;
    while (work > 0) {
        const sim_time phase = periodic_phase(n, rank, t);
        if (phase < n->length) {
            t += n->length - phase; /* away */
        } else {
            const sim_time here = MIN(work, n->period - phase);
            work -= here;
            t += here;
        }
    }
    return t;
}

sim_time periodic_noise_finish_quiet(const sim_noise *noise, uint32_t rank, sim_time start,
                                     sim_time work, sim_quiet *quiet)
{
    const periodic_noise *n = (const periodic_noise *)noise;
    const sim_time phase = periodic_phase(n, rank, start);
    if (phase >= n->length && work <= n->period - phase) {
        *quiet = (sim_quiet){start, start + n->period - phase};
    }
    return periodic_noise_finish(noise, rank, start, work);
}

periodic_noise random_noise(GRand *random)
{
    periodic_noise n = {.noise = {.finish = periodic_noise_finish}};
    if (below(random, 2) == 0) {
        n.noise.finish_quiet = periodic_noise_finish_quiet;
    }
    n.period = 50 + below(random, 3000);
    n.length = 1 + below(random, (uint32_t)n.period - 1);
    n.shift = below(random, 1000);
    return n;
}

random_case random_case_draw(unsigned seed, const random_shape *shape)
{
    random_case c = {.random = g_rand_new_with_seed(seed)};
    c.graph = random_program(c.random, shape);
    c.program = sim_graph_program(c.graph);
    c.params = random_params(c.random, shape->max_size);
    c.noise = random_noise(c.random);
    return c;
}

void random_case_clear(random_case *c)
{
    g_clear_pointer(&c->random, g_rand_free);
    g_clear_pointer(&c->graph, sim_graph_free);
}
