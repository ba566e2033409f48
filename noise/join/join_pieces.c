/* noise/join/join_pieces.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_join, test_join_oracle. */
/*
 * One rank against one CPU after the other. Its gaps, less what is known exactly, are a machine;
 * each activity seen there is a job that has to be done between its release (the look before) and
 * its deadline (the look after), in so many ns. Earliest deadline first does all jobs in time if
 * any order does (Liu and Layland 1973; Dertouzos 1974).
 */
#include "join/join_private.h"

#include <stdlib.h>

/* Switching to a thread and away from it is not counted as its time, but the rank is away. */
enum { SWITCHES_NS = 5000 };

typedef struct job {
    uint64_t from, to;
    uint64_t left;    /* ns that it may still take */
    uint64_t counted; /* ns that the kernel counted */
    uint64_t laid;
    uint64_t wake;
    int32_t thread;
    uint32_t sleeps; /* how often it fell asleep meanwhile */
} job;

typedef struct work {
    const noise_join_input *input;
    const noise_join_thread *me;
    uint32_t main;
    uint32_t cpu;
    const join_names *names;
    join_wakes *wakes;
    GArray *pieces;
    GArray *known; /* join_slice */
    guint next_known;
    job *jobs; /* by from */
    size_t num_jobs, next_job;
    job **heap; /* released, by to */
    size_t num_ready;
    size_t call;
} work;

static void sift_down(work *w, size_t at)
{
    for (;;) {
        size_t low = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2; child++) {
            if (child < w->num_ready && w->heap[child]->to < w->heap[low]->to) {
                low = child;
            }
        }
        if (low == at) {
            return;
        }
        job *swap = w->heap[at];
        w->heap[at] = w->heap[low];
        w->heap[low] = swap;
        at = low;
    }
}

static void push(work *w, job *j)
{
    size_t at = w->num_ready++;
    while (at > 0 && w->heap[(at - 1) / 2]->to > j->to) {
        w->heap[at] = w->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    w->heap[at] = j;
}

/* The job to do at @p now; NULL: none is released. */
static job *first_ready(work *w, uint64_t now)
{
    while (w->next_job < w->num_jobs && w->jobs[w->next_job].from <= now) {
        push(w, &w->jobs[w->next_job++]);
    }
    while (w->num_ready > 0 && (w->heap[0]->to <= now || w->heap[0]->left == 0)) {
        w->heap[0] = w->heap[--w->num_ready];
        sift_down(w, 0);
    }
    return w->num_ready > 0 ? w->heap[0] : NULL;
}

static void put(work *w, noise_join_piece like, uint64_t from, uint64_t to)
{
    if (from >= to) {
        return;
    }
    noise_join_piece *last =
        w->pieces->len > 0 ? &g_array_index(w->pieces, noise_join_piece, w->pieces->len - 1) : NULL;
    if (last != NULL && last->main == like.main && last->off == like.off && last->to == from &&
        last->tid == like.tid && last->thread == like.thread && last->wake == like.wake &&
        last->is_exact == like.is_exact) {
        last->to = to;
        return;
    }
    like.from = from;
    like.to = to;
    g_array_append_val(w->pieces, like);
}

/* Lay jobs into [from, to), of which nothing is known. */
static void lay(work *w, noise_join_piece like, uint64_t from, uint64_t to)
{
    while (from < to) {
        job *j = first_ready(w, from);
        uint64_t until = to;
        if (w->next_job < w->num_jobs) { /* a job that comes may have to be done before */
            until = MIN(until, w->jobs[w->next_job].from);
        }
        like.thread = j == NULL ? NOISE_JOIN_NOBODY : j->thread;
        like.tid = j == NULL ? 0 : w->input->nit->threads[j->thread].tid;
        like.wake = j == NULL ? 0 : j->wake;
        if (j == NULL) {
            put(w, like, from, until);
        } else {
            until = MIN(until, MIN(j->to, from + j->left));
            put(w, like, from, until);
            j->left -= until - from;
            j->laid += until - from;
        }
        from = until;
    }
}

/* The CPU's record of a switch and the rank's own are a few us apart: the rank is away, though the
 * record says that it is on the CPU. That time is of whom it is switched to or from. */
static bool is_switching(const work *w, const join_slice *s, uint64_t from, uint64_t to)
{
    return s->tid == w->me->tid && s->from <= from && MIN(s->to, to) - from <= SWITCHES_NS;
}

/* What is known of [from, to) first; the rest is laid. */
static void fill(work *w, noise_join_piece like, uint64_t from, uint64_t to)
{
    while (w->next_known < w->known->len &&
           g_array_index(w->known, join_slice, w->next_known).to <= from) {
        w->next_known++;
    }
    noise_join_piece known = like;
    known.is_exact = !w->me->is_coarse;
    bool goes_on = false;      /* up to from it is known who was on the CPU */
    uint64_t switching = from; /* on from there, up to here, it is the rank itself */
    for (guint k = w->next_known; k < w->known->len; k++) {
        const join_slice *s = &g_array_index(w->known, join_slice, k);
        if (s->from >= to) {
            break;
        }
        const uint64_t begin = MAX(s->from, from);
        const uint64_t end = MIN(s->to, to);
        if (begin >= end) {
            continue;
        }
        if (s->tid == w->me->tid) {
            if (is_switching(w, s, from, to) && goes_on) {
                put(w, known, from, end);
                from = end;
            } else if (is_switching(w, s, from, to)) {
                switching = end;
            }
            continue;
        }
        const bool comes_at_once = begin == switching;
        lay(w, like, from, comes_at_once ? from : begin);
        known.thread = noise_join_names_find(w->names, w->me->node, s->tid, s->to);
        known.tid = s->tid;
        known.wake = s->wake;
        put(w, known, comes_at_once ? from : begin, end);
        from = end;
        goes_on = true;
    }
    lay(w, like, from, to);
}

static int by_from(const void *a, const void *b)
{
    const job *x = a;
    const job *y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1)
                              : (x->thread > y->thread) - (x->thread < y->thread);
}

