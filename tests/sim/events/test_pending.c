/* tests/sim/events/test_pending.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a spill has before it, against a list that is looked through from end to end: whatever the
 * delays are, and whichever clock holds things up.
 */
#include "check.h"
#include "events/pending_private.h"

typedef struct listed {
    uint32_t item;
    sim_time key, ready, delay;
    uint64_t tie;
    uint8_t kind, cpu, nic;
} listed;

typedef struct bench {
    GRand *random;
    event_list events; /* its messages take 1 ps for each byte but the first */
    pending_pool pool;
    uint32_t classes;
    GArray *list; /* of listed */
    uint64_t next_tie;
    sim_time cpu[2], nic[2];
    int32_t max_delay; /* 0: there is none; all have this one or, mixed, any up to it */
    bool mixed;
    int32_t unit; /* of all times: much happens at one instant */
} bench;

static int32_t below(bench *b, int32_t n)
{
    return g_rand_int_range(b->random, 0, n);
}

static sim_time some_time(bench *b, int32_t most)
{
    return (sim_time)below(b, most / b->unit) * b->unit;
}

static void add(bench *b)
{
    listed l = {.kind = below(b, 3) > 0 ? EVENT_RECEIVE : EVENT_SEND,
                .cpu = (uint8_t)below(b, 2),
                .nic = (uint8_t)below(b, 2)};
    const sim_time now = MAX(b->cpu[l.cpu], b->nic[l.nic]);
    const sim_time arrival = MAX(now + some_time(b, 80) - 40, 0);
    const sim_time posted = below(b, 3) > 0 ? 0 : MAX(now + some_time(b, 80) - 40, 0);
    if (l.kind == EVENT_RECEIVE && b->max_delay > 0) {
        l.delay = b->mixed ? some_time(b, b->max_delay + b->unit) : b->max_delay;
    }
    l.ready = MAX(posted, arrival);
    l.key = MAX(posted, arrival + l.delay);
    l.tie = b->next_tie++ ^ 5; /* in no order */
    l.item = sim_pending_new(&b->pool);
    event_item *i = &b->pool.item[l.item].item;
    *i = (event_item){.time = l.ready,
                      .size = 1 + l.delay,
                      .index = (uint32_t)l.tie,
                      .kind = l.kind,
                      .cpu = l.cpu,
                      .nic = l.nic};
    if (l.kind == EVENT_RECEIVE) {
        i->time = posted;
        i->arrival = arrival;
    } else {
        l.key = l.ready;
    }
    sim_pending_add(&b->pool, &b->classes, l.item);
    g_array_append_val(b->list, l);
}

/* Which one of a class goes first, and when? @return its place in the list */
static guint first_of(const bench *b, const pending_class *c, sim_time *start)
{
    guint first = b->list->len;
    for (guint k = 0; k < b->list->len; k++) {
        const listed *l = &g_array_index(b->list, listed, k);
        if (l->kind != c->kind || l->cpu != c->cpu || l->nic != c->nic) {
            continue;
        }
        const sim_time at = MAX(MAX(l->key, b->cpu[l->cpu]), b->nic[l->nic] + l->delay);
        const listed *f = first < b->list->len ? &g_array_index(b->list, listed, first) : NULL;
        if (f == NULL || at < *start ||
            (at == *start && (l->ready < f->ready || (l->ready == f->ready && l->tie < f->tie)))) {
            first = k;
            *start = at;
        }
    }
    return first;
}

/* What goes first of some class is taken, and holds up the others. @return as expected? */
static bool take(bench *b, const char *where)
{
    uint32_t class = b->classes;
    for (int32_t skip = below(b, 4); skip > 0 && b->pool.class[class].next != PENDING_NONE;
         skip--) {
        class = b->pool.class[class].next;
    }
    const pending_class c = b->pool.class[class];
    sim_time wanted = 0;
    sim_time start = 0;
    const guint k = first_of(b, &c, &wanted);
    const uint32_t item = sim_pending_first(&b->pool, class, b->cpu[c.cpu], b->nic[c.nic], &start);
    if (!CHECK(k < b->list->len, "%s: a class with nothing in it", where)) {
        return false;
    }
    const listed first = g_array_index(b->list, listed, k);
    if (!CHECK_I64(start, wanted, "%s", where) || !CHECK_I64(item, first.item, "%s", where)) {
        return false;
    }
    if (below(b, 5) == 0) {
        return true; /* it was only looked at */
    }
    CHECK_I64(sim_pending_take(&b->pool, &b->classes, class), item, "%s", where);
    sim_pending_drop(&b->pool, item);
    g_array_remove_index_fast(b->list, k);
    b->cpu[c.cpu] = start + some_time(b, 20);
    b->nic[c.nic] = MAX(b->nic[c.nic], start - first.delay) + some_time(b, 30);
    return true;
}

