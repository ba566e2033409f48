/* noise/interference/compare.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "interference/compare.h"

#include <math.h>
#include <stdlib.h>

/* A normal distribution's deviation by its MAD, in ten thousandths. */
#define BY_MAD 14826

void noise_compare_sums_add(compare_sums *sums, sim_time sample)
{
    sums->num++;
    sums->sum += (wide_half)sample;
    sums->squares += (wide_half)sample * (wide_half)sample;
}

compare_sums noise_compare_sums_without(const compare_sums *all, const compare_sums *some)
{
    return (compare_sums){.num = all->num - some->num,
                          .sum = all->sum - some->sum,
                          .squares = all->squares - some->squares};
}

static int by_size(const void *a, const void *b)
{
    const sim_time x = *(const sim_time *)a, y = *(const sim_time *)b;
    return (x > y) - (x < y);
}

/* Twice the median. */
static sim_time median2(sim_time *values, uint32_t num)
{
    qsort(values, num, sizeof *values, by_size);
    return values[(num - 1) / 2] + values[num / 2];
}

compare_with noise_compare_with_median(sim_time *samples, uint32_t num)
{
    const sim_time twice = median2(samples, num);
    for (uint32_t i = 0; i < num; i++) {
        samples[i] = llabs(2 * samples[i] - twice);
    }
    return (compare_with){.kind = COMPARE_MEDIAN, .median2 = twice, .mad4 = median2(samples, num)};
}

compare_with noise_compare_with_learned(const noise_interference_row *row, uint64_t t,
                                        uint32_t floor)
{
    if (row->count == 0) {
        return (compare_with){.kind = COMPARE_NOTHING};
    }
    const bool in_course = t < row->num_course;
    if (row->num_course > 0 && !in_course) {
        return (compare_with){.kind = COMPARE_NOTHING}; /* the clean runs were shorter */
    }
    const sim_time mean = in_course ? row->course[t] : row->mean;
    const sim_time deviation = in_course ? row->residual : row->deviation;
    const sim_time least = (sim_time)((wide_signed)mean * floor / 1000);
    return (compare_with){
        .kind = COMPARE_LEARNED, .mean = mean, .deviation = deviation > least ? deviation : least};
}

/* num^2 times the variance. */
static wide spread(const compare_sums *s)
{
    return wide_subtract(wide_multiply(s->squares, s->num), wide_multiply(s->sum, s->sum));
}

/* num S - sum > K sqrt(num squares - sum^2), both sides squared. */
static bool exceeds_mean(const compare_sums *s, sim_time sample, uint32_t k)
{
    const wide_half scaled = (wide_half)s->num * (wide_half)sample;
    if (scaled <= s->sum) {
        return false;
    }
    const wide_half above = scaled - s->sum;
    const wide left = wide_scale(wide_multiply(above, above),
                                 (wide_half)NOISE_INTERFERENCE_K_ONE * NOISE_INTERFERENCE_K_ONE);
    return wide_less(wide_scale(spread(s), (wide_half)k * k), left);
}

bool noise_compare_exceeds(const compare_with *with, sim_time sample, uint32_t k)
{
    switch (with->kind) {
    case COMPARE_MEAN:
        return exceeds_mean(&with->sums, sample, k);
    case COMPARE_MEDIAN: /* times 4 * 1000 * 10000 */
        return (wide_signed)20000000 * (2 * sample - with->median2) >
               (wide_signed)k * BY_MAD * with->mad4;
    case COMPARE_LEARNED:
        return (wide_signed)NOISE_INTERFERENCE_K_ONE * (sample - with->mean) >
               (wide_signed)k * with->deviation;
    case COMPARE_NOTHING:
        break;
    }
    return false;
}

sim_time noise_compare_centre(const compare_with *with)
{
    switch (with->kind) {
    case COMPARE_MEAN:
        return (sim_time)(with->sums.sum / with->sums.num);
    case COMPARE_MEDIAN:
        return with->median2 / 2;
    case COMPARE_LEARNED:
        return with->mean;
    case COMPARE_NOTHING:
        break;
    }
    return 0;
}

double noise_compare_deviation(const compare_with *with)
{
    switch (with->kind) {
    case COMPARE_MEAN: {
        const wide square = spread(&with->sums);
        return sqrt((double)square.high * 0x1p128 + (double)square.low) / (double)with->sums.num;
    }
    case COMPARE_MEDIAN:
        return (double)with->mad4 * (BY_MAD / 40000.0);
    case COMPARE_LEARNED:
        return (double)with->deviation;
    case COMPARE_NOTHING:
        break;
    }
    return 0;
}

double noise_compare_expected(const compare_with *with, const noise_interference_row *row)
{
    const double centre = (double)noise_compare_centre(with);
    return with->kind != COMPARE_LEARNED && row->count > 0 && row->centre > 0
               ? centre * ((double)row->mean / (double)row->centre)
               : centre;
}
