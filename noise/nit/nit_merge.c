/* noise/activity/nit_merge.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/nit_merge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SHIFT 1e18 /* ns: beyond any clock, and with an offset within 64 bits */

uint64_t noise_node_clock_apply(const noise_node_clock *c, uint64_t when)
{
    const double since = when >= c->at ? (double)(when - c->at) : -(double)(c->at - when);
    const double grown = fmax(fmin(c->drift * since, MOST_SHIFT), -MOST_SHIFT);
    const int64_t shift = c->offset_ns + (int64_t)rint(grown);
    if (shift < 0) {
        const uint64_t back = -(uint64_t)shift;
        return when > back ? when - back : 0;
    }
    return when + (uint64_t)shift;
}

/* ---- Appending one node's lists ---- */

typedef struct bases {
    uint32_t node;
    uint32_t thread;
    uint32_t line;
    const noise_node_clock *clock;
} bases;

static uint64_t moved(const bases *b, uint64_t when)
{
    return noise_node_clock_apply(b->clock, when);
}

static void append_nodes(noise_nit *all, const noise_nit *one, const bases *b)
{
    for (size_t i = 0; i < one->num_nodes; i++) {
        noise_nit_node *node = &all->nodes[all->num_nodes++];
        *node = one->nodes[i];
        node->name = g_strdup(node->name);
        node->boot_id = g_strdup(node->boot_id);
        node->kernel = g_strdup(node->kernel);
        node->blind = g_strdup(node->blind);
        node->cpus = g_memdup2(node->cpus, node->num_cpus * sizeof *node->cpus);
        node->core = g_memdup2(node->core, node->num_cpus * sizeof *node->core);
        node->clocks = g_memdup2(node->clocks, node->num_clocks * sizeof *node->clocks);
        node->begin = moved(b, node->begin);
        node->end = moved(b, node->end);
        for (size_t k = 0; k < node->num_clocks; k++) {
            node->clocks[k].monotonic = moved(b, node->clocks[k].monotonic);
        }
    }
}

static void append_threads(noise_nit *all, const noise_nit *one, const bases *b)
{
    for (size_t i = 0; i < one->num_threads; i++) {
        noise_nit_thread *t = &all->threads[all->num_threads++];
        *t = one->threads[i];
        t->node += b->node;
        t->name = g_strdup(t->name);
        t->command = g_strdup(t->command);
    }
    for (size_t i = 0; i < one->num_lines; i++) {
        noise_nit_line *line = &all->lines[all->num_lines++];
        *line = one->lines[i];
        line->name = g_strdup(line->name);
    }
}

static void append_records(noise_nit *all, const noise_nit *one, const bases *b)
{
    for (size_t i = 0; i < one->num_activities; i++) {
        noise_nit_activity *a = &all->activities[all->num_activities++];
        *a = one->activities[i];
        a->thread += b->thread;
        a->from = moved(b, a->from);
        a->to = moved(b, a->to);
    }
    for (size_t i = 0; i < one->num_interrupts; i++) {
        noise_nit_interrupts *r = &all->interrupts[all->num_interrupts++];
        *r = one->interrupts[i];
        r->node += b->node;
        r->line += b->line;
        r->from = moved(b, r->from);
        r->to = moved(b, r->to);
    }
    for (size_t i = 0; i < one->num_steals; i++) {
        noise_nit_steal *s = &all->steals[all->num_steals++];
        *s = one->steals[i];
        s->node += b->node;
        s->from = moved(b, s->from);
        s->to = moved(b, s->to);
    }
    for (size_t i = 0; i < one->num_markers; i++) {
        noise_nit_marker *m = &all->markers[all->num_markers++];
        *m = one->markers[i];
        m->node += b->node;
        m->when = moved(b, m->when);
        m->text = g_strdup(m->text);
    }
}

/* ---- Order ---- */

#define COMPARE(x, y) (((x) > (y)) - ((x) < (y)))

static int by_activity(const void *a, const void *b)
{
    const noise_nit_activity *x = a;
    const noise_nit_activity *y = b;
    const int order = COMPARE(x->to, y->to);
    return order != 0 ? order : COMPARE(x->thread, y->thread);
}

static int by_interrupts(const void *a, const void *b)
{
    const noise_nit_interrupts *x = a;
    const noise_nit_interrupts *y = b;
    const int keys[] = {COMPARE(x->to, y->to), COMPARE(x->node, y->node), COMPARE(x->cpu, y->cpu),
                        COMPARE(x->line, y->line)};
    return keys[0] != 0 ? keys[0] : keys[1] != 0 ? keys[1] : keys[2] != 0 ? keys[2] : keys[3];
}

static int by_steal(const void *a, const void *b)
{
    const noise_nit_steal *x = a;
    const noise_nit_steal *y = b;
    const int keys[] = {COMPARE(x->to, y->to), COMPARE(x->node, y->node), COMPARE(x->cpu, y->cpu)};
    return keys[0] != 0 ? keys[0] : keys[1] != 0 ? keys[1] : keys[2];
}

static int by_marker(const void *a, const void *b)
{
    const noise_nit_marker *x = a;
    const noise_nit_marker *y = b;
    const int order = COMPARE(x->when, y->when);
    return order != 0 ? order : COMPARE(x->node, y->node);
}

static void sort(void *list, size_t n, size_t size, GCompareFunc order)
{
    if (n > 0) {
        qsort(list, n, size, order);
    }
}

noise_nit *noise_nit_merge(const noise_nit *const *nits, const noise_node_clock *clocks, size_t n)
{
    noise_nit sum = {.num_nodes = 0};
    for (size_t i = 0; i < n; i++) {
        sum.num_nodes += nits[i]->num_nodes;
        sum.num_threads += nits[i]->num_threads;
        sum.num_activities += nits[i]->num_activities;
        sum.num_lines += nits[i]->num_lines;
        sum.num_interrupts += nits[i]->num_interrupts;
        sum.num_steals += nits[i]->num_steals;
        sum.num_markers += nits[i]->num_markers;
    }
    noise_nit *all = g_new0(noise_nit, 1);
    all->nodes = g_new0(noise_nit_node, sum.num_nodes + 1);
    all->threads = g_new0(noise_nit_thread, sum.num_threads + 1);
    all->activities = g_new0(noise_nit_activity, sum.num_activities + 1);
    all->lines = g_new0(noise_nit_line, sum.num_lines + 1);
    all->interrupts = g_new0(noise_nit_interrupts, sum.num_interrupts + 1);
    all->steals = g_new0(noise_nit_steal, sum.num_steals + 1);
    all->markers = g_new0(noise_nit_marker, sum.num_markers + 1);
    for (size_t i = 0; i < n; i++) {
        const bases b = {(uint32_t)all->num_nodes, (uint32_t)all->num_threads,
                         (uint32_t)all->num_lines, &clocks[i]};
        append_nodes(all, nits[i], &b);
        append_threads(all, nits[i], &b);
        append_records(all, nits[i], &b);
    }
    sort(all->activities, all->num_activities, sizeof *all->activities, by_activity);
    sort(all->interrupts, all->num_interrupts, sizeof *all->interrupts, by_interrupts);
    sort(all->steals, all->num_steals, sizeof *all->steals, by_steal);
    sort(all->markers, all->num_markers, sizeof *all->markers, by_marker);
    return all;
}
