/* apps/ripple/monitor/long_watch.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_long_watch, cli_monitor_validate. */
#include "monitor/long_watch.h"

#include "output/number_text.h"

#include <glib.h>
#include <gsl/gsl_fit.h>
#include <math.h>

#define TEN_HOURS   36000.0
#define MOST_MEMORY (64.0 * 1024 * 1024)
#define MOST_FILE   10e6
#define MOST_SWEEP  1.0 /* ms */

void app_long_watch_fit(app_long_watch *w, const app_long_sample *sample, size_t n)
{
    const size_t first = n / 2; /* by then buffers have their size, and threads are noted */
    const app_long_sample *half = sample + first;
    const size_t stride = sizeof *sample / sizeof(double);
    double at_zero;
    double slope;
    double cov[3];
    double rest;
    gsl_fit_linear(&half->s, stride, &half->memory_bytes, stride, n - first, &at_zero, &slope,
                   &cov[0], &cov[1], &cov[2], &rest);
    const app_long_sample *last = &sample[n - 1];
    const double ahead = TEN_HOURS - last->s;
    const double up = MAX(slope + 2 * sqrt(cov[2]), 0);
    w->memory = last->memory_bytes;
    w->memory_10h = last->memory_bytes + up * MAX(ahead, 0);
    w->file_hour = 3600 * (last->file_bytes - half->file_bytes) / MAX(last->s - half->s, 1e-3);
}

bool app_long_watch_passed(const app_long_watch *w)
{
    return w->cpu_share <= 1.1 * w->budget && w->memory_10h <= MOST_MEMORY &&
           w->file_hour <= MOST_FILE && w->sweep_ms <= MOST_SWEEP * MAX(w->threads / 1000.0, 1);
}

void app_long_watch_print(const app_long_watch *w, FILE *out)
{
    g_autofree char *share = app_format_percent(w->cpu_share);
    g_autofree char *budget = app_format_percent(w->budget);
    fprintf(out, "watched for %.1f s with %s of a CPU (budget %s), every %.1f ms\n", w->s, share,
            budget, 1e3 / MAX(w->sweeps, 1e-3));
    fprintf(out, "a sweep over %u threads: %.2f ms\n", w->threads, w->sweep_ms);
    fprintf(out,
            "memory: %.1f MiB at the end, below %.1f MiB in 10 h (by the second half, 95 %%)\n",
            w->memory / 1048576, w->memory_10h / 1048576);
    fprintf(out, "file: %.2f MB an hour, %.0f MB in 10 h\n", w->file_hour / 1e6,
            w->file_hour / 1e5);
    fputs("Wanted: CPU time within a tenth above the budget, below 64 MiB in 10 h, 10 MB an hour, "
          "1 ms "
          "for a sweep\nover 1,000 threads.\n",
          out);
}
