/* schedgen/replay/replay_cursor.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_replay. */
#include "replay/replay_cursor_private.h"
#include "sim/large.h"

replay_cursor sched_replay_cursor_layout(const replay *p)
{
    replay_cursor c = {.program = p, .extent = p->extent};
    c.near_at = (1 + (size_t)c.extent.chains) * REPLAY_LINE;
    while (c.num_near < c.extent.span) {
        c.num_near = MAX(2 * c.num_near, (uint32_t)sizeof(uint64_t)); /* what follows is aligned */
    }
    c.groups_at = c.near_at + c.num_near;
    c.places_at = c.groups_at + c.extent.groups * sizeof(replay_group);
    c.stride = c.places_at + c.extent.places * sizeof(replay_far);
    c.stride += -c.stride % REPLAY_LINE;
    return c;
}

static void begin_rank(const replay_cursor *c, replay_rank *r)
{
    *r = (replay_rank){.cause = SIM_ANY, .begun = CONV_NONE};
    for (uint32_t i = 0; i < c->extent.chains; i++) {
        *replay_chain_at(r, i) = (replay_chain){0};
    }
    for (uint32_t i = 0; i < c->extent.groups; i++) {
        *replay_group_at(c, r, i) = replay_group_none();
    }
    for (uint32_t i = 0; i < c->extent.places; i++) {
        replay_places_of(c, r)[i] = (replay_far){.index = CONV_NONE};
    }
}

void *sched_replay_cursor_first(const sim_program *program, uint32_t num_ranks)
{
    replay_cursor *c = g_new(replay_cursor, 1);
    *c = sched_replay_cursor_layout((const replay *)program);
    c->ranks = sim_large_new(num_ranks, c->stride);
    for (uint32_t r = 0; r < num_ranks; r++) {
        begin_rank(c, replay_rank_of(c, r));
    }
    return c;
}

void *sched_replay_cursor_new(const sim_program *program)
{
    return sched_replay_cursor_first(program, program->num_ranks);
}

void sched_replay_cursor_free(void *opaque)
{
    replay_cursor *c = opaque;
    sim_large_free(c->ranks);
    g_free(c);
}

void sched_replay_cursor_note_slices(void *opaque, const sim_slices *slices)
{
    ((replay_cursor *)opaque)->slices = slices;
}
