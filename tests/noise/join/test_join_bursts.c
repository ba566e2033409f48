/* tests/noise/join/test_join_bursts.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bursts of work that a scheduler has cut into pieces at random, so that what they were is known:
 * how many, how long, how far apart. CPU 1 is the rank's; CPU 0 takes a piece now and then.
 */
#include "check.h"
#include "noise/join.h"

#include <stdlib.h>

#define MS UINT64_C(1000000)
enum { RANK_TID = 100, BURNER_TID = 7, OTHER_TID = 8, TRIALS = 100 };

static char burner[] = "burner", other[] = "other", app[] = "app";
static noise_nit_thread threads[] = {
    {.pid = BURNER_TID, .tid = BURNER_TID, .name = burner},
    {.pid = OTHER_TID, .tid = OTHER_TID, .name = other},
    {.pid = RANK_TID, .tid = RANK_TID, .name = app},
};

typedef struct world {
    GRand *random;
    GArray *slice[2]; /* of noise_switch, a CPU each */
    GArray *off;      /* of noise_switch_record */
    GArray *seen;     /* of noise_nit_activity */
    GArray *length;   /* of uint64_t: of each burst, what it took from the rank */
    uint64_t pieces;
    uint64_t now;
} world;

static void begin(world *w, guint32 seed)
{
    *w = (world){.random = g_rand_new_with_seed(seed), .now = MS};
    w->slice[0] = g_array_new(FALSE, FALSE, sizeof(noise_switch));
    w->slice[1] = g_array_new(FALSE, FALSE, sizeof(noise_switch));
    w->off = g_array_new(FALSE, FALSE, sizeof(noise_switch_record));
    w->seen = g_array_new(FALSE, FALSE, sizeof(noise_nit_activity));
    w->length = g_array_new(FALSE, FALSE, sizeof(uint64_t));
}

static void end(world *w)
{
    g_array_unref(w->slice[0]);
    g_array_unref(w->slice[1]);
    g_array_unref(w->off);
    g_array_unref(w->seen);
    g_array_unref(w->length);
    g_rand_free(w->random);
}

static uint64_t draw(world *w, uint64_t low, uint64_t high)
{
    return low + (uint64_t)(g_rand_double(w->random) * (double)(high - low));
}

/* @p tid runs on @p cpu from now on; who ran there before had to go, or went. */
static void put_on(world *w, uint32_t cpu, uint64_t when, uint32_t tid, bool preempted)
{
    GArray *on = w->slice[cpu];
    if (on->len > 0) {
        g_array_index(on, noise_switch, on->len - 1).in = when;
    }
    const noise_switch s = {.out = when,
                            .in = when + 1,
                            .cpu = cpu,
                            .cpu_in = cpu,
                            .next_tid = tid,
                            .preempted = preempted};
    g_array_append_val(on, s);
}

/* The rank is off CPU 1 from now for @p ns. */
static void take_away(world *w, uint64_t ns, bool preempted)
{
    const noise_switch_record r = {.out = w->now,
                                   .in = w->now + ns,
                                   .cpu = 1,
                                   .cpu_in = 1,
                                   .tid = RANK_TID,
                                   .preempted = preempted ? 1 : 0};
    g_array_append_val(w->off, r);
}

/* One burst of the burner: pieces, between which the rank or another program runs; the last one
 * ends with a sleep. @return ns that it ran */
static uint64_t burst(world *w, int pieces)
{
    uint64_t taken = 0;
    uint64_t ran = 0;
    for (int i = 0; i < pieces; i++) {
        const bool last = i + 1 == pieces;
        const uint64_t ns = draw(w, 100000, 900000);
        ran += ns;
        if (i > 0 && g_rand_int_range(w->random, 0, 8) == 0) { /* beside the rank, not for it */
            put_on(w, 0, w->now, BURNER_TID, false);
            w->now += ns;
            put_on(w, 0, w->now, NOISE_SWITCH_IDLE, !last);
            w->now += draw(w, 50000, 300000);
            continue;
        }
        const uint64_t between = g_rand_int_range(w->random, 0, 3) == 0 ? draw(w, 10000, 50000) : 0;
        take_away(w, ns + between, true);
        put_on(w, 1, w->now, BURNER_TID, true);
        w->now += ns;
        if (between > 0) {
            put_on(w, 1, w->now, OTHER_TID, !last);
            w->now += between;
        }
        put_on(w, 1, w->now, RANK_TID, between == 0 && !last);
        taken += ns;
        w->pieces++;
        w->now += draw(w, 50000, 900000); /* the rank's turn */
    }
    if (taken > 0) {
        g_array_append_val(w->length, taken);
    }
    return ran;
}

static noise_join *join(const world *w, bool with_records)
{
    noise_nit nit = {.num_nodes = 1,
                     .num_threads = G_N_ELEMENTS(threads),
                     .threads = threads,
                     .num_activities = w->seen->len,
                     .activities = (noise_nit_activity *)(void *)w->seen->data};
    const noise_join_thread me = {.pid = RANK_TID,
                                  .tid = RANK_TID,
                                  .is_main = true,
                                  .is_bound = true,
                                  .end = w->now + MS,
                                  .n = w->off->len,
                                  .off = (const noise_switch_record *)(void *)w->off->data};
    noise_join_cpu cpus[2];
    for (uint32_t c = 0; c < 2; c++) {
        cpus[c] = (noise_join_cpu){.cpu = c,
                                   .n = w->slice[c]->len,
                                   .slice = (const noise_switch *)(void *)w->slice[c]->data};
    }
    const noise_join_input input = {.nit = &nit,
                                    .num_threads = 1,
                                    .thread = &me,
                                    .num_cpus = with_records ? 2 : 0,
                                    .cpu = cpus};
    return noise_join_new(&input);
}

