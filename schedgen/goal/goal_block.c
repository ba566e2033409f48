/* schedgen/goal/goal_block.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_goal_text, test_goal_text_fast. */
#include "goal/goal_block.h"

#include <string.h>

/* An operation by its label, which is in goal_block.op. */
struct goal_slot {
    uint32_t hash;
    uint32_t op; /* its index, counted from 1; 0: a free slot */
};

/* One end of an edge, waiting for its label. */
struct goal_open_end {
    goal_label label;
    size_t edge;
    bool is_later;
};

/* The stem of most programs; to be read in words (goal_text_fast.c). */
static const char PLAIN[16] = "l";

goal_block *sched_goal_block_new(void)
{
    goal_block *block = g_new0(goal_block, 1);
    block->stem = (goal_label){.text = PLAIN, .len = 1};
    return block;
}

void sched_goal_block_free(goal_block *block)
{
    if (block != NULL) {
        g_free(block->op);
        g_free(block->body);
        g_free(block->names);
        g_free(block->by_number);
        g_free(block->edge);
        g_free(block->open);
        g_free(block->slot);
        g_free(block);
    }
}

void sched_goal_block_clear(goal_block *block)
{
    block->num_guesses = MAX(block->num_guesses, block->num_edges);
    block->ops_named = block->num_ops;
    block->renamed = false;
    block->num_ops = 0;
    block->num_edges = 0;
    block->num_open = 0;
    block->backward = false;
}

void sched_goal_block_grow_ops(goal_block *block)
{
    block->max_ops = MAX(256, 2 * block->max_ops);
    block->op = g_renew(goal_label, block->op, block->max_ops);
    block->body = g_renew(sim_op, block->body, block->max_ops);
}

void sched_goal_block_grow_numbers(goal_block *block, uint32_t num)
{
    block->max_numbers = MAX(MAX(256, num), 2 * block->max_numbers);
    block->by_number = g_renew(uint32_t, block->by_number, block->max_numbers);
}

void sched_goal_block_grow_edges(goal_block *block)
{
    block->max_edges = MAX(256, 2 * block->max_edges);
    block->edge = g_renew(sched_edge, block->edge, block->max_edges);
}

static uint64_t bytes_at(const char *text, size_t n)
{
    uint64_t word = 0;
    memcpy(&word, text, n);
    return word;
}

/* Up to 16 bytes of a label; those in the middle come twice. */
static void ends_of(const char *text, uint32_t len, uint64_t end[2])
{
    if (len >= 8) {
        end[0] = bytes_at(text, 8);
        end[1] = bytes_at(text + len - 8, 8);
    } else if (len >= 4) {
        end[0] = bytes_at(text, 4);
        end[1] = bytes_at(text + len - 4, 4);
    } else {
        end[0] = bytes_at(text, 1) << 8 | bytes_at(text + len / 2, 1);
        end[1] = bytes_at(text + len - 1, 1);
    }
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

static uint32_t hash_label(const goal_label *label)
{
    uint64_t end[2];
    ends_of(label->text, label->len, end);
    uint64_t hash = mix(mix(label->len, end[0]), end[1]);
    for (uint32_t i = 8; i + 8 < label->len; i += 8) {
        hash = mix(hash, bytes_at(label->text + i, 8));
    }
    return (uint32_t)hash;
}

static bool same_label(const goal_label *a, const goal_label *b)
{
    if (a->len != b->len) {
        return false;
    }
    if (a->len > 16 || a->len == 0) {
        return memcmp(a->text, b->text, a->len) == 0;
    }
    uint64_t x[2];
    uint64_t y[2];
    ends_of(a->text, a->len, x);
    ends_of(b->text, b->len, y);
    return x[0] == y[0] && x[1] == y[1];
}

/* The slot of label, or the free one where it would go. There is always a free one. */
static goal_slot *find_slot(const goal_block *block, const goal_label *label, uint32_t hash)
{
    const uint32_t mask = block->num_slots - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        goal_slot *slot = &block->slot[i];
        if (slot->op == 0 || (slot->hash == hash && same_label(&block->op[slot->op - 1], label))) {
            return slot;
        }
    }
}

