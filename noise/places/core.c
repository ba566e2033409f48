/* noise/places/core.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_place_cores. */
#include "places/core.h"

#include <assert.h>
#include <math.h>

/* The first detour of @p s that strikes the core, ends after @p t and begins before @p limit. */
static bool first_struck(const noise_stream *s, sim_time t, sim_time limit,
                         noise_stream_place *place)
{
    *place = noise_stream_seek(s, t);
    while (noise_stream_start(s, *place) < limit) {
        if (noise_stream_strikes(s, *place)) {
            return true;
        }
        noise_stream_next(s, place);
    }
    return false;
}

/* The streams, each at the last of its detours that began before t and has not been looked at. */
typedef struct looking_back {
    const noise_core *core;
    noise_stream_place place[NOISE_CORE_STREAMS];
} looking_back;

/* The latest of them that strikes the core and begins after @p floor; or -1. */
static int latest(looking_back *b, sim_time floor)
{
    int found = -1;
    sim_time begins = floor;
    for (unsigned i = 0; i < b->core->num_streams; i++) {
        const noise_stream *s = &b->core->stream[i];
        while (noise_stream_start(s, b->place[i]) > floor &&
               !noise_stream_strikes(s, b->place[i])) {
            noise_stream_previous(s, &b->place[i]);
        }
        const sim_time start = noise_stream_start(s, b->place[i]);
        if (start > begins) {
            begins = start;
            found = (int)i;
        }
    }
    return found;
}

/* What is queued at @p t of detours that began before. */
static sim_time queued(const noise_core *core, sim_time t)
{
    looking_back b = {.core = core};
    for (unsigned i = 0; i < core->num_streams; i++) {
        const noise_stream *s = &core->stream[i];
        b.place[i] = noise_stream_seek(s, t);
        if (noise_stream_start(s, b.place[i]) >= t) {
            noise_stream_previous(s, &b.place[i]);
        }
    }
    sim_time sum = 0;
    sim_time most = 0;
    /* Beginning before floor, detours would leave less than most. */
    for (int i = latest(&b, t - core->burst); i >= 0;
         i = latest(&b, t - sum - core->burst + most)) {
        const noise_stream *s = &core->stream[i];
        const sim_time start = noise_stream_start(s, b.place[i]);
        sum += noise_stream_end(s, b.place[i]) - start;
        most = MAX(most, sum - (t - start));
        noise_stream_previous(s, &b.place[i]);
    }
    return most;
}

sim_time noise_core_away(const noise_core *core, sim_time t, sim_time limit, sim_time *end)
{
    const sim_time backlog = core->num_streams > 1 ? queued(core, t) : 0;
    if (backlog > 0) {
        *end = t + backlog;
        return t;
    }
    sim_time begins = limit;
    *end = limit;
    for (unsigned i = 0; i < core->num_streams; i++) {
        const noise_stream *s = &core->stream[i];
        noise_stream_place place;
        /* Of several streams, nothing is queued: what began before t is over. */
        if (first_struck(s, t, begins, &place)) {
            begins = noise_stream_start(s, place);
            *end = noise_stream_end(s, place);
        }
    }
    return begins;
}

sim_time noise_core_burst(const sim_detours *d, double slope, double stretch)
{
    assert(d->n > 0);
    double level = 0;
    double most = 0;
    double before = 0;
    for (size_t i = 0; i < 2 * d->n; i++) { /* twice: it goes on behind the period */
        const double start = (double)d->at[i % d->n].start + (i < d->n ? 0 : (double)d->period);
        level = MAX(level - slope * (start - before) / stretch, 0);
        level += (double)(d->at[i % d->n].end - d->at[i % d->n].start) * stretch + 2;
        most = MAX(most, level);
        before = start;
    }
    /* Where detours take nearly all of the time: what a period holds at most. */
    return (sim_time)MIN(ceil(most * (1 + 1e-9)) + 1, (double)SIM_TIME_MAX / NOISE_CORE_STREAMS);
}
