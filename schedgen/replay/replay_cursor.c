/* schedgen/replay/replay_cursor.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_replay. */
#include "replay/replay_cursor_private.h"
#include "sim/large.h"

#include <inttypes.h>

replay_cursor sched_replay_cursor_layout(const replay *p)
{
    replay_cursor c = {.program = p, .record = p->record, .extent = p->extent};
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

static void begin_rank(const replay_cursor *c, uint32_t rank)
{
    replay_rank *r = replay_rank_of(c, rank);
    *r = (replay_rank){.cause = SIM_ANY,
                       .record = replay_self_of(c->program, rank).record,
                       .varied = c->program->growth != NULL || c->program->resample != NULL};
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
        begin_rank(c, r);
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

/* Has the rank handed out all it has, but for what chains have yet? */
static bool is_through(const replay *p, const replay_rank *r)
{
    const replay_record *record = &p->record[r->record];
    const uint32_t entry = record->order[r->step];
    return !r->in_coll && r->repetition + 1U == p->repeat && (entry & REPLAY_CALC) == 0 &&
           record->steps[entry].kind == REPLAY_END;
}

/* Asked of every rank at the end, when mostly all are through. */
uint64_t sched_replay_cursor_remaining(const void *opaque, uint32_t rank)
{
    const replay_cursor *c = opaque;
    const replay *p = c->program;
    replay_rank *r = replay_rank_of(c, rank);
    uint64_t to_come = is_through(p, r) ? 0 : sched_replay_rank_ops(p, rank) - r->next;
    for (uint32_t i = 0; i < c->extent.chains; i++) {
        to_come += replay_chain_at(r, i)->end - replay_chain_at(r, i)->next;
    }
    return to_come;
}

uint64_t sched_replay_cursor_num_ops(const sim_program *program, uint32_t rank)
{
    return sched_replay_rank_ops((const replay *)program, rank);
}

char *sched_replay_cursor_label(const sim_program *program, uint32_t rank, uint32_t index)
{
    (void)program;
    (void)rank;
    return g_strdup_printf("l%" PRIu64, (uint64_t)index + 1);
}
