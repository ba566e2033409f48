/* schedgen/pattern/item_collective.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_pattern_items, test_pattern_program. */
#include "coll/call_text.h"
#include "coll/symmetric.h"
#include "pattern/pattern_item_private.h"

/* A collective of MPI on all ranks, with root 0: what collective:NAME… is, too. */

/* @p arguments are all of it: its name is one of many. */
static bool parse(pattern_item *item, const char *arguments, GError **error)
{
    g_autoptr(GError) why = NULL;
    if (!coll_call_parse(arguments, &item->call, &item->algorithm, &why)) {
        return sched_pattern_refuse(error, "%s", why->message);
    }
    coll_call_level(&item->call);
    item->bytes = item->call.bytes;
    return true;
}

static bool shape(pattern_part *part, const sched_pattern_options *options, GError **error)
{
    coll_call call = part->item->call;
    call.size = part->ranks;
    call.reduce = options->reduce;
    const bool named = part->item->algorithm.how != NULL;
    part->algorithm = named ? part->item->algorithm : coll_profile_select(options->profile, &call);
    if (!coll_course_check(&call, part->algorithm, error)) {
        return false;
    }
    coll_course_init(&part->course, &call, part->algorithm);
    return true;
}

static bool next(const pattern_part *part, pattern_place at, coll_walk *walk, coll_step *step)
{
    return coll_walk_next(&part->course, at.rank, walk, step);
}

static uint64_t max_steps(const pattern_part *part)
{
    return coll_course_max_steps(&part->course.call, part->algorithm);
}

static pattern_ways ways(const pattern_part *part)
{
    switch (coll_course_ways(&part->course)) {
    case COLL_WAYS_SHIFT:
        return PATTERN_WAYS_SHIFT;
    case COLL_WAYS_MIRROR:
        return PATTERN_WAYS_MIRROR;
    case COLL_WAYS_DIFFER:
        break;
    }
    return PATTERN_WAYS_DIFFER;
}

const pattern_item_class sched_pattern_item_collective = {
    .form = COLL_CALL_FORM,
    .parse = parse,
    .shape = shape,
    .next = next,
    .max_steps = max_steps,
    .ways = ways,
};
