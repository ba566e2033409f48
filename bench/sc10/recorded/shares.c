/* bench/sc10/recorded/shares.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_proxy_records. */
#include "shares.h"

#include "sim/run.h"

/* Of a rank, to a collective. */
typedef struct visit {
    sim_time came;
    sim_time left;
} visit;

/* Collectives have odd contexts, and their running number as tag (docs/conversion.md, section 2).
 * What passes before an operation that communicates is waiting for it. */
typedef struct spent {
    sim_sink sink;
    const sim_graph *graph;
    uint32_t ranks;
    sim_time *until; /* [ranks] the end of what it did last */
    uint32_t *in;    /* [ranks] which collective that was of; SIM_ANY: point-to-point */
    GArray *visits;  /* of visit: [collective * ranks + rank] */
    double computed; /* ps, of all ranks */
    double in_collectives;
} spent;

static bool is_collective(const sim_op *op)
{
    return op->comm % 2 == 1;
}

/* Of a rank to collective number @p k. */
static visit *visit_of(spent *s, uint32_t k, uint32_t rank)
{
    if (s->visits->len < (guint)(k + 1) * s->ranks) {
        g_array_set_size(s->visits, (guint)(k + 1) * s->ranks);
    }
    return &g_array_index(s->visits, visit, (size_t)k * s->ranks + rank);
}

/* The rank, free since it did the one before, does an operation of a collective. */
static void visit_until(spent *s, uint32_t rank, uint32_t k, sim_time end)
{
    visit *v = visit_of(s, k, rank);
    if (k != s->in[rank]) {
        v->came = s->until[rank];
    }
    v->left = end;
}

static void take(sim_sink *sink, const sim_event *events, size_t n)
{
    spent *s = (spent *)sink;
    for (size_t i = 0; i < n; i++) {
        const sim_event *e = &events[i];
        const sim_op op = sim_graph_op(s->graph, e->rank, e->op);
        const bool calc = op.type == SIM_OP_CALC;
        if (!calc) {
            const uint32_t in = is_collective(&op) ? op.tag : SIM_ANY;
            if (in != SIM_ANY) {
                visit_until(s, e->rank, in, e->end);
            }
            s->in[e->rank] = in;
        }
        const double computed = calc ? (double)e->work : 0;
        s->computed += computed;
        if (s->in[e->rank] != SIM_ANY) {
            s->in_collectives += (double)(e->end - s->until[e->rank]) - computed;
        }
        s->until[e->rank] = e->end;
    }
}

/* What ranks spend in collectives before the last rank has come. */
static double time_before_last(const spent *s)
{
    double all = 0;
    for (size_t k = 0; k < s->visits->len / s->ranks; k++) {
        const visit *visits = &g_array_index(s->visits, visit, k * s->ranks);
        sim_time last = 0;
        for (uint32_t r = 0; r < s->ranks; r++) {
            last = MAX(last, visits[r].came);
        }
        for (uint32_t r = 0; r < s->ranks; r++) {
            all += (double)(MIN(last, visits[r].left) - visits[r].came);
        }
    }
    return all;
}

static void summarize(const spent *s, const sim_result *result, sc10_shares *out)
{
    const double all = (double)result->makespan * s->ranks;
    *out = (sc10_shares){
        .makespan = result->makespan,
        .communication = 1 - s->computed / all,
        .collectives = s->in_collectives / (all - s->computed),
        .late = time_before_last(s) / s->in_collectives,
        .num_calls = s->visits->len / s->ranks,
    };
    out->calls = g_new(sim_time, out->num_calls);
    for (size_t k = 0; k < out->num_calls; k++) {
        out->calls[k] = g_array_index(s->visits, visit, k * s->ranks).came;
    }
}

bool sc10_shares_of(sim_graph *graph, const sim_params *params, sc10_shares *out, GError **error)
{
    const sim_program *program = sim_graph_program(graph);
    const uint32_t ranks = program->num_ranks;
    spent s = {
        .sink = {.events = take, .is_brief = true},
        .graph = graph,
        .ranks = ranks,
        .until = g_new0(sim_time, ranks),
        .in = g_new(uint32_t, ranks),
        .visits = g_array_new(FALSE, TRUE, sizeof(visit)),
    };
    for (uint32_t r = 0; r < ranks; r++) {
        s.in[r] = SIM_ANY;
    }
    const sim_run_options run = {.sink = &s.sink};
    g_autoptr(sim_result) result = sim_run(program, params, &run, error);
    if (result != NULL) {
        summarize(&s, result, out);
    }
    g_free(s.until);
    g_free(s.in);
    g_array_unref(s.visits);
    return result != NULL;
}

void sc10_shares_clear(sc10_shares *shares)
{
    g_free(shares->calls);
    shares->calls = NULL;
}