/* Threads with records of their own are known, not guessed; and nobody takes from itself. */
static bool has_record(const work *w, const noise_nit_thread *t)
{
    for (size_t i = 0; i < w->input->num_threads; i++) {
        const noise_join_thread *each = &w->input->thread[i];
        if (each->node == t->node && each->tid == t->tid && (!each->is_coarse || each == w->me)) {
            return true;
        }
    }
    return false;
}

/* It ran in (from, to]; but the kernel counts time when a slice ends: whoever was on the CPU
 * already at from has time counted after it that passed before it, up to all of it. */
static uint64_t released(const noise_nit_activity *a)
{
    return a->from - MIN(a->from, a->cpu_ns);
}

static void collect_jobs(work *w)
{
    const noise_nit *nit = w->input->nit;
    GArray *jobs = g_array_new(FALSE, FALSE, sizeof(job));
    g_autofree int8_t *skip =
        g_new0(int8_t, nit->num_threads + 1); /* 0: not asked, 1: no, 2: yes */
    for (size_t i = 0; i < nit->num_activities; i++) {
        const noise_nit_activity *a = &nit->activities[i];
        const noise_nit_thread *t = &nit->threads[a->thread];
        if (t->node != w->me->node || (a->cpu != w->cpu && a->cpu != UINT32_MAX) ||
            a->to <= a->from || a->cpu_ns == 0 || a->to < w->me->begin || a->from > w->me->end) {
            continue;
        }
        if (skip[a->thread] == 0) {
            skip[a->thread] = has_record(w, t) ? 2 : 1;
        }
        if (skip[a->thread] == 1) {
            const job j = {.from = released(a),
                           .to = a->to,
                           .left = a->cpu_ns + (uint64_t)SWITCHES_NS * MAX(a->slices, 1),
                           .counted = a->cpu != UINT32_MAX && a->slices <= 1 ? a->cpu_ns : 0,
                           .thread = (int32_t)a->thread,
                           .sleeps = a->voluntary};
            g_array_append_val(jobs, j);
        }
    }
    g_array_sort(jobs, by_from);
    w->num_jobs = jobs->len;
    w->jobs = (job *)(void *)g_array_free(jobs, FALSE);
    w->heap = g_new(job *, w->num_jobs + 1);
    const uint64_t first = noise_join_wakes_take(w->wakes, w->num_jobs);
    for (size_t i = 0; i < w->num_jobs; i++) {
        w->jobs[i].wake = first + i;
    }
}

