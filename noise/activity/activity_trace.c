/* noise/activity/activity_trace.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_paraver. */
#include "noise/activity_trace.h"

#include <stdlib.h>

/* Time 0 is when the first node's watch began; the last one to end ends the trace. */
static void find_span(noise_activity_trace *t)
{
    const noise_nit *nit = t->activity->nit;
    uint64_t end = 0;
    t->origin = nit->num_nodes > 0 ? UINT64_MAX : 0;
    for (size_t n = 0; n < nit->num_nodes; n++) {
        const noise_nit_node *node = &nit->nodes[n];
        if (node->begin < t->origin) {
            t->origin = node->begin;
            t->realtime_ns =
                node->num_clocks > 0
                    ? (int64_t)(node->clocks[0].realtime - node->clocks[0].monotonic + node->begin)
                    : 0;
        }
        end = MAX(end, node->end);
    }
    for (size_t i = 0; i < nit->num_activities; i++) {
        end = MAX(end, nit->activities[i].to);
    }
    t->duration = end > t->origin ? end - t->origin : 0;
    t->watched = t->duration;
}

static void number_programs(noise_activity_trace *t)
{
    const noise_activity *a = t->activity;
    t->programs = g_new0(noise_trace_program, a->num_rows + 1);
    t->program_of = g_new0(uint32_t, a->num_rows + 1);
    for (size_t r = 0; r < a->num_rows; r++) {
        const noise_activity_row *row = &a->rows[r];
        size_t p = 0;
        while (p < t->num_programs && (g_strcmp0(t->programs[p].name, row->name) != 0 ||
                                       t->programs[p].kind != row->kind)) {
            p++;
        }
        if (p == t->num_programs) {
            t->programs[t->num_programs++] = (noise_trace_program){g_strdup(row->name), row->kind};
        }
        t->program_of[r] = (uint32_t)p;
    }
}

/* Two programs of one name: say which is which. */
static void tell_apart(noise_activity_trace *t)
{
    for (size_t p = 0; p < t->num_programs; p++) {
        bool twice = false;
        for (size_t q = p + 1; q < t->num_programs; q++) {
            if (g_strcmp0(t->programs[p].name, t->programs[q].name) == 0) {
                twice = true;
                char *name = t->programs[q].name;
                t->programs[q].name =
                    g_strdup_printf("%s (%s)", name, noise_program_class_name(t->programs[q].kind));
                g_free(name);
            }
        }
        if (twice) {
            char *name = t->programs[p].name;
            t->programs[p].name =
                g_strdup_printf("%s (%s)", name, noise_program_class_name(t->programs[p].kind));
            g_free(name);
        }
    }
}

static int by_rank(const void *a, const void *b)
{
    const noise_rank_track *x = a;
    const noise_rank_track *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Of the ranks that the file names: from the first sign to the last, on the CPU of the first. */
static void take_ranks_of_file(noise_activity_trace *t)
{
    const noise_nit *nit = t->activity->nit;
    g_autoptr(GHashTable) known = g_hash_table_new(g_direct_hash, g_direct_equal);
    t->ranks = g_new0(noise_rank_track, nit->num_threads + 1);
    for (size_t i = 0; i < nit->num_activities; i++) {
        const noise_nit_activity *act = &nit->activities[i];
        const noise_nit_thread *thread = &nit->threads[act->thread];
        if (thread->rank < 0) {
            continue;
        }
        gpointer key = GUINT_TO_POINTER((guint)thread->rank + 1);
        noise_rank_track *track = g_hash_table_lookup(known, key);
        if (track == NULL) {
            track = &t->ranks[t->num_ranks++];
            *track = (noise_rank_track){.rank = (uint32_t)thread->rank,
                                        .node = thread->node,
                                        .cpu = act->cpu,
                                        .begin = act->from};
            g_hash_table_insert(known, key, track);
        }
        track->begin = MIN(track->begin, act->from);
        track->end = MAX(track->end, act->to);
    }
    qsort(t->ranks, t->num_ranks, sizeof *t->ranks, by_rank);
}

/* Where a rank's place was taken by a known thread, that one's time is known exactly. */
static GArray *find_exact(const noise_activity_trace *t)
{
    GArray *exact = g_array_new(FALSE, FALSE, sizeof(noise_exact));
    for (size_t r = 0; r < t->num_ranks; r++) {
        for (size_t g = 0; g < t->ranks[r].num_gaps; g++) {
            const noise_rank_gap *gap = &t->ranks[r].gaps[g];
            if (gap->by != UINT32_MAX && gap->preempted && gap->is_exact) {
                const noise_exact e = {gap->by, gap->cpu, gap->out, gap->in};
                g_array_append_val(exact, e);
            }
        }
    }
    return exact;
}

noise_activity_trace *noise_activity_trace_new(const noise_activity *activity,
                                               const noise_rank_track *ranks, size_t num_ranks)
{
    return noise_activity_trace_new_exact(activity, ranks, num_ranks, NULL, 0);
}

noise_activity_trace *noise_activity_trace_new_exact(const noise_activity *activity,
                                                     const noise_rank_track *ranks,
                                                     size_t num_ranks, const noise_exact *exact,
                                                     size_t num_exact)
{
    const noise_nit *nit = activity->nit;
    noise_activity_trace *t = g_new0(noise_activity_trace, 1);
    t->activity = activity;
    find_span(t);
    number_programs(t);
    tell_apart(t);
    if (ranks != NULL && num_ranks > 0) {
        t->ranks = g_memdup2(ranks, num_ranks * sizeof *ranks);
        t->num_ranks = num_ranks;
        qsort(t->ranks, t->num_ranks, sizeof *t->ranks, by_rank);
    } else {
        take_ranks_of_file(t);
    }
    g_autofree bool *is_rank = g_new0(bool, nit->num_threads + 1);
    for (size_t i = 0; i < nit->num_threads; i++) {
        is_rank[i] = nit->threads[i].rank >= 0;
    }
    g_autoptr(GArray) of_ranks = num_exact == 0 ? find_exact(t) : NULL; /* they are among those */
    t->timeline = num_exact > 0 ? noise_timeline_new(nit, is_rank, exact, num_exact)
                                : noise_timeline_new(nit, is_rank,
                                                     (const noise_exact *)(void *)of_ranks->data,
                                                     of_ranks->len);
    return t;
}

void noise_activity_trace_free(noise_activity_trace *t)
{
    if (t != NULL) {
        for (size_t p = 0; p < t->num_programs; p++) {
            g_free(t->programs[p].name);
        }
        g_free(t->programs);
        g_free(t->program_of);
        g_free(t->ranks);
        noise_timeline_free(t->timeline);
        g_free(t);
    }
}
