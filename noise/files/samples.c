/* noise/files/samples.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_file_formats. */
#include "files/samples.h"

#include "files/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *pa, const void *pb)
{
    const double a = *(const double *)pa;
    const double b = *(const double *)pb;
    return (a > b) - (a < b);
}

/* How many are below the one that stands for the most work: the 99.9th percentile, as
 * noise_quantum_most_work() takes it of a measurement. */
static size_t below_most(size_t n)
{
    return n - 1 - n / 1000;
}

/* That with @p below of them below it. */
static double at_rank(const GArray *samples, size_t below)
{
    g_autofree double *sorted = g_new(double, samples->len);
    memcpy(sorted, samples->data, samples->len * sizeof *sorted);
    qsort(sorted, samples->len, sizeof *sorted, by_value);
    return sorted[below];
}

bool noise_samples_read(noise_reader *r, const char *line, int power, sim_time least,
                        const char *what, GArray **samples)
{
    char shown[NOISE_FILE_FIELD];
    const char *at = line + strspn(line, "0123456789");
    const bool numbered = at > line && (*at == ' ' || *at == '\t');
    at += strspn(at, " \t");
    const char *second = at;
    const sim_time value = numbered ? noise_decimal_parse(&at, power) : -1;
    if (value < least || at[strspn(at, " \t\r")] != '\0') {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line, "'%s' is not %s",
                                 noise_reader_field(numbered ? second : line, shown), what);
    }
    if (*samples == NULL) {
        *samples = g_array_new(FALSE, FALSE, sizeof(double));
    }
    const double number = (double)value;
    g_array_append_val(*samples, number);
    return true;
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
    const sim_time shortest = llround(at_rank(durations, 0));
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
    static const double UNITS = 2;
    if (work->len == 0) {
        return refuse_none(r, work);
    }
    if (interval > SIM_TIME_MAX / work->len) {
        return refuse_length(r, work);
    }
    const double most = at_rank(work, below_most(work->len));
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
