/* tests/noise/activity/any_nit.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Made-up .nit contents: nodes, threads and activities appended one by one, and sorted as a file
 * has them.
 */
#pragma once

#include "noise/nit.h"

#include <stdlib.h>

static inline uint32_t any_nit_add_node(noise_nit *nit, const char *name, uint32_t num_cpus,
                                        uint64_t begin, uint64_t end)
{
    nit->nodes = g_renew(noise_nit_node, nit->nodes, nit->num_nodes + 1);
    noise_nit_node *node = &nit->nodes[nit->num_nodes];
    *node = (noise_nit_node){.name = g_strdup(name),
                             .boot_id = g_strdup_printf("boot-of-%s", name),
                             .kernel = g_strdup("6.1"),
                             .num_cpus = num_cpus,
                             .cpus = g_new(uint32_t, num_cpus),
                             .core = g_new(uint32_t, num_cpus),
                             .clk_tck = 100,
                             .begin = begin,
                             .end = end,
                             .mean_interval_ns = 1000000};
    for (uint32_t c = 0; c < num_cpus; c++) {
        node->cpus[c] = c;
        node->core[c] = c;
    }
    return (uint32_t)nit->num_nodes++;
}

static inline uint32_t any_nit_add_thread(noise_nit *nit, uint32_t node, uint32_t pid,
                                          uint32_t parent, const char *name,
                                          noise_program_class kind, int32_t rank)
{
    nit->threads = g_renew(noise_nit_thread, nit->threads, nit->num_threads + 1);
    nit->threads[nit->num_threads] = (noise_nit_thread){.node = node,
                                                        .pid = pid,
                                                        .tid = pid,
                                                        .parent = parent,
                                                        .name = g_strdup(name),
                                                        .kind = kind,
                                                        .rank = rank};
    return (uint32_t)nit->num_threads++;
}

static inline noise_nit_activity *any_nit_add(noise_nit *nit, uint32_t thread, uint32_t cpu,
                                              uint64_t from, uint64_t to, uint64_t cpu_ns)
{
    nit->activities = g_renew(noise_nit_activity, nit->activities, nit->num_activities + 1);
    nit->activities[nit->num_activities] = (noise_nit_activity){
        .thread = thread, .cpu = cpu, .from = from, .to = to, .cpu_ns = cpu_ns, .slices = 1};
    return &nit->activities[nit->num_activities++];
}

static inline int any_nit_by_end(const void *a, const void *b)
{
    const noise_nit_activity *x = a;
    const noise_nit_activity *y = b;
    if (x->to != y->to) {
        return x->to < y->to ? -1 : 1;
    }
    return (x->thread > y->thread) - (x->thread < y->thread);
}

static inline void any_nit_sort(noise_nit *nit)
{
    if (nit->num_activities == 0) { /* there may be no array */
        return;
    }
    qsort(nit->activities, nit->num_activities, sizeof *nit->activities, any_nit_by_end);
}
