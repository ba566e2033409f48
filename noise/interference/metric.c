/* noise/interference/metric.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_scorer. */
#include "interference/scorer.h"

const noise_interference_signal *
noise_interference_scorer_signal(const noise_interference_scorer *s, uint32_t rank,
                                 uint32_t sequence)
{
    return &noise_scorer_signal_of(s, rank, sequence)->shown;
}

double noise_interference_ils(const noise_interference_signal *signal)
{
    return signal->judged > 0 ? (double)signal->exceeded / (double)signal->judged : 0;
}

double noise_interference_metric(const noise_interference_scorer *s, uint32_t rank)
{
    double sum = 0, weights = 0;
    for (uint32_t l = 0; l < s->model->num_sequences; l++) {
        if (noise_interference_model_row(s->model, rank, l)->used) {
            const double weight = s->model->sequences[l].length;
            sum += weight * noise_interference_ils(noise_interference_scorer_signal(s, rank, l));
            weights += weight;
        }
    }
    return weights > 0 ? sum / weights : 0;
}

double noise_interference_node_metric(const noise_interference_scorer *s, uint32_t node)
{
    double most = 0;
    for (uint32_t rank = 0; rank < s->options.num_ranks; rank++) {
        const double metric = s->nodes[rank] == node ? noise_interference_metric(s, rank) : 0;
        most = metric > most ? metric : most;
    }
    return most;
}

bool noise_interference_misaligned(const noise_interference_scorer *s, uint32_t sequence)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t rank = 0; rank < s->options.num_ranks; rank++) {
        const uint64_t seen = noise_interference_scorer_signal(s, rank, sequence)->seen;
        least = seen < least ? seen : least;
        most = seen > most ? seen : most;
    }
    return (double)(most - least) > 0.05 * (double)most;
}
