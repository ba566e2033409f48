/* apps/ripple/calibration/samples.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibration. */
#include "calibration/samples.h"

#include "output/error.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char HEAD[] = "# ripple-calibrate 5";
static const char CALL[] = "call-";
static const char COLD_CALL[] = "cold-call-";
static const char *const NAMES[APP_NUM_SAMPLE_KINDS] = {
    [APP_SAMPLE_ROUND_TRIP] = "round-trip",
    [APP_SAMPLE_BURST] = "burst",
    [APP_SAMPLE_SPACED] = "spaced",
    [APP_SAMPLE_PAUSES] = "pauses",
    [APP_SAMPLE_RECEIVE] = "receive",
    [APP_SAMPLE_COLD_EXCHANGE] = "cold-exchange",
    [APP_SAMPLE_WALK] = "walk",
    [APP_SAMPLE_WALKED_EXCHANGE] = "walked-exchange",
    [APP_SAMPLE_WALKED_CALL] = "walked-call",
    [APP_SAMPLE_WAITS] = "waits",
    [APP_SAMPLE_UNPOSTED] = "unposted"};
enum { FIELDS = 5 };

void app_samples_free(app_samples *s)
{
    if (s != NULL) {
        g_free(s->mpi);
        g_free(s->begin);
        g_free(s->end);
        g_free(s->visits);
        g_free(s->samples);
        g_free(s);
    }
}

const app_sample *app_samples_find(const app_samples *s, app_sample_kind kind, int64_t bytes)
{
    for (size_t i = 0; i < s->num_samples; i++) {
        const app_sample *each = &s->samples[i];
        if (each->kind == kind && (bytes == 0 || each->bytes == bytes)) {
            return each;
        }
    }
    return NULL;
}

/* "# KEY=VALUE"; what is not known is skipped: a later calibrator may say more. */
static bool read_key(const char *line, app_samples *s)
{
    const char *equals = strchr(line, '=');
    if (equals == NULL) {
        return true;
    }
    g_autofree char *key = g_strndup(line + 2, (gsize)(equals - line - 2));
    const char *value = equals + 1;
    char **const texts[] = {&s->mpi, &s->begin, &s->end};
    static const char *const text_keys[] = {"mpi", "begin", "end"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        if (g_str_equal(key, text_keys[i])) {
            g_free(*texts[i]);
            *texts[i] = g_strdup(value);
            return true;
        }
    }
    guint64 number = 0;
    static const char *const keys[] = {"clock", "burst", "spaced", NULL};
    if (!g_strv_contains(keys, key)) {
        return true;
    }
    if (!g_ascii_string_to_unsigned(value, 10, 0, 1000000000, &number, NULL)) {
        return false;
    }
    s->clock = g_str_equal(key, keys[0]) ? (double)number / 1000 : s->clock;
    s->burst = g_str_equal(key, keys[1]) ? (int)number : s->burst;
    s->spaced = g_str_equal(key, keys[2]) ? (int)number : s->spaced;
    return true;
}

/* @return APP_NUM_SAMPLE_KINDS: there is no such kind */
static size_t kind_of(const char *name)
{
    const bool is_cold = g_str_has_prefix(name, COLD_CALL);
    const char *call = is_cold                        ? name + strlen(COLD_CALL)
                       : g_str_has_prefix(name, CALL) ? name + strlen(CALL)
                                                      : NULL;
    for (int i = 0; call != NULL && i < SIM_NUM_CALLS; i++) {
        if (g_str_equal(call, sim_call_name((sim_call)i))) {
            return (size_t)(is_cold ? APP_SAMPLE_COLD_CALL : APP_SAMPLE_CALL) + (size_t)i;
        }
    }
    size_t kind = 0;
    while (kind < APP_NUM_SAMPLE_KINDS && g_strcmp0(name, NAMES[kind]) != 0) {
        kind++;
    }
    return kind;
}

