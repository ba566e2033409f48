/* noise/files/reader.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_detour_file. */
#include "files/reader.h"

#include "files/fold.h"
#include "files/header.h"
#include "sim/unit.h"

#include <string.h>

/* The period that Netgauge prints has two decimals of a second. */
static const sim_time PERIOD_ROUNDING = 5 * SIM_MS;

noise_reader *noise_reader_new(const char *name, GError **error)
{
    noise_reader *r = g_new0(noise_reader, 1);
    r->name = name;
    r->error = error;
    r->runs = g_array_new(FALSE, FALSE, sizeof(noise_detour_run));
    r->ends = g_array_new(FALSE, FALSE, sizeof(noise_run_end));
    r->start = g_array_new(FALSE, FALSE, sizeof(sim_time));
    r->length = g_array_new(FALSE, FALSE, sizeof(sim_time));
    r->source = g_array_new(FALSE, FALSE, sizeof(uint16_t));
    r->sources = g_array_new(FALSE, FALSE, sizeof(noise_detour_source));
    r->indices = g_hash_table_new(g_str_hash, g_str_equal); /* names belong to the sources */
    r->node = UINT32_MAX;
    r->cpu = UINT32_MAX;
    return r;
}

/* All but what noise_reader_file() has taken. */
void noise_reader_free(noise_reader *r)
{
    noise_detour_file rest = {
        .num_runs = r->runs != NULL ? r->runs->len : 0,
        .runs = r->runs != NULL ? (noise_detour_run *)(void *)g_array_free(r->runs, FALSE) : NULL,
        .num_sources = r->sources != NULL ? r->sources->len : 0,
        .sources = r->sources != NULL
                       ? (noise_detour_source *)(void *)g_array_free(r->sources, FALSE)
                       : NULL,
        .method = r->method,
        .json = r->json,
        .system = r->system,
        .host = r->host,
        .release = r->release,
        .note = r->note,
    };
    noise_detour_file *file = g_memdup2(&rest, sizeof rest);
    noise_detour_file_free(file);
    g_array_unref(r->ends);
    g_array_unref(r->start);
    g_array_unref(r->length);
    g_array_unref(r->source);
    g_hash_table_unref(r->indices);
    if (r->state != NULL && r->clear != NULL) {
        r->clear(r->state);
    }
    g_free(r->state);
    g_free(r);
}

bool noise_reader_fail(const noise_reader *r, noise_error code, size_t line, const char *format,
                       ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    g_autofree char *readable = g_utf8_make_valid(what, -1);
    g_set_error(r->error, NOISE_ERROR, (int)code, "%s:%zu: %s", r->name, line, readable);
    return false;
}

const char *noise_reader_field(const char *text, char out[NOISE_FILE_FIELD])
{
    const size_t len = MIN(strcspn(text, " \t\r"), NOISE_FILE_FIELD - 1);
    memcpy(out, text, len);
    out[len] = '\0';
    return out;
}

bool noise_reader_refuse(const noise_reader *r, const char *before, const char *text,
                         const char *after)
{
    char shown[NOISE_FILE_FIELD];
    return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line, "%s'%s'%s", before,
                             noise_reader_field(text, shown), after);
}

uint32_t noise_reader_source(noise_reader *r, const char *name, const char *kind,
                             const char *evidence)
{
    g_autofree char *valid = g_utf8_make_valid(name, -1);
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(r->indices, valid));
    if (known > 0) {
        return known - 1;
    }
    if (r->sources->len >= UINT16_MAX - 1) {
        return r->sources->len - 1;
    }
    const noise_detour_source source = {g_steal_pointer(&valid), g_utf8_make_valid(kind, -1),
                                        evidence != NULL ? g_utf8_make_valid(evidence, -1) : NULL};
    g_array_append_val(r->sources, source);
    g_hash_table_insert(r->indices, source.name, GUINT_TO_POINTER(r->sources->len));
    return r->sources->len - 1;
}

static sim_time last_of(const GArray *a)
{
    return a->len > 0 ? g_array_index(a, sim_time, a->len - 1) : 0;
}

void noise_reader_end_run(noise_reader *r, sim_time stated)
{
    if (r->start->len == 0 && stated < 0) {
        return; /* a header follows another */
    }
    noise_detour_run run = {.n = r->start->len, .node = r->node, .cpu = r->cpu};
    run.source = r->source->len > 0 ? g_array_steal(r->source, NULL) : NULL;
    run.start = g_array_steal(r->start, NULL);
    run.length = g_array_steal(r->length, NULL);
    const noise_run_end end = {stated, r->end, r->line};
    g_array_append_val(r->runs, run);
    g_array_append_val(r->ends, end);
    r->end = 0;
    r->node = UINT32_MAX;
    r->cpu = UINT32_MAX;
}

