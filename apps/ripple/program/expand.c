/* apps/ripple/program/expand.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_schedule, cli_output. */
#include "program/expand.h"

#include "coll/walk.h"

typedef struct expansion {
    sched_rank_source source; /* first: it is handed on as this */
    coll_call call;
    coll_algorithm algorithm;
    uint32_t repeat;
    GArray *ops;   /* of sim_op: of the rank asked for last */
    GArray *edges; /* of sched_edge */
} expansion;

/* Operations [begin, end) of a rank form a stage; the next stage requires all of them. */
typedef struct stage {
    uint32_t begin;
    uint32_t end;
} stage;

static void add_edge(expansion *x, uint32_t later, uint32_t earlier, bool start)
{
    const sched_edge edge = {.later = later, .earlier = earlier, .start = start};
    g_array_append_vals(x->edges, &edge, 1);
}

static void add_step(expansion *x, const coll_step *step, uint32_t tag, stage *current)
{
    const bool message = step->type != SIM_OP_CALC;
    const sim_op op = {
        .size = step->size,
        .peer = message ? step->peer : 0,
        .tag = message ? tag : 0,
        .type = step->type,
    };
    const uint32_t index = x->ops->len;
    g_array_append_vals(x->ops, &op, 1);
    if (step->with_previous) {
        add_edge(x, index, index - 1, true);
    } else {
        for (uint32_t i = current->begin; i < current->end; i++) {
            add_edge(x, index, i, false);
        }
        current->begin = index;
    }
    current->end = index + 1;
}

static bool get(sched_rank_source *source, uint32_t rank, sched_rank_ops *out, GError **error)
{
    (void)error;
    expansion *x = (expansion *)source;
    coll_course course;
    coll_course_init(&course, &x->call, x->algorithm);
    stage current = {0, 0};
    g_array_set_size(x->ops, 0);
    g_array_set_size(x->edges, 0);
    for (uint32_t i = 0; i < x->repeat; i++) {
        coll_walk walk = {0};
        coll_step step;
        while (coll_walk_next(&course, rank, &walk, &step)) {
            add_step(x, &step, i, &current);
        }
    }
    *out = (sched_rank_ops){.ops = (const sim_op *)(const void *)x->ops->data,
                            .num_ops = x->ops->len,
                            .edges = (const sched_edge *)(const void *)x->edges->data,
                            .num_edges = x->edges->len};
    return true;
}

sched_rank_source *app_expand_new(const coll_call *call, coll_algorithm algorithm, uint32_t repeat,
                                  GError **error)
{
    if (!coll_algorithm_check(algorithm, call->kind, call->size, error)) {
        return NULL;
    }
    expansion *x = g_new0(expansion, 1);
    x->source = (sched_rank_source){.num_ranks = call->size, .get = get};
    x->call = *call;
    x->algorithm = algorithm;
    x->repeat = repeat;
    x->ops = g_array_new(FALSE, FALSE, sizeof(sim_op));
    x->edges = g_array_new(FALSE, FALSE, sizeof(sched_edge));
    return &x->source;
}

void app_expand_free(sched_rank_source *source)
{
    expansion *x = (expansion *)source;
    if (x != NULL) {
        g_array_unref(x->ops);
        g_array_unref(x->edges);
        g_free(x);
    }
}
