/* tests/noise/join/test_join_oracle.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scheduler whose truth is known: one rank that may run on CPU 1 alone, programs that come at
 * random for random times there, others that are busy on CPU 0 at the same instants. It leaves what
 * the kernel would have left: the rank's switches; and of the programs what a watcher sees who
 * looks now and then at counters which the kernel moves when a slice begins (slices) and ends
 * (time).
 */
#include "check.h"
#include "noise/join.h"

enum { PROGRAMS = 8, ELSEWHERE = 3, RANK = PROGRAMS, SWITCH_NS = 1500, TRIALS = 60 };
static const uint64_t SPAN = 3000000000;

typedef struct slice {
    uint64_t from, to;
    uint32_t program;
} slice;

typedef struct world {
    GRand *random;
    GArray *slices; /* all programs', by from within a CPU */
    GArray *off;
    GArray *seen;
    uint64_t truth[PROGRAMS]; /* taken from the rank */
    uint64_t lost;
} world;

static uint64_t draw(world *w, uint64_t low, uint64_t high)
{
    return low + (uint64_t)(g_rand_double(w->random) * (double)(high - low));
}

/* CPU 1: the rank runs, sleeps, or is preempted by one or more programs in a row. */
static void schedule_rank(world *w)
{
    uint64_t now = 1000000;
    while (now < SPAN) {
        now += draw(w, 50000, 20000000);
        const bool sleeps = g_rand_int_range(w->random, 0, 4) == 0;
        const uint64_t out = now;
        int turns = g_rand_int_range(w->random, sleeps ? 0 : 1, 4);
        now += sleeps ? draw(w, 0, 300000) : 0;
        for (; turns > 0; turns--) {
            const uint32_t p = (uint32_t)g_rand_int_range(w->random, ELSEWHERE, PROGRAMS);
            const slice s = {now, now + draw(w, 20000, 4000000), p};
            g_array_append_val(w->slices, s);
            now = s.to + SWITCH_NS;
            w->truth[p] += sleeps ? 0 : s.to - s.from + SWITCH_NS;
        }
        now += sleeps ? draw(w, 1000, 2000000) : 0;
        w->lost += sleeps ? 0 : now - out;
        const noise_switch_record r = {
            .out = out, .in = now, .cpu = 1, .cpu_in = 1, .tid = 100, .preempted = sleeps ? 0 : 1};
        g_array_append_val(w->off, r);
    }
}

/* CPU 0: programs that never meet the rank, busy half of the time. */
static void schedule_elsewhere(world *w)
{
    for (uint64_t now = 0; now < SPAN;) {
        const uint32_t p = (uint32_t)g_rand_int_range(w->random, 0, ELSEWHERE);
        const slice s = {now, now + draw(w, 20000, 4000000), p};
        g_array_append_val(w->slices, s);
        now = s.to + draw(w, 20000, 4000000);
    }
}

static void close_activity(world *w, noise_nit_activity *a)
{
    if (a->slices + a->cpu_ns > 0) {
        g_array_append_val(w->seen, *a);
    }
    a->slices = 0;
    a->cpu_ns = 0;
}

/* What a watcher sees of a program: open while its counters move from look to look. */
static void watch(world *w, uint32_t program)
{
    noise_nit_activity a = {.thread = program, .cpu = program < ELSEWHERE ? 0 : 1};
    uint64_t before = 0;
    for (uint64_t look = 0; look < SPAN + 100000000; look += draw(w, 300000, 1500000)) {
        uint32_t slices = 0;
        uint64_t ran = 0;
        for (guint i = 0; i < w->slices->len; i++) {
            const slice *s = &g_array_index(w->slices, slice, i);
            if (s->program == program) {
                slices += s->from > before && s->from <= look ? 1 : 0;
                ran += s->to > before && s->to <= look ? s->to - s->from : 0;
            }
        }
        if (slices + ran == 0) {
            close_activity(w, &a);
        } else {
            a.from = a.slices + a.cpu_ns == 0 ? before : a.from;
            a.to = look;
            a.slices += slices;
            a.cpu_ns += ran;
        }
        before = look;
    }
    close_activity(w, &a);
}

