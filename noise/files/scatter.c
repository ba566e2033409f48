/* noise/files/scatter.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_file_formats. */
#include "files/scatter.h"

#include "noise/random.h"

#include <stdlib.h>

static const uint64_t MOST = UINT64_C(1) << 24;

static int by_time(const void *pa, const void *pb)
{
    const sim_time a = *(const sim_time *)pa;
    const sim_time b = *(const sim_time *)pb;
    return (a > b) - (a < b);
}

/* Of all bins, in random order (Fisher and Yates). */
static sim_time *shuffled(const noise_bin *bins, size_t n, size_t all, uint64_t run)
{
    const uint64_t stream = noise_random_stream("lengths of a histogram");
    sim_time *length = g_new(sim_time, all + 1);
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        for (uint64_t c = 0; c < bins[i].count; c++) {
            length[k++] = bins[i].length;
        }
    }
    for (size_t i = all; i > 1; i--) {
        const size_t j = noise_random_below(run, stream, i, i);
        const sim_time swap = length[i - 1];
        length[i - 1] = length[j];
        length[j] = swap;
    }
    return length;
}

bool noise_scatter(noise_reader *r, const noise_bin *bins, size_t n, sim_time period, uint64_t run)
{
    sim_int128 taken = 0;
    uint64_t all = 0;
    for (size_t i = 0; i < n && all <= MOST; i++) {
        all = bins[i].count > MOST ? MOST + 1 : all + bins[i].count;
        taken += (sim_int128)bins[i].length * bins[i].count;
    }
    if (all > MOST) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                 "the histogram has more than %" G_GUINT64_FORMAT " detours", MOST);
    }
    if (taken >= period) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                 "the detours of the histogram take all of its time");
    }
    /* Points in the time that is left, and before each what the detours before it take. */
    const uint64_t stream = noise_random_stream("times of a histogram");
    const sim_time left = period - (sim_time)taken;
    g_autofree sim_time *length = shuffled(bins, n, all, run);
    g_autofree sim_time *at = g_new(sim_time, all + 1);
    for (size_t i = 0; i < all; i++) {
        at[i] = (sim_time)noise_random_below(run, stream, i, (uint64_t)left);
    }
    qsort(at, all, sizeof *at, by_time);
    sim_time before = 0;
    for (size_t i = 0; i < all; i++) {
        if (!noise_reader_add(r, at[i] + before, length[i], NOISE_NO_SOURCE, "")) {
            return false;
        }
        before += length[i];
    }
    noise_reader_end_run(r, period);
    return true;
}
