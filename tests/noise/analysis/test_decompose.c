/* tests/noise/analysis/test_decompose.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of known sources, seen as a loop sees them: detours that overlap are one. */
#include "check.h"
#include "noise/decomposition.h"
#include "noise/random.h"

#include <math.h>
#include <stdlib.h>

typedef struct one {
    sim_time start;
    sim_time length;
    unsigned source;
    bool merged; /* with one of another source */
} one;

static int by_start(const void *a, const void *b)
{
    const one *x = a;
    const one *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static void add(GArray *all, sim_time start, double length, unsigned source)
{
    const one o = {start, (sim_time)fmax(length, 1e5), source, false};
    g_array_append_val(all, o);
}

static double unit(uint64_t seed, uint64_t stream, uint64_t k)
{
    return noise_random_unit(seed, stream, k);
}

/* Every period, off by a normal jitter, of lengths median * exp(sigma * normal). */
static void add_tick(GArray *all, uint64_t seed, sim_time end, double period, double jitter,
                     double median, double sigma, unsigned source)
{
    const double phase = period * unit(seed, 100 + source, 0);
    for (uint64_t k = 0; phase + (double)k * period < (double)end; k++) {
        const double off = jitter * noise_random_normal(seed, 200 + source, k);
        const double length = median * exp(sigma * noise_random_normal(seed, 300 + source, k));
        add(all, (sim_time)fmax(phase + (double)k * period + off, 0), length, source);
    }
}

static void add_poisson(GArray *all, uint64_t seed, sim_time end, double mean, double median,
                        double sigma, unsigned source)
{
    double t = 0;
    for (uint64_t k = 0;; k++) {
        t -= mean * log(unit(seed, 400 + source, k));
        if (t >= (double)end) {
            return;
        }
        add(all, (sim_time)t, median * exp(sigma * noise_random_normal(seed, 500 + source, k)),
            source);
    }
}

/* Bursts of ten at random, gaps of some 100 us within. */
static void add_bursts(GArray *all, uint64_t seed, sim_time end, double mean, double median,
                       double sigma, unsigned source)
{
    double t = 0;
    for (uint64_t k = 0;; k++) {
        t -= mean * log(unit(seed, 600 + source, k));
        double at = t;
        for (uint64_t j = 0; j < 10 && at < (double)end; j++) {
            const uint64_t number = 10 * k + j;
            add(all, (sim_time)at,
                median * exp(sigma * noise_random_normal(seed, 700 + source, number)), source);
            at += 100e6 * (0.8 + 0.4 * unit(seed, 800 + source, number));
        }
        if (t >= (double)end) {
            return;
        }
    }
}

/* What a loop sees of it. @p merged: a detour of several sources is said to be so */
typedef struct seen {
    size_t n;
    sim_time *start;
    sim_time *length;
    unsigned *source;
    bool *merged;
    sim_time duration;
} seen;

static seen see(GArray *all, sim_time duration)
{
    g_array_sort(all, by_start);
    seen s = {.duration = duration};
    s.start = g_new(sim_time, all->len + 1);
    s.length = g_new(sim_time, all->len + 1);
    s.source = g_new(unsigned, all->len + 1);
    s.merged = g_new0(bool, all->len + 1);
    for (guint i = 0; i < all->len; i++) {
        const one *o = &g_array_index(all, one, i);
        if (s.n > 0 && o->start <= s.start[s.n - 1] + s.length[s.n - 1]) {
            s.length[s.n - 1] += o->length; /* it queues */
            s.merged[s.n - 1] = true;
        } else {
            s.start[s.n] = o->start;
            s.length[s.n] = o->length;
            s.source[s.n++] = o->source;
        }
    }
    g_array_unref(all);
    return s;
}

static void seen_clear(seen *s)
{
    g_free(s->start);
    g_free(s->length);
    g_free(s->source);
    g_free(s->merged);
}

static noise_observation observation(const seen *s)
{
    return (noise_observation){s->n, s->start, s->length, s->duration, NULL};
}

/* Share of the detours of one true source that were put together, and share of the source found
 * that is of it; of those that are of one source alone. */
typedef struct score {
    double put_right; /* detours put into the source that holds most of their true one, of all */
    double of_source[8];
} score;

static score judge(const seen *s, const noise_decomposition *d, unsigned num)
{
    g_autofree size_t *count = g_new0(size_t, num * (d->num_sources + 1));
    size_t total[8] = {0};
    for (size_t i = 0; i < s->n; i++) {
        if (!s->merged[i]) {
            count[s->source[i] * d->num_sources + d->source[0][i]]++;
            total[s->source[i]]++;
        }
    }
    score out = {0};
    size_t right = 0;
    size_t all = 0;
    for (unsigned t = 0; t < num; t++) {
        size_t best = 0;
        for (size_t f = 0; f < d->num_sources; f++) {
            /* A found source stands for the true one that it has most of. */
            bool is_its = true;
            for (unsigned u = 0; u < num; u++) {
                is_its = is_its && count[u * d->num_sources + f] <= count[t * d->num_sources + f];
            }
            best = is_its ? MAX(best, count[t * d->num_sources + f]) : best;
        }
        right += best;
        all += total[t];
        out.of_source[t] = total[t] > 0 ? (double)best / (double)total[t] : 1;
    }
    out.put_right = all > 0 ? (double)right / (double)all : 1;
    return out;
}

static char *print(const noise_decomposition *d)
{
    GString *text = g_string_new("\n");
    for (size_t s = 0; s < d->num_sources; s++) {
        const noise_source *x = &d->sources[s];
        g_string_append_printf(text, "%-16s %6zu %8.5f %% %10.3f us  %s; rhythm %d\n", x->name,
                               x->count, 100 * x->share, (double)x->median / 1e6, x->evidence,
                               (int)x->rhythm);
    }
    return g_string_free(text, FALSE);
}

static const noise_source *source_named(const noise_decomposition *d, const char *name)
{
    for (size_t s = 0; s < d->num_sources; s++) {
        if (strcmp(d->sources[s].name, name) == 0) {
            return &d->sources[s];
        }
    }
    return NULL;
}

enum { TICK, DAEMON, BURST, NUM };

/* Three seeds of a tick (250 Hz, 5 us, jitter 1 us), a daemon at random (each 50 ms, 1.2 ms) and
 * bursts of ten (each second, 40 us), 30 s: at least 98 % of the detours of a single source are put
 * right, tick and daemon have their share to 2 %. */
static void tick_daemon_and_bursts_are_told_apart(void)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const sim_time end = 30 * SIM_S;
        GArray *all = g_array_new(FALSE, FALSE, sizeof(one));
        add_tick(all, seed, end, 4e9, 1e6, 5e6, 0.2, TICK);
        add_poisson(all, seed, end, 50e9, 1.2e9, 0.1, DAEMON);
        add_bursts(all, seed, end, 1e12, 40e6, 0.1, BURST);
        seen s = see(all, end);
        const noise_observation cpu = observation(&s);
        g_autoptr(noise_decomposition) d = noise_decompose(&cpu, 1, NULL, 0);
        const score right = judge(&s, d, NUM);
        g_autofree char *text = print(d);
        CHECK(right.put_right >= 0.98, "seed %" PRIu64 ": %.4f%s", seed, right.put_right, text);
        const noise_source *tick = source_named(d, "tick");
        if (CHECK(tick != NULL, "%s", text)) {
            CHECK_NEAR(tick->period, 4e9, 4e3, "%s", text); /* 1 ppm */
            CHECK_NEAR(tick->jitter, 1e6, 1e5, "%s", text);
            CHECK(tick->met > 0.98 && tick->over_beat > 0, "%s", text);
        }
        seen_clear(&s);
    }
}

