/* tests/noise/sequences/naive_matcher.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Occurrences of sequences as one would look for them by hand: at every place of the whole string.
 */
#pragma once

#include "noise/sequences.h"

#include <glib.h>
#include <string.h>

typedef struct naive_sample {
    noise_sample sample;
    size_t last; /* the call that it ends with */
} naive_sample;

static inline bool naive_is_at(const noise_sequence *s, const noise_sequence_call *call, size_t n,
                               size_t at)
{
    for (size_t i = 0; i < s->length; i++) {
        if (at + i >= n || call[at + i].symbol != s->symbol[i]) {
            return false;
        }
    }
    return true;
}

/** Samples of one sequence. */
static inline GArray *naive_samples(const noise_sequence *s, uint32_t index,
                                    const noise_sequence_call *call, size_t n, char *covered)
{
    GArray *out = g_array_new(FALSE, TRUE, sizeof(naive_sample));
    uint64_t before = UINT64_MAX;
    uint64_t since = 0;
    for (size_t at = 0; at < n;) {
        if (!naive_is_at(s, call, n, at)) {
            at++;
            continue;
        }
        naive_sample x = {.last = at + s->length - 1,
                          .sample = {.sequence = index,
                                     .t = out->len,
                                     .has_cpu = true,
                                     .begin = call[at].entered - call[at].compute,
                                     .end = call[at + s->length - 1].entered}};
        for (size_t i = at; i <= x.last; i++) {
            x.sample.compute += call[i].compute;
            x.sample.has_cpu = x.sample.has_cpu && call[i].has_cpu;
            x.sample.off += call[i].off;
            covered[i] = 1;
        }
        x.sample.off = x.sample.has_cpu ? CLAMP(x.sample.off, 0, x.sample.compute) : 0;
        uint64_t anchors = 0;
        for (size_t i = 0; i < x.last; i++) {
            anchors += call[i].anchor;
        }
        since = anchors == before ? since + 1 : 0;
        before = anchors;
        x.sample.t = s->misaligned ? anchors << 20 | since : x.sample.t;
        g_array_append_val(out, x);
        at += s->length;
    }
    return out;
}
