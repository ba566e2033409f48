/* tests/sim/events/test_calendar_queue.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who has something to do in which window, against a list of when each rank is due: near, at the
 * ends of both rings and far behind them, brought forward, and called in between.
 */
#include "check.h"
#include "events/calendar_queue_private.h"

enum { RANKS = 40 };

typedef struct bench {
    GRand *random;
    calendar_queue queue;
    rank_partition share;
    sim_time width;
    engine_rank ranks[RANKS];
    sim_time due[RANKS];  /* EVENT_NEVER; those of other parts are never asked for */
    sim_time late[RANKS]; /* when it would have been due if nothing had come */
    bool waits[RANKS];    /* had its turn, which is not settled yet */
    gint32 busy;          /* so many out of 10 are due again after their turn */
    bool ends;            /* nothing comes any more */
} bench;

static bool is_own(const bench *b, uint32_t rank)
{
    return rank_partition_of(&b->share, rank) == b->share.partition;
}

static uint64_t window_of(const bench *b, sim_time when)
{
    return when == EVENT_NEVER ? CALENDAR_NO_WINDOW : (uint64_t)(when / b->width);
}

/* Some instant in a window to come. */
static sim_time to_come(bench *b)
{
    static const int32_t reach[] = {3,
                                    64,
                                    5000,
                                    3 * CALENDAR_WINDOWS,
                                    40 * CALENDAR_WINDOWS,
                                    2 * CALENDAR_WINDOWS * CALENDAR_BLOCK};
    const int32_t most = reach[g_rand_int_range(b->random, 0, G_N_ELEMENTS(reach))];
    int64_t ahead = 1 + g_rand_int_range(b->random, 0, most);
    const int32_t edge = g_rand_int_range(b->random, 0, 24);
    if (edge < 2) { /* where the first ring ends, and where the second does */
        const int64_t span = edge * (int64_t)CALENDAR_WINDOWS * CALENDAR_BLOCK;
        ahead =
            (int64_t)(b->queue.end - b->queue.now) + span - 2 + g_rand_int_range(b->random, 0, 4);
    }
    if (edge == 2) { /* where the low 32 bits are those of a window before */
        ahead = (INT64_C(1) << 32) - g_rand_int_range(b->random, 1, CALENDAR_WINDOWS);
    }
    const int64_t window = (int64_t)b->queue.now + ahead;
    return window * b->width + g_rand_int_range(b->random, 0, (gint32)b->width);
}

static void settle(bench *b, uint32_t rank)
{
    const bool never = g_rand_int_range(b->random, 0, 10) >= b->busy;
    const bool again = b->late[rank] >= (sim_time)(b->queue.now + 1) * b->width;
    const sim_time when =
        again && g_rand_int_range(b->random, 0, 2) == 0 ? b->late[rank] : to_come(b);
    b->due[rank] = never ? EVENT_NEVER : when;
    b->waits[rank] = false;
    calendar_queue_put(&b->queue, &b->ranks[rank], rank, b->due[rank]);
}

/* Something comes to a rank, ahead of its time. */
static void bring_forward(bench *b)
{
    const uint32_t rank = (uint32_t)g_rand_int_range(b->random, 0, RANKS);
    if (!b->ends && is_own(b, rank) && !b->waits[rank]) {
        const sim_time when = to_come(b);
        if (when < b->due[rank]) {
            b->late[rank] = b->due[rank] == EVENT_NEVER ? 0 : b->due[rank];
            b->due[rank] = when;
        }
        calendar_queue_due(&b->queue, &b->ranks[rank], rank, when);
    }
}

/* The turns of one window, and those called in it. @return as it should be? */
static bool do_window(bench *b, const char *where)
{
    uint64_t first = CALENDAR_NO_WINDOW;
    for (uint32_t r = 0; r < RANKS; r++) {
        first = MIN(first, window_of(b, b->due[r]));
    }
    const uint64_t window = sim_calendar_queue_next(&b->queue);
    if (window == CALENDAR_NO_WINDOW) {
        bring_forward(b);
        return CHECK(first == CALENDAR_NO_WINDOW, "%s: a rank is forgotten", where);
    }
    if (!CHECK(window <= first && window >= b->queue.now, "%s: window %" PRIu64, where, window)) {
        return false;
    }
    sim_calendar_queue_advance(&b->queue, window, (char *)b->ranks, sizeof b->ranks[0]);
    const uint32_t n = sim_calendar_queue_take(&b->queue);
    bool done[RANKS] = {false};
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t rank = b->queue.line[i];
        if (!calendar_queue_is_due(&b->ranks[rank], b->queue.now)) {
            continue;
        }
        CHECK(!done[rank] && window_of(b, b->due[rank]) == window, "%s: rank %u", where, rank);
        done[rank] = b->waits[rank] = true;
        bring_forward(b);
        if (g_rand_int_range(b->random, 0, 4) > 0) {
            settle(b, rank);
        }
    }
    bool sound = true;
    for (uint32_t r = 0; r < RANKS; r++) {
        const bool missed = window_of(b, b->due[r]) == window && !done[r];
        sound = sound && (!missed || CHECK(false, "%s: window %" PRIu64 ", rank %u is missed",
                                           where, window, r));
        if (is_own(b, r) && !b->waits[r] && g_rand_int_range(b->random, 0, 50) == 0) {
            calendar_queue_claim(&b->queue, &b->ranks[r], r);
            b->waits[r] = true;
        }
        if (b->waits[r]) {
            settle(b, r);
        }
    }
    return sound;
}

