/* noise/interference/learn_clean.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_learner. */
#include "interference/learn.h"

#include "interference/onset.h"

#include <math.h>
#include <stdlib.h>

/* A course has at least and at most so many samples … */
#define LEAST_COURSE 8
#define MOST_COURSE  100000
/* … and explains so much of the deviation. */
#define COURSE_EXPLAINS 0.5

static bool is_clean(const noise_interference_model *model, const learn_point *p)
{
    return model->runs[p->run].kind == NOISE_RUN_CLEAN;
}

/* Of a clean run, and not filtered. */
static bool counts(const noise_interference_model *model, const learn_point *p)
{
    return is_clean(model, p) && p->work >= model->filter;
}

uint32_t noise_learn_level(const compare_with *with, sim_time work)
{
    uint32_t level = 0;
    while (level < NOISE_INTERFERENCE_KS && noise_compare_exceeds(with, work, 500 * level)) {
        level++;
    }
    return level;
}

static double expected(const learn_point *p, const noise_interference_row *row)
{
    if (p->t < row->num_course) {
        return (double)row->course[p->t];
    }
    return row->centre > 0 ? (double)p->centre * ((double)row->mean / (double)row->centre)
                           : (double)p->centre;
}

/* How many occurrences each clean run has, the same in all and none left out; or 0. */
static uint32_t common_length(const noise_interference_model *model, const learn_cell *cell,
                              uint32_t *runs)
{
    uint32_t length = 0, num = 0, present = UINT32_MAX;
    *runs = 0;
    for (uint32_t i = 0; i <= cell->num; i++) {
        const learn_point *p = i < cell->num ? &cell->at[i] : NULL;
        if (p != NULL && !is_clean(model, p)) {
            continue;
        }
        if (p == NULL || p->run != present) { /* the one before is complete */
            if (*runs > 0 && length > 0 && num != length) {
                return 0;
            }
            length = num;
            num = 0;
            present = p != NULL ? p->run : present;
            *runs += p != NULL;
        }
        if (p != NULL && p->t != num++) {
            return 0;
        }
    }
    return length;
}

/* If it explains half of the deviation, the mean over the runs of each t. @return memory was there
 */
static bool learn_course(const noise_interference_model *model, const learn_cell *cell,
                         noise_interference_row *row)
{
    uint32_t runs = 0;
    const uint32_t length = common_length(model, cell, &runs);
    if (runs < 2 || length < LEAST_COURSE || length > MOST_COURSE) {
        return true;
    }
    wide_signed *sums = calloc(length, sizeof *sums);
    sim_time *course = calloc(length, sizeof *course);
    bool better = false;
    if (sums != NULL && course != NULL) {
        double squares = 0;
        for (uint32_t i = 0; i < cell->num; i++) {
            sums[cell->at[i].t % length] += is_clean(model, &cell->at[i]) ? cell->at[i].work : 0;
        }
        for (uint32_t t = 0; t < length; t++) {
            course[t] = (sim_time)(sums[t] / runs);
        }
        for (uint32_t i = 0; i < cell->num; i++) {
            const learn_point *p = &cell->at[i];
            squares += is_clean(model, p) ? pow((double)(p->work - course[p->t]), 2) : 0;
        }
        /* Each mean is made of the samples themselves, which takes one of them away. */
        const double residual = sqrt(squares / ((double)length * (runs - 1)));
        better = residual < COURSE_EXPLAINS * (double)row->deviation;
        if (better) {
            row->residual = (sim_time)residual;
            row->course = course;
            row->num_course = length;
        }
    }
    const bool had_memory = sums != NULL && course != NULL;
    free(sums);
    if (!better) {
        free(course);
    }
    return had_memory;
}