/* SWEEP KIND BYTES PS PACE */
static bool read_line(const char *line, app_visit *out)
{
    g_auto(GStrv) field = g_strsplit(line, " ", FIELDS + 1);
    if (g_strv_length(field) != FIELDS) {
        return false;
    }
    const size_t kind = kind_of(field[1]);
    guint64 n[FIELDS] = {0};
    for (size_t i = 0; i < FIELDS; i++) {
        if (i != 1 && !g_ascii_string_to_unsigned(field[i], 10, 0, INT64_MAX, &n[i], NULL)) {
            return false;
        }
    }
    *out =
        (app_visit){(app_sample_kind)kind, (int64_t)n[2], (double)n[3] / 1000, (double)n[4] / 1000};
    return kind < APP_NUM_SAMPLE_KINDS;
}

static int by_cell_and_time(const void *pa, const void *pb)
{
    const app_visit *a = pa;
    const app_visit *b = pb;
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    if (a->bytes != b->bytes) {
        return a->bytes < b->bytes ? -1 : 1;
    }
    return (a->time > b->time) - (a->time < b->time);
}

bool app_sample_is_of_walk(app_sample_kind kind)
{
    return kind >= APP_SAMPLE_WALK && kind <= APP_SAMPLE_WALKED_CALL;
}

/* The times of the visits begin .. end that are kept, the shortest first, become one sample. */
static void add_sample(app_samples *s, size_t begin, size_t end, double pace, double *times)
{
    size_t n = 0;
    for (size_t i = begin; i < end; i++) {
        if (s->visits[i].pace <= pace || app_sample_is_of_walk(s->visits[i].kind)) {
            times[n++] = s->visits[i].time;
        }
    }
    if (n > 0) {
        s->samples[s->num_samples++] =
            (app_sample){s->visits[begin].kind, s->visits[begin].bytes, n,
                         gsl_stats_quantile_from_sorted_data(times, 1, n, 0.25),
                         gsl_stats_median_from_sorted_data(times, 1, n)};
    }
}

void app_samples_keep(app_samples *s, double pace)
{
    g_autofree double *times = g_new(double, s->num_visits + 1);
    const app_visit *visits = s->visits;
    s->num_samples = 0;
    for (size_t begin = 0, end = 0; begin < s->num_visits; begin = end) {
        while (end < s->num_visits && visits[end].kind == visits[begin].kind &&
               visits[end].bytes == visits[begin].bytes) {
            end++;
        }
        add_sample(s, begin, end, pace, times);
    }
}

static bool is_whole(const app_samples *s)
{
    return s->mpi != NULL && s->begin != NULL && s->end != NULL && s->burst > 1 && s->spaced > 1;
}

app_samples *app_samples_read(const char *path, GError **error)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, error)) {
        return NULL;
    }
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(app_samples) s = g_new0(app_samples, 1);
    s->visits = g_new(app_visit, g_strv_length(lines) + 1);
    s->samples = g_new(app_sample, g_strv_length(lines) + 1);
    bool ok = lines[0] != NULL && g_str_equal(lines[0], HEAD);
    size_t i = 0;
    for (; ok && lines[i] != NULL; i++) {
        if (lines[i][0] == '#') {
            ok = read_key(lines[i], s);
        } else if (lines[i][0] != '\0') {
            ok = read_line(lines[i], &s->visits[s->num_visits++]);
        }
    }
    if (!ok) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s:%zu: not a line of a calibration: '%s'",
                    path, MAX(i, 1), lines[0] != NULL ? lines[MAX(i, 1) - 1] : "");
        return NULL;
    }
    if (!is_whole(s)) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: the calibration ends before its end",
                    path);
        return NULL;
    }
    qsort(s->visits, s->num_visits, sizeof *s->visits, by_cell_and_time);
    app_samples_keep(s, INFINITY);
    return g_steal_pointer(&s);
}