static const noise_join_row *find(const noise_join *j, const char *name)
{
    for (size_t i = 0; i < j->num_rows; i++) {
        if (strcmp(j->row[i].name, name) == 0) {
            return &j->row[i];
        }
    }
    return NULL;
}

static int by_length(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t median(const world *w)
{
    g_array_sort(w->length, by_length);
    return g_array_index(w->length, uint64_t, w->length->len / 2);
}

static void pieces_of_one_wake_up_are_one_burst(void)
{
    for (guint32 trial = 0; trial < TRIALS; trial++) {
        world w;
        begin(&w, 20101113 + trial);
        const int bursts = g_rand_int_range(w.random, 1, 40);
        for (int i = 0; i < bursts; i++) {
            /* as short as the pauses within a burst: only the records tell */
            w.now += draw(&w, 50000, 900000);
            (void)burst(&w, g_rand_int_range(w.random, 1, 9));
        }
        g_autoptr(noise_join) j = join(&w, true);
        const noise_join_row *row = find(j, "burner");
        if (CHECK(row != NULL, "trial %u", trial)) {
            CHECK_I64(row->count, w.length->len, "trial %u", trial);
            CHECK_I64(row->pieces, w.pieces, "trial %u", trial);
            CHECK_I64(row->median_ns, median(&w), "trial %u", trial);
            CHECK_I64(row->sure_ns, row->lost_ns, "trial %u", trial);
        }
        end(&w);
    }
}

/* Without records of the CPUs: the watcher's looks hold several bursts, and it counts sleeps. */
static void sleeps_that_were_counted_tell_bursts_apart(void)
{
    for (guint32 trial = 0; trial < TRIALS; trial++) {
        world w;
        begin(&w, 19850820 + trial);
        const int looks = g_rand_int_range(w.random, 1, 12);
        for (int i = 0; i < looks; i++) {
            noise_nit_activity a = {.thread = 0, .cpu = 1, .from = w.now - 10};
            const int bursts = g_rand_int_range(w.random, 1, 5);
            for (int b = 0; b < bursts; b++) {
                const int pieces = g_rand_int_range(w.random, 1, 9);
                uint64_t taken = 0;
                for (int p = 0; p < pieces; p++) {
                    const uint64_t ns = draw(&w, 100000, 900000);
                    take_away(&w, ns, true);
                    w.now += ns + draw(&w, 50000, 900000);
                    taken += ns;
                }
                g_array_append_val(w.length, taken);
                w.pieces += (uint64_t)pieces;
                a.slices += (uint32_t)pieces;
                a.cpu_ns += taken;
                w.now += draw(&w, MS, 5 * MS);
            }
            a.voluntary = (uint32_t)bursts;
            a.to = w.now;
            g_array_append_val(w.seen, a);
            w.now += draw(&w, MS, 50 * MS);
        }
        g_autoptr(noise_join) j = join(&w, false);
        const noise_join_row *row = find(j, "burner");
        if (CHECK(row != NULL, "trial %u", trial)) {
            CHECK_I64(row->count, w.length->len, "trial %u", trial);
            CHECK_I64(row->pieces, w.pieces, "trial %u", trial);
            CHECK_I64(row->median_ns, median(&w), "trial %u", trial);
        }
        end(&w);
    }
}

/* 4 ms every 100 ms in five pieces, whose rhythm and length the row says. */
static void a_burst_that_was_cut_keeps_its_rhythm_and_length(void)
{
    world w;
    begin(&w, 1);
    for (uint64_t i = 0; i < 40; i++) {
        w.now = (i + 1) * 100 * MS;
        for (int p = 0; p < 5; p++) {
            take_away(&w, 800000, true);
            put_on(&w, 1, w.now, BURNER_TID, true);
            w.now += 800000;
            put_on(&w, 1, w.now, RANK_TID, p < 4);
            w.now += 2 * MS;
        }
    }
    g_autoptr(noise_join) j = join(&w, true);
    const noise_join_row *row = find(j, "burner");
    if (CHECK(row != NULL)) {
        CHECK_I64(row->count, 40);
        CHECK_I64(row->pieces, 200);
        CHECK_I64(row->median_ns, 4 * MS);
        CHECK_NEAR(row->period_ns, 100e6, 1e4);
    }
    end(&w);
}

/* Whoever left and came back on records that do not join may have slept in between. */
static void a_missing_record_ends_a_burst(void)
{
    world w;
    begin(&w, 1);
    for (int p = 0; p < 2; p++) {
        take_away(&w, MS, true);
        put_on(&w, 1, w.now, BURNER_TID, true);
        w.now += MS;
        put_on(&w, 1, w.now, RANK_TID, true);
        w.now += MS;
    }
    g_autoptr(noise_join) whole = join(&w, true);
    const noise_join_row *row = find(whole, "burner");
    CHECK(row != NULL && row->count == 1 && row->pieces == 2);
    g_array_remove_index(w.slice[1], 1); /* that the rank came back after the first piece */
    g_autoptr(noise_join) holed = join(&w, true);
    row = find(holed, "burner");
    CHECK(row != NULL && row->count == 2 && row->pieces == 2);
    end(&w);
}

SUITE_MAIN("join_bursts", TEST(pieces_of_one_wake_up_are_one_burst),
           TEST(sleeps_that_were_counted_tell_bursts_apart),
           TEST(a_burst_that_was_cut_keeps_its_rhythm_and_length),
           TEST(a_missing_record_ends_a_burst))
