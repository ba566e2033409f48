/* apps/ripple/view/rank_ops.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_rank_ops. */
#include "view/rank_ops.h"

#include "view/wave.h"

#include <stdlib.h>

enum { ENOUGH_FOR_PARTNERS = 1 << 20 };

void app_rank_ops_visit(const sim_program *program, uint32_t rank, uint64_t most,
                        app_rank_op_visit *visit, void *user)
{
    const sim_program_class *p = program->methods;
    void *cursor = p->begin(program);
    g_autofree sim_ready *out = g_new(sim_ready, MAX(program->max_ready, 1));
    g_autoptr(GArray) ready = g_array_new(FALSE, FALSE, sizeof(sim_ready));
    g_array_append_vals(ready, out, (guint)p->first(cursor, rank, out));
    for (uint64_t n = 0; ready->len > 0 && n < most; n++) {
        const sim_ready next = g_array_index(ready, sim_ready, ready->len - 1);
        g_array_set_size(ready, ready->len - 1);
        visit(next.index, &next.op, user);
        if (!next.quiet) {
            g_array_append_vals(ready, out,
                                (guint)p->started(cursor, rank, next.index, next.time, out));
        }
        g_array_append_vals(ready, out,
                            (guint)p->finished(cursor, rank, next.index, next.time, out));
    }
    p->end(cursor);
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
