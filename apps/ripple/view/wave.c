/* apps/ripple/view/wave.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_wave, test_wave_speed. */
#include "view/wave.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum { FARTHEST_GUESS = 64 /* ranks from which a wave may have come, where no cause tells */ };

int64_t app_wave_way(uint32_t a, uint32_t b, uint32_t num_ranks)
{
    const int64_t n = num_ranks;
    const int64_t way = (((int64_t)b - (int64_t)a) % n + n) % n;
    return way > n / 2 ? way - n : way;
}

app_picture_fit app_wave_slope(const double *x, const double *y, size_t n)
{
    double mean_x = 0, mean_y = 0;
    for (size_t i = 0; i < n; i++) {
        mean_x += x[i] / (double)n;
        mean_y += y[i] / (double)n;
    }
    double xx = 0, xy = 0, yy = 0;
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
    }
    if (n < 3 || xx <= 0) {
        return (app_picture_fit){NAN, NAN, NAN};
    }
    const double slope = xy / xx;
    const double rest = MAX(yy - slope * xy, 0); /* of squares */
    const double error = sqrt(rest / (double)(n - 2) / xx);
    const double t = gsl_cdf_tdist_Pinv(0.975, (double)(n - 2));
    return (app_picture_fit){slope, slope - t * error, slope + t * error};
}

/* ---- the front ---- */

static int by_arrival(const void *a, const void *b)
{
    const app_picture_front *x = a;
    const app_picture_front *y = b;
    return x->arrived != y->arrived ? (x->arrived < y->arrived ? -1 : 1)
                                    : (x->rank > y->rank) - (x->rank < y->rank);
}

static int by_distance(const void *a, const void *b)
{
    const app_picture_front *x = a;
    const app_picture_front *y = b;
    return (x->distance > y->distance) - (x->distance < y->distance);
}

/* Distances of ranks the wave has come to; INT64_MIN: it has not, so far. */
typedef struct field {
    const app_wave_facts *facts;
    int64_t *distance; /* [num_ranks] */
} field;

static bool is_reached(const field *f, uint32_t rank)
{
    return f->distance[rank] != INT64_MIN;
}

/* From whom the wave has come to @p rank: who made its stretch late, or the nearest rank that was
 * late before. */
static uint32_t source_of(const field *f, uint32_t rank)
{
    const uint32_t n = f->facts->num_ranks;
    const uint32_t cause = f->facts->arrivals[rank].cause_rank;
    if (cause < n && cause != rank && is_reached(f, cause)) {
        return cause;
    }
    for (uint32_t away = 1; away <= MIN(FARTHEST_GUESS, n / 2); away++) {
        const uint32_t below = (rank + n - away) % n;
        const uint32_t above = (rank + away) % n;
        if (is_reached(f, below) || is_reached(f, above)) {
            return is_reached(f, below) ? below : above;
        }
    }
    return APP_PICTURE_NONE;
}

/* Those that are late, in order of distance; those of whom nobody knows from where it came are left
 * out. */
static GArray *find_front(const app_wave_facts *facts)
{
    const uint32_t n = facts->num_ranks;
    g_autoptr(GArray) late = g_array_new(FALSE, TRUE, sizeof(app_picture_front));
    for (uint32_t rank = 0; rank < n; rank++) {
        const app_observed_arrival *a = &facts->arrivals[rank];
        if (a->usual != SIM_TIME_MAX && rank != facts->detour.rank) {
            const app_picture_front point = {.rank = rank, .arrived = a->usual, .delay = a->delay};
            g_array_append_val(late, point);
        }
    }
    g_array_sort(late, by_arrival);
    g_autofree int64_t *distance = g_new(int64_t, n);
    for (uint32_t rank = 0; rank < n; rank++) {
        distance[rank] = INT64_MIN;
    }
    distance[facts->detour.rank] = 0;
    const field f = {facts, distance};
    GArray *front = g_array_new(FALSE, TRUE, sizeof(app_picture_front));
    const app_picture_front first = {
        .rank = facts->detour.rank, .arrived = facts->detour.at, .delay = facts->detour.length};
    g_array_append_val(front, first);
    for (guint i = 0; i < late->len; i++) {
        app_picture_front *p = &g_array_index(late, app_picture_front, i);
        const uint32_t from = source_of(&f, p->rank);
        if (from != APP_PICTURE_NONE) {
            p->distance = distance[from] + app_wave_way(from, p->rank, n);
            distance[p->rank] = p->distance;
            g_array_append_val(front, *p);
        }
    }
    g_array_sort(front, by_distance);
    return front;
}

/* ---- the fit ---- */