/* Was the rank in MPI at @p when? Asked in ascending order. */
static bool in_call(work *w, uint64_t when)
{
    while (w->call < w->me->num_calls && w->me->leave[w->call] <= when) {
        w->call++;
    }
    return w->call < w->me->num_calls && w->me->enter[w->call] <= when;
}

/* How long the rank slept within (from, to): there others may have run without taking anything. */
static uint64_t slept_within(const noise_join_thread *me, uint64_t from, uint64_t to)
{
    size_t low = 0;
    for (size_t high = me->n; low < high;) { /* the first interval that ends after from */
        const size_t middle = low + (high - low) / 2;
        if (me->off[middle].in <= from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    uint64_t sum = 0;
    for (; low < me->n && me->off[low].out < to; low++) {
        if (me->off[low].preempted == 0) {
            sum += MIN(me->off[low].in, to) - MAX(me->off[low].out, from);
        }
    }
    return sum;
}

/* A rank that can run nowhere else was there whenever it was not off: what was counted of a job
 * beyond the rank's sleep was taken from the rank. */
static void note_sure(const work *w, GArray *sure)
{
    for (size_t i = 0; w->me->is_bound && !w->me->is_coarse && i < w->num_jobs; i++) {
        const job *j = &w->jobs[i];
        if (j->laid == 0 || j->counted == 0 || j->from < w->me->begin || j->to > w->me->end) {
            continue;
        }
        const uint64_t asleep = slept_within(w->me, j->from, j->to);
        if (j->counted > asleep) {
            const join_sure s = {w->main, j->thread, MIN(j->counted - asleep, j->laid)};
            g_array_append_val(sure, s);
        }
    }
}

static void tell_apart(work *w, guint first)
{
    g_autofree join_sleeps *sleeps = g_new(join_sleeps, w->num_jobs + 1);
    for (size_t i = 0; i < w->num_jobs; i++) {
        sleeps[i] = (join_sleeps){w->jobs[i].wake, w->jobs[i].sleeps};
    }
    noise_join_tell_apart(w->wakes, w->pieces, first, sleeps, w->num_jobs);
}

static void join_cpu(work *w, GArray *sure)
{
    const guint first = w->pieces->len;
    collect_jobs(w);
    w->known = noise_join_known_slices(w->input, w->wakes, w->me->node, w->cpu);
    w->next_known = 0;
    w->next_job = 0;
    w->num_ready = 0;
    w->call = 0;
    for (size_t i = 0; i < w->me->n; i++) {
        const noise_switch_record *off = &w->me->off[i];
        if (off->cpu == w->cpu && off->preempted != 0) {
            const noise_join_piece like = {.main = w->main,
                                           .off = (uint32_t)i,
                                           .cpu = w->cpu,
                                           .in_call = in_call(w, off->out)};
            fill(w, like, off->out, off->in);
        }
    }
    note_sure(w, sure);
    tell_apart(w, first);
    g_array_unref(w->known);
    g_free(w->jobs);
    g_free(w->heap);
}

static int by_time(const void *a, const void *b)
{
    const noise_join_piece *x = a;
    const noise_join_piece *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

void noise_join_pieces_of(const noise_join_input *input, uint32_t main, const join_names *names,
                          join_wakes *wakes, GArray *pieces, GArray *sure)
{
    work w = {
        .input = input, .me = &input->thread[main], .main = main, .names = names, .wakes = wakes};
    g_autoptr(GHashTable) cpus = g_hash_table_new(NULL, NULL);
    w.pieces = g_array_new(FALSE, FALSE, sizeof(noise_join_piece));
    for (size_t i = 0; i < w.me->n; i++) {
        if (g_hash_table_add(cpus, GUINT_TO_POINTER(w.me->off[i].cpu))) {
            w.cpu = w.me->off[i].cpu;
            join_cpu(&w, sure);
        }
    }
    g_array_sort(w.pieces, by_time);
    g_array_append_vals(pieces, w.pieces->data, w.pieces->len);
    g_array_unref(w.pieces);
}
