/* sim/events/ready_set.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_pending. */
/*
 * Receives that wait for nothing but the clocks: of two, the one with the smaller delay b·G - b·O
 * may be held up less by the interface, but as soon as the CPU is what holds up both, the one that
 * became ready first goes first. A treap by (delay, ready, tie) that knows the first by (ready,
 * tie) of every subtree answers both. Balanced by a hash of the item's number, so nothing is
 * random from run to run.
 */
#include "events/pending_private.h"

static inline bool readier(const pending_item *a, const pending_item *b)
{
    const sim_time ready_a = event_list_later(a->item.time, a->item.arrival);
    const sim_time ready_b = event_list_later(b->item.time, b->item.arrival);
    return ready_a < ready_b || (ready_a == ready_b && a->item.index < b->item.index);
}

static inline bool left_of(const pending_item *a, const pending_item *b)
{
    return a->key < b->key || (a->key == b->key && readier(a, b));
}

static inline uint32_t height(uint32_t item)
{
    uint32_t h = item * UINT32_C(0x9e3779b1);
    h ^= h >> 15;
    return h * UINT32_C(0x85ebca77);
}

static inline uint32_t readiest(const pending_item *items, uint32_t a, uint32_t tree)
{
    return tree != PENDING_NONE && readier(&items[items[tree].best], &items[a]) ? items[tree].best
                                                                                : a;
}

static void update(pending_item *items, uint32_t root)
{
    items[root].best =
        readiest(items, readiest(items, root, items[root].child), items[root].sibling);
}

/* What is left of item, and the rest. */
static void split(pending_item *items, uint32_t root, uint32_t item, uint32_t *left,
                  uint32_t *right)
{
    if (root == PENDING_NONE) {
        *left = *right = PENDING_NONE;
    } else if (left_of(&items[root], &items[item])) {
        split(items, items[root].sibling, item, &items[root].sibling, right);
        *left = root;
        update(items, root);
    } else {
        split(items, items[root].child, item, left, &items[root].child);
        *right = root;
        update(items, root);
    }
}

static uint32_t join(pending_item *items, uint32_t left, uint32_t right)
{
    if (left == PENDING_NONE || right == PENDING_NONE) {
        return left + right;
    }
    uint32_t root = left;
    if (height(left) > height(right)) {
        items[left].sibling = join(items, items[left].sibling, right);
    } else {
        root = right;
        items[right].child = join(items, left, items[right].child);
    }
    update(items, root);
    return root;
}

void sim_ready_set_add(pending_item *items, uint32_t *root, uint32_t item)
{
    if (*root == PENDING_NONE || height(item) > height(*root)) {
        uint32_t left = PENDING_NONE;
        uint32_t right = PENDING_NONE;
        split(items, *root, item, &left, &right);
        items[item].child = left;
        items[item].sibling = right;
        *root = item;
    } else {
        pending_item *r = &items[*root];
        sim_ready_set_add(items, left_of(&items[item], r) ? &r->child : &r->sibling, item);
    }
    update(items, *root);
}

void sim_ready_set_remove(pending_item *items, uint32_t *root, uint32_t item)
{
    pending_item *r = &items[*root];
    if (*root == item) {
        *root = join(items, r->child, r->sibling);
        return;
    }
    sim_ready_set_remove(items, left_of(&items[item], r) ? &r->child : &r->sibling, item);
    update(items, *root);
}

uint32_t sim_ready_set_first(const pending_item *items, uint32_t root, sim_time most)
{
    uint32_t first = PENDING_NONE;
    uint32_t leftmost = root;
    while (root != PENDING_NONE) {
        leftmost = root;
        if (items[root].key > most) {
            root = items[root].child;
            continue;
        }
        const uint32_t here = readiest(items, root, items[root].child);
        if (first == PENDING_NONE || readier(&items[here], &items[first])) {
            first = here;
        }
        root = items[root].sibling;
    }
    return first != PENDING_NONE ? first : leftmost;
}
