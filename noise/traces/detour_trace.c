/* noise/traces/detour_trace.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/detour_trace.h"
#include "noise/detour_tables.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * Two clocks: the wall, and one that counts only CPU time that is available. finish() goes from
 * the first to the second, adds the work, and comes back. Both ways it has to know how many
 * detours lie before a point; a grid of equal cells over each clock, as many as there are detours,
 * gives that count at the cell's beginning, and the rest is a scan of about one detour.
 *
 * Most look-ups are for little work in a quiet time. A bitmap, 16 times as fine as the grid and
 * small enough for the inner caches, answers those without touching anything else.
 *
 * bench_noise, 1e5 detours (2.6 MB): 7 ns for 1 us of work, 84 ns for 1 s (cache misses).
 */
typedef struct detour {
    sim_time start;  /* on the wall */
    sim_time stolen; /* by the detours before: start - stolen is its place on the other clock */
} detour;

typedef struct grid {
    unsigned shift;  /* a cell is 2^shift ps */
    uint32_t *below; /* [cells + 1] detours that begin before cell c */
} grid;

/* What engines look up by themselves; filled when one asks for it. */
typedef struct tables {
    sim_detours hook; /* first: the hook is handed on as this */
    const noise_detour_trace *trace;
    GMutex mutex; /* guards tables while they are made */
    sim_detour *at;
    uint32_t *over;
    uint64_t *packed;
} tables;

struct noise_detour_trace {
    sim_time period;
    sim_time available;  /* period - stolen: one period of the other clock, > 0 */
    detour *at;          /* [n + 1] the last is where the next period begins: {period, stolen} */
    unsigned busy_shift; /* a bit of busy[] is 2^busy_shift ps of wall time */
    uint8_t *busy;       /* bit set: a detour lies in part of that time */
    grid wall;
    grid avail;
    size_t n;
    uint32_t *number; /* [n] among num_numbers; NULL: its index among n */
    size_t num_numbers;
    tables *tables; /* apart, since the rest does not change */
};

/* Detours of a cell that are scanned; more (real noise comes in bursts) are bisected first. */
enum { SCAN_MAX = 8 };
/* Detours that are tried one after the other before the grid of the other clock is asked. */
enum { NEAR_MAX = 4 };

static const sim_time HORIZON = 2 * SIM_TIME_MAX;

/* A load of 8 bytes at any byte holds at least so many bits from a given one on. */
enum { WINDOW_BITS = 57, BITS_PER_DETOUR = 16 };

static inline sim_time on_wall(const detour *d)
{
    return d->start;
}

static inline sim_time on_avail(const detour *d)
{
    return d->start - d->stolen;
}

static void grid_build(grid *g, const detour *at, size_t n, sim_time end,
                       sim_time (*place)(const detour *))
{
    g->shift = 0;
    while ((uint64_t)end >> g->shift > n) { /* n / 2 + 1 .. n + 1 cells */
        g->shift++;
    }
    const size_t cells = (size_t)((uint64_t)end >> g->shift) + 1;
    g->below = g_new(uint32_t, cells + 1);
    size_t i = 0;
    for (size_t c = 0; c <= cells; c++) {
        while (i < n && (uint64_t)place(&at[i]) >> g->shift < c) {
            i++;
        }
        g->below[c] = (uint32_t)i;
    }
}

static void busy_build(noise_detour_trace *t)
{
    t->busy_shift = 0;
    while ((uint64_t)t->period >> t->busy_shift > BITS_PER_DETOUR * t->n) {
        t->busy_shift++;
    }
    t->busy = g_malloc0(((uint64_t)t->period >> t->busy_shift) / 8 + 1 + sizeof(uint64_t));
    for (size_t i = 0; i < t->n; i++) {
        const sim_time end = t->at[i].start + t->at[i + 1].stolen - t->at[i].stolen;
        const uint64_t last = (uint64_t)(end - 1) >> t->busy_shift;
        for (uint64_t bit = (uint64_t)t->at[i].start >> t->busy_shift; bit <= last; bit++) {
            t->busy[bit / 8] = (uint8_t)(t->busy[bit / 8] | 1U << bit % 8);
        }
    }
}

