/* noise/measure/team.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_selfish, test_quantum. */
#include "measure/team.h"

#include "measure/calibrate.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static const sim_time WARM_UP = 100 * SIM_MS; /* clock frequency and idle states settle */
static const sim_time HEAD_START =
    5 * SIM_MS; /* for all to call their witnesses before the start */

/* One window: what its threads share. Constant but for the atomics. */
typedef struct window {
    noise_team *team;
    size_t size;
    atomic_size_t ready; /* members that are prepared */
    atomic_int go;       /* 1: start at .start; -1: give up */
    uint64_t start;      /* tick; set before .go */
    atomic_size_t finished;
} window;

typedef struct seat {
    pthread_t thread;
    window *window;
    noise_member *member;
} seat;

uint64_t noise_team_ticks(const noise_team *team, sim_time time)
{
    return (uint64_t)ceil((double)time / (double)SIM_S * team->ticks_per_second);
}

void noise_team_wait(const noise_team *team, uint64_t tick)
{
    while ((int64_t)(noise_clock_read(team->clock) - tick) < 0) {
    }
}

static bool bind_thread(const noise_member *m)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    hwloc_bitmap_only(set, m->cpu);
    const bool ok =
        hwloc_set_cpubind(m->team->topology, set, HWLOC_CPUBIND_THREAD | HWLOC_CPUBIND_STRICT) == 0;
    hwloc_bitmap_free(set);
    return ok;
}

static void measure(noise_member *m, uint64_t start)
{
    const noise_clock clock = m->team->clock;
    noise_witness_begin(&m->watch.witness, m->cpu);
    const noise_anchor a = noise_anchor_take_on(clock, CLOCK_MONOTONIC);
    m->team->method->run(m, start);
    const noise_anchor b = noise_anchor_take_on(clock, CLOCK_MONOTONIC);
    noise_witness_end(&m->watch.witness, m->cpu);
    m->begin = noise_anchor_at(&a, &b, m->first_tick);
    m->end = noise_anchor_at(&a, &b, m->last_tick);
}

static void *run_seat(void *data)
{
    const seat *s = data;
    window *w = s->window;
    noise_member *m = s->member;
    memset(&m->watch, 0, sizeof m->watch);
    m->watch.bound = bind_thread(m);
    noise_team_wait(m->team, noise_clock_read(m->team->clock) + noise_team_ticks(m->team, WARM_UP));
    m->team->method->prepare(m);
    atomic_fetch_add(&w->ready, 1);
    int go;
    while ((go = atomic_load(&w->go)) == 0) { /* awake, so that the CPU stays fast */
    }
    if (go > 0) {
        measure(m, w->start);
        /* An idle CPU would draw the daemons to itself, away from those still measured. */
        atomic_fetch_add(&w->finished, 1);
        while (atomic_load(&w->finished) < w->size) {
        }
    }
    return NULL;
}

/* The tick of the common start: soon, or when the real time is @p start_at. */
static uint64_t choose_start(const noise_team *team, int64_t start_at, int64_t *began)
{
    const noise_anchor now = noise_anchor_take_on(team->clock, CLOCK_REALTIME);
    *began = MAX(now.ns + HEAD_START / SIM_NS, start_at);
    return now.ticks + (uint64_t)ceil((double)(*began - now.ns) / 1e9 * team->ticks_per_second);
}

bool noise_team_run(noise_team *team, noise_member *members, size_t n, int64_t start_at,
                    int64_t *began, GError **error)
{
    window w = {.team = team, .size = n};
    g_autofree seat *seats = g_new0(seat, n);
    size_t started = 0;
    int code = 0;
    while (started < n && code == 0) {
        seats[started].window = &w;
        seats[started].member = &members[started];
        code = pthread_create(&seats[started].thread, NULL, run_seat, &seats[started]);
        started += code == 0;
    }
    if (code != 0) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE, "thread %zu of %zu: %s", started, n,
                    g_strerror(code));
    }
    while (code == 0 && atomic_load(&w.ready) < n) {
        g_usleep(1000);
    }
    w.start = choose_start(team, start_at, began);
    atomic_store(&w.go, code == 0 ? 1 : -1);
    for (size_t i = 0; i < started; i++) {
        (void)pthread_join(seats[i].thread, NULL);
    }
    return code == 0;
}