bool noise_reader_add(noise_reader *r, sim_time start, sim_time length, uint32_t source,
                      const char *text)
{
    char shown[NOISE_FILE_FIELD];
    noise_reader_field(text, shown);
    if (length > SIM_TIME_MAX - start) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_DETOUR, r->line,
                                 "the detour at '%s' ends beyond 26 days", shown);
    }
    if (r->start->len > 0 && start < last_of(r->start)) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_DETOUR, r->line,
                                 "the detour at '%s' is out of order: the one before starts later",
                                 shown);
    }
    if (start < r->end) {
        const sim_time cut = r->end - start;
        if (cut > NOISE_FILE_ROUNDING || cut >= length) {
            g_autofree char *end = sim_unit_format_ns(r->end);
            return noise_reader_fail(
                r, NOISE_ERROR_BAD_DETOUR, r->line,
                "the detour at '%s' overlaps the one before, which ends at %s ns", shown, end);
        }
        start += cut;
        length -= cut;
    }
    g_array_append_val(r->start, start);
    g_array_append_val(r->length, length);
    if (source != NOISE_NO_SOURCE) {
        const uint16_t index = (uint16_t)source;
        g_array_append_val(r->source, index);
    }
    r->end = start + length;
    return true;
}

static bool settle_period(noise_reader *r, const noise_run_end *end, noise_detour_run *run)
{
    const sim_time stated = end->stated >= 0 ? end->stated : run->period;
    if (stated >= 0 && stated < end->last - PERIOD_ROUNDING) {
        g_autofree char *period = sim_unit_format_time(stated);
        g_autofree char *last = sim_unit_format_time(end->last);
        return noise_reader_fail(
            r, NOISE_ERROR_BAD_FILE, end->line,
            "the measurement period '%s' ends before the last detour does, at %s", period, last);
    }
    run->period = MAX(stated, end->last);
    return run->period >= 1 ||
           noise_reader_fail(r, NOISE_ERROR_BAD_FILE, end->line, "the measurement period is '0'");
}

/* The header knows of runs what their own lines do not say. */
static bool settle_runs(noise_reader *r)
{
    noise_header header;
    if (!noise_header_parse(r->json, &header, NULL)) {
        return false; /* it was read before */
    }
    bool ok = true;
    for (guint i = 0; ok && i < r->runs->len; i++) {
        noise_detour_run *run = &g_array_index(r->runs, noise_detour_run, i);
        const noise_header_cpu cpu = noise_header_cpu_of(&header, i);
        run->period = cpu.duration;
        run->node = run->node == UINT32_MAX ? cpu.node : run->node;
        run->cpu = run->cpu == UINT32_MAX ? cpu.cpu : run->cpu;
        ok = settle_period(r, &g_array_index(r->ends, noise_run_end, i), run);
    }
    noise_header_clear(&header);
    return ok;
}

void noise_reader_method(noise_reader *r, const char *method)
{
    r->method = r->method != NULL ? r->method : g_strdup(method);
}

void noise_reader_note(noise_reader *r, const char *note)
{
    r->note = r->note != NULL ? r->note : g_strdup(note);
}

/* A header may name sources that samples do not tell apart. */
static bool is_divided(const noise_reader *r)
{
    bool divided = r->sources->len > 0;
    for (guint i = 0; i < r->runs->len; i++) {
        const noise_detour_run *run = &g_array_index(r->runs, noise_detour_run, i);
        divided = divided && (run->n == 0 || run->source != NULL);
    }
    return divided;
}

noise_detour_file *noise_reader_file(noise_reader *r)
{
    noise_reader_end_run(r, -1);
    if (r->runs->len == 0) {
        noise_reader_fail(r, NOISE_ERROR_BAD_FILE, MAX(r->line, 1),
                          "there is no detour in this file");
        return NULL;
    }
    if (!settle_runs(r)) {
        return NULL;
    }
    noise_detour_file *file = g_new0(noise_detour_file, 1);
    const bool divided = is_divided(r);
    file->num_runs = r->runs->len;
    file->runs = (noise_detour_run *)(void *)g_array_free(g_steal_pointer(&r->runs), FALSE);
    if (divided) {
        file->num_sources = r->sources->len;
        file->sources =
            (noise_detour_source *)(void *)g_array_free(g_steal_pointer(&r->sources), FALSE);
    }
    file->method = g_steal_pointer(&r->method);
    file->json = g_steal_pointer(&r->json);
    file->system = g_steal_pointer(&r->system);
    file->host = g_steal_pointer(&r->host);
    file->release = g_steal_pointer(&r->release);
    file->note = g_steal_pointer(&r->note);
    noise_detour_file_fold(file, NOISE_DETOUR_MOST_SOURCES);
    return file;
}
