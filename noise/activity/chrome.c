/* noise/activity/chrome.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_chrome. */
/**
 * @file
 * The trace as JSON of Chrome's "Trace Event Format", which Perfetto and chrome://tracing show:
 * complete events (ph X) on a thread per CPU, metadata (M) that name them, counters (C) of
 * interrupts. Times are microseconds, with the nanoseconds behind the point.
 */
#include "noise/activity_trace.h"

#include <inttypes.h>

#define RANKS_PID 1 /* nodes follow */

static void print_text(const char *text, FILE *out)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    fputc('"', out);
    for (const char *c = valid; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            fprintf(out, "\\%c", *c);
        } else if ((unsigned char)*c < 0x20) {
            fprintf(out, "\\u%04x", (unsigned)*c);
        } else {
            fputc(*c, out);
        }
    }
    fputc('"', out);
}

static uint64_t within(const noise_activity_trace *t, uint64_t when)
{
    return when <= t->origin ? 0 : MIN(when - t->origin, t->duration);
}

static void print_time(const char *key, uint64_t ns, FILE *out)
{
    fprintf(out, ",\"%s\":%" PRIu64 ".%03u", key, ns / 1000, (unsigned)(ns % 1000));
}

/* The first event comes without a comma. */
static void begin_event(bool *first, const char *phase, uint32_t pid, uint32_t tid, FILE *out)
{
    fprintf(out, "%s\n{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u", *first ? "" : ",", phase, pid, tid);
    *first = false;
}

static void name_it(bool *first, const char *what, uint32_t pid, uint32_t tid, const char *name,
                    uint32_t order, FILE *out)
{
    begin_event(first, "M", pid, tid, out);
    fprintf(out, ",\"name\":\"%s_name\",\"args\":{\"name\":", what);
    print_text(name, out);
    fputs("}}", out);
    begin_event(first, "M", pid, tid, out);
    fprintf(out, ",\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%u}}", what, order);
}

static void write_names(const noise_activity_trace *t, bool *first, FILE *out)
{
    const noise_nit *nit = t->activity->nit;
    const noise_timeline *line = t->timeline;
    if (t->num_ranks > 0) {
        name_it(first, "process", RANKS_PID, 0, "ranks", 0, out);
    }
    for (size_t r = 0; r < t->num_ranks; r++) {
        g_autofree char *name = g_strdup_printf("rank %u", t->ranks[r].rank);
        name_it(first, "thread", RANKS_PID, t->ranks[r].rank + 1, name, t->ranks[r].rank, out);
    }
    for (uint32_t n = 0; n < nit->num_nodes; n++) {
        name_it(first, "process", RANKS_PID + 1 + n, 0, nit->nodes[n].name, 1 + n, out);
    }
    for (size_t c = 0; c < line->num_cpus; c++) {
        g_autofree char *name = g_strdup_printf("CPU %u", line->cpu[c]);
        name_it(first, "thread", RANKS_PID + 1 + line->node[c], line->cpu[c] + 1, name,
                line->cpu[c], out);
    }
}

static void write_piece(const noise_activity_trace *t, size_t cpu, const noise_piece *p,
                        bool *first, FILE *out)
{
    const noise_nit *nit = t->activity->nit;
    const noise_timeline *line = t->timeline;
    const noise_nit_activity *a = &nit->activities[p->activity];
    const noise_nit_thread *thread = &nit->threads[a->thread];
    const uint64_t begin = within(t, p->begin);
    const uint64_t end = within(t, p->end);
    if (begin >= end) {
        return;
    }
    const noise_activity_row *row = &t->activity->rows[t->activity->row_of[a->thread]];
    begin_event(first, "X", RANKS_PID + 1 + line->node[cpu], line->cpu[cpu] + 1, out);
    print_time("ts", begin, out);
    print_time("dur", end - begin, out);
    fprintf(out, ",\"cat\":\"%s\",\"name\":", noise_program_class_name(row->kind));
    print_text(t->programs[t->program_of[t->activity->row_of[a->thread]]].name, out);
    fprintf(out, ",\"args\":{\"thread\":");
    print_text(thread->name, out);
    fprintf(out,
            ",\"pid\":%u,\"tid\":%u,\"origin\":\"%s\",\"cpu_ns\":%" PRIu64
            ",\"slices\":%u,\"voluntary\":%u,\"involuntary\":%u,\"run_delay_ns\":%" PRIu64
            ",\"seen_after_us\":%.3f,\"seen_by_us\":%.3f}}",
            thread->pid, thread->tid, noise_origin_name(row->origin), a->cpu_ns, a->slices,
            a->voluntary, a->involuntary, a->run_delay_ns, (double)within(t, a->from) / 1000,
            (double)within(t, a->to) / 1000);
}