static void grow_slots(goal_block *block)
{
    const uint32_t old_slots = block->num_slots;
    goal_slot *old = block->slot;
    block->num_slots = old_slots == 0 ? 64 : 2 * old_slots;
    block->slot = g_new0(goal_slot, block->num_slots);
    const uint32_t mask = block->num_slots - 1;
    for (uint32_t i = 0; i < old_slots; i++) {
        if (old[i].op != 0) { /* and its label is that of no other */
            uint32_t at = old[i].hash & mask;
            while (block->slot[at].op != 0) {
                at = (at + 1) & mask;
            }
            block->slot[at] = old[i];
        }
    }
    g_free(old);
}

enum { MOST_DIGITS = 9 };

/* The number in decimal digits; 0: there are others, none, too many, or a 0 in front. */
static uint32_t number_of(const char *text, uint32_t len)
{
    uint32_t number = 0;
    if (len == 0 || len > MOST_DIGITS || text[0] == '0') {
        return 0;
    }
    for (uint32_t i = 0; i < len; i++) {
        if (!g_ascii_isdigit(text[i])) {
            return 0;
        }
        number = number * 10 + (uint32_t)(text[i] - '0');
    }
    return number;
}

uint32_t sched_goal_block_number(const goal_block *block, const goal_label *label)
{
    const goal_label *stem = &block->stem;
    if (label->len <= stem->len || label->len - stem->len > MOST_DIGITS) {
        return 0;
    }
    for (uint32_t i = 0; i < stem->len; i++) { /* mostly the first bytes say it */
        if (label->text[i] != stem->text[i]) {
            return 0;
        }
    }
    return number_of(label->text + stem->len, label->len - stem->len);
}

/* What the first label of a block counts with is what the others may count with. */
static void choose_stem(goal_block *block, const goal_label *label)
{
    uint32_t len = label->len;
    while (len > 0 && g_ascii_isdigit(label->text[len - 1])) {
        len--;
    }
    block->stem =
        len > 0 && len <= sizeof PLAIN && number_of(label->text + len, label->len - len) > 0
            ? (goal_label){.text = label->text, .len = len}
            : (goal_label){.text = PLAIN, .len = 1};
}

uint32_t sched_goal_block_find(const goal_block *block, const goal_label *label)
{
    const uint32_t index = goal_block_numbered(block, sched_goal_block_number(block, label));
    if (index != GOAL_OPEN || block->num_named == 0) {
        return index;
    }
    const goal_slot *slot = find_slot(block, label, hash_label(label));
    return slot->op - 1 < block->num_ops ? slot->op - 1 : GOAL_OPEN; /* op 0 is GOAL_OPEN */
}

/* A number not far behind those that are there finds its place among them. */
static bool number_op(goal_block *block, uint32_t number, uint32_t index)
{
    const uint32_t first = block->first_number == 0 ? number : block->first_number;
    const uint32_t at = number - first;
    if (number < first || at / 4 > block->num_ops + 16) {
        return false;
    }
    if (at >= block->max_numbers) {
        sched_goal_block_grow_numbers(block, at + 1);
    }
    for (; block->num_numbers <= at; block->num_numbers++) {
        block->by_number[block->num_numbers] = GOAL_OPEN;
    }
    block->first_number = first;
    block->by_number[at] = index;
    return true;
}

/* By hash, if the name is free. */
static void hash_op(goal_block *block, const goal_label *label, uint32_t index)
{
    if (2 * (block->num_named + 1) > block->num_slots) {
        grow_slots(block);
    }
    const uint32_t hash = hash_label(label);
    goal_slot *slot = find_slot(block, label, hash);
    if (slot->op == 0) {
        *slot = (goal_slot){.hash = hash, .op = index + 1};
        block->num_named++;
    } else {
        block->twice = true;
    }
}

static void name_op(goal_block *block, const goal_label *label, uint32_t index)
{
    if (label->number > 0 && sched_goal_block_find(block, label) != GOAL_OPEN) {
        block->twice = true;
    } else if (label->len > 0 && (label->number == 0 || !number_op(block, label->number, index))) {
        hash_op(block, label, index);
    }
}

