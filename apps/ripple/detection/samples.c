/* apps/ripple/detection/samples.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_score. */
#include "detection/samples.h"

static bool take_call(const app_sample_taker *taker, uint32_t rank, noise_matcher *matcher,
                      const noise_sequence_call *call, noise_sample *out)
{
    const uint32_t n = noise_matcher_take(matcher, call, out);
    for (uint32_t i = 0; i < n; i++) {
        if (!taker->sample(taker->data, rank, &out[i])) {
            return false;
        }
    }
    return true;
}

static bool take_all(const app_run_calls *calls, noise_matcher *const *matchers,
                     const app_sample_taker *taker, noise_sample *out)
{
    size_t most = 0;
    for (uint32_t rank = 0; rank < calls->num_ranks; rank++) {
        most = MAX(most, calls->rank[rank].n);
    }
    for (size_t i = 0; i < most; i++) {
        for (uint32_t rank = 0; rank < calls->num_ranks; rank++) {
            const app_rank_calls *r = &calls->rank[rank];
            if (i < r->n && !take_call(taker, rank, matchers[rank], &r->call[i], out)) {
                return false;
            }
        }
    }
    for (uint32_t rank = 0; rank < calls->num_ranks; rank++) {
        const app_rank_cover cover = {
            noise_matcher_calls(matchers[rank]), noise_matcher_covered(matchers[rank]),
            noise_matcher_work(matchers[rank]), noise_matcher_covered_work(matchers[rank])};
        taker->cover(taker->data, rank, &cover);
    }
    return true;
}

bool app_samples_take(const app_run_calls *calls, const noise_sequences *sequences,
                      const app_sample_taker *taker)
{
    g_autofree noise_matcher **matchers = g_new0(noise_matcher *, (gsize)calls->num_ranks + 1);
    g_autofree noise_sample *out = g_new(noise_sample, noise_sequences_num(sequences) + 1);
    bool ok = true;
    for (uint32_t rank = 0; ok && rank < calls->num_ranks; rank++) {
        matchers[rank] = noise_matcher_new(sequences);
        ok = matchers[rank] != NULL;
    }
    ok = ok && take_all(calls, matchers, taker, out);
    for (uint32_t rank = 0; rank < calls->num_ranks; rank++) {
        noise_matcher_free(matchers[rank]);
    }
    return ok;
}
