/* noise/activity/extrae.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/extrae.h"

#include "activity/paraver_private.h"
#include "noise/prv_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARK_LOW    91000000
#define MARK_HIGH   91000008
#define MOST_DRIFT  1e-3
#define MOST_LENGTH 2.6e15 /* ns: a month */
#define LEAST_RANGE 1e9    /* ns between marks from which a rate can be told */

/* What a node's clock showed at an instant of the trace. */
typedef struct mark {
    uint32_t node; /* from 0 */
    uint64_t time; /* ns */
    uint64_t clock;
} mark;

struct noise_extrae {
    char *name;
    prv_file *file;
    GArray *marks;
};

/* Both halves may be in one record, or the high one in the task's next. */
static void find_marks(noise_extrae *e)
{
    g_autofree uint64_t *low = g_new(uint64_t, e->file->tasks->len + 1);
    memset(low, 0xff, e->file->tasks->len * sizeof *low); /* UINT64_MAX: none is open */
    for (size_t i = 0; i < e->file->lines->len; i++) {
        const uint64_t *v = prv_numbers(e->file, i);
        const uint32_t n = g_array_index(e->file->lines, prv_line, i).n;
        if (v[0] != PRV_EVENT) {
            continue;
        }
        const prv_task *task = noise_prv_file_task(e->file, v[PRV_APPLICATION], v[PRV_TASK]);
        uint64_t *open = &low[task - (const prv_task *)(void *)e->file->tasks->data];
        for (uint32_t k = 6; k + 1 < n; k += 2) {
            if (v[k] == MARK_LOW) {
                *open = v[k + 1] & UINT32_MAX;
            } else if (v[k] == MARK_HIGH && *open != UINT64_MAX) {
                const mark m = {task->node - 1, v[PRV_TIME] * e->file->unit_ns,
                                v[k + 1] << 32 | *open};
                g_array_append_val(e->marks, m);
                *open = UINT64_MAX;
            }
        }
    }
}

noise_extrae *noise_extrae_parse(const char *name, GBytes *text, GError **error)
{
    gsize size = 0;
    const char *data = g_bytes_get_data(text, &size);
    prv_file *file = noise_prv_file_parse(name, data, size, error);
    if (file == NULL) {
        return NULL;
    }
    noise_extrae *e = g_new0(noise_extrae, 1);
    e->name = g_strdup(name);
    e->file = file;
    e->marks = g_array_new(FALSE, FALSE, sizeof(mark));
    find_marks(e);
    return e;
}

void noise_extrae_free(noise_extrae *e)
{
    if (e != NULL) {
        g_free(e->name);
        noise_prv_file_free(e->file);
        g_array_unref(e->marks);
        g_free(e);
    }
}

/* ---- Time ---- */

static bool refuse(const noise_extrae *e, const char *what, GError **error)
{
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE, "%s: %s", e->name, what);
    return false;
}

static uint32_t cpus_of(const noise_timeline *line, uint32_t node)
{
    uint32_t n = 0;
    for (size_t c = 0; c < line->num_cpus; c++) {
        n += line->node[c] == node;
    }
    return n;
}

static bool check_nodes(const noise_extrae *e, const noise_activity_trace *trace, GError **error)
{
    if (e->file->cpus->len != trace->activity->nit->num_nodes) {
        g_set_error(
            error, NOISE_ERROR, NOISE_ERROR_BAD_FILE,
            "%s:1: %u nodes, but %zu were watched: the same ones in the same order are needed",
            e->name, e->file->cpus->len, trace->activity->nit->num_nodes);
        return false;
    }
    for (uint32_t n = 0; n < e->file->cpus->len; n++) {
        const uint32_t cpus = g_array_index(e->file->cpus, uint32_t, n);
        if (cpus > cpus_of(trace->timeline, n)) {
            g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE,
                        "%s:1: node %u has %u CPUs, of which %u were watched", e->name, n + 1, cpus,
                        cpus_of(trace->timeline, n));
            return false;
        }
    }
    return true;
}

