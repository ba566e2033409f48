/* noise/join/join_wakes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_join_bursts. */
/*
 * The scheduler shares a CPU between the rank and whoever was woken beside it, a slice to each in
 * turn: one burst of work arrives in several pieces. What makes it one is that the thread never
 * slept in between, and that the kernel says: in the record of a switch, whether the one that left
 * could have gone on; without records, in the count of voluntary switches.
 */
#include "join/join_private.h"

#include <stdlib.h>

struct join_wakes {
    const noise_join_input *input;
    uint64_t **of_slice; /* [num_cpus][n] */
    uint64_t **of_run;   /* [num_threads][n + 1] */
    uint64_t next;
};

uint64_t noise_join_wakes_take(join_wakes *wakes, uint64_t n)
{
    const uint64_t first = wakes->next;
    wakes->next += n;
    return first;
}

uint64_t noise_join_wakes_of_slice(const join_wakes *wakes, size_t cpu, size_t i)
{
    return wakes->of_slice[cpu][i];
}

uint64_t noise_join_wakes_of_run(const join_wakes *wakes, size_t thread, size_t i)
{
    return wakes->of_run[thread][i];
}

/* A slice on any of a node's CPUs. */
typedef struct slice {
    uint64_t from;
    uint64_t *wake;
    uint32_t node, tid;
    bool goes_on; /* it could have run on when it was taken off */
} slice;

static int by_thread(const void *a, const void *b)
{
    const slice *x = a;
    const slice *y = b;
    if (x->node != y->node) {
        return x->node < y->node ? -1 : 1;
    }
    if (x->tid != y->tid) {
        return x->tid < y->tid ? -1 : 1;
    }
    return (x->from > y->from) - (x->from < y->from);
}

/* The next record of the CPU says how the one before it left, if none is missing between. */
static bool was_preempted(const noise_join_cpu *cpu, size_t i)
{
    return i + 1 < cpu->n && cpu->slice[i + 1].out == cpu->slice[i].in &&
           cpu->slice[i + 1].preempted;
}

static void number_slices(join_wakes *w)
{
    const noise_join_input *input = w->input;
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(slice));
    w->of_slice = g_new0(uint64_t *, input->num_cpus + 1);
    for (size_t c = 0; c < input->num_cpus; c++) {
        const noise_join_cpu *cpu = &input->cpu[c];
        w->of_slice[c] = g_new0(uint64_t, cpu->n + 1);
        for (size_t i = 0; i < cpu->n; i++) {
            const slice s = {cpu->slice[i].out, &w->of_slice[c][i], cpu->node,
                             cpu->slice[i].next_tid, was_preempted(cpu, i)};
            g_array_append_val(all, s);
        }
    }
    g_array_sort(all, by_thread);
    for (guint i = 0; i < all->len; i++) {
        const slice *s = &g_array_index(all, slice, i);
        const bool same = i > 0 && s[-1].tid == s->tid && s[-1].node == s->node && s[-1].goes_on;
        *s->wake = same ? *s[-1].wake : w->next++;
    }
}

static void number_runs(join_wakes *w)
{
    const noise_join_input *input = w->input;
    w->of_run = g_new0(uint64_t *, input->num_threads + 1);
    for (size_t t = 0; t < input->num_threads; t++) {
        const noise_join_thread *thread = &input->thread[t];
        w->of_run[t] = g_new0(uint64_t, thread->n + 1);
        for (size_t i = 0; i <= thread->n; i++) {
            const bool same = i > 0 && thread->off[i - 1].preempted != 0;
            w->of_run[t][i] = same ? w->of_run[t][i - 1] : w->next++;
        }
    }
}

join_wakes *noise_join_wakes_new(const noise_join_input *input)
{
    join_wakes *w = g_new0(join_wakes, 1);
    w->input = input;
    w->next = 1;
    number_slices(w);
    number_runs(w);
    return w;
}

void noise_join_wakes_free(join_wakes *wakes)
{
    for (size_t c = 0; c < wakes->input->num_cpus; c++) {
        g_free(wakes->of_slice[c]);
    }
    for (size_t t = 0; t < wakes->input->num_threads; t++) {
        g_free(wakes->of_run[t]);
    }
    g_free(wakes->of_slice);
    g_free(wakes->of_run);
    g_free(wakes);
}

/* A pause between two pieces of one activity. */
typedef struct pause {
    uint64_t ns;
    guint after; /* the piece that it comes before */
} pause;

static int longest_first(const void *a, const void *b)
{
    const pause *x = a;
    const pause *y = b;
    if (x->ns != y->ns) {
        return x->ns > y->ns ? -1 : 1;
    }
    return (x->after > y->after) - (x->after < y->after);
}

static int by_place(const void *a, const void *b)
{
    const pause *x = a;
    const pause *y = b;
    return (x->after > y->after) - (x->after < y->after);
}

/* The pieces of one activity, by time: a new number after each of the longest pauses. */
static void cut(join_wakes *wakes, GArray *pieces, const GArray *own, uint32_t sleeps)
{
    g_autoptr(GArray) pauses = g_array_new(FALSE, FALSE, sizeof(pause));
    for (guint i = 1; i < own->len; i++) {
        const noise_join_piece *before =
            &g_array_index(pieces, noise_join_piece, g_array_index(own, guint, i - 1));
        const noise_join_piece *p =
            &g_array_index(pieces, noise_join_piece, g_array_index(own, guint, i));
        const pause each = {p->from - before->to, i};
        g_array_append_val(pauses, each);
    }
    g_array_sort(pauses, longest_first);
    g_array_set_size(pauses, MIN(pauses->len, sleeps - 1));
    g_array_sort(pauses, by_place);
    for (guint i = 0; i < pauses->len; i++) {
        const guint from = g_array_index(pauses, pause, i).after;
        const guint to = i + 1 < pauses->len ? g_array_index(pauses, pause, i + 1).after : own->len;
        const uint64_t wake = noise_join_wakes_take(wakes, 1);
        for (guint k = from; k < to; k++) {
            g_array_index(pieces, noise_join_piece, g_array_index(own, guint, k)).wake = wake;
        }
    }
}

void noise_join_tell_apart(join_wakes *wakes, GArray *pieces, guint first,
                           const join_sleeps *sleeps, size_t n)
{
    g_autofree GArray **of = g_new0(GArray *, n + 1); /* indices of an activity's pieces */
    for (guint i = first; i < pieces->len; i++) {
        const noise_join_piece *p = &g_array_index(pieces, noise_join_piece, i);
        if (p->is_exact || p->wake == 0 || sleeps[p->wake - sleeps[0].wake].count < 2) {
            continue;
        }
        GArray **own = &of[p->wake - sleeps[0].wake];
        *own = *own != NULL ? *own : g_array_new(FALSE, FALSE, sizeof(guint));
        g_array_append_val(*own, i);
    }
    for (size_t i = 0; i < n; i++) {
        if (of[i] != NULL) {
            cut(wakes, pieces, of[i], sleeps[i].count);
            g_array_unref(of[i]);
        }
    }
}