static void learn_off(const noise_interference_model *model, const learn_cell *cell,
                      noise_interference_row *row)
{
    compare_sums off = {0};
    row->has_cpu = true;
    for (uint32_t i = 0; i < cell->num; i++) {
        const learn_point *p = &cell->at[i];
        if (counts(model, p)) {
            row->has_cpu = row->has_cpu && p->off >= 0;
            noise_compare_sums_add(&off, p->off > 0 ? p->off : 0);
        }
    }
    if (row->has_cpu) {
        const compare_with with = {.kind = COMPARE_MEAN, .sums = off};
        row->off = noise_compare_centre(&with);
        row->off_deviation = (sim_time)noise_compare_deviation(&with);
    }
}

bool noise_learn_clean(const noise_interference_model *model, bool misaligned,
                       const learn_cell *cell, noise_interference_row *row)
{
    compare_sums work = {0};
    wide_signed centre = 0;
    for (uint32_t i = 0; i < cell->num; i++) {
        if (counts(model, &cell->at[i])) {
            noise_compare_sums_add(&work, cell->at[i].work);
            centre += cell->at[i].centre;
        }
    }
    row->count = work.num;
    if (work.num == 0) {
        return true;
    }
    learn_off(model, cell, row);
    const compare_with with = {.kind = COMPARE_MEAN, .sums = work};
    const bool alone = model->reference == NOISE_REFERENCE_CLEAN;
    row->mean = noise_compare_centre(&with);
    row->deviation = (sim_time)noise_compare_deviation(&with);
    row->centre = alone ? row->mean : (sim_time)(centre / (wide_signed)work.num);
    if (alone) {
        row->residual = row->deviation;
        return misaligned || learn_course(model, cell, row);
    }
    double squares = 0;
    for (uint32_t i = 0; i < cell->num; i++) {
        const learn_point *p = &cell->at[i];
        squares += counts(model, p) ? pow((double)p->work - expected(p, row), 2) : 0;
    }
    row->residual = (sim_time)sqrt(squares / (double)work.num);
    return true;
}

void noise_learn_compare(const noise_interference_model *model, learn_cell *cell,
                         const noise_interference_row *row)
{
    for (uint32_t i = 0; i < cell->num; i++) {
        learn_point *p = &cell->at[i];
        const compare_with with = noise_compare_with_learned(row, p->t, model->onset.floor);
        p->centre = noise_compare_centre(&with);
        p->deviation = noise_compare_deviation(&with);
        p->level = noise_learn_level(&with, p->work);
    }
}

static void drive(onset *o, const noise_interference_model *model, sim_time excess,
                  double deviation)
{
    noise_interference_stretch none;
    noise_onset_add(o, &model->onset, INFINITY,
                    &(onset_sample){.excess = excess, .deviation = deviation}, &none);
}

static uint32_t thousandths(double peak)
{
    return (uint32_t)fmin(ceil(peak * 1e3), UINT32_MAX);
}

void noise_learn_alarms(const noise_interference_model *model, const learn_cell *cell,
                        noise_interference_row *row)
{
    onset all = {0}, off = {0};
    double peak = 0, off_peak = 0;
    row->exceeded = 0;
    for (uint32_t i = 0; i < cell->num; i++) {
        const learn_point *p = &cell->at[i];
        if (!counts(model, p)) {
            continue;
        }
        if (i > 0 && (cell->at[i - 1].run != p->run || cell->at[i - 1].t > p->t)) {
            all = off = (onset){0};
        }
        row->exceeded += (double)(p->work - p->centre) > row->k / 1e3 * p->deviation;
        const double wanted = expected(p, row);
        const double least = fmax(wanted * model->onset.floor / 1e3, 1);
        drive(&all, model, p->work - (sim_time)llround(wanted), fmax((double)row->residual, least));
        peak = fmax(peak, all.peak);
        if (row->has_cpu) {
            drive(&off, model, p->off - row->off, fmax((double)row->off_deviation, least));
            off_peak = fmax(off_peak, off.peak);
        }
    }
    row->peak = thousandths(peak);
    row->off_peak = thousandths(off_peak);
}