bool noise_extrae_fit_marks(const noise_extrae *e, const noise_activity_trace *trace,
                            uint64_t (*to_common)(const void *data, uint32_t node, uint64_t when),
                            const void *data, noise_extrae_fit *out, GError **error)
{
    const guint n = e->marks->len;
    if (!check_nodes(e, trace, error)) {
        return false;
    }
    if (n == 0) {
        return refuse(e, "no marks of the clock: it was not recorded with libripple-marker.so",
                      error);
    }
    const mark *m = (const mark *)(void *)e->marks->data;
    g_autofree double *x = g_new(double, n);
    g_autofree double *y = g_new(double, n); /* of the difference: small beside the times */
    int64_t first = 0;
    double sx = 0;
    double sy = 0;
    double range = 0;
    for (guint i = 0; i < n; i++) {
        const uint64_t when =
            to_common != NULL ? to_common(data, m[i].node, m[i].clock) : m[i].clock;
        const int64_t off = (int64_t)(when - trace->origin - m[i].time);
        first = i == 0 ? off : first;
        x[i] = (double)m[i].time;
        y[i] = (double)(int64_t)((uint64_t)off - (uint64_t)first);
        sx += x[i] / n;
        sy += y[i] / n;
        range = fmax(range, fabs(x[i] - x[0]));
    }
    double xx = 0;
    double xy = 0;
    for (guint i = 0; i < n; i++) {
        xx += (x[i] - sx) * (x[i] - sx);
        xy += (x[i] - sx) * (y[i] - sy);
    }
    const double rate = range >= LEAST_RANGE ? xy / xx : 0;
    if (!(fabs(rate) <= MOST_DRIFT)) {
        return refuse(e, "its clock and the nodes' run more than 1000 ppm apart", error);
    }
    noise_extrae_fit fit = {.scale = 1 + rate, .marks = n};
    const double at_zero = rint(sy - rate * sx);
    fit.offset_ns = (int64_t)((uint64_t)first + (uint64_t)(int64_t)at_zero);
    for (guint i = 0; i < n; i++) {
        fit.most_error_ns = fmax(fit.most_error_ns, fabs(y[i] - at_zero - rate * x[i]));
    }
    const double begin = (double)fit.offset_ns;
    const double end = begin + fit.scale * (double)(e->file->duration * e->file->unit_ns);
    if (begin > (double)trace->duration || end < 0 || end - begin > MOST_LENGTH) {
        return refuse(e, "its marks are of another time than the watch", error);
    }
    *out = fit;
    return true;
}

static uint64_t moved(const noise_extrae *e, const noise_extrae_fit *fit, uint64_t time)
{
    const uint64_t ns = time * e->file->unit_ns;
    const int64_t when =
        (int64_t)ns + fit->offset_ns + (int64_t)rint((fit->scale - 1) * (double)ns);
    return when > 0 ? (uint64_t)when : 0;
}

/* ---- Both as one ---- */

typedef struct entry {
    uint64_t time;
    uint32_t order; /* as in what is written of a watch: ends, states, all else */
    bool is_system;
    size_t line;
} entry;

static int by_time(const void *a, const void *b)
{
    const entry *x = a;
    const entry *y = b;
    if (x->time != y->time) {
        return x->time < y->time ? -1 : 1;
    }
    if (x->order != y->order) {
        return x->order < y->order ? -1 : 1;
    }
    if (x->is_system != y->is_system) {
        return x->is_system ? 1 : -1;
    }
    return (x->line > y->line) - (x->line < y->line);
}

/* The system alone, as it would be written, over all of the time. */
static prv_file *system_new(const noise_activity_trace *trace, uint64_t duration)
{
    noise_activity_trace alone = *trace;
    alone.num_ranks = 0;
    alone.duration = duration;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    noise_paraver_write_prv(&alone, out);
    fclose(out);
    prv_file *file = noise_prv_file_parse("system", text, size, NULL);
    free(text); /* NOLINT: open_memstream() allocates it */
    return file;
}

