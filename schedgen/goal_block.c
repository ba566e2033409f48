/* schedgen/goal_block.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "goal_block.h"

#include <string.h>

#define OPEN UINT32_MAX

typedef struct named_op {
    goal_label label; /* text NULL: a free slot */
    uint32_t hash;
    uint32_t index;
} named_op;

/* One end of an edge, waiting for its label. */
typedef struct open_end {
    goal_label label;
    size_t edge;
    bool is_later;
} open_end;

/* Arrays grow and are used again by the next block. */
struct goal_block {
    uint32_t num_ops, max_ops;
    const char **statement; /* [num_ops] */
    bool *is_default;       /* [num_ops] reachable as l<index + 1> */
    size_t num_edges, max_edges;
    sched_edge *edge;
    size_t num_open, max_open;
    open_end *open;
    uint32_t num_named, num_slots; /* slots: a power of two, or 0 */
    named_op *slot;
    bool backward;
};

goal_block *goal_block_new(void)
{
    return g_new0(goal_block, 1);
}

void goal_block_free(goal_block *block)
{
    if (block != NULL) {
        g_free(block->statement);
        g_free(block->is_default);
        g_free(block->edge);
        g_free(block->open);
        g_free(block->slot);
        g_free(block);
    }
}

void goal_block_clear(goal_block *block)
{
    if (block->num_named > 0) {
        memset(block->slot, 0, block->num_slots * sizeof *block->slot);
    }
    block->num_ops = 0;
    block->num_edges = 0;
    block->num_open = 0;
    block->num_named = 0;
    block->backward = false;
}

static uint32_t hash_label(const goal_label *label)
{
    uint32_t hash = 2166136261U; /* FNV-1a */
    for (uint32_t i = 0; i < label->len; i++) {
        hash = (hash ^ (unsigned char)label->text[i]) * 16777619U;
    }
    return hash;
}

/* The slot of label, or the free one where it would go. There is always a free one. */
static named_op *find_slot(const goal_block *block, const goal_label *label, uint32_t hash)
{
    const uint32_t mask = block->num_slots - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        named_op *slot = &block->slot[i];
        if (slot->label.text == NULL || (slot->hash == hash && slot->label.len == label->len &&
                                         memcmp(slot->label.text, label->text, label->len) == 0)) {
            return slot;
        }
    }
}

static void grow_slots(goal_block *block)
{
    const uint32_t old_slots = block->num_slots;
    named_op *old = block->slot;
    block->num_slots = old_slots == 0 ? 64 : 2 * old_slots;
    block->slot = g_new0(named_op, block->num_slots);
    for (uint32_t i = 0; i < old_slots; i++) {
        if (old[i].label.text != NULL) {
            *find_slot(block, &old[i].label, old[i].hash) = old[i];
        }
    }
    g_free(old);
}

/* @return index of the operation of that name, or OPEN */
static uint32_t look_up(const goal_block *block, const goal_label *label)
{
    if (label->number > 0 && label->number <= block->num_ops &&
        block->is_default[label->number - 1]) {
        return label->number - 1;
    }
    if (block->num_named == 0) {
        return OPEN;
    }
    const named_op *slot = find_slot(block, label, hash_label(label));
    return slot->label.text != NULL ? slot->index : OPEN;
}

static void name_op(goal_block *block, const goal_label *label, uint32_t index)
{
    if (2 * (block->num_named + 1) > block->num_slots) {
        grow_slots(block);
    }
    const uint32_t hash = hash_label(label);
    named_op *slot = find_slot(block, label, hash);
    *slot = (named_op){.label = *label, .hash = hash, .index = index};
    block->num_named++;
}

void goal_block_add(goal_block *block, const goal_label *label, const char *statement)
{
    if (block->num_ops == block->max_ops) {
        block->max_ops = block->max_ops == 0 ? 256 : 2 * block->max_ops;
        block->statement = g_renew(const char *, block->statement, block->max_ops);
        block->is_default = g_renew(bool, block->is_default, block->max_ops);
    }
    const uint32_t index = block->num_ops;
    const bool is_default = label != NULL && label->number == index + 1 &&
                            (block->num_named == 0 || look_up(block, label) == OPEN);
    if (label != NULL && !is_default && look_up(block, label) == OPEN) {
        name_op(block, label, index);
    }
    block->statement[index] = statement;
    block->is_default[index] = is_default;
    block->num_ops++;
}

static void remember_open(goal_block *block, const goal_label *label, bool is_later)
{
    if (block->num_open == block->max_open) {
        block->max_open = block->max_open == 0 ? 64 : 2 * block->max_open;
        block->open = g_renew(open_end, block->open, block->max_open);
    }
    block->open[block->num_open++] =
        (open_end){.label = *label, .edge = block->num_edges, .is_later = is_later};
}

void goal_block_depend(goal_block *block, const goal_label *later, const goal_label *earlier,
                       bool start)
{
    if (block->num_edges == block->max_edges) {
        block->max_edges = block->max_edges == 0 ? 256 : 2 * block->max_edges;
        block->edge = g_renew(sched_edge, block->edge, block->max_edges);
    }
    const sched_edge edge = {look_up(block, later), look_up(block, earlier), start};
    if (edge.later == OPEN) {
        remember_open(block, later, true);
    }
    if (edge.earlier == OPEN) {
        remember_open(block, earlier, false);
    }
    block->backward |= edge.later <= edge.earlier; /* an open end as well: OPEN is the largest */
    block->backward |= edge.later == OPEN;
    block->edge[block->num_edges++] = edge;
}

const goal_label *goal_block_resolve(goal_block *block)
{
    for (size_t i = 0; i < block->num_open; i++) {
        const open_end *end = &block->open[i];
        const uint32_t index = look_up(block, &end->label);
        if (index == OPEN) {
            return &end->label;
        }
        sched_edge *edge = &block->edge[end->edge];
        *(end->is_later ? &edge->later : &edge->earlier) = index;
    }
    block->num_open = 0;
    return NULL;
}

uint32_t goal_block_num_ops(const goal_block *block)
{
    return block->num_ops;
}

const char *goal_block_statement(const goal_block *block, uint32_t index)
{
    return block->statement[index];
}

const sched_edge *goal_block_edges(const goal_block *block, size_t *n)
{
    *n = block->num_edges;
    return block->edge;
}

bool goal_block_may_have_cycle(const goal_block *block)
{
    return block->backward;
}
