/* noise/interference/reference.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "interference/reference.h"

/* By fewer others a deviation is anybody's guess; PAPER, by its bound sqrt(P - 1), needs one more.
 */
uint32_t noise_reference_least(noise_interference_reference kind)
{
    return kind == NOISE_REFERENCE_PAPER ? 5 : kind == NOISE_REFERENCE_CLEAN ? 1 : 4;
}

#define LEAST_OTHERS 3

/* Of all, and in of_node of each node. */
static compare_sums sum_row(const reference *r, const align_row *row)
{
    compare_sums all = {0};
    for (uint32_t i = 0; i < row->num; i++) {
        const sim_time work = reference_work(&row->samples[i]);
        noise_compare_sums_add(&all, work);
        noise_compare_sums_add(&r->of_node[r->nodes[row->ranks[i]]], work);
    }
    return all;
}

static compare_with with_median(const reference *r, const align_row *row)
{
    for (uint32_t i = 0; i < row->num; i++) {
        r->work[i] = reference_work(&row->samples[i]);
    }
    return noise_compare_with_median(r->work, row->num);
}

bool noise_reference_judge(const reference *r, const align_row *row, bool misaligned,
                           void (*judge)(void *to, uint32_t rank, const noise_sample *sample,
                                         const compare_with *with),
                           void *to)
{
    /* Occurrences that are numbered by collectives may be missing on some ranks. */
    const uint32_t wanted = misaligned ? (r->num_ranks + 1) / 2 : r->num_ranks;
    if (row->num < wanted || row->num < noise_reference_least(r->kind)) {
        return false;
    }
    compare_sums all = {0};
    compare_with with = {.kind = COMPARE_NOTHING};
    if (r->kind == NOISE_REFERENCE_MAD) {
        with = with_median(r, row);
    } else {
        all = sum_row(r, row);
        with = (compare_with){.kind = COMPARE_MEAN, .sums = all};
    }
    for (uint32_t i = 0; i < row->num; i++) {
        if (r->kind == NOISE_REFERENCE_LOO) {
            with.sums = noise_compare_sums_without(&all, &r->of_node[r->nodes[row->ranks[i]]]);
            with.kind = with.sums.num < LEAST_OTHERS ? COMPARE_NOTHING : COMPARE_MEAN;
        }
        judge(to, row->ranks[i], &row->samples[i], &with);
    }
    for (uint32_t i = 0; i < row->num; i++) {
        r->of_node[r->nodes[row->ranks[i]]] = (compare_sums){0};
    }
    return true;
}
