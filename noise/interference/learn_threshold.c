/* noise/interference/learn_threshold.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses GSL. Tests: test_learner. */
#include "interference/learn.h"

#include <gsl/gsl_cdf.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define LEAST_GAIN   0.05 /* "close to zero", section 4.3 of the paper */
#define PLATEAU      0.9
#define LEAST_CHANCE 0.05 /* that the gain is one */
#define MARGIN       1.25
#define QUANTILE     0.99
#define EQUAL        1e-12 /* shares are quotients of counts */

int noise_interference_choose_k(noise_interference_rule rule,
                                const double disturbed[NOISE_INTERFERENCE_KS],
                                const double clean[NOISE_INTERFERENCE_KS],
                                const double clean_max[NOISE_INTERFERENCE_KS])
{
    const bool published = rule == NOISE_LEARNED_PAPER;
    double best = 0;
    for (int i = 0; i < NOISE_INTERFERENCE_KS; i++) {
        const double gain = disturbed[i] - clean[i];
        best = (published || clean_max[i] <= 0) && gain > best ? gain : best;
    }
    int chosen = -1;
    for (int i = 0; i < NOISE_INTERFERENCE_KS && best >= LEAST_GAIN; i++) {
        const double gain = disturbed[i] - clean[i];
        const bool first = published && chosen < 0 && gain >= best - EQUAL;
        const bool last = !published && clean_max[i] <= 0 && gain >= PLATEAU * best - EQUAL;
        chosen = first || last ? i : chosen;
    }
    return chosen;
}

/* ILS at the end of the run that begins at @p from, for each k. @return where the next one begins
 */
static uint32_t run_ils(const noise_interference_model *model, const learn_cell *cell,
                        uint32_t from, double ils[NOISE_INTERFERENCE_KS])
{
    uint64_t exceeded[NOISE_INTERFERENCE_KS] = {0}, judged = 0;
    uint32_t i = from;
    for (; i < cell->num && cell->at[i].run == cell->at[from].run; i++) {
        if (cell->at[i].work >= model->filter) {
            judged++;
            for (uint32_t k = 0; k < cell->at[i].level; k++) {
                exceeded[k]++;
            }
        }
    }
    for (uint32_t k = 0; k < NOISE_INTERFERENCE_KS; k++) {
        ils[k] = judged > 0 ? (double)exceeded[k] / (double)judged : 0;
    }
    return i;
}

/* How likely is it that samples of disturbed runs exceed @p k so often by chance? Fisher's exact
 * test: none of a few clean ones says little. */
static double chance_of_gain(const noise_interference_model *model, const learn_cell *cell, int k)
{
    uint64_t judged[2] = {0}, exceeded[2] = {0};
    for (uint32_t i = 0; i < cell->num; i++) {
        if (cell->at[i].work >= model->filter) {
            const noise_interference_run_kind kind = model->runs[cell->at[i].run].kind;
            judged[kind]++;
            exceeded[kind] += cell->at[i].level > (uint32_t)k;
        }
    }
    const uint64_t all = judged[0] + judged[1], above = exceeded[0] + exceeded[1];
    if (exceeded[NOISE_RUN_DISTURBED] == 0 || all > UINT_MAX) {
        return 1;
    }
    return gsl_cdf_hypergeometric_Q((unsigned)exceeded[NOISE_RUN_DISTURBED] - 1, (unsigned)above,
                                    (unsigned)(all - above), (unsigned)judged[NOISE_RUN_DISTURBED]);
}

/* The two published forms: by the gain. */
static void by_gain(const noise_interference_model *model, const learn_cell *cell,
                    noise_interference_row *row)
{
    double mean[2][NOISE_INTERFERENCE_KS] = {{0}}, most[NOISE_INTERFERENCE_KS] = {0};
    double num[2] = {0};
    for (uint32_t i = 0; i < model->num_runs; i++) { /* one without samples has an ILS of 0 */
        num[model->runs[i].kind] += 1;
    }
    for (uint32_t at = 0; at < cell->num;) {
        const noise_interference_run_kind kind = model->runs[cell->at[at].run].kind;
        double ils[NOISE_INTERFERENCE_KS];
        at = run_ils(model, cell, at, ils);
        for (int k = 0; k < NOISE_INTERFERENCE_KS; k++) {
            mean[kind][k] += ils[k] / num[kind];
            most[k] = kind == NOISE_RUN_CLEAN ? fmax(most[k], ils[k]) : most[k];
        }
    }
    const int chosen = noise_interference_choose_k(model->rule, mean[NOISE_RUN_DISTURBED],
                                                   mean[NOISE_RUN_CLEAN], most);
    row->used = chosen >= 0 && (model->rule == NOISE_LEARNED_PAPER ||
                                chance_of_gain(model, cell, chosen) < LEAST_CHANCE);
    row->k = chosen >= 0 ? 500 * (uint32_t)chosen : 0;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What 1 % of the clean samples have in deviations, or exceed. @return false: no memory */
static bool clean_quantile(const noise_interference_model *model, const learn_cell *cell,
                           double *out)
{
    double *z = malloc(((size_t)cell->num + 1) * sizeof *z);
    if (z == NULL) {
        return false;
    }
    size_t num = 0;
    for (uint32_t i = 0; i < cell->num; i++) {
        const learn_point *p = &cell->at[i];
        if (model->runs[p->run].kind == NOISE_RUN_CLEAN && p->work >= model->filter) {
            const double above = (double)(p->work - p->centre);
            z[num++] = above <= 0 ? 0 : above / fmax(p->deviation, 1);
        }
    }
    qsort(z, num, sizeof *z, by_size);
    *out = num > 0 ? z[(size_t)ceil(QUANTILE * (double)num) - 1] : 0;
    free(z);
    return true;
}

bool noise_learn_threshold(const noise_interference_model *model, const learn_cell *cell,
                           uint64_t others, noise_interference_row *row)
{
    if (model->rule == NOISE_LEARNED_PAPER || model->rule == NOISE_LEARNED_GAIN) {
        by_gain(model, cell, row);
        return true;
    }
    double seen = 0;
    if (model->rule == NOISE_LEARNED_CLEAN && !clean_quantile(model, cell, &seen)) {
        return false;
    }
    const double theory =
        noise_interference_k_of_rate(model->reference, others, model->false_alarms);
    const double k = fmax(theory, ceil(seen * MARGIN * NOISE_INTERFERENCE_K_ONE));
    row->k = (uint32_t)fmin(k, NOISE_INTERFERENCE_K_MOST);
    /* No sample of P ranks has sqrt(P - 1) deviations. */
    const bool bounded = model->reference == NOISE_REFERENCE_PAPER &&
                         k >= sqrt((double)others - 1) * NOISE_INTERFERENCE_K_ONE;
    row->used = theory > 0 && !bounded && (model->rule == NOISE_LEARNED_NOTHING || row->count > 0);
    return true;
}