static void every_rank_has_its_turn_when_it_is_due(void)
{
    static const sim_time widths[] = {1, 3, 1000};
    unsigned windows = 0;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        bench *b = g_new0(bench, 1);
        b->random = g_rand_new_with_seed(seed);
        b->width = widths[seed % 3];
        b->busy = seed % 5 < 2 ? 1 : 8; /* hardly anybody is due, or most are */
        b->share =
            (rank_partition){.num_partitions = 1 + seed % 4, .shift = seed % 2, .num_ranks = RANKS};
        b->share.partition = seed / 2 % b->share.num_partitions;
        const uint64_t first = seed % 7 == 0 ? UINT32_MAX - UINT64_C(3000) : 0; /* 32 bits end */
        sim_calendar_queue_init(&b->queue, &b->share, b->width, first);
        g_autofree char *where = g_strdup_printf("seed %u", seed);
        for (uint32_t r = 0; r < RANKS; r++) {
            b->due[r] = EVENT_NEVER;
            b->ranks[r].place = CALENDAR_RUNNING;
            if (is_own(b, r)) {
                settle(b, r);
            }
        }
        for (unsigned k = 0; k < 2000 && do_window(b, where); k++) {
            windows++;
        }
        b->busy = 0;
        b->ends = true;
        while (sim_calendar_queue_next(&b->queue) != CALENDAR_NO_WINDOW && do_window(b, where)) {
        }
        for (uint32_t r = 0; r < RANKS; r++) {
            CHECK_I64(b->due[r], EVENT_NEVER, "%s: rank %u at the end", where, r);
        }
        sim_calendar_queue_clear(&b->queue);
        g_rand_free(b->random);
        g_free(b);
    }
    CHECK(windows > 20000, "%u windows", windows);
}

static void the_window_of_an_instant_is_its_quotient(void)
{
    static const sim_time widths[] = {1, 2, 3, 7, 1000, 4096, 3703701, SIM_TIME_MAX / 2 + 1};
    GRand *random = g_rand_new_with_seed(1);
    for (size_t i = 0; i < G_N_ELEMENTS(widths); i++) {
        const calendar_queue q = {.width = (uint64_t)widths[i],
                                  .inverse = UINT64_MAX / (uint64_t)widths[i]};
        for (unsigned k = 0; k < 2000; k++) {
            const uint64_t any = (uint64_t)g_rand_int(random) << 32 | g_rand_int(random);
            sim_time when =
                (sim_time)(any % (uint64_t)(2 * SIM_TIME_MAX)) >> g_rand_int_range(random, 0, 60);
            when = k % 2 == 0 ? when : when / widths[i] * widths[i] - (k % 4 == 1); /* edges */
            if (when >= 0) {
                CHECK_I64(calendar_queue_window(&q, when), when / widths[i],
                          "%" PRId64 " in windows of %" PRId64, when, widths[i]);
            }
        }
    }
    g_rand_free(random);
}

/* Of so many ranks, so many have a turn in one window: few, one of many, several lines, all. */
static const struct {
    uint32_t ranks, turns;
    bool sorted;
} CROWDS[] = {{300, 200, false},    {300, 256, true},     {20000, 300, true},
              {400000, 300, false}, {10000, 10000, true}, {10000, 4096, true},
              {10000, 4097, true},  {64, 64, false},      {8191, 8191, true}};

/* Each is taken out once; from so many on, in the order of ranks. */
static void take_crowd(calendar_queue *q, engine_rank *ranks, size_t i, const char *where)
{
    GHashTable *seen = g_hash_table_new(NULL, NULL);
    int64_t last = -1;
    bool rises = true;
    sim_calendar_queue_advance(q, sim_calendar_queue_next(q), (char *)ranks, sizeof *ranks);
    for (uint32_t n = sim_calendar_queue_take(q); n > 0; n = sim_calendar_queue_take(q)) {
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t rank = q->line[k];
            rises = rises && rank > last;
            last = rank;
            CHECK(calendar_queue_is_due(&ranks[rank], q->now) &&
                      g_hash_table_add(seen, GUINT_TO_POINTER(rank + 1)),
                  "%s: rank %u again", where, rank);
        }
    }
    CHECK_I64(g_hash_table_size(seen), CROWDS[i].turns, "%s", where);
    CHECK_I64(rises, CROWDS[i].sorted, "%s: in the order of ranks", where);
    CHECK(sim_calendar_queue_next(q) == CALENDAR_NO_WINDOW, "%s: the window is over", where);
    g_hash_table_destroy(seen);
}

static void many_have_their_turns_once_and_in_order(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(CROWDS); i++) {
        g_autofree char *where = g_strdup_printf("%u of %u", CROWDS[i].turns, CROWDS[i].ranks);
        const rank_partition all = {.num_partitions = 1, .num_ranks = CROWDS[i].ranks};
        g_autofree engine_rank *ranks = g_new0(engine_rank, CROWDS[i].ranks);
        calendar_queue q;
        sim_calendar_queue_init(&q, &all, 1000, 0);
        for (unsigned again = 0; again < 2; again++) { /* others: nobody is left from the first */
            for (uint32_t k = 0; k < CROWDS[i].turns; k++) { /* a prime mixes them */
                const uint32_t rank =
                    (uint32_t)((k + 1 + again) * UINT64_C(8009) % CROWDS[i].ranks);
                ranks[rank].place = CALENDAR_RUNNING;
                calendar_queue_put(&q, &ranks[rank], rank, (sim_time)(again + 1) * 5000);
            }
            take_crowd(&q, ranks, i, where);
        }
        sim_calendar_queue_clear(&q);
    }
}

SUITE_MAIN("calendar_queue", TEST(every_rank_has_its_turn_when_it_is_due),
           TEST(many_have_their_turns_once_and_in_order),
           TEST(the_window_of_an_instant_is_its_quotient))
