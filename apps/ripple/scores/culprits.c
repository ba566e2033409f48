/* apps/ripple/scores/culprits.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_culprits. */
#include "scores/culprits.h"

#include "detection/recorded_calls.h"
#include "losses/losses.h"
#include "noise/nit_programs.h"
#include "sim/unit.h"

/* A time of the run on the clock of the thread's node, ns. */
static uint64_t on_the_node(const noise_join_thread *thread, const sched_rank *rank, sim_time when,
                            sim_time origin)
{
    const sim_time since = (when + origin - rank->calls[0].enter) / SIM_NS;
    const uint64_t begin = thread->enter[0];
    return since < 0 && (uint64_t)-since > begin ? 0 : begin + (uint64_t)since;
}

static char *name_of(const app_losses *l, const noise_join_piece *p)
{
    if (p->thread < 0) {
        return NULL;
    }
    const noise_nit_thread *t = &l->nit->threads[p->thread];
    if (t->kind == NOISE_PROGRAM_APPLICATION) {
        return g_strdup("the program itself");
    }
    g_autofree char *family = noise_program_family(t->name, t->kind);
    return g_strdup_printf(t->kind == NOISE_PROGRAM_KERNEL ? "`%s` (kernel)" : "`%s`", family);
}

/* Who took most between two instants of the node. */
static app_culprit culprit_between(const app_losses *l, uint32_t rank, uint64_t from, uint64_t to)
{
    g_autoptr(GHashTable) taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    uint64_t all = 0;
    uint64_t most = 0;
    app_culprit out = {0};
    for (size_t i = 0; i < l->join->num_pieces; i++) {
        const noise_join_piece *p = &l->join->piece[i];
        const uint64_t begin = MAX(p->from, from);
        const uint64_t end = MIN(p->to, to);
        if (l->input.thread[p->main].rank != rank || end <= begin) {
            continue;
        }
        all += end - begin;
        g_autofree char *name = name_of(l, p);
        if (name == NULL) {
            continue;
        }
        uint64_t *sum = g_hash_table_lookup(taken, name);
        if (sum == NULL) {
            sum = g_new0(uint64_t, 1);
            g_hash_table_insert(taken, g_strdup(name), sum);
        }
        *sum += end - begin;
        if (*sum > most) {
            most = *sum;
            g_free(out.name);
            out.name = g_steal_pointer(&name);
        }
    }
    out.share = all > 0 ? (double)most / (double)all : 0;
    return out;
}

static const noise_join_thread *main_of(const app_losses *l, uint32_t rank)
{
    for (size_t i = 0; i < l->input.num_threads; i++) {
        const noise_join_thread *t = &l->input.thread[i];
        if (t->rank == rank && t->is_main && t->num_calls > 0) {
            return t;
        }
    }
    return NULL;
}

void app_culprits_find(app_score *s, const sched_trace *trace, const char *folder)
{
    app_watched nobody = {0}; /* what the watch left in files is enough */
    g_autoptr(app_losses) l =
        s->num_disturbed > 0 ? app_losses_new(folder, trace, &nobody, NULL) : NULL;
    if (l == NULL) {
        return;
    }
    const sim_time origin = app_recorded_origin(trace);
    for (uint32_t i = 0; i < s->num_disturbed; i++) {
        const uint32_t rank = s->order[i];
        const noise_interference_finding *j = &s->judged[rank].of[NOISE_INTERFERENCE_DISTURBED];
        const noise_join_thread *t = main_of(l, rank);
        if (t != NULL) {
            const sched_rank *r = &trace->ranks[rank];
            const uint64_t from = j->has_onset ? on_the_node(t, r, j->onset, origin) : 0;
            const uint64_t to =
                j->has_onset && !j->open ? on_the_node(t, r, j->until, origin) : UINT64_MAX;
            s->culprit[rank] = culprit_between(l, rank, from, to);
        }
    }
}