static void init(event_list *events, pending_pool *pool, bool delays)
{
    const sim_level level[MESSAGE_LEVELS] = {{.G = delays ? SIM_RATE_PER_PS : 0}};
    *events = (event_list){.at.node_nic = UINT32_MAX};
    message_costs_init(events->costs, level);
    sim_pending_init(pool, events);
}

static void what_goes_first_is_taken_first_whatever_holds_it_up(void)
{
    for (uint32_t seed = 1; seed <= 600; seed++) {
        bench b = {.random = g_rand_new_with_seed(seed),
                   .max_delay = (int32_t)(seed % 3) * 20,
                   .mixed = seed % 2 == 0,
                   .unit = seed % 5 < 2 ? 1 : 10,
                   .list = g_array_new(FALSE, FALSE, sizeof(listed))};
        init(&b.events, &b.pool, b.max_delay > 0);
        g_autofree char *where = g_strdup_printf("seed %u", seed);
        bool sound = true;
        const guint most = 20 + seed % 200;
        for (unsigned step = 0; step < 400 && sound; step++) {
            const bool growing = step % 100 < 50;
            if (b.list->len == 0 || (b.list->len < most && below(&b, growing ? 4 : 12) > 2)) {
                add(&b);
            } else {
                sound = take(&b, where);
            }
        }
        while (sound && b.list->len > 0) {
            sound = take(&b, where);
        }
        CHECK(!sound || b.classes == PENDING_NONE, "%s: classes are left", where);
        sim_pending_clear(&b.pool);
        g_array_unref(b.list);
        g_rand_free(b.random);
    }
}

static void a_heap_gives_back_the_least(void)
{
    GRand *random = g_rand_new_with_seed(7);
    event_list events;
    pending_pool pool;
    init(&events, &pool, false);
    pending_heap heap = {0};
    g_autoptr(GArray) in = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (unsigned step = 0; step < 20000; step++) {
        if (in->len == 0 || g_rand_int_range(random, 0, 300) > (gint32)in->len) {
            const uint32_t item = sim_pending_new(&pool);
            const uint8_t kind = (uint8_t)(EVENT_RELEASE + g_rand_int_range(random, 0, 3));
            pool.item[item].key = g_rand_int_range(random, 0, 30);
            pool.item[item].item = (event_item){.kind = kind, .index = step ^ 3};
            sim_pending_push(&pool, &heap, item);
            g_array_append_val(in, item);
            continue;
        }
        guint least = 0;
        for (guint k = 1; k < in->len; k++) {
            const pending_item *x = &pool.item[g_array_index(in, uint32_t, k)];
            const pending_item *y = &pool.item[g_array_index(in, uint32_t, least)];
            const event_item *a = &x->item;
            const event_item *b = &y->item;
            const bool before = x->key < y->key ||
                                (x->key == y->key && (a->kind < b->kind ||
                                                      (a->kind == b->kind && a->index < b->index)));
            least = before ? k : least;
        }
        CHECK_I64(sim_pending_top(&pool, &heap), g_array_index(in, uint32_t, least));
        const uint32_t item = sim_pending_pop(&pool, &heap);
        CHECK_I64(item, g_array_index(in, uint32_t, least), "step %u", step);
        sim_pending_drop(&pool, item);
        g_array_remove_index_fast(in, least);
    }
    sim_pending_clear(&pool);
    g_rand_free(random);
}

SUITE_MAIN("pending", TEST(what_goes_first_is_taken_first_whatever_holds_it_up),
           TEST(a_heap_gives_back_the_least))
