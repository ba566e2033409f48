/* apps/ripple/output/progress.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/progress.h"

#include <stdio.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };

struct app_progress {
    char *verb;
    char *what;
    uint64_t total;
    bool terminal;
    gint64 began; /* us, monotonic */
    GThread *thread;
    GMutex mutex; /* guards what follows */
    GCond cond;
    uint64_t done;
    double under_way;  /* of steps that are not done, the shares that are */
    double weight;     /* of a step, as of now */
    double work;       /* of the steps that are done */
    double total_work; /* 0: every step is the same */
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
static double share_done(const app_progress *p)
{
    if (p->total_work > 0) {
        return MIN((p->work + p->weight * p->under_way) / p->total_work, 1);
    }
    return p->total > 0 ? ((double)p->done + p->under_way) / (double)p->total : 0;
}

static void print_line(const app_progress *p)
{
    const uint64_t done = p->done;
    const double elapsed = (double)(g_get_monotonic_time() - p->began) / 1e6;
    char spent[32];
    char left[32] = "?";
    format_seconds(spent, sizeof spent, elapsed);
    const double share = share_done(p);
    if (share > 0) {
        format_seconds(left, sizeof left, elapsed * (1 - share) / share);
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
                "ripple %s: %s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                " done, %.0f %% of the work, after %s, %s left\n",
                p->verb, p->what, done, p->total, 100 * share, spent, left);
        return;
    }
    const unsigned filled = (unsigned)(BAR_WIDTH * share);
    char bar[BAR_WIDTH + 1] = {0};
    for (unsigned i = 0; i < BAR_WIDTH; i++) {
        bar[i] = i < filled ? '#' : '.';
    }
    fprintf(stderr, "\r%s [%s] %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT " %s, %s left\033[K",
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

app_progress *app_progress_new(const char *verb, const char *what, uint64_t total, bool quiet)
{
    app_progress *p = g_new0(app_progress, 1);
    p->verb = g_strdup(verb);
    p->what = g_strdup(what);
    p->total = total;
    p->terminal = isatty(STDERR_FILENO) != 0;
    p->began = g_get_monotonic_time();
    g_mutex_init(&p->mutex);
    g_cond_init(&p->cond);
    if (!quiet) {
        p->thread = g_thread_new("progress", watch, p);
    }
    return p;
}

void app_progress_weigh(app_progress *p, double weight, double total_work)
{
    g_mutex_lock(&p->mutex);
    p->weight = weight;
    p->total_work = total_work;
    g_mutex_unlock(&p->mutex);
}

void app_progress_reach(app_progress *p, double *own, double share)
{
    g_mutex_lock(&p->mutex);
    p->under_way += share - *own;
    g_mutex_unlock(&p->mutex);
    *own = share;
}

void app_progress_advance(app_progress *p, uint64_t n, double *own)
{
    g_mutex_lock(&p->mutex);
    p->done += n;
    if (own != NULL) {
        p->under_way -= *own;
        *own = 0;
    }
    p->work += p->weight * (double)n;
    g_mutex_unlock(&p->mutex);
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