/* The CPU that it calls so, among those that were watched. */
static uint64_t cpu_of(const prv_file *app, const prv_file *system, uint64_t cpu)
{
    uint64_t first = 1;
    uint64_t first_watched = 1;
    for (guint n = 0; cpu > 0 && n < app->cpus->len; n++) {
        const uint32_t cpus = g_array_index(app->cpus, uint32_t, n);
        if (cpu < first + cpus) {
            return first_watched + (cpu - first);
        }
        first += cpus;
        first_watched += g_array_index(system->cpus, uint32_t, n);
    }
    return 0;
}

static void print_line(const prv_file *file, size_t line, FILE *out)
{
    const uint64_t *v = prv_numbers(file, line);
    const uint32_t n = g_array_index(file->lines, prv_line, line).n;
    for (uint32_t k = 0; k < n; k++) {
        fprintf(out, "%s%" PRIu64, k > 0 ? ":" : "", v[k]);
    }
    fputc('\n', out);
}

/* Its records with their times and CPUs as the common trace has them. @return the last instant */
static GArray *move_lines(const noise_extrae *e, const noise_extrae_fit *fit,
                          const prv_file *system, GArray *entries)
{
    GArray *numbers = g_array_sized_new(FALSE, FALSE, sizeof(uint64_t), e->file->numbers->len);
    g_array_append_vals(numbers, e->file->numbers->data, e->file->numbers->len);
    for (size_t i = 0; i < e->file->lines->len; i++) {
        uint64_t *v =
            &g_array_index(numbers, uint64_t, g_array_index(e->file->lines, prv_line, i).first);
        v[PRV_TIME] = moved(e, fit, v[PRV_TIME]);
        v[PRV_CPU] = cpu_of(e->file, system, v[PRV_CPU]);
        if (v[0] != PRV_EVENT) {
            v[PRV_END] = moved(e, fit, v[PRV_END]);
        }
        if (v[0] == PRV_MESSAGE) {
            v[PRV_RECEIVER] = cpu_of(e->file, system, v[PRV_RECEIVER]);
            v[11] = moved(e, fit, v[11]);
            v[12] = moved(e, fit, v[12]);
        }
        if (v[0] == PRV_STATE && v[PRV_TIME] >= v[PRV_END]) {
            continue; /* it ended before the watch began */
        }
        const entry one = {v[PRV_TIME], v[0] == PRV_STATE ? 1 : 2, false, i};
        g_array_append_val(entries, one);
    }
    return numbers;
}

static uint64_t find_end(const noise_extrae *e, const noise_extrae_fit *fit,
                         const noise_activity_trace *trace)
{
    uint64_t end = MAX(trace->duration, moved(e, fit, e->file->duration));
    for (size_t i = 0; i < e->file->lines->len; i++) {
        const uint64_t *v = prv_numbers(e->file, i);
        end = MAX(end, moved(e, fit, v[PRV_TIME]));
        end = v[0] == PRV_EVENT ? end : MAX(end, moved(e, fit, v[PRV_END]));
        end = v[0] == PRV_MESSAGE ? MAX(end, moved(e, fit, MAX(v[11], v[12]))) : end;
    }
    return end;
}

void noise_extrae_write_prv(const noise_extrae *e, const noise_extrae_fit *fit,
                            const noise_activity_trace *trace, FILE *out)
{
    const uint64_t duration = find_end(e, fit, trace);
    g_autoptr(prv_file) system = system_new(trace, duration);
    g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(entry));
    prv_file common = *e->file; /* with numbers of its own */
    common.numbers = move_lines(e, fit, system, entries);
    for (size_t i = 0; i < system->lines->len; i++) {
        uint64_t *v = prv_numbers(system, i);
        v[PRV_APPLICATION] = e->file->applications + 1;
        const bool ends = v[0] == PRV_EVENT && v[6] == PARAVER_ACTIVITY && v[7] == 0;
        const entry one = {v[PRV_TIME], ends ? 0 : v[0] == PRV_STATE ? 1 : 2, true, i};
        g_array_append_val(entries, one);
    }
    g_array_sort(entries, by_time);
    fprintf(out, "#Paraver (%s):%" PRIu64 "_ns:%u(", e->file->date, duration, system->cpus->len);
    for (guint n = 0; n < system->cpus->len; n++) {
        fprintf(out, "%s%u", n > 0 ? "," : "", g_array_index(system->cpus, uint32_t, n));
    }
    fprintf(out, "):%u:%s:%s\n%s", e->file->applications + 1, e->file->lists, system->lists,
            e->file->communicators->str);
    for (guint i = 0; i < entries->len; i++) {
        const entry *one = &g_array_index(entries, entry, i);
        print_line(one->is_system ? system : &common, one->line, out);
    }
    g_array_unref(common.numbers);
}

