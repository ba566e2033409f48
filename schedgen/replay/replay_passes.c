/* schedgen/replay/replay_passes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_replay_passes. */
/*
 * Some passes of a replay as a program: the same records, gone through less often.
 */
#include "replay/replay_cursor_private.h"
#include "sim/passes.h"

/* Is something posted that no wait in the record completes? It may end when the next pass has
 * begun. */
static bool leaves_requests(const replay_record *record)
{
    for (uint32_t i = 0; i < record->num_steps; i++) {
        const replay_step *step = &record->steps[i];
        if ((step->kind == REPLAY_POST || step->kind == REPLAY_ICOLL) && step->group == CONV_NONE) {
            return true;
        }
    }
    return false;
}

static sim_program *some(const sim_program *program, uint32_t n)
{
    const replay *from = (const replay *)(const void *)program; /* its first member */
    if (from->resample != NULL) {
        return NULL; /* what ranks compute is drawn for each pass */
    }
    for (uint32_t h = 0; h < from->num_records; h++) {
        if (leaves_requests(&from->record[h])) {
            return NULL;
        }
    }
    replay *p = g_memdup2(from, sizeof *from);
    g_atomic_int_inc(&p->base->refs);
    p->repeat = n;
    p->program.num_slices = 2 * n;
    p->record = g_memdup2(from->record, from->num_records * sizeof *from->record);
    for (uint32_t h = 0; h < p->num_records; h++) {
        replay_record *record = &p->record[h];
        record->colls = g_memdup2(record->colls, record->num_colls * sizeof *record->colls);
    }
    return &p->program;
}

static void start_at(void *opaque, uint32_t rank, sim_time at)
{
    replay_rank_of(opaque, rank)->ready = at;
}

const sim_passes_class sched_replay_passes = {.some = some, .start_at = start_at};