/* Is it seen to have gone around? */
static bool is_ring(const app_wave_facts *facts, const GArray *front)
{
    for (guint i = 0; i < front->len; i++) {
        const app_picture_front *p = &g_array_index(front, app_picture_front, i);
        if ((int64_t)p->rank != (int64_t)facts->detour.rank + p->distance) {
            return true;
        }
    }
    return false;
}

/* The first rank in that direction that it does not come to. */
static uint32_t absorbed_at(const app_wave_facts *facts, const GArray *front, int direction)
{
    int64_t farthest = 0;
    for (guint i = 0; i < front->len; i++) {
        const int64_t d = g_array_index(front, app_picture_front, i).distance * direction;
        farthest = MAX(farthest, d);
    }
    const int64_t n = facts->num_ranks;
    const int64_t next = (int64_t)facts->detour.rank + direction * (farthest + 1);
    const uint32_t rank = (uint32_t)(((next % n) + n) % n);
    const bool is_late = facts->arrivals[rank].usual != SIM_TIME_MAX || rank == facts->detour.rank;
    const bool is_end = (next < 0 || next >= n) && !is_ring(facts, front);
    return is_late || is_end ? APP_PICTURE_NONE : rank;
}

/* Slower is the inverse of faster: the ends change places. An interval with 0 in it has no end. */
static app_picture_fit speed_of(app_picture_fit ps_per_rank)
{
    const double second = (double)SIM_S;
    return (app_picture_fit){
        .value = ps_per_rank.value > 0 ? second / ps_per_rank.value : NAN,
        .low = ps_per_rank.high > 0 ? second / ps_per_rank.high : NAN,
        .high = ps_per_rank.low > 0 ? second / ps_per_rank.low : NAN,
    };
}

static app_picture_wave fit_one(const app_wave_facts *facts, GArray *front, int direction)
{
    g_autofree double *x = g_new(double, front->len);
    g_autofree double *arrived = g_new(double, front->len);
    g_autofree double *delay = g_new(double, front->len);
    size_t n = 0;
    for (guint i = 0; i < front->len; i++) {
        app_picture_front *p = &g_array_index(front, app_picture_front, i);
        if (p->distance * direction > 0) {
            p->is_fitted = true;
            x[n] = (double)(p->distance * direction);
            arrived[n] = (double)p->arrived;
            delay[n] = (double)p->delay;
            n++;
        }
    }
    app_picture_fit decay = app_wave_slope(x, delay, n);
    return (app_picture_wave){
        .direction = direction,
        .points = n,
        .speed = speed_of(app_wave_slope(x, arrived, n)),
        .decay = {-decay.value, -decay.high, -decay.low},
        .absorbed = absorbed_at(facts, front, direction),
    };
}

static int by_time(const void *a, const void *b)
{
    const sim_time x = *(const sim_time *)a;
    const sim_time y = *(const sim_time *)b;
    return (x > y) - (x < y);
}

/* T_exec + T_comm: from one computation of the rank to its next, without noise; the median. */
static sim_time step_of(const app_wave_facts *facts)
{
    if (facts->num_steps < 3) {
        return 0;
    }
    const size_t n = facts->num_steps - 1;
    g_autofree sim_time *gap = g_new(sim_time, n);
    for (size_t i = 0; i < n; i++) {
        gap[i] = facts->steps[i + 1] - facts->steps[i];
    }
    qsort(gap, n, sizeof *gap, by_time);
    return gap[n / 2];
}

/* The sigma, 1 or 2, that the wave comes nearer to. */
static uint32_t sigma_of(const app_picture_injection *i, double unit)
{
    double off[2] = {0, 0};
    for (size_t w = 0; w < i->num_waves; w++) {
        const double v = i->waves[w].speed.value;
        for (int sigma = 1; sigma <= 2 && isfinite(v); sigma++) {
            off[sigma - 1] += fabs(log(v / (sigma * unit)));
        }
    }
    return off[1] < off[0] ? 2 : 1;
}

app_picture_injection *app_wave_fit(const app_wave_facts *facts)
{
    app_picture_injection *i = g_new0(app_picture_injection, 1);
    i->rank = facts->detour.rank;
    i->at = facts->detour.at;
    i->length = facts->detour.length;
    i->distance = facts->distance;
    i->finish_delay = facts->finish_delay;
    GArray *front = find_front(facts);
    for (int direction = -1; direction <= 1; direction += 2) {
        const app_picture_wave wave = fit_one(facts, front, direction);
        if (wave.points > 0) {
            i->waves[i->num_waves++] = wave;
        }
    }
    i->num_fronts = front->len;
    i->fronts = (app_picture_front *)g_array_free(front, FALSE);
    i->step = step_of(facts);
    i->formula = NAN;
    if (i->step > 0 && i->distance > 0) {
        const double unit = (double)SIM_S / (double)i->step * i->distance;
        i->sigma = sigma_of(i, unit);
        i->formula = i->sigma * unit;
    }
    return i;
}
