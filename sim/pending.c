/* sim/pending.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "pending_private.h"

#include <assert.h>
#include <glib.h>

void sim_pending_init(pending_pool *pool)
{
    *pool = (pending_pool){.cap_items = 1024, .cap_classes = 256};
    pool->item = g_new(pending_item, pool->cap_items);
    pool->class = g_new(pending_class, pool->cap_classes);
    pool->num_items = 1; /* 0 is PENDING_NONE */
    pool->num_classes = 1;
}

void sim_pending_clear(pending_pool *pool)
{
    g_free(pool->item);
    g_free(pool->class);
}

uint32_t sim_pending_new(pending_pool *pool)
{
    uint32_t item = pool->free_item;
    if (item != PENDING_NONE) {
        pool->free_item = pool->item[item].sibling;
        return item;
    }
    if (pool->num_items == pool->cap_items) {
        pool->cap_items *= 2;
        pool->item = g_renew(pending_item, pool->item, pool->cap_items);
    }
    return pool->num_items++;
}

void sim_pending_drop(pending_pool *pool, uint32_t item)
{
    pool->item[item].sibling = pool->free_item;
    pool->free_item = item;
}

static inline bool before(const pending_item *a, const pending_item *b)
{
    if (a->key != b->key) {
        return a->key < b->key;
    }
    return a->ready < b->ready || (a->ready == b->ready && a->tie < b->tie);
}

/* Two non-empty heaps become one: the later root becomes the first child of the earlier. */
static inline uint32_t merge(pending_item *items, uint32_t a, uint32_t b)
{
    if (before(&items[b], &items[a])) {
        const uint32_t swap = a;
        a = b;
        b = swap;
    }
    items[b].sibling = items[a].child;
    items[a].child = b;
    return a;
}

void sim_pending_push(pending_pool *pool, uint32_t *root, uint32_t item)
{
    pool->item[item].child = PENDING_NONE;
    pool->item[item].sibling = PENDING_NONE;
    *root = *root == PENDING_NONE ? item : merge(pool->item, *root, item);
}

uint32_t sim_pending_pop(pending_pool *pool, uint32_t *root)
{
    pending_item *items = pool->item;
    const uint32_t least = *root;
    uint32_t pairs = PENDING_NONE; /* merged pairs, last first */
    for (uint32_t a = items[least].child; a != PENDING_NONE;) {
        const uint32_t b = items[a].sibling;
        uint32_t rest = PENDING_NONE;
        uint32_t pair = a;
        if (b != PENDING_NONE) {
            rest = items[b].sibling;
            pair = merge(items, a, b);
        }
        items[pair].sibling = pairs;
        pairs = pair;
        a = rest;
    }
    uint32_t heap = PENDING_NONE;
    while (pairs != PENDING_NONE) {
        const uint32_t next = items[pairs].sibling;
        heap = heap == PENDING_NONE ? pairs : merge(items, heap, pairs);
        pairs = next;
    }
    if (heap != PENDING_NONE) {
        items[heap].sibling = PENDING_NONE;
    }
    *root = heap;
    return least;
}

static uint32_t new_class(pending_pool *pool)
{
    const uint32_t class = pool->free_class;
    if (class != PENDING_NONE) {
        pool->free_class = pool->class[class].next;
        return class;
    }
    if (pool->num_classes == pool->cap_classes) {
        pool->cap_classes *= 2;
        pool->class = g_renew(pending_class, pool->class, pool->cap_classes);
    }
    return pool->num_classes++;
}

void sim_pending_add(pending_pool *pool, uint32_t *classes, uint32_t item, sim_time delay)
{
    const pending_item *i = &pool->item[item];
    uint32_t class = *classes;
    while (class != PENDING_NONE) {
        const pending_class *c = &pool->class[class];
        if (c->kind == i->kind && c->cpu == i->cpu && c->nic == i->nic && c->delay == delay) {
            break;
        }
        class = c->next;
    }
    if (class == PENDING_NONE) {
        class = new_class(pool);
        pool->class[class] = (pending_class){
            .delay = delay, .next = *classes, .kind = i->kind, .cpu = i->cpu, .nic = i->nic};
        *classes = class;
    }
    sim_pending_push(pool, &pool->class[class].waiting, item);
}

uint32_t sim_pending_first(pending_pool *pool, uint32_t class, sim_time common, sim_time *start)
{
    pending_class *c = &pool->class[class];
    if (c->delay == 0) { /* then key == ready, and passing the common instant changes no order */
        *start = MAX(common, pool->item[c->waiting].key);
        return c->waiting;
    }
    while (c->waiting != PENDING_NONE && pool->item[c->waiting].key <= common) {
        const uint32_t item = sim_pending_pop(pool, &c->waiting);
        pool->item[item].key = pool->item[item].ready;
        sim_pending_push(pool, &c->ripe, item);
    }
    const uint32_t first = c->ripe != PENDING_NONE ? c->ripe : c->waiting;
    *start = MAX(common, pool->item[first].key);
    return first;
}

void sim_pending_take(pending_pool *pool, uint32_t *classes, uint32_t class)
{
    pending_class *c = &pool->class[class];
    sim_pending_pop(pool, c->ripe != PENDING_NONE ? &c->ripe : &c->waiting);
    if (c->ripe != PENDING_NONE || c->waiting != PENDING_NONE) {
        return;
    }
    uint32_t *link = classes;
    while (*link != class) {
        assert(*link != PENDING_NONE);
        link = &pool->class[*link].next;
    }
    *link = c->next;
    c->next = pool->free_class;
    pool->free_class = class;
}
