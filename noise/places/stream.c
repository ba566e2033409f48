/* noise/places/stream.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_place_cores. */
#include "places/stream.h"

#include "places/draw.h"

/* From the clock to the wall: @p in_lap ps after @p lap. */
static sim_time on_wall(const noise_stream *s, sim_time lap, sim_time in_lap)
{
    return s->clock == NOISE_DRIFT_TRUE ? MIN(lap + in_lap, 2 * SIM_TIME_MAX)
                                        : noise_drift_wall(s->clock, (sim_int128)lap + in_lap);
}

noise_stream_place noise_stream_seek(const noise_stream *s, sim_time t)
{
    const uint64_t period = (uint64_t)s->detours->period;
    const uint64_t at = noise_drift_clock(s->clock, t) + (uint64_t)s->offset;
    const uint64_t lap = at < period ? 0 : at / period * period;
    noise_stream_place place = {(sim_time)(lap - (uint64_t)s->offset),
                                noise_detours_first_not_over(s->detours, (sim_time)(at - lap))};
    if (place.i == s->detours->n) {
        place.i = 0;
        place.lap += s->detours->period;
    }
    return place;
}

void noise_stream_next(const noise_stream *s, noise_stream_place *place)
{
    if (++place->i == s->detours->n) {
        place->i = 0;
        place->lap += s->detours->period;
    }
}

void noise_stream_previous(const noise_stream *s, noise_stream_place *place)
{
    if (place->i == 0) {
        place->i = s->detours->n;
        place->lap -= s->detours->period;
    }
    place->i--;
}

sim_time noise_stream_start(const noise_stream *s, noise_stream_place place)
{
    return on_wall(s, place.lap, s->detours->at[place.i].start);
}

sim_time noise_stream_end(const noise_stream *s, noise_stream_place place)
{
    return on_wall(s, place.lap, s->detours->at[place.i].end);
}

bool noise_stream_strikes(const noise_stream *s, noise_stream_place place)
{
    if (s->cores == 1) {
        return true;
    }
    const size_t n = s->numbers.count;
    const int64_t laps = noise_draw_struck_laps(n);
    const int64_t lap = (place.lap + s->offset) / s->detours->period % laps; /* below 0: the past */
    const size_t i = (size_t)(lap < 0 ? lap + laps : lap) * n +
                     (s->numbers.number != NULL ? s->numbers.number[place.i] : place.i);
    return noise_draw_struck_core(s->options, s->node, i, s->cores) == s->core;
}
