/* schedgen/replay/replay_symmetry.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_replay_symmetry. */
/*
 * Copies of a recorded rank do the same, each in its own copy, if the collectives that span all
 * copies do not tell one copy from another: if every rank does the same in them, its partners
 * counted from itself. Those within a copy may be any.
 */
#include "coll/symmetric.h"
#include "replay/replay_private.h"
#include "sim/symmetry.h"

static bool is_power(uint32_t n)
{
    return (n & (n - 1)) == 0;
}

/* @return false: this collective tells copies apart, or counts partners in another way than those
 * before */
static bool join_ways(const replay *p, const replay_coll *coll, coll_ways *ways)
{
    if (!coll->recorded.grows) {
        return true;
    }
    const coll_ways own = coll_course_ways(&coll->course);
    if (own == COLL_WAYS_DIFFER || (*ways != COLL_WAYS_DIFFER && *ways != own)) {
        return false;
    }
    *ways = own; /* an exclusive-or keeps to copies only where they begin at multiples of 2^k */
    return own == COLL_WAYS_SHIFT || (is_power(p->num_records) && is_power(p->program.num_ranks));
}

void sched_replay_find_symmetry(replay *p)
{
    coll_ways ways = COLL_WAYS_DIFFER; /* none counts partners over copies yet */
    p->classes = 0;
    if (p->growth != NULL) {
        return; /* ranks at a border do something else than those inside */
    }
    if (p->resample != NULL) {
        return; /* each copy computes something else */
    }
    for (uint32_t h = 0; h < p->num_records; h++) {
        for (uint32_t i = 0; i < p->record[h].num_colls; i++) {
            if (!join_ways(p, &p->record[h].colls[i], &ways)) {
                return;
            }
        }
    }
    p->classes = p->num_records;
    p->ways = ways == COLL_WAYS_MIRROR ? COLL_WAYS_MIRROR : COLL_WAYS_SHIFT;
}

static sim_symmetry find(const sim_program *program)
{
    const replay *p = (const replay *)(const void *)program; /* its first member */
    return (sim_symmetry){.classes = p->classes, .in_step = false, .any_within_block = true};
}

/* Point-to-point messages stay within a copy, where sources tell themselves apart. */
static uint32_t way(const sim_program *program, const sim_op *op, uint32_t from, uint32_t to)
{
    const replay *p = (const replay *)(const void *)program;
    if (!conv_is_of_collectives(op->comm)) {
        return 0;
    }
    return coll_way((coll_ways)p->ways, program->num_ranks, from, to);
}

const struct sim_symmetry_class sched_replay_symmetry = {
    .find = find, .way = way, .begin = sched_replay_cursor_first};
