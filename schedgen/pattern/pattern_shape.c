/* schedgen/pattern/pattern_shape.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_pattern_program, test_pattern_items. */
#include "pattern/pattern_private.h"

#include "sim/unit.h"

#include <assert.h>

/* Operations are numbered in 32 bits; the last numbers mean something else. */
static const double MOST = UINT32_MAX - 2;

/* What the items that are made come to, if every one makes the most steps it can. */
static double count_most(const pattern_shape *shape)
{
    const guint n = shape->pattern->nodes->len;
    g_autofree double *times = g_new0(double, n); /* in a pass, how often a node is made */
    double sum = 0;
    for (guint i = 0; i < n; i++) {
        const pattern_node *node = &shape->nodes[i];
        times[i] = node->count * (i == 0 ? 1 : times[i]);
        if (node->item != PATTERN_GROUP) {
            const pattern_item *item = g_ptr_array_index(shape->pattern->items, node->item);
            sum += times[i] * (double)item->class->max_steps(&shape->parts[node->item]);
        }
        for (guint child = i + 1; child < node->end; child = shape->nodes[child].end) {
            times[child] = times[i];
        }
    }
    return sum * shape->passes;
}

static bool check_numbers(const pattern_shape *shape, GError **error)
{
    const double turns = (double)shape->nodes->turns * shape->nodes->count * shape->passes;
    const double most = count_most(shape);
    if (turns <= MOST && most <= MOST) {
        return true;
    }
    g_autofree char *text = sched_pattern_format(shape->pattern);
    g_autofree char *size = sim_unit_format_count(shape->ranks);
    g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                "%s on %s ranks, %u times, has up to %.3g operations per rank: more than can be "
                "numbered",
                text, size, shape->passes, MAX(turns, most));
    return false;
}

bool sched_pattern_shape_init(pattern_shape *shape, const sched_pattern *pattern,
                              const sched_pattern_options *options, GError **error)
{
    assert(options->ranks >= 1 && options->repeat >= 1);
    const guint n = pattern->items->len;
    g_autoptr(coll_profile) own =
        options->profile == NULL ? coll_profile_new("sc10", NULL, NULL) : NULL;
    sched_pattern_options with_profile = *options;
    with_profile.profile = own != NULL ? own : options->profile;
    *shape = (pattern_shape){
        .pattern = pattern,
        .nodes = (const pattern_node *)(const void *)pattern->nodes->data,
        .parts = g_new0(pattern_part, n),
        .ranks = options->ranks,
        .passes = options->repeat,
    };
    for (guint i = 0; i < n; i++) {
        pattern_part *part = &shape->parts[i];
        part->item = g_ptr_array_index(pattern->items, i);
        part->ranks = options->ranks;
        if (part->item->class->shape != NULL &&
            !part->item->class->shape(part, &with_profile, error)) {
            return false;
        }
        part->ways =
            part->item->class->ways != NULL ? part->item->class->ways(part) : PATTERN_WAYS_DIFFER;
    }
    if (!check_numbers(shape, error)) {
        return false;
    }
    shape->turns = (uint32_t)(shape->nodes->turns * shape->nodes->count);
    return true;
}

void sched_pattern_shape_clear(pattern_shape *shape)
{
    g_clear_pointer(&shape->parts, g_free);
}

bool sched_pattern_check(const sched_pattern *pattern, const sched_pattern_options *options,
                         GError **error)
{
    pattern_shape shape;
    const bool ok = sched_pattern_shape_init(&shape, pattern, options, error);
    sched_pattern_shape_clear(&shape);
    return ok;
}

/* Steps of @p rank in one turn of an item: the same in every turn. */
static uint64_t count_steps(const pattern_part *part, uint32_t rank)
{
    if (part->course.phases != NULL) {
        return coll_course_num_steps(&part->course, rank);
    }
    const pattern_place at = {.rank = rank};
    coll_walk walk = {0};
    coll_step step;
    uint64_t n = 0;
    while (part->item->class->next(part, at, &walk, &step)) {
        n++;
    }
    return n;
}

/* Operations of @p rank in one time of a node. */
static uint64_t count_ops(const pattern_shape *shape, uint32_t rank, uint32_t i)
{
    const pattern_node *node = &shape->nodes[i];
    if (node->item != PATTERN_GROUP) {
        return count_steps(&shape->parts[node->item], rank);
    }
    uint64_t n = 0;
    for (uint32_t child = i + 1; child < node->end; child = shape->nodes[child].end) {
        n += shape->nodes[child].count * count_ops(shape, rank, child);
    }
    return n;
}

uint64_t sched_pattern_shape_ops(const pattern_shape *shape, uint32_t rank)
{
    return (uint64_t)shape->passes * shape->nodes->count * count_ops(shape, rank, 0);
}

pattern_origin sched_pattern_shape_origin(const pattern_shape *shape, uint32_t rank, uint64_t index)
{
    uint32_t i = 0;
    uint64_t turn = 0;
    assert(index < sched_pattern_shape_ops(shape, rank));
    for (;;) {
        const pattern_node *node = &shape->nodes[i];
        const uint64_t ops = count_ops(shape, rank, i); /* of one time */
        assert(ops > 0);
        turn += index / ops * node->turns;
        index %= ops;
        if (node->item != PATTERN_GROUP) {
            return (pattern_origin){shape->parts[node->item].item, turn, index};
        }
        i++;
        for (;;) { /* the child that it is in */
            const pattern_node *child = &shape->nodes[i];
            const uint64_t all = child->count * count_ops(shape, rank, i);
            if (index < all) {
                break;
            }
            index -= all;
            turn += child->count * child->turns;
            i = child->end;
        }
    }
}
