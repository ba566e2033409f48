/* bench/sc07/plain.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_lab. */
#include "plain.h"

#include <math.h>

static const double FILTER_MS = 0.5;

static double ms(const sc07_series *s, uint32_t rank, uint32_t t)
{
    return (double)s->sample[(size_t)rank * s->n + t].compute / (double)SIM_MS;
}

/* Is it above the threshold? */
static bool exceeds(const sc07_series *s, uint32_t rank, uint32_t t, double k)
{
    double sum = 0;
    for (uint32_t p = 0; p < SC07_RANKS; p++) {
        sum += ms(s, p, t);
    }
    const double average = sum / SC07_RANKS;
    double squares = 0;
    for (uint32_t p = 0; p < SC07_RANKS; p++) {
        squares += (ms(s, p, t) - average) * (ms(s, p, t) - average);
    }
    return ms(s, rank, t) > average + k * sqrt(squares / SC07_RANKS);
}

void sc07_plain_course(const sc07_series *s, uint32_t rank, double k, double *out)
{
    uint32_t judged = 0;
    uint32_t exceeded = 0;
    for (uint32_t t = 0; t < s->n; t++) {
        if (ms(s, rank, t) >= FILTER_MS) {
            judged++;
            exceeded += exceeds(s, rank, t, k);
        }
        out[t] = judged > 0 ? (double)exceeded / judged : 0;
    }
}

double sc07_plain_ils(const sc07_series *s, uint32_t rank, double k)
{
    g_autofree double *course = g_new(double, (gsize)s->n + 1);
    course[0] = 0;
    sc07_plain_course(s, rank, k, course);
    return course[s->n > 0 ? s->n - 1 : 0];
}