/* Of 20 measurements of what comes at random, and 10 of bursts at random, at most one each has a
 * rhythm: the chance of one is stated as 0.001 for each measurement (trains.c). */
static void what_comes_at_random_has_no_rhythm(void)
{
    size_t false_alarms[2] = {0, 0};
    for (uint64_t seed = 1; seed <= 30; seed++) {
        const bool bursts = seed > 20;
        const sim_time end = 10 * SIM_S;
        GArray *all = g_array_new(FALSE, FALSE, sizeof(one));
        if (bursts) {
            add_bursts(all, seed, end, 200e9, 20e6, 0.3, 0);
        } else {
            add_poisson(all, seed, end, 20e9, 20e6, 0.5, 0);
        }
        seen s = see(all, end);
        const noise_observation cpu = observation(&s);
        g_autoptr(noise_decomposition) d = noise_decompose(&cpu, 1, NULL, 0);
        bool any = false;
        for (size_t k = 0; k < d->num_sources; k++) {
            any = any || d->sources[k].rhythm == NOISE_RHYTHM_PERIODIC;
        }
        false_alarms[bursts] += any;
        seen_clear(&s);
    }
    CHECK(false_alarms[0] <= 1, "%zu of 20, seeds 1 to 20", false_alarms[0]);
    CHECK(false_alarms[1] <= 1, "%zu of 10, seeds 21 to 30", false_alarms[1]);
}

/* Three rhythms, one of them a tick of widely spread lengths that leaves out one beat of ten, among
 * detours at random that are as long. 10.2 ms and 1 ms meet at one beat of five for some phases. */
