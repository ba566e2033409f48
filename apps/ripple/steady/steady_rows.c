/* apps/ripple/steady/steady_rows.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "steady/steady_rows.h"

static app_series *row_at(const GArray *series, guint i)
{
    return &g_array_index(series, app_series, i);
}

bool app_steady_row_is_settled(const app_series *series)
{
    return !series->steady.check && series->steady.state == APP_STEADY_REACHED;
}

const app_series *app_steady_rows_find(const GArray *series, uint32_t ranks, app_mode mode)
{
    for (guint i = 0; i < series->len; i++) {
        if (row_at(series, i)->ranks == ranks && row_at(series, i)->mode == mode) {
            return row_at(series, i);
        }
    }
    return NULL;
}

app_series *app_steady_rows_find_cosched(GArray *series)
{
    for (guint i = 0; i < series->len; i++) {
        app_series *s = row_at(series, i);
        if (s->mode == APP_COSCHEDULED && !s->steady.check) {
            return s;
        }
    }
    return NULL;
}

/* The size that is shown though it has not settled; 0: none has to be. */
static uint32_t last_resort(const GArray *series)
{
    uint32_t smallest = 0;
    for (guint i = 0; i < series->len; i++) {
        const app_series *s = row_at(series, i);
        if (s->mode != APP_UNSYNCHRONIZED) {
            continue;
        }
        if (app_steady_row_is_settled(s)) {
            return 0;
        }
        smallest = smallest == 0 ? s->ranks : MIN(smallest, s->ranks);
    }
    return smallest;
}

static void drop(GArray *series, guint i)
{
    app_series_clear(row_at(series, i));
    g_array_remove_index(series, i);
}

void app_steady_rows_keep_settled(GArray *series)
{
    const uint32_t resort = last_resort(series);
    for (guint i = series->len; i-- > 0;) {
        const app_series *s = row_at(series, i);
        const bool is_resort = s->mode == APP_UNSYNCHRONIZED && s->ranks == resort;
        if (s->mode != APP_IDEAL && !is_resort && !app_steady_row_is_settled(s)) {
            drop(series, i);
        }
    }
    for (guint i = series->len; i-- > 0;) {
        const app_series *s = row_at(series, i);
        if (s->mode == APP_IDEAL &&
            app_steady_rows_find(series, s->ranks, APP_UNSYNCHRONIZED) == NULL &&
            app_steady_rows_find(series, s->ranks, APP_COSCHEDULED) == NULL) {
            drop(series, i);
        }
    }
}

static int by_size_and_mode(const void *a, const void *b)
{
    const app_series *x = a;
    const app_series *y = b;
    const int by_size = (x->ranks > y->ranks) - (x->ranks < y->ranks);
    return by_size != 0 ? by_size : (int)x->mode - (int)y->mode;
}

app_results *app_steady_rows_take(GArray *series)
{
    app_results *results = g_new0(app_results, 1);
    results->noisy = true;
    results->num_series = series->len;
    results->series = g_memdup2(series->data, series->len * sizeof(app_series));
    g_array_set_size(series, 0);
    qsort(results->series, results->num_series, sizeof *results->series, by_size_and_mode);
    return results;
}