/* ---- Names ---- */

/* The lines of a section that ours does not have. */
static void add_section(GString *ours, const char *title, const char *pcf)
{
    g_autofree char *head = g_strdup_printf("\n%s\n", title);
    const char *theirs = strstr(pcf, head);
    const char *known = strstr(ours->str, head);
    if (theirs == NULL || known == NULL) {
        return;
    }
    const gssize at = known - ours->str + (gssize)strlen(head);
    g_auto(GStrv) lines = g_strsplit(theirs + strlen(head), "\n", -1);
    g_autoptr(GString) more = g_string_new(NULL);
    for (size_t i = 0; lines[i] != NULL && g_ascii_isdigit(lines[i][0]); i++) {
        const uint64_t state = g_ascii_strtoull(lines[i], NULL, 10);
        g_autofree char *begin = g_strdup_printf("\n%" PRIu64 "    ", state);
        if (state < NOISE_PARAVER_FIRST_STATE - 1 && strstr(known, begin) == NULL) {
            g_string_append_printf(more, "%s\n", lines[i]);
        }
    }
    g_string_insert(ours, at, more->str);
}

/* Our states, and theirs that we do not have; our kinds of events, then theirs. */
void noise_extrae_write_pcf(const noise_activity_trace *trace, const char *pcf, FILE *out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *own = open_memstream(&text, &size);
    noise_paraver_write_pcf(trace, own);
    fclose(own);
    g_autoptr(GString) ours = g_string_new(text);
    free(text); /* NOLINT: open_memstream() allocates it */
    const char *events = NULL;
    if (pcf != NULL) {
        add_section(ours, "STATES_COLOR", pcf);
        add_section(ours, "STATES", pcf);
        events = strstr(pcf, "EVENT_TYPE");
    }
    fputs(ours->str, out);
    fprintf(out,
            "\n\nEVENT_TYPE\n7    %d    Clock of the node, low half, ns\n7    %d    Clock of the "
            "node, high half\n",
            MARK_LOW, MARK_HIGH);
    if (events != NULL) {
        fprintf(out, "\n\n%s", events);
    }
}

void noise_extrae_write_row(const noise_extrae *e, const noise_activity_trace *trace, FILE *out)
{
    noise_activity_trace alone = *trace;
    alone.num_ranks = 0;
    char *text = NULL;
    size_t size = 0;
    FILE *rows = open_memstream(&text, &size);
    noise_paraver_write_row(&alone, rows);
    fclose(rows);
    static const char LEVEL[] = "LEVEL THREAD SIZE ";
    const char *level = strstr(text, LEVEL);
    const char *names = strchr(level, '\n') + 1;
    uint64_t threads = trace->timeline->num_cpus;
    for (guint i = 0; i < e->file->tasks->len; i++) {
        threads += g_array_index(e->file->tasks, prv_task, i).threads;
    }
    fprintf(out, "%.*s%s%" PRIu64 "\n", (int)(level - text), text, LEVEL, threads);
    for (guint i = 0; i < e->file->tasks->len; i++) {
        const prv_task *task = &g_array_index(e->file->tasks, prv_task, i);
        for (uint32_t k = 1; k <= task->threads; k++) {
            fprintf(out, "THREAD %u.%u.%u\n", task->application, task->task, k);
        }
    }
    fputs(names, out);
    free(text); /* NOLINT: open_memstream() allocates it */
}
