/* noise/files/fold.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_detour_file. */
#include "files/fold.h"

#include <stdlib.h>

static void source_clear(noise_detour_source *s)
{
    g_free(s->name);
    g_free(s->kind);
    g_free(s->evidence);
}

sim_time *noise_detour_file_totals(const noise_detour_file *file)
{
    sim_time *total = g_new0(sim_time, file->num_sources + 1);
    for (size_t r = 0; r < file->num_runs; r++) {
        const noise_detour_run *run = &file->runs[r];
        for (size_t i = 0; run->source != NULL && i < run->n; i++) {
            sim_time *t = &total[run->source[i]];
            *t = MIN(*t + run->length[i], SIM_TIME_MAX);
        }
    }
    return total;
}

typedef struct ranked {
    sim_time total;
    size_t index;
} ranked;

static int by_total(const void *pa, const void *pb)
{
    const ranked *a = pa;
    const ranked *b = pb;
    if (a->total != b->total) {
        return a->total > b->total ? -1 : 1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

/* Which keep a place of their own. @return [num_sources], owned by the caller */
static bool *largest(const noise_detour_file *file, size_t n)
{
    g_autofree sim_time *total = noise_detour_file_totals(file);
    g_autofree ranked *order = g_new(ranked, file->num_sources);
    for (size_t i = 0; i < file->num_sources; i++) {
        order[i] = (ranked){total[i], i};
    }
    qsort(order, file->num_sources, sizeof *order, by_total);
    bool *keep = g_new0(bool, file->num_sources);
    for (size_t i = 0; i < n; i++) {
        keep[order[i].index] = true;
    }
    return keep;
}

void noise_detour_file_fold(noise_detour_file *file, size_t most)
{
    if (file->num_sources <= most) {
        return;
    }
    const size_t others = most - 1; /* the index they get */
    g_autofree bool *keep = largest(file, others);
    g_autofree uint16_t *now = g_new(uint16_t, file->num_sources);
    size_t n = 0;
    for (size_t i = 0; i < file->num_sources; i++) {
        now[i] = (uint16_t)(keep[i] ? n : others);
        if (keep[i]) {
            file->sources[n++] = file->sources[i];
        } else {
            source_clear(&file->sources[i]);
        }
    }
    for (size_t r = 0; r < file->num_runs; r++) {
        noise_detour_run *run = &file->runs[r];
        for (size_t i = 0; run->source != NULL && i < run->n; i++) {
            run->source[i] = now[run->source[i]];
        }
    }
    file->sources[others] = (noise_detour_source){
        g_strdup("others"), g_strdup("not known"),
        g_strdup_printf("the %zu sources that took the least time", file->num_sources - others)};
    file->num_sources = most;
}