noise_detour_trace *noise_detour_trace_new(const sim_time *start, const sim_time *length, size_t n,
                                           sim_time period, GError **error)
{
    if (period < 1 || period > SIM_TIME_MAX || n >= UINT32_MAX) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_DETOUR,
                    "%zu detours in a period of %" G_GINT64_FORMAT " ps: out of range", n, period);
        return NULL;
    }
    g_autoptr(noise_detour_trace) t = g_new0(noise_detour_trace, 1);
    t->tables = g_new0(tables, 1);
    t->tables->trace = t;
    g_mutex_init(&t->tables->mutex);
    t->at = g_new(detour, n + 1);
    detour *at = t->at;
    sim_time end = 0; /* of the previous detour */
    sim_time stolen = 0;
    for (size_t i = 0; i < n; i++) {
        const char *why = length[i] <= 0                      ? "has no length"
                          : start[i] < 0 || start[i] > period ? "is out of range"
                          : i > 0 && start[i] < start[i - 1]  ? "is out of order"
                          : start[i] < end                    ? "overlaps the one before"
                          : length[i] > period - start[i]     ? "ends after the period"
                                                              : NULL;
        if (why != NULL) {
            g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_DETOUR,
                        "detour %zu (start %" G_GINT64_FORMAT " ps, length %" G_GINT64_FORMAT
                        " ps) %s",
                        i, start[i], length[i], why);
            return NULL;
        }
        at[i] = (detour){start[i], stolen};
        end = start[i] + length[i];
        stolen += length[i];
    }
    if (stolen == period) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_DETOUR,
                    "the detours fill the whole period of %" G_GINT64_FORMAT " ps", period);
        return NULL;
    }
    at[n] = (detour){period, stolen};
    t->n = n;
    t->period = period;
    t->available = period - stolen;
    busy_build(t);
    grid_build(&t->wall, at, n, period, on_wall);
    grid_build(&t->avail, at, n, t->available, on_avail);
    return g_steal_pointer(&t);
}

void noise_detour_trace_free(noise_detour_trace *t)
{
    if (t != NULL) {
        g_free(t->at);
        g_free(t->number);
        g_free(t->busy);
        g_free(t->wall.below);
        g_free(t->avail.below);
        g_free(t->tables->at);
        g_free(t->tables->over);
        g_free(t->tables->packed);
        g_mutex_clear(&t->tables->mutex);
        g_free(t->tables);
        g_free(t);
    }
}

/* How many detours begin before @p key (0..end of that clock's period)? The one at [n] never does.
 */
