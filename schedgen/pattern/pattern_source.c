/* schedgen/pattern/pattern_source.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_pattern_program, cli_schedule. */
#include "pattern/pattern_private.h"

typedef struct pattern_source {
    sched_rank_source source; /* first: it is handed on as this */
    pattern_shape shape;
    GArray *ops;   /* of sim_op: of the rank asked for last */
    GArray *edges; /* of sched_edge */
} pattern_source;

/* Operations [begin, end) of a rank form a stage; the next stage requires all of them. */
typedef struct stage {
    uint32_t begin;
    uint32_t end;
} stage;

static void add_edge(pattern_source *s, uint32_t later, uint32_t earlier, bool start)
{
    const sched_edge edge = {.later = later, .earlier = earlier, .start = start};
    g_array_append_vals(s->edges, &edge, 1);
}

static void add_step(pattern_source *s, const coll_step *step, uint32_t tag, stage *current)
{
    const bool message = step->type != SIM_OP_CALC;
    const sim_op op = {
        .size = step->size,
        .peer = message ? step->peer : 0,
        .tag = message ? tag : 0,
        .type = step->type,
    };
    const uint32_t index = s->ops->len;
    g_array_append_vals(s->ops, &op, 1);
    if (step->with_previous) {
        add_edge(s, index, index - 1, true);
    } else {
        for (uint32_t i = current->begin; i < current->end; i++) {
            add_edge(s, index, i, false);
        }
        current->begin = index;
    }
    current->end = index + 1;
}

static bool get(sched_rank_source *source, uint32_t rank, sched_rank_ops *out, GError **error)
{
    (void)error;
    pattern_source *s = (pattern_source *)source;
    pattern_walk walk = {0};
    coll_step step;
    stage current = {0, 0};
    g_array_set_size(s->ops, 0);
    g_array_set_size(s->edges, 0);
    while (pattern_walk_next(&s->shape, rank, &walk, &step)) {
        add_step(s, &step, walk.turn, &current);
    }
    *out = (sched_rank_ops){.ops = (const sim_op *)(const void *)s->ops->data,
                            .num_ops = s->ops->len,
                            .edges = (const sched_edge *)(const void *)s->edges->data,
                            .num_edges = s->edges->len};
    return true;
}

sched_rank_source *sched_pattern_source_new(const sched_pattern *pattern,
                                            const sched_pattern_options *options, GError **error)
{
    pattern_source *s = g_new0(pattern_source, 1);
    s->source = (sched_rank_source){.num_ranks = options->ranks, .get = get};
    if (!sched_pattern_shape_init(&s->shape, pattern, options, error)) {
        sched_pattern_source_free(&s->source);
        return NULL;
    }
    s->ops = g_array_new(FALSE, FALSE, sizeof(sim_op));
    s->edges = g_array_new(FALSE, FALSE, sizeof(sched_edge));
    return &s->source;
}

void sched_pattern_source_free(sched_rank_source *source)
{
    pattern_source *s = (pattern_source *)source;
    if (s != NULL) {
        sched_pattern_shape_clear(&s->shape);
        g_clear_pointer(&s->ops, g_array_unref);
        g_clear_pointer(&s->edges, g_array_unref);
        g_free(s);
    }
}
