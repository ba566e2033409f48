/* noise/activity/activity_timeline.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/activity_timeline.h"

#include <stdlib.h>

#define MOST_PARTS 64 /* of one activity; more slices than that are drawn together */

/* A share of an activity that is still to be placed in (from, to]. */
typedef struct part {
    uint32_t activity;
    uint64_t from;
    uint64_t to;
    uint64_t left; /* ns */
    bool is_exact;
} part;

static int by_place(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t place_of(uint32_t node, uint32_t cpu)
{
    return (uint64_t)node << 32 | cpu;
}

/* The CPUs of all nodes, and those that an activity names though its node does not. */
static void find_cpus(noise_timeline *t, const noise_nit *nit)
{
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    for (uint32_t n = 0; n < nit->num_nodes; n++) {
        for (uint32_t i = 0; i < nit->nodes[n].num_cpus; i++) {
            const uint64_t place = place_of(n, nit->nodes[n].cpus[i]);
            g_array_append_val(places, place);
        }
    }
    for (size_t i = 0; i < nit->num_activities; i++) {
        const noise_nit_activity *a = &nit->activities[i];
        const uint64_t place = place_of(nit->threads[a->thread].node, a->cpu);
        if (a->cpu != UINT32_MAX) {
            g_array_append_val(places, place);
        }
    }
    const uint64_t *place = (const uint64_t *)(void *)places->data;
    g_array_sort(places, by_place);
    t->node = g_new(uint32_t, places->len + 1);
    t->cpu = g_new(uint32_t, places->len + 1);
    for (guint i = 0; i < places->len; i++) {
        if (i == 0 || place[i] != place[i - 1]) {
            t->node[t->num_cpus] = (uint32_t)(place[i] >> 32);
            t->cpu[t->num_cpus++] = (uint32_t)place[i];
        }
    }
}

size_t noise_timeline_find(const noise_timeline *t, uint32_t node, uint32_t cpu)
{
    const uint64_t key = place_of(node, cpu);
    size_t low = 0;
    size_t high = t->num_cpus;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (place_of(t->node[middle], t->cpu[middle]) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < t->num_cpus && place_of(t->node[low], t->cpu[low]) == key ? low : t->num_cpus;
}

/* Slices of a thread between two sweeps may have been anywhere: evenly spread, as likely as any. */
static void add_parts(GArray *parts, const noise_nit_activity *a, uint32_t index, uint64_t cpu_ns)
{
    const uint64_t room = a->to - a->from;
    const uint64_t use = MIN(cpu_ns, room);
    uint64_t n = use < room ? CLAMP(a->slices, 1, MOST_PARTS) : 1;
    n = MAX(MIN(n, use), 1);
    const uint64_t step = room / n;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t last = i + 1 == n;
        const part p = {
            .activity = index,
            .from = a->from + i * step,
            .to = last ? a->to : a->from + (i + 1) * step,
            .left = last ? use - (n - 1) * (use / n) : use / n,
        };
        g_array_append_val(parts, p);
    }
}

/* What is known exactly of an activity; returns how much CPU time that is. */
static uint64_t add_exact(GArray *parts, const noise_nit_activity *a, uint32_t index,
                          const noise_exact *exact, size_t num_exact)
{
    uint64_t known = 0;
    size_t low = 0;
    size_t high = num_exact;
    while (low < high) { /* the first of this thread that ends after the activity began */
        const size_t middle = low + (high - low) / 2;
        const noise_exact *e = &exact[middle];
        if (e->thread < a->thread || (e->thread == a->thread && e->end <= a->from)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (size_t i = low; i < num_exact && exact[i].thread == a->thread && exact[i].begin < a->to;
         i++) {
        const uint64_t begin = MAX(exact[i].begin, a->from);
        const uint64_t end = MIN(exact[i].end, a->to);
        if (exact[i].cpu != a->cpu || end <= begin || end - begin > a->cpu_ns - known) {
            continue;
        }
        const part p = {index, begin, end, end - begin, true};
        g_array_append_val(parts, p);
        known += end - begin;
    }
    return known;
}

static int by_end(const void *a, const void *b)
{
    const part *x = a;
    const part *y = b;
    if (x->to != y->to) {
        return x->to < y->to ? 1 : -1; /* latest first */
    }
    return (x->activity > y->activity) - (x->activity < y->activity);
}

static int by_thread(const void *a, const void *b)
{
    const noise_exact *x = a;
    const noise_exact *y = b;
    if (x->thread != y->thread) {
        return x->thread < y->thread ? -1 : 1;
    }
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Of the parts that may run at this instant, the one that has to begin last. */
static guint choose(const GArray *open)
{
    guint best = 0;
    const part *p = (const part *)(void *)open->data;
    for (guint i = 1; i < open->len; i++) {
        const bool later = p[i].from > p[best].from ||
                           (p[i].from == p[best].from && p[i].activity > p[best].activity);
        if (p[i].is_exact != p[best].is_exact ? p[i].is_exact : later) {
            best = i;
        }
    }
    return best;
}

/* Prepends in time: pieces come from the last one backwards. */
static void add_piece(GArray *pieces, guint first, uint32_t activity, uint64_t begin, uint64_t end)
{
    if (pieces->len > first) {
        noise_piece *last = &g_array_index(pieces, noise_piece, pieces->len - 1);
        if (last->activity == activity && last->begin == end) {
            last->begin = begin;
            return;
        }
    }
    const noise_piece piece = {activity, begin, end};
    g_array_append_val(pieces, piece);
}

/*
 * One CPU, from the end of time backwards: at each instant, the part that has to begin last runs.
 * Seen backwards this is "earliest deadline first", which finds a place for all wherever there is
 * one (Liu and Layland 1973; Dertouzos 1974). What finds none is counted.
 */
static uint64_t place_cpu(GArray *parts, GArray *pieces)
{
    uint64_t unplaced = 0;
    const guint first = pieces->len;
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(part));
    g_array_sort(parts, by_end);
    guint next = 0;
    uint64_t now = 0;
    while (next < parts->len || open->len > 0) {
        if (open->len == 0) {
            now = g_array_index(parts, part, next).to;
        }
        while (next < parts->len && g_array_index(parts, part, next).to >= now) {
            g_array_append_val(open, g_array_index(parts, part, next));
            next++;
        }
        const guint chosen = choose(open);
        part *p = &g_array_index(open, part, chosen);
        const uint64_t until = next < parts->len ? g_array_index(parts, part, next).to : 0;
        const uint64_t room = now > p->from ? now - p->from : 0;
        const uint64_t run = MIN(MIN(p->left, room), now - MIN(until, now));
        if (run > 0) {
            add_piece(pieces, first, p->activity, now - run, now);
            p->left -= run;
            now -= run;
        }
        if (p->left == 0 || now <= p->from) {
            unplaced += p->left;
            g_array_remove_index_fast(open, chosen);
        }
    }
    noise_piece *piece = (noise_piece *)(void *)pieces->data;
    for (guint i = first, j = pieces->len; i + 1 < j; i++) { /* ascending */
        const noise_piece swap = piece[i];
        piece[i] = piece[--j];
        piece[j] = swap;
    }
    return unplaced;
}

noise_timeline *noise_timeline_new(const noise_nit *nit, const bool *left_out,
                                   const noise_exact *exact, size_t num_exact)
{
    noise_timeline *t = g_new0(noise_timeline, 1);
    find_cpus(t, nit);
    g_autofree noise_exact *sorted = g_memdup2(exact, num_exact * sizeof *exact);
    if (num_exact > 0) {
        qsort(sorted, num_exact, sizeof *sorted, by_thread);
    }
    g_autoptr(GPtrArray) of_cpu = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (size_t c = 0; c < t->num_cpus; c++) {
        g_ptr_array_add(of_cpu, g_array_new(FALSE, FALSE, sizeof(part)));
    }
    for (size_t i = 0; i < nit->num_activities; i++) {
        const noise_nit_activity *a = &nit->activities[i];
        if ((left_out != NULL && left_out[a->thread]) || a->cpu_ns == 0 || a->to <= a->from) {
            continue;
        }
        if (a->cpu == UINT32_MAX) {
            t->unplaced_ns += a->cpu_ns;
            continue;
        }
        const uint32_t node = nit->threads[a->thread].node;
        GArray *parts = g_ptr_array_index(of_cpu, noise_timeline_find(t, node, a->cpu));
        const uint64_t known = add_exact(parts, a, (uint32_t)i, sorted, num_exact);
        if (known < a->cpu_ns) {
            add_parts(parts, a, (uint32_t)i, a->cpu_ns - known);
        }
        t->unplaced_ns +=
            a->cpu_ns > known + (a->to - a->from) ? a->cpu_ns - known - (a->to - a->from) : 0;
    }
    g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(noise_piece));
    t->first = g_new0(size_t, t->num_cpus + 1);
    for (size_t c = 0; c < t->num_cpus; c++) {
        t->unplaced_ns += place_cpu(g_ptr_array_index(of_cpu, c), pieces);
        t->first[c + 1] = pieces->len;
    }
    t->piece = (noise_piece *)(void *)g_array_free(g_steal_pointer(&pieces), FALSE);
    return t;
}

void noise_timeline_free(noise_timeline *t)
{
    if (t != NULL) {
        g_free(t->node);
        g_free(t->cpu);
        g_free(t->first);
        g_free(t->piece);
        g_free(t);
    }
}
