/* noise/activity/paraver.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The records of a Paraver trace. What is written, and in which order: docs/formats.md.
 */
#include "noise/activity_trace.h"

#include "activity/paraver_private.h"

#include <inttypes.h>
#include <time.h>

#define WINDOW_NS UINT64_C(100000000) /* of the sums of stolen time */

/* At one instant: what ends, then states, then what begins. */
enum { ENDS, STATE, BEGINS };

typedef struct record {
    uint64_t time;
    uint64_t end;   /* of states; of sums: the value */
    uint32_t order; /* ENDS, STATE, BEGINS */
    uint32_t application;
    uint32_t task;
    uint32_t thread;
    uint32_t cpu;      /* of all nodes, from 1; 0: not known */
    uint32_t value;    /* state, or program's state */
    uint32_t activity; /* whose particulars the beginning has; UINT32_MAX: none */
    uint32_t type;     /* of events */
} record;

static int by_time(const void *a, const void *b)
{
    const record *x = a;
    const record *y = b;
    if (x->time != y->time) {
        return x->time < y->time ? -1 : 1;
    }
    const uint32_t keys[][2] = {{x->order, y->order},
                                {x->application, y->application},
                                {x->task, y->task},
                                {x->thread, y->thread},
                                {x->type, y->type}};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

static void add(GArray *records, record r)
{
    g_array_append_val(records, r);
}

static uint64_t within(const noise_activity_trace *t, uint64_t when)
{
    return when <= t->origin ? 0 : MIN(when - t->origin, t->duration);
}

static void add_state(GArray *records, record where, uint64_t from, uint64_t to, uint32_t state)
{
    if (from < to) {
        where.time = from;
        where.end = to;
        where.order = STATE;
        where.value = state;
        add(records, where);
    }
}

/* ---- The system: one thread per CPU ---- */

/* How much of the pieces of a CPU fell into each whole window, said where it ends. */
static void add_sums(const noise_activity_trace *t, size_t cpu, record where, GArray *records)
{
    const noise_timeline *line = t->timeline;
    size_t i = line->first[cpu];
    for (uint64_t w = 0; (w + 1) * WINDOW_NS <= t->watched; w++) {
        const uint64_t from = w * WINDOW_NS;
        uint64_t sum = 0;
        size_t k = i;
        for (; k < line->first[cpu + 1]; k++) {
            const uint64_t begin = within(t, line->piece[k].begin);
            const uint64_t end = within(t, line->piece[k].end);
            if (begin >= from + WINDOW_NS) {
                break;
            }
            sum += MIN(end, from + WINDOW_NS) - CLAMP(begin, from, MIN(end, from + WINDOW_NS));
            i = end <= from + WINDOW_NS ? k + 1 : i;
        }
        where.time = from + WINDOW_NS;
        where.order = BEGINS;
        where.type = PARAVER_STOLEN;
        where.end = sum;
        add(records, where);
    }
}

static void add_cpu(const noise_activity_trace *t, size_t cpu, record where, GArray *records)
{
    const noise_timeline *line = t->timeline;
    uint64_t idle_from = 0;
    g_autoptr(GHashTable) begun = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (size_t i = line->first[cpu]; i < line->first[cpu + 1]; i++) {
        const noise_piece *p = &line->piece[i];
        const uint64_t begin = within(t, p->begin);
        const uint64_t end = within(t, p->end);
        if (begin >= end) {
            continue;
        }
        const uint32_t row = t->activity->row_of[t->activity->nit->activities[p->activity].thread];
        const uint32_t state = NOISE_PARAVER_FIRST_STATE + t->program_of[row];
        add_state(records, where, idle_from, begin, PARAVER_IDLE);
        add_state(records, where, begin, end, state);
        idle_from = end;
        record flag = where;
        flag.type = PARAVER_ACTIVITY;
        flag.time = begin;
        flag.order = BEGINS;
        flag.value = state;
        flag.activity =
            g_hash_table_add(begun, GUINT_TO_POINTER(p->activity + 1)) ? p->activity : UINT32_MAX;
        add(records, flag);
        flag.time = end;
        flag.order = ENDS;
        flag.value = 0;
        flag.activity = UINT32_MAX;
        add(records, flag);
    }
    add_state(records, where, idle_from, t->duration, PARAVER_IDLE);
    add_sums(t, cpu, where, records);
}

static void add_system(const noise_activity_trace *t, GArray *records)
{
    const noise_timeline *line = t->timeline;
    uint32_t thread = 0;
    for (size_t c = 0; c < line->num_cpus; c++) {
        thread = c > 0 && line->node[c] == line->node[c - 1] ? thread + 1 : 1;
        const record where = {.application = paraver_system(t),
                              .task = line->node[c] + 1,
                              .thread = thread,
                              .cpu = (uint32_t)c + 1,
                              .activity = UINT32_MAX};
        add_cpu(t, c, where, records);
    }
}

/* ---- The ranks ---- */

static uint32_t cpu_of(const noise_activity_trace *t, uint32_t node, uint32_t cpu)
{
    const size_t found = noise_timeline_find(t->timeline, node, cpu);
    return found < t->timeline->num_cpus ? (uint32_t)found + 1 : 0;
}

/* Who has the CPU of a rank from @p from to @p to. */
static void add_taken(const noise_activity_trace *t, record where, const noise_rank_gap *gap,
                      uint64_t from, uint64_t to, GArray *records)
{
    if (from >= to || !gap->preempted || gap->by == UINT32_MAX) {
        return;
    }
    where.type = PARAVER_TAKEN;
    where.time = from;
    where.order = BEGINS;
    where.value = NOISE_PARAVER_FIRST_STATE + t->program_of[t->activity->row_of[gap->by]];
    add(records, where);
    where.time = to;
    where.order = ENDS;
    where.value = 0;
    add(records, where);
}

static void add_rank(const noise_activity_trace *t, size_t index, GArray *records)
{
    const noise_rank_track *rank = &t->ranks[index];
    record where = {.application = 1,
                    .task = (uint32_t)index + 1,
                    .thread = 1,
                    .cpu = cpu_of(t, rank->node, rank->cpu),
                    .activity = UINT32_MAX};
    uint64_t from = within(t, rank->begin);
    add_state(records, where, 0, from, PARAVER_IDLE);
    for (size_t g = 0; g < rank->num_gaps; g++) {
        const noise_rank_gap *gap = &rank->gaps[g];
        const uint64_t out = MAX(within(t, gap->out), from);
        const uint64_t in = MAX(within(t, gap->in), out);
        where.cpu = cpu_of(t, rank->node, gap->cpu);
        add_state(records, where, from, out, PARAVER_RUNNING);
        add_state(records, where, out, in, gap->preempted ? PARAVER_PREEMPTED : PARAVER_BLOCKED);
        add_taken(t, where, gap, out, in, records);
        from = in;
    }
    const uint64_t end = MAX(within(t, rank->end), from);
    add_state(records, where, from, end, PARAVER_RUNNING);
    add_state(records, where, end, t->duration, PARAVER_IDLE);
}

/* ---- Printing ---- */

static void print_particulars(const noise_activity_trace *t, const record *r, FILE *out)
{
    const noise_nit_activity *a = &t->activity->nit->activities[r->activity];
    const uint64_t room = a->to - a->from;
    const uint64_t values[] = {
        t->activity->nit->threads[a->thread].pid, a->cpu_ns,       a->voluntary, a->involuntary,
        room > a->cpu_ns ? room - a->cpu_ns : 0,  a->run_delay_ns,
    };
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        if (values[i] > 0) { /* nothing to say of what is not known or 0 */
            fprintf(out, ":%u:%" PRIu64, (unsigned)(PARAVER_PID + i), values[i]);
        }
    }
}