static void several_rhythms_are_found_among_detours_as_long(void)
{
    const double period[] = {1e9, 10.2e9, 1e12};
    static const char *const name[] = {"tick", "every-10.2ms", "every-1s"};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const sim_time end = 40 * SIM_S;
        GArray *all = g_array_new(FALSE, FALSE, sizeof(one));
        add_tick(all, seed, end, period[0], 2e6, 3e6, 0.6, 0);
        add_tick(all, seed, end, period[1], 1e6, 15e6, 0.1, 1);
        add_tick(all, seed, end, period[2], 10e6, 200e6, 0.1, 2);
        add_poisson(all, seed, end, 10e9, 5e6, 0.5, 3);
        for (guint i = all->len; i-- > 0;) { /* one tick of ten does not come */
            if (g_array_index(all, one, i).source == 0 && unit(seed, 900, i) < 0.1) {
                g_array_remove_index_fast(all, i);
            }
        }
        seen s = see(all, end);
        const noise_observation cpu = observation(&s);
        g_autoptr(noise_decomposition) d = noise_decompose(&cpu, 1, NULL, 0);
        const score right = judge(&s, d, 4);
        g_autofree char *text = print(d);
        CHECK(right.put_right >= 0.97, "seed %" PRIu64 ": %.4f%s", seed, right.put_right, text);
        for (size_t k = 0; k < 3; k++) {
            const noise_source *x = source_named(d, name[k]);
            if (CHECK(x != NULL, "%s%s", name[k], text)) {
                CHECK_NEAR(x->period, period[k], 2e-5 * period[k], "%s", text);
                CHECK_NEAR(x->met, k == 0 ? 0.9 : 1, k == 1 ? 0.2 : 0.02, "%s", text);
            }
        }
        seen_clear(&s);
    }
}

/* A clock that is steered by some parts per million: the beat wanders by 30 us within a minute. */
static void a_beat_is_followed_where_its_clock_is_steered(void)
{
    const sim_time end = 60 * SIM_S;
    GArray *all = g_array_new(FALSE, FALSE, sizeof(one));
    add_tick(all, 1, end, 4e9, 0.3e6, 5e6, 0.2, 0);
    for (guint i = 0; i < all->len; i++) {
        one *o = &g_array_index(all, one, i);
        o->start += (sim_time)(30e6 * sin(2 * G_PI * (double)o->start / (double)end));
    }
    seen s = see(all, end);
    const noise_observation cpu = observation(&s);
    g_autoptr(noise_decomposition) d = noise_decompose(&cpu, 1, NULL, 0);
    g_autofree char *text = print(d);
    const noise_source *tick = source_named(d, "tick");
    if (CHECK(tick != NULL, "%s", text)) {
        CHECK(tick->count >= 0.99 * (double)s.n, "%s", text);
        CHECK_NEAR(tick->period, 4e9, 1e5, "%s", text);
    }
    seen_clear(&s);
}

/* The same tick on two CPUs, at different instants, is one source of two CPUs; a daemon that comes
 * each 200 ms on the second is another. */
static void what_is_alike_on_several_cpus_is_one_source(void)
{
    const sim_time end = 20 * SIM_S;
    seen s[2];
    noise_observation cpus[2];
    for (unsigned c = 0; c < 2; c++) {
        GArray *all = g_array_new(FALSE, FALSE, sizeof(one));
        add_tick(all, c + 1, end, 10e9, 1e6, 5e6, 0.2, 0);
        if (c == 1) {
            add_tick(all, 7, end, 200e9, 50e6, 300e6, 0.1, 1);
        }
        s[c] = see(all, end);
        cpus[c] = observation(&s[c]);
    }
    g_autoptr(noise_decomposition) d = noise_decompose(cpus, 2, NULL, 0);
    g_autofree char *text = print(d);
    const noise_source *tick = source_named(d, "tick");
    const noise_source *daemon = source_named(d, "every-200ms");
    if (CHECK(d->num_sources == 2 && tick != NULL && daemon != NULL, "%s", text)) {
        CHECK_I64(tick->num_cpus, 2);
        CHECK_I64(daemon->num_cpus, 1);
        CHECK_NEAR(daemon->interval, 200e9, 2e9);
        CHECK_NEAR(tick->interval, 10e9, 0.1e9);
    }
    seen_clear(&s[0]);
    seen_clear(&s[1]);
}

/* What the kernel's records say comes first: a class is not mixed with others, and is called by its
 * name; rhythms are sought within it. */
