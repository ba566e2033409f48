/* apps/ripple/output/progress.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/progress.h"

#include <stdio.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };

static const double PRESUMED =
    0.1; /* of the work, is as good as done in the time presumed for it */

struct app_progress {
    char *verb;
    char *what;
    bool terminal;
    gint64 began; /* us, monotonic */
    GThread *thread;
    GMutex mutex; /* guards what follows */
    GCond cond;
    int64_t total; /* steps; 0: not known */
    uint64_t done;
    double expected;  /* work */
    double finished;  /* work, of the steps that are done */
    double under_way; /* work done, of steps that are not done */
    double presumed;  /* s for all that was expected then; 0: not known */
    double share;     /* the largest so far */
    bool stop;
};

/* "1:05" or "2:03:04". */
static void format_seconds(char *out, size_t size, double seconds)
{
    const unsigned s = (unsigned)(seconds + 0.5);
    if (s >= 3600) {
        (void)g_snprintf(out, size, "%u:%02u:%02u", s / 3600, s / 60 % 60, s % 60);
    } else {
        (void)g_snprintf(out, size, "%u:%02u", s / 60, s % 60);
    }
}

/* Of the whole, 0..1. */
static double share_done(app_progress *p)
{
    if (p->expected > 0) {
        p->share = CLAMP((p->finished + p->under_way) / p->expected, p->share, 1);
    }
    return p->share;
}

/* Seconds; negative: not known. */
static double time_left(const app_progress *p, double elapsed)
{
    const double done = p->finished + p->under_way;
    const double presumed = p->presumed > 0 ? PRESUMED : 0;
    const double base = done + presumed * p->expected;
    if (base <= 0) {
        return -1;
    }
    return MAX(p->expected - done, 0) * (elapsed + presumed * p->presumed) / base;
}

static double time_spent(const app_progress *p)
{
    return (double)(g_get_monotonic_time() - p->began) / 1e6;
}

static void print_line(app_progress *p)
{
    const uint64_t done = p->done;
    const double elapsed = time_spent(p);
    char spent[32];
    char left[32] = "?";
    format_seconds(spent, sizeof spent, elapsed);
    const double share = share_done(p);
    const double seconds_left = time_left(p, elapsed);
    if (seconds_left >= 0) {
        format_seconds(left, sizeof left, seconds_left);
    }
    if (p->total == 0 && p->terminal) {
        fprintf(stderr, "\r%s %s\033[K", p->what, spent);
        return;
    }
    if (p->total == 0) {
        fprintf(stderr, "ripple %s: %s for %s\n", p->verb, p->what, spent);
        return;
    }
    if (!p->terminal) {
        fprintf(stderr,
                "ripple %s: %s: %" G_GUINT64_FORMAT " of %" G_GINT64_FORMAT
                " done, %.0f %% of the work, after %s, %s left\n",
                p->verb, p->what, done, p->total, 100 * share, spent, left);
        return;
    }
    const unsigned filled = (unsigned)(BAR_WIDTH * share);
    char bar[BAR_WIDTH + 1] = {0};
    for (unsigned i = 0; i < BAR_WIDTH; i++) {
        bar[i] = i < filled ? '#' : '.';
    }
    fprintf(stderr, "\r%s [%s] %" G_GUINT64_FORMAT "/%" G_GINT64_FORMAT " %s, %s left\033[K",
            p->what, bar, done, p->total, spent, left);
}

static gpointer watch(gpointer data)
{
    app_progress *p = data;
    const gint64 interval = p->terminal ? G_TIME_SPAN_SECOND / 5 : 10 * G_TIME_SPAN_SECOND;
    gint64 next = p->began + MAX(interval, G_TIME_SPAN_SECOND); /* not for what is soon done */
    g_mutex_lock(&p->mutex);
    while (!p->stop) {
        if (!g_cond_wait_until(&p->cond, &p->mutex, next)) {
            print_line(p);
            next = g_get_monotonic_time() + interval;
        }
    }
    g_mutex_unlock(&p->mutex);
    return NULL;
}

app_progress *app_progress_new(const char *verb, const char *what, bool quiet)
{
    app_progress *p = g_new0(app_progress, 1);
    p->verb = g_strdup(verb);
    p->what = g_strdup(what);
    p->terminal = isatty(STDERR_FILENO) != 0;
    p->began = g_get_monotonic_time();
    g_mutex_init(&p->mutex);
    g_cond_init(&p->cond);
    if (!quiet) {
        p->thread = g_thread_new("progress", watch, p);
    }
    return p;
}

void app_progress_expect(app_progress *p, int64_t steps, double work)
{
    g_mutex_lock(&p->mutex);
    (void)share_done(p); /* what was shown so far stays */
    p->total += steps;
    p->expected += work;
    g_mutex_unlock(&p->mutex);
}

void app_progress_presume(app_progress *p, double seconds)
{
    g_mutex_lock(&p->mutex);
    p->presumed = seconds;
    g_mutex_unlock(&p->mutex);
}

void app_progress_reach(app_progress *p, double *own, double work)
{
    g_mutex_lock(&p->mutex);
    p->under_way += work - *own;
    g_mutex_unlock(&p->mutex);
    *own = work;
}

void app_progress_advance(app_progress *p, uint64_t n, double work, double *own)
{
    g_mutex_lock(&p->mutex);
    p->done += n;
    if (own != NULL) {
        p->under_way -= *own;
        *own = 0;
    }
    p->finished += work;
    g_mutex_unlock(&p->mutex);
}

double app_progress_left(app_progress *p)
{
    g_mutex_lock(&p->mutex);
    const double seconds = time_left(p, time_spent(p));
    g_mutex_unlock(&p->mutex);
    return seconds;
}

double app_progress_share(app_progress *p)
{
    g_mutex_lock(&p->mutex);
    const double share = share_done(p);
    g_mutex_unlock(&p->mutex);
    return share;
}

void app_progress_free(app_progress *p)
{
    if (p == NULL) {
        return;
    }
    if (p->thread != NULL) {
        g_mutex_lock(&p->mutex);
        p->stop = true;
        g_cond_signal(&p->cond);
        g_mutex_unlock(&p->mutex);
        (void)g_thread_join(p->thread);
        if (p->terminal) {
            fputs("\r\033[K", stderr);
        }
    }
    g_mutex_clear(&p->mutex);
    g_cond_clear(&p->cond);
    g_free(p->verb);
    g_free(p->what);
    g_free(p);
}
