/* noise/files/formats/format_osnoise_trace.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_file_formats. */
/**
 * @file
 * Traces of the osnoise events of Linux, as the kernel, trace-cmd and `rtla osnoise -t` print them:
 *
 *   COMM-PID [CPU] FLAGS TIME: irq_noise: NAME:NUMBER start SECONDS.NS duration N ns
 *
 * Each event has its source. Durations are net: what interrupted a thread or an interrupt is an
 * event of its own. https://docs.kernel.org/trace/osnoise-tracer.html
 */
#include "files/decimal.h"
#include "files/format.h"
#include "files/head.h"

#include <stdlib.h>
#include <string.h>

/* A sample_threshold is a gap that the benchmark of the tracer has seen; with interferences it
 * holds events that are listed themselves. */
typedef struct event {
    uint32_t cpu;
    uint32_t source;
    sim_time start, length;
    size_t line;
    bool is_sample;
    bool is_alone; /* a sample without interferences */
} event;

typedef struct trace {
    GArray *events; /* of event */
    bool has_noise; /* events with a source, not samples alone */
} trace;

typedef struct form {
    const char *name; /* of the event */
    const char *prefix, *kind;
    bool has_name;
} form;

static const form FORMS[] = {
    {"nmi_noise: ", "NMI", "interrupt", false},
    {"irq_noise: ", "irq ", "interrupt", true},
    {"softirq_noise: ", "softirq ", "interrupt", true},
    {"thread_noise: ", "", "scheduler", true},
    {"sample_threshold: ", "hardware", "steal or firmware", false},
};

/* Which event a line is of; @p rest: what stands behind its name. NULL: another one. */
static const form *form_of(const char *line, const char **rest)
{
    for (size_t i = 0; i < G_N_ELEMENTS(FORMS); i++) {
        const char *at = strstr(line, FORMS[i].name);
        if (at != NULL && at > line && (at[-1] == ' ' || at[-1] == '\t')) {
            *rest = at + strlen(FORMS[i].name);
            return &FORMS[i];
        }
    }
    return NULL;
}

static bool probe(const char *head)
{
    if (noise_head_has_line(head, "# tracer: osnoise")) {
        return true;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(FORMS); i++) {
        const char *at = strstr(head, FORMS[i].name);
        if (at != NULL && strstr(at, "start ") != NULL) {
            return true;
        }
    }
    return false;
}

/* "[008]": the last one before the name of the event, as a thread may have brackets in its name. */
static bool read_cpu(const noise_reader *r, const char *line, const char *before, uint32_t *cpu)
{
    for (const char *at = before; at > line; at--) {
        if (*at == '[') {
            char *end;
            const guint64 number =
                g_ascii_isdigit(at[1]) ? g_ascii_strtoull(at + 1, &end, 10) : UINT64_MAX;
            if (number < UINT32_MAX && *end == ']') {
                *cpu = (uint32_t)number;
                return true;
            }
        }
    }
    return noise_reader_refuse(r, "", line, " begins a line without a CPU in brackets");
}

/* "start 5789.857529929 duration 1845 ns" */
static bool read_times(const noise_reader *r, const char *at, event *e, const char **end)
{
    static const char START[] = "start ";
    static const char DURATION[] = " duration ";
    const char *number = at + strlen(START);
    const char *behind = number;
    e->start = noise_decimal_parse(&behind, 12); /* s to ps */
    if (e->start < 0 || !g_str_has_prefix(behind, DURATION)) {
        return noise_reader_refuse(r, "the start ", number,
                                   " is not a time in s followed by a duration");
    }
    number = behind + strlen(DURATION);
    behind = number;
    e->length = noise_decimal_parse(&behind, 3);
    if (e->length < 0 || !g_str_has_prefix(behind, " ns")) {
        return noise_reader_refuse(r, "the duration ", number, " is not a time in ns");
    }
    *end = behind + strlen(" ns");
    return true;
}

/* "local_timer:236 ", of which the number says nothing. */
static uint32_t source_of(noise_reader *r, const form *f, const char *rest, const char *start)
{
    const char *end = start;
    while (end > rest && end[-1] == ' ') {
        end--;
    }
    const char *colon = g_strrstr_len(rest, end - rest, ":");
    rest += strspn(rest, " ");
    const size_t len = f->has_name && colon != NULL && colon > rest ? (size_t)(colon - rest) : 0;
    g_autofree char *own = g_strndup(rest, len);
    g_autofree char *name = g_strconcat(f->prefix, own, NULL);
    return noise_reader_source(r, *name != '\0' ? name : "not known", f->kind,
                               "named by the kernel's osnoise events");
}

