/* noise/join/join_records.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_join_records. */
#include "noise/join_records.h"

#include "join/join_private.h"

#include <stdlib.h>

/* Being switched to and away is counted as CPU time of the thread, and lies outside of its record:
 * up to 22 us were measured on a virtual machine. */
static const uint64_t SWITCH_NS = 25000;

/* A thread was on a CPU, by the records. */
typedef struct run {
    uint64_t from, to;
    uint64_t wake;
    uint32_t node, cpu, tid;
    uint32_t thread; /* index in the file */
    bool slept;      /* then; else it was taken off, or that is not known */
} run;

typedef struct records {
    noise_nit *nit;
    const noise_join_cpu *cpu;
    size_t num_cpus;
    GArray *runs; /* of run */
} records;

/* ---- Runs ---- */

static bool is_somebody(uint32_t tid)
{
    return tid != NOISE_SWITCH_IDLE && tid != 0;
}

/* The one that stands for all of a node whose names nobody knows. */
static uint32_t unnamed_of(noise_nit *nit, uint32_t node)
{
    for (size_t i = nit->num_threads; i-- > 0;) {
        if (nit->threads[i].node == node && nit->threads[i].tid == 0) {
            return (uint32_t)i;
        }
    }
    nit->threads = g_renew(noise_nit_thread, nit->threads, nit->num_threads + 1);
    nit->threads[nit->num_threads] =
        (noise_nit_thread){.node = node, .name = g_strdup(NOISE_JOIN_UNNAMED), .rank = -1};
    return (uint32_t)nit->num_threads++;
}

static void find_runs(records *r, const join_names *names, const join_wakes *wakes)
{
    for (size_t c = 0; c < r->num_cpus; c++) {
        const noise_join_cpu *cpu = &r->cpu[c];
        for (size_t i = 0; i < cpu->n; i++) {
            const noise_switch *s = &cpu->slice[i];
            if (!is_somebody(s->next_tid) || s->in <= s->out) {
                continue;
            }
            const int32_t thread = noise_join_names_find(names, cpu->node, s->next_tid, s->in);
            const bool next_is_there = i + 1 < cpu->n && s[1].out == s->in;
            const run one = {
                .from = s->out,
                .to = s->in,
                .wake = noise_join_wakes_of_slice(wakes, c, i),
                .node = cpu->node,
                .cpu = cpu->cpu,
                .tid = s->next_tid,
                .thread = thread >= 0 ? (uint32_t)thread : unnamed_of(r->nit, cpu->node),
                .slept = next_is_there && !s[1].preempted,
            };
            g_array_append_val(r->runs, one);
        }
    }
}

static int by_tid(const void *a, const void *b)
{
    const run *x = a;
    const run *y = b;
    if (x->node != y->node) {
        return x->node < y->node ? -1 : 1;
    }
    if (x->tid != y->tid) {
        return x->tid < y->tid ? -1 : 1;
    }
    return (x->from > y->from) - (x->from < y->from);
}

/* ---- What was seen beside them ---- */