static void print_record(const noise_activity_trace *t, const record *r, FILE *out)
{
    if (r->order == STATE) {
        fprintf(out, "1:%u:%u:%u:%u:%" PRIu64 ":%" PRIu64 ":%u\n", r->cpu, r->application, r->task,
                r->thread, r->time, r->end, r->value);
        return;
    }
    const bool is_sum = r->type == PARAVER_STOLEN;
    fprintf(out, "2:%u:%u:%u:%u:%" PRIu64 ":%u:%" PRIu64, r->cpu, r->application, r->task,
            r->thread, r->time, r->type, is_sum ? r->end / 1000 : r->value);
    if (r->activity != UINT32_MAX) {
        print_particulars(t, r, out);
    }
    fputc('\n', out);
}

static uint32_t cpus_of(const noise_timeline *line, uint32_t node)
{
    uint32_t n = 0;
    for (size_t c = 0; c < line->num_cpus; c++) {
        n += line->node[c] == node;
    }
    return n;
}

static void print_head(const noise_activity_trace *t, FILE *out)
{
    const noise_nit *nit = t->activity->nit;
    const int64_t known = CLAMP(t->realtime_ns, 0, INT64_C(4102444800000000000)); /* year 2100 */
    const time_t seconds = (time_t)(known / 1000000000);
    struct tm date;
    gmtime_r(&seconds, &date); /* the same bytes wherever it is written */
    char text[64];
    strftime(text, sizeof text, "%d/%m/%Y at %H:%M", &date);
    fprintf(out, "#Paraver (%s):%" PRIu64 "_ns:%zu(", text, t->duration, nit->num_nodes);
    for (uint32_t n = 0; n < nit->num_nodes; n++) {
        fprintf(out, "%s%u", n > 0 ? "," : "", cpus_of(t->timeline, n));
    }
    fprintf(out, "):%u", paraver_system(t));
    if (t->num_ranks > 0) {
        fprintf(out, ":%zu(", t->num_ranks);
        for (size_t r = 0; r < t->num_ranks; r++) {
            fprintf(out, "%s1:%u", r > 0 ? "," : "", t->ranks[r].node + 1);
        }
        fputc(')', out);
    }
    fprintf(out, ":%zu(", nit->num_nodes);
    for (uint32_t n = 0; n < nit->num_nodes; n++) {
        fprintf(out, "%s%u:%u", n > 0 ? "," : "", cpus_of(t->timeline, n), n + 1);
    }
    fputs(")\n", out);
}

void noise_paraver_write_prv(const noise_activity_trace *t, FILE *out)
{
    g_autoptr(GArray) records = g_array_new(FALSE, FALSE, sizeof(record));
    for (size_t r = 0; r < t->num_ranks; r++) {
        add_rank(t, r, records);
    }
    add_system(t, records);
    g_array_sort(records, by_time);
    print_head(t, out);
    for (guint i = 0; i < records->len; i++) {
        print_record(t, &g_array_index(records, record, i), out);
    }
}