/* Other labels than expected: only those of this block are known. */
static void forget_expected(goal_block *block)
{
    if (block->num_slots / 16 >
        block->num_named) { /* so that a large block burdens no small ones */
        g_clear_pointer(&block->slot, g_free);
        block->num_slots = 0;
    } else if (block->num_named > 0) {
        memset(block->slot, 0, block->num_slots * sizeof *block->slot);
    }
    block->first_number = 0;
    block->num_numbers = 0;
    block->num_named = 0;
    block->twice = false;
    for (uint32_t i = 0; i < block->num_ops; i++) {
        name_op(block, &block->op[i], i);
    }
    block->num_known = block->num_ops;
}

void sched_goal_block_add(goal_block *block, const goal_label *label, const char *statement)
{
    goal_label op = label != NULL ? *label : (goal_label){.text = statement};
    const bool expects = goal_block_expects(block);
    if (expects && same_label(&block->op[block->num_ops], &op)) {
        goal_block_add_expected(block, statement);
        return;
    }
    if (expects) {
        forget_expected(block);
    }
    if (block->num_ops == 0) {
        choose_stem(block, &op);
    }
    op.number = sched_goal_block_number(block, &op);
    block->op[block->num_ops] = op;
    name_op(block, &op, block->num_ops);
    block->num_known = ++block->num_ops;
    block->renamed = true;
}

/* Is it l<index + 1>? */
static bool is_default(const goal_block *block, const goal_label *label, uint32_t index)
{
    return block->stem.text == PLAIN || (block->stem.len == 1 && block->stem.text[0] == PLAIN[0])
               ? label->number == index + 1
               : label->text[0] == PLAIN[0] &&
                     number_of(label->text + 1, label->len - 1) == index + 1;
}

/* Others than l<index + 1>. @return how many */
static size_t collect_names(goal_block *block)
{
    size_t n = 0;
    if (block->max_names < block->max_ops) {
        block->max_names = block->max_ops;
        block->names = g_renew(sim_name, block->names, block->max_names);
    }
    for (uint32_t i = 0; i < block->num_ops; i++) {
        const goal_label *label = &block->op[i];
        if (label->len > 0 && !is_default(block, label, i)) {
            block->names[n++] = (sim_name){label->text, label->len, i};
        }
    }
    return n;
}

void sched_goal_block_give(goal_block *block, sim_graph_builder *builder)
{
    sim_graph_builder_ops(builder, block->body, block->num_ops);
    sim_graph_builder_edges(builder, block->edge, block->num_edges);
    if (!block->renamed && block->num_ops == block->ops_named) {
        sim_graph_builder_names_again(builder);
    } else {
        const size_t n = collect_names(block);
        sim_graph_builder_names(builder, block->names, n);
    }
}

static void remember_open(goal_block *block, const goal_label *label, bool is_later)
{
    if (block->num_open == block->max_open) {
        block->max_open = block->max_open == 0 ? 64 : 2 * block->max_open;
        block->open = g_renew(goal_open_end, block->open, block->max_open);
    }
    block->open[block->num_open++] =
        (goal_open_end){.label = *label, .edge = block->num_edges, .is_later = is_later};
}

void sched_goal_block_depend(goal_block *block, const goal_label *later, const goal_label *earlier,
                             bool start)
{
    const sched_edge edge = {sched_goal_block_find(block, later),
                             sched_goal_block_find(block, earlier), start};
    if (edge.later == GOAL_OPEN) {
        remember_open(block, later, true);
        block->backward = true;
    }
    if (edge.earlier == GOAL_OPEN) {
        remember_open(block, earlier, false);
    }
    goal_block_connect(block, edge.later, edge.earlier, start);
}

const goal_label *sched_goal_block_resolve(goal_block *block)
{
    for (size_t i = 0; i < block->num_open; i++) {
        const goal_open_end *end = &block->open[i];
        const uint32_t index = sched_goal_block_find(block, &end->label);
        if (index == GOAL_OPEN) {
            return &end->label;
        }
        sched_edge *edge = &block->edge[end->edge];
        *(end->is_later ? &edge->later : &edge->earlier) = index;
    }
    block->num_open = 0;
    return NULL;
}
