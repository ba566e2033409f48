/* noise/files/samples.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_file_formats. */
#include "files/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *pa, const void *pb)
{
    const double a = *(const double *)pa;
    const double b = *(const double *)pb;
    return (a > b) - (a < b);
}

static double quantile(const GArray *samples, double q)
{
    g_autofree double *sorted = g_new(double, samples->len);
    memcpy(sorted, samples->data, samples->len * sizeof *sorted);
    qsort(sorted, samples->len, sizeof *sorted, by_value);
    return sorted[(size_t)(q * (samples->len - 1) + 0.5)];
}

/* The run keeps its samples. */
static void end_run(noise_reader *r, GArray *samples, sim_time interval, sim_time period)
{
    noise_reader_end_run(r, period);
    noise_detour_run *run = &g_array_index(r->runs, noise_detour_run, r->runs->len - 1);
    run->num_samples = samples->len;
    run->sample = (double *)(void *)g_array_free(samples, FALSE);
    run->interval = interval;
}

static bool refuse_none(noise_reader *r, GArray *samples)
{
    g_array_unref(samples);
    return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, MAX(r->line, 1), "there is no sample");
}

static bool refuse_length(noise_reader *r, GArray *samples)
{
    g_array_unref(samples);
    return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                             "the samples together are longer than 26 days");
}

bool noise_samples_end_fwq(noise_reader *r, GArray *durations, sim_time stated)
{
    if (durations->len == 0) {
        return refuse_none(r, durations);
    }
    const sim_time shortest = llround(quantile(durations, 0));
    sim_time now = 0;
    bool ok = true;
    for (guint i = 0; ok && i < durations->len; i++) {
        const sim_time took = llround(g_array_index(durations, double, i));
        if (took > SIM_TIME_MAX - now) {
            return refuse_length(r, durations);
        }
        ok = took == shortest || noise_reader_add(r, now, took - shortest, NOISE_NO_SOURCE, "");
        now += took;
    }
    if (!ok) {
        g_array_unref(durations);
        return false;
    }
    end_run(r, durations, 0, MAX(now, stated));
    return true;
}

bool noise_samples_end_ftq(noise_reader *r, GArray *work, sim_time interval, sim_time stated)
{
    static const double MOST = 0.999;
    static const double UNITS = 2;
    if (work->len == 0) {
        return refuse_none(r, work);
    }
    if (interval > SIM_TIME_MAX / work->len) {
        return refuse_length(r, work);
    }
    const double most = quantile(work, MOST);
    bool ok = most > 0 || noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                            "no sample of this run has done any work");
    for (guint i = 0; ok && i < work->len; i++) {
        const double missing = most - g_array_index(work, double, i);
        const sim_time length = llround(missing / most * (double)interval);
        ok = missing < UNITS || length < 1 ||
             noise_reader_add(r, i * interval, MIN(length, interval), NOISE_NO_SOURCE, "");
    }
    if (!ok) {
        g_array_unref(work);
        return false;
    }
    const sim_time all = interval * (sim_time)work->len;
    end_run(r, work, interval, MAX(all, stated));
    return true;
}
