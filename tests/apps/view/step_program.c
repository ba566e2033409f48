/* tests/apps/view/step_program.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_wave_speed. */
#include "step_program.h"

#include <stdlib.h>

/* A rank while it is written. */
typedef struct writer {
    const step_program *p;
    sim_graph_builder *b;
    uint32_t rank;
    uint32_t tag;
    GArray *before; /* of uint32_t: what the next operations wait for */
    GArray *now;
} writer;

static bool partner(const step_program *p, uint32_t rank, int away, uint32_t *out)
{
    const int64_t other = (int64_t)rank + away;
    *out = (uint32_t)((other + p->num_ranks) % p->num_ranks);
    return p->is_ring || (other >= 0 && other < p->num_ranks);
}

static void add(writer *w, sim_op op)
{
    const uint32_t index = sim_graph_builder_add(w->b, &op);
    for (guint i = 0; i < w->before->len; i++) {
        sim_graph_builder_require(w->b, index, g_array_index(w->before, uint32_t, i));
    }
    g_array_append_val(w->now, index);
}

/* What has been added since has to finish. */
static void wait_all(writer *w)
{
    if (w->now->len > 0) {
        GArray *old = w->before;
        w->before = w->now;
        w->now = old;
        g_array_set_size(w->now, 0);
    }
}

static void message(writer *w, uint8_t type, int away)
{
    uint32_t peer;
    if (partner(w->p, w->rank, away, &peer)) {
        add(w, (sim_op){.type = type, .peer = peer, .size = w->p->bytes, .tag = w->tag});
    }
}

/* To one side, from another one; it ends before what follows begins. */
static void sendrecv(writer *w, int to, int from)
{
    message(w, SIM_OP_RECV, from);
    message(w, SIM_OP_SEND, to);
    wait_all(w);
}

static void write_exchange(writer *w)
{
    const int d = (int)w->p->distance;
    const int first = w->rank % 2 == 0 ? 1 : -1;
    switch (w->p->exchange) {
    case STEP_HALO:
        for (int away = 1; away <= d; away++) {
            message(w, SIM_OP_RECV, -away);
            message(w, SIM_OP_RECV, away);
        }
        for (int away = 1; away <= d; away++) {
            message(w, SIM_OP_SEND, -away);
            message(w, SIM_OP_SEND, away);
        }
        break;
    case STEP_PAIRS:
        sendrecv(w, first, first);
        sendrecv(w, -first, -first);
        break;
    case STEP_SHIFTS:
        sendrecv(w, 1, -1);
        w->tag++;
        sendrecv(w, -1, 1);
        break;
    case STEP_ONE_WAY:
        sendrecv(w, 1, -1);
        break;
    }
}

static void write_rank(writer *w)
{
    for (uint32_t step = 0; step < w->p->steps; step++) {
        w->tag = 2 * step;
        add(w, (sim_op){.type = SIM_OP_CALC, .size = w->p->work});
        wait_all(w);
        write_exchange(w);
        wait_all(w);
    }
}

sim_graph *step_program_new(const step_program *program)
{
    writer w = {.p = program, .b = sim_graph_builder_new(program->num_ranks)};
    for (w.rank = 0; w.rank < program->num_ranks; w.rank++) {
        sim_graph_builder_begin_rank(w.b, w.rank);
        w.before = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        w.now = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        write_rank(&w);
        g_array_unref(w.before);
        g_array_unref(w.now);
    }
    return sim_graph_builder_finish(w.b, NULL);
}

sim_params step_params(void)
{
    return (sim_params){.L = 2 * SIM_US,
                        .o = 500 * SIM_NS,
                        .g = 300 * SIM_NS,
                        .G = 100 * SIM_RATE_PER_PS,
                        .S = 8192,
                        .progress = SIM_PROGRESS_POLLING,
                        .rendezvous = SIM_RENDEZVOUS_HANDSHAKE};
}
