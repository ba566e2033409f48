/* tests/sim/sequential/test_instant_queue.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "sequential/instant_queue_private.h"

static int by_instant(const void *a, const void *b)
{
    const sequential_event *x = a;
    const sequential_event *y = b;
    return sequential_event_before(y, x) - sequential_event_before(x, y);
}

/* How far ahead events are put. */
static sim_time ahead(GRand *random, sim_time most)
{
    switch (g_rand_int_range(random, 0, 4)) {
    case 0:
        return 0;
    case 1:
        return g_rand_int_range(random, 0, 4);
    case 2:
        return g_rand_int_range(random, 0, 100000) * SIM_NS;
    default:
        return (sim_time)(g_rand_double(random) * (double)most);
    }
}

/* Events go in and out in turn; what comes out is what a sorted array would give. */
static void check_mix(uint32_t seed, uint32_t num_events, sim_time most)
{
    GRand *random = g_rand_new_with_seed(seed);
    instant_queue q;
    sim_instant_queue_init(&q);
    g_autoptr(GArray) pending = g_array_new(FALSE, FALSE, sizeof(sequential_event));
    sim_time now = 0;
    uint32_t created = 0;
    bool all = true;
    while (created < num_events || pending->len > 0) {
        const guint some = created < num_events ? (guint)g_rand_int_range(random, 0, 6) : 0;
        for (guint i = 0; i < some; i++) {
            /* keys go up and down: an event that waits keeps its own */
            const sequential_event e = {.at.time = now + ahead(random, most),
                                        .key = (uint64_t)g_rand_int(random) << 32 | created++,
                                        .op = created};
            sim_instant_queue_put(&q, &e);
            g_array_append_val(pending, e);
        }
        g_array_sort(pending, by_instant);
        for (guint i = 0; i < 3 && pending->len > 0; i++) {
            const sequential_event wanted = g_array_index(pending, sequential_event, 0);
            sequential_event e = {.key = 0};
            all = all && sim_instant_queue_take(&q, &e) && e.key == wanted.key &&
                  e.at.time == wanted.at.time && e.op == wanted.op;
            now = wanted.at.time;
            g_array_remove_index(pending, 0);
        }
    }
    sequential_event e;
    CHECK(all, "seed %u", seed);
    CHECK(!sim_instant_queue_take(&q, &e), "seed %u", seed);
    sim_instant_queue_clear(&q);
    g_rand_free(random);
}

static void gives_events_in_order(void)
{
    for (uint32_t seed = 1; seed <= 20; seed++) {
        check_mix(seed, 300, 1000 * SIM_US);
    }
    check_mix(21, 300, SIM_TIME_MAX / 1000);
}

/* So many at one instant, or at instants far apart, that buckets are dealt out, and grow. */
static void holds_many(void)
{
    enum { MANY = 100000 };
    static const sim_time step[] = {0, 1, 977, 1000 * SIM_NS, SIM_S};
    for (size_t k = 0; k < G_N_ELEMENTS(step); k++) {
        instant_queue q;
        sim_instant_queue_init(&q);
        for (uint32_t i = 0; i < MANY; i++) {
            const uint32_t shuffled = (uint32_t)((uint64_t)i * 48271 % MANY);
            const sequential_event e = {.at.time = shuffled * step[k], .key = shuffled};
            sim_instant_queue_put(&q, &e);
        }
        bool all = true;
        for (uint32_t i = 0; i < MANY; i++) {
            sequential_event e = {.key = 0};
            all = all && sim_instant_queue_take(&q, &e) && e.key == i;
        }
        CHECK(all, "step %" PRId64, step[k]);
        sim_instant_queue_clear(&q);
    }
}

SUITE_MAIN("instant_queue", TEST(gives_events_in_order), TEST(holds_many))
