/* tests/sim/observed_program.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "observed_program.h"

#include <glib.h>

typedef struct observed {
    sim_program program; /* first: what is handed out */
    const sim_program *inner;
    sim_time **finish; /* [ranks][operations of each], in the run that is on or was last */
} observed;

typedef struct observed_cursor {
    const observed *o;
    void *inner; /* of o->inner */
} observed_cursor;

static void observed_free(sim_program *program)
{
    observed *o = (observed *)(void *)program;
    for (uint32_t r = 0; r < program->num_ranks; r++) {
        g_free(o->finish[r]);
    }
    g_free(o->finish);
    g_free(o);
}

static void *observed_begin(const sim_program *program)
{
    const observed *o = (const observed *)(const void *)program;
    for (uint32_t r = 0; r < program->num_ranks; r++) {
        for (uint32_t i = 0; i < o->inner->methods->num_ops(o->inner, r); i++) {
            o->finish[r][i] = -1;
        }
    }
    observed_cursor *cursor = g_new(observed_cursor, 1);
    *cursor = (observed_cursor){o, o->inner->methods->begin(o->inner)};
    return cursor;
}

static void observed_end(void *opaque)
{
    observed_cursor *cursor = opaque;
    cursor->o->inner->methods->end(cursor->inner);
    g_free(cursor);
}

static size_t observed_first(void *opaque, uint32_t rank, sim_ready *out)
{
    const observed_cursor *cursor = opaque;
    return cursor->o->inner->methods->first(cursor->inner, rank, out);
}

static size_t observed_started(void *opaque, uint32_t rank, uint32_t index, sim_time at,
                               sim_ready *out)
{
    const observed_cursor *cursor = opaque;
    return cursor->o->inner->methods->started(cursor->inner, rank, index, at, out);
}

static size_t observed_finished(void *opaque, uint32_t rank, uint32_t index, sim_time at,
                                sim_ready *out)
{
    const observed_cursor *cursor = opaque;
    cursor->o->finish[rank][index] = at;
    return cursor->o->inner->methods->finished(cursor->inner, rank, index, at, out);
}

static uint64_t observed_remaining(const void *opaque, uint32_t rank)
{
    const observed_cursor *cursor = opaque;
    return cursor->o->inner->methods->remaining(cursor->inner, rank);
}

static uint64_t observed_num_ops(const sim_program *program, uint32_t rank)
{
    const observed *o = (const observed *)(const void *)program;
    return o->inner->methods->num_ops(o->inner, rank);
}

static char *observed_label(const sim_program *program, uint32_t rank, uint32_t index)
{
    const observed *o = (const observed *)(const void *)program;
    return o->inner->methods->label(o->inner, rank, index);
}

static const sim_program_class CLASS = {
    .free = observed_free,
    .begin = observed_begin,
    .end = observed_end,
    .first = observed_first,
    .started = observed_started,
    .finished = observed_finished,
    .remaining = observed_remaining,
    .num_ops = observed_num_ops,
    .label = observed_label,
};

sim_program *observed_program_new(const sim_program *inner)
{
    observed *o = g_new(observed, 1);
    *o = (observed){.program = *inner, .inner = inner};
    o->program.methods = &CLASS;
    o->program.few_open = inner->num_ranks % 2 != 0; /* what is kept for them, by turns */
    o->finish = g_new(sim_time *, inner->num_ranks);
    for (uint32_t r = 0; r < inner->num_ranks; r++) {
        o->finish[r] = g_new0(sim_time, inner->methods->num_ops(inner, r) + 1);
    }
    return &o->program;
}

sim_time observed_program_finish(const sim_program *program, uint32_t rank, uint32_t index)
{
    const observed *o = (const observed *)(const void *)program;
    return o->finish[rank][index];
}