/* Is (from, to] of that CPU in its records? Moves both to what is not. */
static bool is_covered(const noise_join_cpu *cpu, uint64_t *from, uint64_t *to)
{
    uint64_t first = *to; /* that is missing */
    uint64_t last = *from;
    uint64_t known = *from; /* up to here */
    size_t low = 0;
    for (size_t high = cpu->n; low < high;) { /* the first that ends later */
        const size_t middle = low + (high - low) / 2;
        if (cpu->slice[middle].in <= *from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (size_t i = low; i < cpu->n && cpu->slice[i].out < *to; i++) {
        if (cpu->slice[i].out > known) {
            first = MIN(first, known);
            last = cpu->slice[i].out;
        }
        known = cpu->slice[i].next_tid != 0 ? cpu->slice[i].in : known;
    }
    if (known < *to) {
        first = MIN(first, known);
        last = *to;
    }
    *from = first;
    *to = last;
    return first >= last;
}

/* On all CPUs that have records; @p only: on that one, UINT32_MAX: wherever. */
static bool all_covered(const records *r, uint32_t node, uint32_t only, uint64_t *from,
                        uint64_t *to)
{
    uint64_t first = *to;
    uint64_t last = *from;
    bool has_records = false;
    for (size_t c = 0; c < r->num_cpus; c++) {
        if (r->cpu[c].node != node || (only != UINT32_MAX && r->cpu[c].cpu != only)) {
            continue;
        }
        uint64_t begin = *from;
        uint64_t end = *to;
        has_records = true;
        if (!is_covered(&r->cpu[c], &begin, &end)) {
            first = MIN(first, begin);
            last = MAX(last, end);
        }
    }
    if (has_records) {
        *from = first;
        *to = last;
    }
    return has_records && first >= last;
}

/* What a thread did in (from, to] by the records; runs are by tid. */
static noise_nit_activity recorded(const records *r, const noise_nit_thread *t, uint64_t from,
                                   uint64_t to)
{
    const run *all = (const run *)(void *)r->runs->data;
    const run key = {.node = t->node, .tid = t->tid, .from = from};
    size_t low = 0;
    for (size_t high = r->runs->len; low < high;) { /* the first from then on */
        const size_t middle = low + (high - low) / 2;
        if (by_tid(&all[middle], &key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low -= low > 0 && all[low - 1].tid == t->tid && all[low - 1].node == t->node ? 1 : 0;
    noise_nit_activity sum = {0};
    for (size_t i = low;
         i < r->runs->len && all[i].node == t->node && all[i].tid == t->tid && all[i].from < to;
         i++) {
        const uint64_t begin = MAX(all[i].from, from);
        const uint64_t end = MIN(all[i].to, to);
        const bool ends = all[i].to > from && all[i].to <= to;
        sum.cpu_ns += end > begin ? end - begin : 0;
        sum.slices += all[i].from >= from;
        sum.voluntary += ends && all[i].slept;
        sum.involuntary += ends && !all[i].slept;
    }
    return sum;
}

/* What was seen, where it is not recorded. */
static GArray *keep_unrecorded(const records *r)
{
    GArray *kept = g_array_new(FALSE, FALSE, sizeof(noise_nit_activity));
    for (size_t i = 0; i < r->nit->num_activities; i++) {
        noise_nit_activity a = r->nit->activities[i];
        const noise_nit_thread *t = &r->nit->threads[a.thread];
        const noise_nit_activity known = recorded(r, t, a.from, a.to);
        if (all_covered(r, t->node, a.cpu, &a.from, &a.to) ||
            (known.cpu_ns > 0 && a.cpu_ns <= known.cpu_ns + SWITCH_NS * MAX(known.slices, 1))) {
            continue;
        }
        a.cpu_ns = known.cpu_ns > 0 ? MIN(a.cpu_ns - known.cpu_ns, a.to - a.from) : a.cpu_ns;
        a.slices -= MIN(a.slices, known.slices);
        a.voluntary -= MIN(a.voluntary, known.voluntary);
        a.involuntary -= MIN(a.involuntary, known.involuntary);
        g_array_append_val(kept, a);
    }
    return kept;
}

/* ---- Activities ---- */

/* Runs of one wake-up on one CPU under one name are one; one that goes on elsewhere begins where
 * the part before it ended. */
static void add_activities(const records *r, GArray *out)
{
    const run *all = (const run *)(void *)r->runs->data;
    guint first = out->len; /* no activity yet */
    for (guint i = 0; i < r->runs->len; i++) {
        const bool goes_on = i > 0 && all[i].wake == all[i - 1].wake;
        noise_nit_activity *last =
            out->len > first ? &g_array_index(out, noise_nit_activity, out->len - 1) : NULL;
        const bool same =
            goes_on && last != NULL && last->cpu == all[i].cpu && last->thread == all[i].thread;
        if (!same) {
            const noise_nit_activity one = {.thread = all[i].thread,
                                            .cpu = all[i].cpu,
                                            .from = goes_on ? all[i - 1].to : all[i].from,
                                            .is_recorded = true};
            g_array_append_val(out, one);
            last = &g_array_index(out, noise_nit_activity, out->len - 1);
        }
        last->to = all[i].to;
        last->cpu_ns += all[i].to - all[i].from;
        last->slices++;
        last->voluntary += all[i].slept;
        last->involuntary += !all[i].slept;
        last->run_delay_ns += goes_on ? all[i].from - MIN(all[i - 1].to, all[i].from) : 0;
    }
}

static int by_end(const void *a, const void *b)
{
    const noise_nit_activity *x = a;
    const noise_nit_activity *y = b;
    if (x->to != y->to) {
        return x->to < y->to ? -1 : 1;
    }
    return (x->thread > y->thread) - (x->thread < y->thread);
}

static GArray *exact_of(const records *r)
{
    GArray *exact = g_array_sized_new(FALSE, FALSE, sizeof(noise_exact), r->runs->len);
    for (guint i = 0; i < r->runs->len; i++) {
        const run *one = &g_array_index(r->runs, run, i);
        const noise_exact e = {one->thread, one->cpu, one->from, one->to};
        g_array_append_val(exact, e);
    }
    return exact;
}

GArray *noise_join_take_records(noise_nit *nit, const uint64_t *since, const noise_join_cpu *cpu,
                                size_t num_cpus)
{
    records r = {nit, cpu, num_cpus, g_array_new(FALSE, FALSE, sizeof(run))};
    const noise_join_input input = {.nit = nit, .since = since, .num_cpus = num_cpus, .cpu = cpu};
    join_names *names = noise_join_names_new(&input);
    join_wakes *wakes = noise_join_wakes_new(&input);
    find_runs(&r, names, wakes);
    noise_join_wakes_free(wakes);
    noise_join_names_free(names);
    g_array_sort(r.runs, by_tid);
    GArray *activities = keep_unrecorded(&r);
    add_activities(&r, activities);
    g_array_sort(activities, by_end);
    g_free(nit->activities);
    nit->num_activities = activities->len;
    nit->activities = (noise_nit_activity *)(void *)g_array_free(activities, FALSE);
    GArray *exact = exact_of(&r);
    g_array_unref(r.runs);
    return exact;
}
