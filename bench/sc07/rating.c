/* bench/sc07/rating.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sc07_lab. */
#include "rating.h"

#include "plain.h"

#include <math.h>

enum { NUM_K = 21 };              /* 0, 0.5, ... 10 */
static const double LEAST = 0.05; /* gain of a sequence that is used */
static const double ENOUGH = 0.9; /* of the best gain */

/* What is known of one rank and sequence at each k. */
typedef struct ladder {
    double clean[NUM_K];     /* mean ILS of the clean runs */
    double worst[NUM_K];     /* largest of them */
    double disturbed[NUM_K]; /* mean ILS of the disturbed runs */
} ladder;

static ladder climb(const sc07_lesson *lesson, uint32_t sequence, uint32_t rank)
{
    ladder l = {{0}, {0}, {0}};
    for (int i = 0; i < NUM_K; i++) {
        for (size_t r = 0; r < lesson->num_clean; r++) {
            const double ils = sc07_plain_ils(&lesson->clean[r]->series[sequence], rank, 0.5 * i);
            l.clean[i] += ils / (double)lesson->num_clean;
            l.worst[i] = fmax(l.worst[i], ils);
        }
        for (size_t r = 0; r < lesson->num_disturbed; r++) {
            l.disturbed[i] +=
                sc07_plain_ils(&lesson->disturbed[r]->series[sequence], rank, 0.5 * i) /
                (double)lesson->num_disturbed;
        }
    }
    return l;
}

/* @return which k; -1: none tells enough */
static int choose(const ladder *l, sc07_rule rule)
{
    double best = 0;
    for (int i = 0; i < NUM_K; i++) {
        if (rule == SC07_FIRST || l->worst[i] <= 0) {
            best = fmax(best, l->disturbed[i] - l->clean[i]);
        }
    }
    int chosen = -1;
    for (int i = 0; i < NUM_K && best >= LEAST; i++) {
        const double gain = l->disturbed[i] - l->clean[i];
        if (rule == SC07_FIRST ? chosen < 0 && gain >= best
                               : l->worst[i] <= 0 && gain >= ENOUGH * best) {
            chosen = i;
        }
    }
    return chosen;
}

sc07_rating sc07_learn(const sc07_set *set, uint32_t node, const sc07_lesson *lesson,
                       sc07_rule rule)
{
    sc07_rating out = {.node = node, .num = set->num};
    memcpy(out.length, set->length, sizeof out.length);
    for (uint32_t l = 0; l < set->num; l++) {
        for (uint32_t i = 0; i < SC07_RATED; i++) {
            const ladder each = climb(lesson, l, node * SC07_RANKS_PER_NODE + i);
            const int k = choose(&each, rule);
            out.used[i][l] = k >= 0;
            out.k[i][l] = k >= 0 ? 0.5 * k : NAN;
            out.gain[i][l] = k >= 0 ? each.disturbed[k] - each.clean[k] : 0;
        }
    }
    return out;
}

sc07_rated sc07_rate(const sc07_rating *rating, const sc07_samples *run)
{
    sc07_rated out;
    for (uint32_t i = 0; i < SC07_RATED; i++) {
        double sum = 0;
        double weights = 0;
        for (uint32_t l = 0; l < rating->num; l++) {
            const uint32_t rank = rating->node * SC07_RANKS_PER_NODE + i;
            out.ils[i][l] =
                rating->used[i][l] ? sc07_plain_ils(&run->series[l], rank, rating->k[i][l]) : NAN;
            sum += rating->used[i][l] ? rating->length[l] * out.ils[i][l] : 0;
            weights += rating->used[i][l] ? rating->length[l] : 0;
        }
        out.metric[i] = weights > 0 ? sum / weights : 0;
    }
    return out;
}
