/* sim/events/pending.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "events/pending_private.h"

#include "events/event_order_private.h"
#include "sim/large.h"

#include <assert.h>
#include <glib.h>
#include <string.h>

/* What is not used yet takes no memory, and copying would take time. */
#define GROWTH 4

static pending_item *new_items(uint32_t n)
{
    return sim_large_new(n, sizeof(pending_item));
}

void sim_pending_init(pending_pool *pool, event_list *list)
{
    const message_costs *network = &list->costs[MESSAGE_NETWORK];
    const message_costs *node = &list->costs[MESSAGE_NODE];
    *pool = (pending_pool){.list = list, .cap_items = 1024, .cap_classes = 256};
    pool->delays = !list->async && (network->G > network->O || node->G > node->O);
    pool->item = new_items(pool->cap_items);
    pool->cause = list->keeps_causes ? g_new(event_cause, pool->cap_items) : NULL;
    pool->class = g_new(pending_class, pool->cap_classes);
    pool->num_items = 1; /* 0 is PENDING_NONE */
    pool->num_classes = 1;
}

void sim_pending_clear(pending_pool *pool)
{
    sim_large_free(pool->item);
    g_free(pool->cause);
    g_free(pool->class);
}

static void grow(pending_pool *pool)
{
    if (pool->cap_items > UINT32_MAX / GROWTH) {
        g_error("more than %" G_GUINT32_FORMAT " operations and messages are pending at once",
                pool->cap_items);
    }
    pending_item *larger = new_items(GROWTH * pool->cap_items);
    memcpy(larger, pool->item, pool->cap_items * sizeof *larger);
    sim_large_free(pool->item);
    pool->item = larger;
    pool->cap_items *= GROWTH;
    if (pool->cause != NULL) {
        pool->cause = g_renew(event_cause, pool->cause, pool->cap_items);
    }
}

uint32_t sim_pending_new(pending_pool *pool)
{
    uint32_t item = pool->free_item;
    if (item != PENDING_NONE) {
        pool->free_item = pool->item[item].sibling;
        return item;
    }
    if (pool->num_items == pool->cap_items) {
        grow(pool);
    }
    return pool->num_items++;
}

void sim_pending_drop(pending_pool *pool, uint32_t item)
{
    pool->item[item].sibling = pool->free_item;
    pool->free_item = item;
}

static inline bool before(const pending_pool *pool, uint32_t a, uint32_t b)
{
    const pending_item *x = &pool->item[a];
    const pending_item *y = &pool->item[b];
    if (x->key != y->key) {
        return x->key < y->key;
    }
    return event_list_is_event(&x->item)
               ? event_list_tie_goes_before(pool->list, &x->item, &y->item)
               : event_list_work_goes_before(pool->list, &x->item, &y->item);
}

/* Two non-empty heaps become one: the later root becomes the first child of the earlier. */
static inline uint32_t merge(pending_pool *pool, uint32_t a, uint32_t b)
{
    if (before(pool, b, a)) {
        const uint32_t swap = a;
        a = b;
        b = swap;
    }
    pool->item[b].sibling = pool->item[a].child;
    pool->item[a].child = b;
    return a;
}

void sim_pending_push(pending_pool *pool, pending_heap *heap, uint32_t item)
{
    pending_item *items = pool->item;
    items[item].child = PENDING_NONE;
    if (heap->first != PENDING_NONE && before(pool, item, heap->last)) {
        const uint32_t root = heap->root; /* nobody asks for the sibling of a root */
        heap->root = root == PENDING_NONE ? item : merge(pool, root, item);
        return;
    }
    items[item].sibling = PENDING_NONE;
    *(heap->first == PENDING_NONE ? &heap->first : &items[heap->last].sibling) = item;
    heap->last = item;
}

uint32_t sim_pending_top(const pending_pool *pool, const pending_heap *heap)
{
    const uint32_t root = heap->root;
    const uint32_t first = heap->first;
    if (root == PENDING_NONE || first == PENDING_NONE) {
        return root | first;
    }
    return before(pool, root, first) ? root : first;
}

static uint32_t pop_root(pending_pool *pool, uint32_t *root)
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
            pair = merge(pool, a, b);
        }
        items[pair].sibling = pairs;
        pairs = pair;
        a = rest;
    }
    uint32_t heap = PENDING_NONE;
    while (pairs != PENDING_NONE) {
        const uint32_t next = items[pairs].sibling;
        heap = heap == PENDING_NONE ? pairs : merge(pool, heap, pairs);
        pairs = next;
    }
    *root = heap;
    return least;
}

