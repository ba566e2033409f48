/* apps/ripple/view/rank_ops.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_rank_ops. */
#include "view/rank_ops.h"

#include "view/wave.h"

#include <stdlib.h>

enum { ENOUGH_FOR_PARTNERS = 1 << 20, ENOUGH_FOR_WORK = 1 << 16 };

/* What is ready of a rank, and room for what an operation makes ready. */
typedef struct walk {
    const sim_program *program;
    void *cursor;
    sim_ready *out; /* [max_ready] */
    GArray *ready;  /* of sim_ready */
} walk;

static void walk_begin(walk *w, const sim_program *program)
{
    *w = (walk){program, program->methods->begin(program),
                g_new(sim_ready, MAX(program->max_ready, 1)),
                g_array_new(FALSE, FALSE, sizeof(sim_ready))};
}

static void walk_end(walk *w)
{
    w->program->methods->end(w->cursor);
    g_array_unref(w->ready);
    g_free(w->out);
}

static void walk_rank(walk *w, uint32_t rank, uint64_t most, app_rank_op_visit *visit, void *user)
{
    const sim_program_class *p = w->program->methods;
    GArray *ready = w->ready;
    g_array_set_size(ready, 0);
    g_array_append_vals(ready, w->out, (guint)p->first(w->cursor, rank, w->out));
    for (uint64_t n = 0; ready->len > 0 && n < most; n++) {
        const sim_ready next = g_array_index(ready, sim_ready, ready->len - 1);
        g_array_set_size(ready, ready->len - 1);
        visit(next.index, &next.op, user);
        if (!next.quiet) {
            g_array_append_vals(ready, w->out,
                                (guint)p->started(w->cursor, rank, next.index, next.time, w->out));
        }
        g_array_append_vals(ready, w->out,
                            (guint)p->finished(w->cursor, rank, next.index, next.time, w->out));
    }
}

void app_rank_ops_visit(const sim_program *program, uint32_t rank, uint64_t most,
                        app_rank_op_visit *visit, void *user)
{
    walk w;
    walk_begin(&w, program);
    walk_rank(&w, rank, most, visit, user);
    walk_end(&w);
}

void app_ranks_ops_visit(const sim_program *program, app_rank_begin *begin,
                         app_rank_op_visit *visit, void *user)
{
    walk w;
    walk_begin(&w, program);
    for (uint32_t rank = 0; rank < program->num_ranks; rank++) {
        begin(rank, user);
        walk_rank(&w, rank, UINT64_MAX, visit, user);
    }
    walk_end(&w);
}

typedef struct search {
    uint32_t rank;
    uint32_t num_ranks;
    uint32_t farthest;
} search;

static void look_at(uint32_t index, const sim_op *op, void *user)
{
    (void)index;
    search *s = user;
    if (op->type != SIM_OP_CALC && op->peer < s->num_ranks) {
        const uint32_t away = (uint32_t)llabs(app_wave_way(s->rank, op->peer, s->num_ranks));
        s->farthest = MAX(s->farthest, away);
    }
}

uint32_t app_rank_ops_distance(const sim_program *program, uint32_t rank)
{
    search s = {rank, program->num_ranks, 0};
    app_rank_ops_visit(program, rank, ENOUGH_FOR_PARTNERS, look_at, &s);
    return s.farthest;
}

typedef struct sum {
    sim_time overhead; /* of a message */
    sim_time work;
} sum;

static void add_work(uint32_t index, const sim_op *op, void *user)
{
    (void)index;
    sum *s = user;
    if (op->cpu == 0 && s->work < SIM_TIME_MAX) {
        s->work += op->type == SIM_OP_CALC ? op->size : s->overhead;
    }
}

sim_time app_rank_ops_work(const sim_program *program, uint32_t rank, sim_time overhead)
{
    sum s = {overhead, 0};
    app_rank_ops_visit(program, rank, ENOUGH_FOR_WORK, add_work, &s);
    return MIN(s.work, SIM_TIME_MAX);
}