static inline size_t count_below(const grid *g, const detour *at, sim_time key,
                                 sim_time (*place)(const detour *))
{
    const size_t cell = (size_t)((uint64_t)key >> g->shift);
    size_t low = g->below[cell]; /* the answer is in low..high */
    size_t high = g->below[cell + 1];
    while (high - low > SCAN_MAX) {
        const size_t middle = low + (high - low) / 2;
        if (place(&at[middle]) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    while (low < high && place(&at[low]) < key) {
        low++;
    }
    return low;
}

/* Work that reaches far: @p target > 0 counts available time from the start of the period at
 * @p lap (wall). */
static sim_time finish_far(const noise_detour_trace *t, sim_time offset, sim_time lap,
                           sim_time target)
{
    const sim_time laps = (target - 1) / t->available;
    const sim_time rest = target - laps * t->available; /* 1..available */
    const size_t k = count_below(&t->avail, t->at, rest, on_avail);
    const sim_int128 wall = (sim_int128)laps * t->period + lap + rest + t->at[k].stolen - offset;
    return wall > HORIZON ? HORIZON : (sim_time)wall;
}

/* No detour in pos..pos + work? May say no where the answer is yes. */
static inline bool is_quiet(const noise_detour_trace *t, sim_time pos, sim_time work)
{
    if (work > t->period - pos) {
        return false;
    }
    const uint64_t first = (uint64_t)pos >> t->busy_shift;
    const uint64_t more = ((uint64_t)(pos + work - 1) >> t->busy_shift) - first;
    if (more >= WINDOW_BITS) {
        return false;
    }
    uint64_t window;
    memcpy(&window, t->busy + first / 8, sizeof window);
    return (GUINT64_FROM_LE(window) >> first % 8 & ((UINT64_C(2) << more) - 1)) == 0;
}

/* An instant in the period. */
typedef struct place {
    sim_time lap; /* where its period begins, on the wall */
    sim_time pos; /* in it */
} place;

static inline place place_of(const noise_detour_trace *t, sim_time offset, sim_time ready)
{
    place at = {0, ready + offset};
    if (at.pos >= t->period) {
        at.lap = at.pos - t->period < t->period ? t->period : at.pos / t->period * t->period;
        at.pos -= at.lap;
    }
    return at;
}

static inline sim_time look_up(const noise_detour_trace *t, sim_time offset, place from,
                               sim_time work, sim_time *until)
{
    const detour *next = t->at + count_below(&t->wall, t->at, from.pos, on_wall);
    const sim_time here = from.pos - next->stolen;
    sim_time avail = here;
    if (next > t->at) { /* ready in the middle of the detour before? */
        avail = MAX(avail, on_avail(next - 1));
    }
    const sim_time target = avail + work;
    if (avail == here && target <= on_avail(next)) {
        *until = from.lap + next->start - offset;
    }
    const size_t left = (size_t)(t->at + t->n - next);
    for (size_t i = 0; i < NEAR_MAX && i <= left; i++) {
        if (target <= on_avail(&next[i])) {
            return MIN(from.lap + target + next[i].stolen - offset, HORIZON);
        }
    }
    return finish_far(t, offset, from.lap, target);
}

sim_time noise_detour_trace_finish(const noise_detour_trace *t, sim_time offset, sim_time ready,
                                   sim_time work)
{
    assert(offset >= 0 && offset <= t->period);
    assert(ready >= 0 && ready <= HORIZON && work >= 0 && work <= SIM_TIME_MAX);
    if (work == 0) {
        return ready;
    }
    const place from = place_of(t, offset, ready);
    if (is_quiet(t, from.pos, work)) {
        return MIN(ready + work, HORIZON);
    }
    sim_time until;
    return look_up(t, offset, from, work, &until);
}

sim_time noise_detour_trace_finish_until(const noise_detour_trace *t, sim_time offset,
                                         sim_time ready, sim_time work, sim_time *until)
{
    assert(offset >= 0 && offset <= t->period);
    assert(ready >= 0 && ready <= HORIZON && work >= 0 && work <= SIM_TIME_MAX);
    return work > 0 ? look_up(t, offset, place_of(t, offset, ready), work, until) : ready;
}

static sim_time finish_from_tables(const sim_detours *hook, sim_time offset, sim_time start,
                                   sim_time work)
{
    return noise_detour_trace_finish(((const tables *)(const void *)hook)->trace, offset, start,
                                     work);
}

/* Bits that @p value > 0 takes. */
static unsigned bits_of(sim_time value)
{
    return 64 - (unsigned)__builtin_clzll((uint64_t)value);
}

/* Where to divide 64 bits so that most of detours 0..n-1 fit: @p at[n] is known. */
static unsigned best_division(const sim_detour *at, size_t n)
{
    int64_t more[65] = {0}; /* detours that fit in with so many bits, more than with one less */
    for (size_t i = 0; i < n; i++) {
        const unsigned apart = bits_of(at[i + 1].start - at[i].start);
        const unsigned length = bits_of(at[i].end - at[i].start);
        if (apart + length <= 64) {
            more[apart]++;
            more[65 - length]--;
        }
    }
    unsigned best = 1;
    int64_t fit = 0;
    int64_t most = -1;
    for (unsigned bits = 1; bits < 64; bits++) {
        fit += more[bits];
        if (fit > most) {
            most = fit;
            best = bits;
        }
    }
    return best;
}

static void pack(tables *made, size_t n)
{
    const sim_detour *at = made->at;
    const unsigned apart_bits = best_division(at, n);
    made->packed = g_new(uint64_t, n);
    for (size_t i = 0; i < n; i++) {
        const uint64_t apart = (uint64_t)(at[i + 1].start - at[i].start);
        const uint64_t length = (uint64_t)(at[i].end - at[i].start);
        const bool fits = apart >> apart_bits == 0 && length >> (64 - apart_bits) == 0;
        made->packed[i] = fits ? length << apart_bits | apart : 0;
    }
    made->hook.packed = made->packed;
    made->hook.apart_bits = apart_bits;
}

static void tables_make(tables *made)
{
    const noise_detour_trace *t = made->trace;
    assert(t->n > 0);
    made->at = g_new(sim_detour, t->n + SIM_DETOURS_BEYOND);
    for (size_t i = 0; i < t->n; i++) {
        const sim_time length = t->at[i + 1].stolen - t->at[i].stolen;
        made->at[i] = (sim_detour){t->at[i].start, t->at[i].start + length};
    }
    made->at[t->n] = (sim_detour){made->at[0].start + t->period, made->at[0].end + t->period};
    for (size_t i = 1; i < SIM_DETOURS_BEYOND; i++) {
        made->at[t->n + i] = (sim_detour){INT64_MAX, INT64_MAX};
    }
    const unsigned shift = t->wall.shift;
    const size_t cells = (size_t)((uint64_t)t->period >> shift) + 1;
    made->over = g_new(uint32_t, cells + 1);
    uint32_t over = 0;
    for (size_t c = 0; c <= cells; c++) {
        while (over < t->n && (uint64_t)made->at[over].end <= (uint64_t)c << shift) {
            over++;
        }
        made->over[c] = over;
    }
    made->hook = (sim_detours){.at = made->at,
                               .n = t->n,
                               .period = t->period,
                               .stolen = t->at[t->n].stolen,
                               .over = made->over,
                               .shift = shift,
                               .finish = finish_from_tables};
    pack(made, t->n);
}

const sim_detours *noise_detour_trace_tables(const noise_detour_trace *t)
{
    if (t->n == 0) {
        return NULL;
    }
    tables *made = t->tables;
    g_mutex_lock(&made->mutex);
    if (made->at == NULL) {
        tables_make(made);
    }
    g_mutex_unlock(&made->mutex);
    return &made->hook;
}

void noise_detour_trace_keep_numbers(noise_detour_trace *t, uint32_t *number, size_t num_numbers)
{
    assert(t->number == NULL && num_numbers >= t->n);
    t->number = number;
    t->num_numbers = num_numbers;
}

noise_detour_numbers noise_detours_numbers(const sim_detours *d)
{
    const noise_detour_trace *t = ((const tables *)(const void *)d)->trace;
    return (noise_detour_numbers){t->number, t->number != NULL ? t->num_numbers : t->n};
}

size_t noise_detour_trace_count(const noise_detour_trace *t)
{
    return t->n;
}

sim_time noise_detour_trace_period(const noise_detour_trace *t)
{
    return t->period;
}

sim_time noise_detour_trace_start(const noise_detour_trace *t, size_t i)
{
    assert(i < t->n);
    return t->at[i].start;
}

sim_time noise_detour_trace_length(const noise_detour_trace *t, size_t i)
{
    assert(i < t->n);
    return t->at[i + 1].stolen - t->at[i].stolen;
}

double noise_detour_trace_share(const noise_detour_trace *t)
{
    return (double)t->at[t->n].stolen / (double)t->period;
}