static int by_to(const void *a, const void *b)
{
    const noise_nit_activity *x = a;
    const noise_nit_activity *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

static void judge(const world *w, const noise_join *j, int trial)
{
    uint64_t unsure = w->lost - j->total[0].lost_explained_ns;
    for (size_t i = 0; i < j->num_rows; i++) {
        unsure += j->row[i].lost_ns - j->row[i].sure_ns;
    }
    CHECK_I64(j->total[0].lost_ns, w->lost, "trial %d", trial);
    CHECK((double)j->total[0].lost_explained_ns >= 0.95 * (double)w->lost,
          "trial %d: %.1f %% explained", trial,
          100.0 * (double)j->total[0].lost_explained_ns / (double)w->lost);
    for (size_t i = 0; i < j->num_rows; i++) {
        const noise_join_row *row = &j->row[i];
        const uint32_t p = (uint32_t)(row->name[0] - 'a');
        CHECK(p >= ELSEWHERE, "trial %d: %s never met the rank", trial, row->name);
        CHECK(row->sure_ns <= w->truth[p], "trial %d: sure of %s: %.3f ms of %.3f", trial,
              row->name, (double)row->sure_ns / 1e6, (double)w->truth[p] / 1e6);
        const double error = (double)row->lost_ns - (double)w->truth[p];
        CHECK(error <= (double)unsure && -error <= (double)unsure,
              "trial %d: %s: %.3f ms of %.3f, unsure %.3f", trial, row->name,
              (double)row->lost_ns / 1e6, (double)w->truth[p] / 1e6, (double)unsure / 1e6);
    }
}

static double run_trial(int trial)
{
    static char names[][5] = {"a", "b", "c", "d", "e", "f", "g", "h", "rank"};
    noise_nit_thread threads[PROGRAMS + 1] = {0};
    world w = {.random = g_rand_new_with_seed(20101113U + (guint)trial)};
    w.slices = g_array_new(FALSE, FALSE, sizeof(slice));
    w.off = g_array_new(FALSE, FALSE, sizeof(noise_switch_record));
    w.seen = g_array_new(FALSE, FALSE, sizeof(noise_nit_activity));
    schedule_rank(&w);
    schedule_elsewhere(&w);
    for (uint32_t p = 0; p <= PROGRAMS; p++) {
        threads[p] = (noise_nit_thread){
            .pid = p == RANK ? 100 : p + 1, .tid = p == RANK ? 100 : p + 1, .name = names[p]};
        if (p < PROGRAMS) {
            watch(&w, p);
        }
    }
    g_array_sort(w.seen, by_to);
    noise_nit nit = {.num_nodes = 1,
                     .num_threads = PROGRAMS + 1,
                     .threads = threads,
                     .num_activities = w.seen->len,
                     .activities = (noise_nit_activity *)(void *)w.seen->data};
    const noise_join_thread me = {.pid = 100,
                                  .tid = 100,
                                  .is_main = true,
                                  .is_bound = true,
                                  .end = 2 * SPAN,
                                  .n = w.off->len,
                                  .off = (const noise_switch_record *)(void *)w.off->data};
    const noise_join_input input = {.nit = &nit, .num_threads = 1, .thread = &me};
    g_autoptr(noise_join) j = noise_join_new(&input);
    judge(&w, j, trial);
    uint64_t sure = 0;
    for (size_t i = 0; i < j->num_rows; i++) {
        sure += j->row[i].sure_ns;
    }
    g_array_unref(w.slices);
    g_array_unref(w.off);
    g_array_unref(w.seen);
    g_rand_free(w.random);
    return (double)sure / (double)w.lost;
}

static void lost_time_is_joined_to_the_right_names(void)
{
    double sure = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        sure += run_trial(trial) / TRIALS;
    }
    /* else "never more than is unsure" says nothing */
    CHECK(sure > 0.5, "sure of %.0f %%", 100 * sure);
}

SUITE_MAIN("join_oracle", TEST(lost_time_is_joined_to_the_right_names))
