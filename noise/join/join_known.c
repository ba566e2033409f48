/* noise/join/join_known.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_join, test_join_oracle. */
#include "join/join_private.h"

#include <stdlib.h>

static int by_from(const void *a, const void *b)
{
    const join_slice *x = a;
    const join_slice *y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : (x->to > y->to) - (x->to < y->to);
}

static void add(GArray *slices, uint64_t from, uint64_t to, uint32_t tid, uint64_t wake)
{
    if (to > from) {
        const join_slice s = {from, to, wake, tid};
        g_array_append_val(slices, s);
    }
}

/* Between two times off the CPU a thread was on it. */
static void add_thread(GArray *slices, const noise_join_input *input, const join_wakes *wakes,
                       size_t thread, uint32_t cpu)
{
    const noise_join_thread *t = &input->thread[thread];
    for (size_t i = 0; i <= t->n; i++) {
        const noise_switch_record *before = i > 0 ? &t->off[i - 1] : NULL;
        const noise_switch_record *after = i < t->n ? &t->off[i] : NULL;
        const uint64_t from = before != NULL ? before->in : t->begin;
        const uint64_t to = after != NULL ? after->out : t->end;
        const uint32_t there = before != NULL ? before->cpu_in : after != NULL ? after->cpu : cpu;
        if (there == cpu && (after == NULL || after->cpu == cpu) &&
            (before != NULL || after != NULL)) {
            add(slices, from, to, t->tid, noise_join_wakes_of_run(wakes, thread, i));
        }
    }
}

/* Where records are missing a thread may seem to be on a CPU on which others came since: who came
 * last is right. */
static void clip(GArray *slices)
{
    g_array_sort(slices, by_from);
    for (guint i = 0; i + 1 < slices->len; i++) {
        join_slice *s = &g_array_index(slices, join_slice, i);
        s->to = MIN(s->to, s[1].from);
    }
}

GArray *noise_join_known_slices(const noise_join_input *input, const join_wakes *wakes,
                                uint32_t node, uint32_t cpu)
{
    GArray *slices = g_array_new(FALSE, FALSE, sizeof(join_slice));
    for (size_t c = 0; c < input->num_cpus; c++) {
        const noise_join_cpu *all = &input->cpu[c];
        for (size_t i = 0; all->node == node && all->cpu == cpu && i < all->n; i++) {
            if (all->slice[i].next_tid != NOISE_SWITCH_IDLE && all->slice[i].next_tid != 0) {
                add(slices, all->slice[i].out, all->slice[i].in, all->slice[i].next_tid,
                    noise_join_wakes_of_slice(wakes, c, i));
            }
        }
    }
    if (slices->len == 0) {
        for (size_t i = 0; i < input->num_threads; i++) {
            if (input->thread[i].node == node && !input->thread[i].is_coarse) {
                add_thread(slices, input, wakes, i, cpu);
            }
        }
    }
    clip(slices);
    return slices;
}
