/* apps/ripple/calibration/samples.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibration. */
#include "calibration/samples.h"

#include "output/error.h"

#include <string.h>

static const char HEAD[] = "# ripple-calibrate 1";
static const char *const NAMES[APP_NUM_SAMPLE_KINDS] = {"round-trip", "burst", "spaced",
                                                        "receive",    "waits", "jump"};
enum { FIELDS = 7 };

void app_samples_free(app_samples *s)
{
    if (s != NULL) {
        g_free(s->mpi);
        g_free(s->begin);
        g_free(s->end);
        g_free(s->samples);
        g_free(s);
    }
}

const app_sample *app_samples_find(const app_samples *s, uint32_t round, app_sample_kind kind,
                                   int64_t bytes)
{
    for (size_t i = 0; i < s->num_samples; i++) {
        const app_sample *each = &s->samples[i];
        if (each->round == round && each->kind == kind && (bytes == 0 || each->bytes == bytes)) {
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
    static const char *const keys[] = {"rounds", "clock", "burst", "spaced"};
    if (!g_strv_contains((const char *const[]){keys[0], keys[1], keys[2], keys[3], NULL}, key)) {
        return true;
    }
    if (!g_ascii_string_to_unsigned(value, 10, 0, 1000000, &number, NULL)) {
        return false;
    }
    s->num_rounds = g_str_equal(key, keys[0]) ? (uint32_t)number : s->num_rounds;
    s->clock = g_str_equal(key, keys[1]) ? (double)number : s->clock;
    s->burst = g_str_equal(key, keys[2]) ? (int)number : s->burst;
    s->spaced = g_str_equal(key, keys[3]) ? (int)number : s->spaced;
    return true;
}

static bool read_sample(const char *line, app_sample *out)
{
    g_auto(GStrv) field = g_strsplit(line, " ", FIELDS + 1);
    if (g_strv_length(field) != FIELDS) {
        return false;
    }
    size_t kind = 0;
    while (kind < APP_NUM_SAMPLE_KINDS && !g_str_equal(field[1], NAMES[kind])) {
        kind++;
    }
    guint64 n[FIELDS] = {0};
    for (size_t i = 0; i < FIELDS; i++) {
        if (i != 1 && !g_ascii_string_to_unsigned(field[i], 10, 0, INT64_MAX, &n[i], NULL)) {
            return false;
        }
    }
    *out = (app_sample){(uint32_t)n[0], (app_sample_kind)kind, (int64_t)n[2], (double)n[5],
                        (double)n[6]};
    return kind < APP_NUM_SAMPLE_KINDS && n[0] <= UINT32_MAX;
}

static bool is_whole(const app_samples *s)
{
    return s->mpi != NULL && s->begin != NULL && s->end != NULL && s->num_rounds > 0 &&
           s->burst > 1 && s->spaced > 1;
}

app_samples *app_samples_read(const char *path, GError **error)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, error)) {
        return NULL;
    }
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(app_samples) s = g_new0(app_samples, 1);
    s->samples = g_new(app_sample, g_strv_length(lines));
    bool ok = lines[0] != NULL && g_str_equal(lines[0], HEAD);
    size_t i = 0;
    for (; ok && lines[i] != NULL; i++) {
        if (lines[i][0] == '#') {
            ok = read_key(lines[i], s);
        } else if (lines[i][0] != '\0') {
            ok = read_sample(lines[i], &s->samples[s->num_samples++]);
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
    return g_steal_pointer(&s);
}