static bool read_line(noise_reader *r, const char *line)
{
    trace *t = r->state;
    const char *rest;
    const form *f = *line != '#' ? form_of(line, &rest) : NULL;
    if (f == NULL) {
        return true; /* other events; the sums of a period */
    }
    event e = {.line = r->line};
    const char *start = strstr(rest, "start ");
    const char *end = line;
    if (start == NULL) {
        return noise_reader_refuse(r, "", rest, " is not followed by a start");
    }
    if (!read_cpu(r, line, rest, &e.cpu) || !read_times(r, start, &e, &end)) {
        return false;
    }
    e.is_sample = f == &FORMS[G_N_ELEMENTS(FORMS) - 1];
    const char *interferences = strstr(end, "interference");
    const char *digit = interferences != NULL ? strpbrk(interferences, "0123456789") : NULL;
    e.is_alone = e.is_sample && digit != NULL && g_ascii_strtoull(digit, NULL, 10) == 0;
    t->has_noise = t->has_noise || !e.is_sample;
    e.source = e.is_sample && !e.is_alone ? NOISE_NO_SOURCE : source_of(r, f, rest, start);
    if (t->events == NULL) {
        t->events = g_array_new(FALSE, FALSE, sizeof(event));
    }
    if (e.length > 0) {
        g_array_append_val(t->events, e);
    }
    return true;
}

static int by_cpu(const void *pa, const void *pb)
{
    const event *a = pa;
    const event *b = pb;
    if (a->cpu != b->cpu) {
        return a->cpu < b->cpu ? -1 : 1;
    }
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    return (a->line > b->line) - (a->line < b->line);
}

/* Net durations: one behind the other, what is nested takes the time that it really took in all. */
static bool lay_out(noise_reader *r, const event *e, size_t n, sim_time begin, sim_time end)
{
    sim_time now = 0;
    for (size_t i = 0; i < n; i++) {
        char shown[NOISE_FILE_FIELD];
        r->line = e[i].line;
        now = MAX(now, e[i].start - begin);
        g_snprintf(shown, sizeof shown, "%" G_GINT64_FORMAT "s", e[i].start / SIM_S);
        if (!noise_reader_add(r, now, e[i].length, e[i].source, shown)) {
            return false;
        }
        now += e[i].length;
    }
    r->cpu = e[0].cpu;
    noise_reader_end_run(r, MAX(end - begin, now));
    return true;
}

/* Samples that hold others are left out; all there is, without a source, if there is nothing else.
 */
static void choose(noise_reader *r, trace *t)
{
    guint n = 0;
    for (guint i = 0; i < t->events->len; i++) {
        event *e = &g_array_index(t->events, event, i);
        if (!e->is_sample || e->is_alone || !t->has_noise) {
            if (e->source == NOISE_NO_SOURCE) {
                e->source = noise_reader_source(r, "interferences", "not known",
                                                "the trace has sample_threshold events only");
            }
            g_array_index(t->events, event, n++) = *e;
        }
    }
    g_array_set_size(t->events, n);
}

static bool finish(noise_reader *r)
{
    trace *t = r->state;
    if (t->events == NULL || t->events->len == 0) {
        return true; /* "there is no detour in this file" */
    }
    choose(r, t);
    qsort(t->events->data, t->events->len, sizeof(event), by_cpu);
    const event *e = (const event *)(const void *)t->events->data;
    sim_time begin = SIM_TIME_MAX;
    sim_time end = 0;
    for (guint i = 0; i < t->events->len; i++) {
        if (e[i].length > SIM_TIME_MAX - e[i].start) {
            r->line = e[i].line;
            return noise_reader_fail(r, NOISE_ERROR_BAD_DETOUR, r->line,
                                     "the detour ends beyond 26 days");
        }
        begin = MIN(begin, e[i].start);
        end = MAX(end, e[i].start + e[i].length);
    }
    noise_reader_method(r, "osnoise trace");
    noise_reader_note(r, "A trace of the kernel's osnoise events, from the first to the last of "
                         "them: what stands before and behind is not known.");
    bool ok = true;
    for (guint i = 0, n; ok && i < t->events->len; i += n) {
        for (n = 1; i + n < t->events->len && e[i + n].cpu == e[i].cpu;) {
            n++;
        }
        ok = lay_out(r, e + i, n, begin, end);
    }
    return ok;
}

static void clear(void *state)
{
    g_clear_pointer(&((trace *)state)->events, g_array_unref);
}

const noise_file_format noise_format_osnoise_trace = {
    .name = "osnoise trace",
    .probe = probe,
    .is_foreign = true,
    .line = read_line,
    .finish = finish,
    .state_size = sizeof(trace),
    .clear = clear,
};