uint32_t sim_pending_pop(pending_pool *pool, pending_heap *heap)
{
    const uint32_t least = sim_pending_top(pool, heap);
    if (least != heap->first) {
        return pop_root(pool, &heap->root);
    }
    heap->first = pool->item[least].sibling;
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

/* Of CPU work: how much later than its message a receive can start, the interface being free. */
static inline sim_time delay_of(const pending_pool *pool, const event_item *i)
{
    const bool delayed = pool->delays && i->kind == EVENT_RECEIVE;
    return delayed ? event_list_cost(pool->list, i)->delay : 0;
}

/* While a class is plain the heap has its items in the order in which they go when they are ready.
 */
static void note_delay(const pending_pool *pool, pending_class *c, const pending_item *i,
                       sim_time delay)
{
    c->plain =
        c->plain && delay == c->delay && i->key == event_list_ready(pool->list, &i->item) + delay;
}

/* The class that an item belongs to, which may be new. */
static uint32_t class_of(pending_pool *pool, uint32_t *classes, const event_item *i, sim_time delay)
{
    uint32_t class = *classes;
    while (class != PENDING_NONE) {
        const pending_class *c = &pool->class[class];
        if (c->kind == i->kind && c->cpu == i->cpu && c->nic == i->nic) {
            return class;
        }
        class = c->next;
    }
    class = new_class(pool);
    pool->class[class] = (pending_class){.next = *classes,
                                         .kind = i->kind,
                                         .cpu = i->cpu,
                                         .nic = i->nic,
                                         .plain = true,
                                         .delay = delay};
    *classes = class;
    return class;
}

void sim_pending_add(pending_pool *pool, uint32_t *classes, uint32_t item)
{
    pending_item *i = &pool->item[item];
    const sim_time delay = delay_of(pool, &i->item);
    const bool receive = i->item.kind == EVENT_RECEIVE && !pool->list->async;
    i->key = receive ? event_list_later(i->item.time, i->item.arrival + delay) : i->item.time;
    const uint32_t class = class_of(pool, classes, &i->item, delay);
    if (pool->delays) {
        note_delay(pool, &pool->class[class], i, delay);
    }
    sim_pending_push(pool, &pool->class[class].waiting, item);
}

static sim_time clocks(sim_time cpu, sim_time nic)
{
    return cpu > nic ? cpu : nic;
}

/* Among items with delays: those that now wait for the clocks alone become ready. */
static uint32_t first_delayed(pending_pool *pool, pending_class *c, sim_time cpu, sim_time nic,
                              sim_time *start)
{
    pending_item *items = pool->item;
    uint32_t next = sim_pending_top(pool, &c->waiting);
    while (next != PENDING_NONE) {
        const sim_time delay = delay_of(pool, &items[next].item);
        if (items[next].key > clocks(cpu, nic + delay)) {
            break;
        }
        (void)sim_pending_pop(pool, &c->waiting);
        items[next].key = delay;
        sim_ready_set_add(items, &c->ready_set, next);
        next = sim_pending_top(pool, &c->waiting);
    }
    c->first_ready = PENDING_NONE;
    if (c->ready_set != PENDING_NONE) {
        const uint32_t ready_set = sim_ready_set_first(items, c->ready_set, cpu - nic);
        *start = clocks(cpu, nic + items[ready_set].key);
        const pending_item *w = &items[next];
        if (next == PENDING_NONE || *start < w->key ||
            (*start == w->key &&
             event_list_work_goes_before(pool->list, &items[ready_set].item, &w->item))) {
            c->first_ready = ready_set;
            return ready_set;
        }
    }
    *start = items[next].key;
    return next;
}

uint32_t sim_pending_first(pending_pool *pool, uint32_t class, sim_time cpu, sim_time nic,
                           sim_time *start)
{
    pending_class *c = &pool->class[class];
    if (pool->delays && c->kind == EVENT_RECEIVE && !c->plain) {
        return first_delayed(pool, c, cpu, nic, start);
    }
    const uint32_t first = sim_pending_top(pool, &c->waiting);
    *start = MAX(clocks(cpu, nic + c->delay), pool->item[first].key);
    return first;
}

uint32_t sim_pending_take(pending_pool *pool, uint32_t *classes, uint32_t class)
{
    pending_class *c = &pool->class[class];
    uint32_t item = c->first_ready;
    if (item != PENDING_NONE) {
        c->first_ready = PENDING_NONE;
        sim_ready_set_remove(pool->item, &c->ready_set, item);
    } else {
        item = sim_pending_pop(pool, &c->waiting);
    }
    if (c->ready_set == PENDING_NONE && sim_pending_top(pool, &c->waiting) == PENDING_NONE) {
        uint32_t *link = classes;
        while (*link != class) {
            assert(*link != PENDING_NONE);
            link = &pool->class[*link].next;
        }
        *link = c->next;
        c->next = pool->free_class;
        pool->free_class = class;
    }
    return item;
}
