/* apps/ripple/calibration/walks.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibration_calls. */
#include "calibration/walks.h"

#include <math.h>

size_t app_walks_sizes(const app_samples *s, int64_t *bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < s->num_samples && n < APP_WALKS; i++) {
        if (s->samples[i].kind == APP_SAMPLE_WALK) {
            bytes[n++] = s->samples[i].bytes;
        }
    }
    return n;
}

/* What calls take at cold caches varies: the middle one, not one of the shortest. */
static double median_of(const app_samples *s, app_sample_kind kind, int64_t bytes)
{
    const app_sample *found = app_samples_find(s, kind, bytes);
    return found != NULL ? found->median : NAN;
}

void app_walks_fit(const app_samples *s, const int64_t *bytes, size_t n, app_round_walk *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = (app_round_walk){
            .computed = median_of(s, APP_SAMPLE_WALK, bytes[i]) - s->clock,
            .first = median_of(s, APP_SAMPLE_WALKED_EXCHANGE, bytes[i]) -
                     median_of(s, APP_SAMPLE_WALKED_EXCHANGE, bytes[0]),
            .further = median_of(s, APP_SAMPLE_WALKED_CALL, bytes[i]) -
                       median_of(s, APP_SAMPLE_WALKED_CALL, bytes[0]),
        };
    }
}