static void write_state(const noise_activity_trace *t, const noise_rank_track *rank, uint64_t from,
                        uint64_t to, const char *state, const noise_rank_gap *gap, bool *first,
                        FILE *out)
{
    if (from >= to) {
        return;
    }
    begin_event(first, "X", RANKS_PID, rank->rank + 1, out);
    print_time("ts", from, out);
    print_time("dur", to - from, out);
    fprintf(out, ",\"cat\":\"rank\",\"name\":\"%s\",\"args\":{\"cpu\":%" PRId64, state,
            gap != NULL               ? (int64_t)gap->cpu
            : rank->cpu != UINT32_MAX ? (int64_t)rank->cpu
                                      : -1);
    if (gap != NULL && gap->by != UINT32_MAX) {
        const noise_nit_thread *thread = &t->activity->nit->threads[gap->by];
        fputs(",\"by\":", out);
        print_text(thread->name, out);
        fprintf(out, ",\"by_tid\":%u,\"exact\":%s", thread->tid, gap->is_exact ? "true" : "false");
    }
    fputs("}}", out);
}

static void write_rank(const noise_activity_trace *t, const noise_rank_track *rank, bool *first,
                       FILE *out)
{
    uint64_t from = within(t, rank->begin);
    for (size_t g = 0; g < rank->num_gaps; g++) {
        const noise_rank_gap *gap = &rank->gaps[g];
        const uint64_t left = MAX(within(t, gap->out), from);
        const uint64_t back = MAX(within(t, gap->in), left);
        write_state(t, rank, from, left, "running", NULL, first, out);
        write_state(t, rank, left, back, gap->preempted ? "preempted" : "waiting", gap, first, out);
        from = back;
    }
    write_state(t, rank, from, within(t, rank->end), "running", NULL, first, out);
}

/* Counts since the last reading; all lines of a CPU are one stacked counter, a track each. */
static void write_interrupts(const noise_activity_trace *t, bool *first, FILE *out)
{
    const noise_nit *nit = t->activity->nit;
    for (size_t i = 0; i < nit->num_interrupts; i++) {
        const noise_nit_interrupts *each = &nit->interrupts[i];
        begin_event(first, "C", RANKS_PID + 1 + each->node, each->cpu + 1, out);
        print_time("ts", within(t, each->from), out);
        g_autofree char *name =
            g_strdup_printf("CPU %u: %s", each->cpu, nit->lines[each->line].name);
        fputs(",\"name\":", out);
        print_text(name, out);
        fprintf(out, ",\"args\":{\"count\":%u}}", each->count);
    }
}

void noise_chrome_write(const noise_activity_trace *t, FILE *out)
{
    const noise_timeline *line = t->timeline;
    bool first = true;
    fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"from\":\"ripple monitor\"},"
          "\"traceEvents\":[",
          out);
    write_names(t, &first, out);
    for (size_t r = 0; r < t->num_ranks; r++) {
        write_rank(t, &t->ranks[r], &first, out);
    }
    for (size_t c = 0; c < line->num_cpus; c++) {
        for (size_t i = line->first[c]; i < line->first[c + 1]; i++) {
            write_piece(t, c, &line->piece[i], &first, out);
        }
    }
    write_interrupts(t, &first, out);
    fputs("\n]}\n", out);
}