static void classes_keep_their_names(void)
{
    const sim_time end = 20 * SIM_S;
    GArray *all = g_array_new(FALSE, FALSE, sizeof(one));
    add_tick(all, 1, end, 4e9, 1e6, 5e6, 0.2, 0);
    add_poisson(all, 1, end, 100e9, 5e6, 0.2, 1); /* as long as the tick */
    add_poisson(all, 2, end, 300e9, 2e9, 0.2, 2);
    seen s = see(all, end);
    char names[3][8] = {"LOC", "crond", "unknown"};
    char kinds[3][12] = {"interrupt", "scheduler", "not known"};
    const noise_detour_source classes[] = {
        {names[0], kinds[0], NULL}, {names[1], kinds[1], NULL}, {names[2], kinds[2], NULL}};
    g_autofree uint16_t *kind = g_new(uint16_t, s.n);
    size_t crond = 0;
    for (size_t i = 0; i < s.n; i++) {
        kind[i] = (uint16_t)s.source[i];
        crond += kind[i] == 1;
    }
    noise_observation cpu = observation(&s);
    cpu.kind = kind;
    g_autoptr(noise_decomposition) d = noise_decompose(&cpu, 1, classes, 3);
    g_autofree char *text = print(d);
    const noise_source *tick = source_named(d, "LOC");
    const noise_source *daemon = source_named(d, "crond");
    if (CHECK(tick != NULL && daemon != NULL, "%s", text)) {
        CHECK(tick->rhythm == NOISE_RHYTHM_PERIODIC && strcmp(tick->kind, "interrupt") == 0, "%s",
              text);
        CHECK(daemon->rhythm == NOISE_RHYTHM_RANDOM && daemon->count == crond, "%s", text);
        CHECK_STR(daemon->kind, "scheduler");
    }
    CHECK(source_named(d, "unknown") == NULL && d->num_sources > 2, "told by length: %s", text);
    seen_clear(&s);
}

/* Twenty programs that the kernel names, each with more time than the tick: as many rows as a
 * reader can look at, the largest first, and the tick among them. */
static void many_programs_leave_room_for_the_tick(void)
{
    enum { PROGRAMS = 20 };
    const sim_time end = 20 * SIM_S;
    GArray *all = g_array_new(FALSE, FALSE, sizeof(one));
    char names[PROGRAMS + 1][8];
    char kind[] = "scheduler";
    char unknown[] = "not known";
    noise_detour_source classes[PROGRAMS + 1];
    add_tick(all, 1, end, 4e9, 1e6, 2e6, 0.2, 0);
    for (unsigned p = 0; p <= PROGRAMS; p++) {
        (void)g_snprintf(names[p], sizeof names[p], "p%02u", p);
        classes[p] = (noise_detour_source){names[p], p == 0 ? unknown : kind, NULL};
        if (p > 0) {
            add_poisson(all, p, end, 500e9, 1e9 + 0.1e9 * p, 0.05, p);
        }
    }
    seen s = see(all, end);
    g_autofree uint16_t *class = g_new(uint16_t, s.n);
    for (size_t i = 0; i < s.n; i++) {
        class[i] = (uint16_t)s.source[i];
    }
    noise_observation cpu = observation(&s);
    cpu.kind = class;
    g_autoptr(noise_decomposition) d = noise_decompose(&cpu, 1, classes, PROGRAMS + 1);
    g_autofree char *text = print(d);
    CHECK_I64(d->num_sources, NOISE_MOST_SOURCES);
    CHECK(source_named(d, "tick") != NULL && source_named(d, "rest") != NULL, "%s", text);
    CHECK_STR(d->sources[d->num_sources - 1].name, "rest");
    for (size_t k = 1; k + 1 < d->num_sources; k++) {
        CHECK(d->sources[k].share <= d->sources[k - 1].share, "%s", text);
    }
    size_t count = 0;
    for (size_t k = 0; k < d->num_sources; k++) {
        count += d->sources[k].count;
    }
    CHECK_I64(count, s.n);
    seen_clear(&s);
}

static void little_is_said_of_little(void)
{
    const noise_observation nothing = {0, NULL, NULL, SIM_S, NULL};
    g_autoptr(noise_decomposition) none = noise_decompose(&nothing, 1, NULL, 0);
    CHECK_I64(none->num_sources, 0);
    static const sim_time start[] = {10, 2000000};
    static const sim_time length[] = {5, 1000000};
    const noise_observation two = {2, start, length, SIM_S, NULL};
    g_autoptr(noise_decomposition) rest = noise_decompose(&two, 1, NULL, 0);
    if (CHECK_I64(rest->num_sources, 1)) {
        CHECK_STR(rest->sources[0].name, "rest");
        CHECK(rest->sources[0].count == 2 && rest->sources[0].rhythm == NOISE_RHYTHM_RARE);
        CHECK(rest->sources[0].longest == 1000000 && rest->source[0][1] == 0);
    }
}

SUITE_MAIN("decompose", TEST(tick_daemon_and_bursts_are_told_apart),
           TEST(what_comes_at_random_has_no_rhythm),
           TEST(several_rhythms_are_found_among_detours_as_long),
           TEST(a_beat_is_followed_where_its_clock_is_steered),
           TEST(what_is_alike_on_several_cpus_is_one_source), TEST(classes_keep_their_names),
           TEST(many_programs_leave_room_for_the_tick), TEST(little_is_said_of_little))
