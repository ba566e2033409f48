/* noise/join/join_detours.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_join. */
#include "noise/activity.h"
#include "noise/detour_file.h"
#include "noise/join.h"

#include <string.h>

enum { PS_PER_NS = 1000, MOST_NAMED = NOISE_DETOUR_MOST_SOURCES - 2 };
#define NOT_EXPLAINED "not explained"
#define OTHERS        "all others"

/* Which source a piece is of; -1: of none, it is the job's own or the watcher's. */
static int source_of(const noise_join_input *input, const noise_join_piece *p, GPtrArray *names)
{
    const uint32_t node = input->thread[p->main].node;
    if (p->tid == 0) {
        return 0;
    }
    for (size_t i = 0; i < input->num_threads; i++) {
        const noise_join_thread *t = &input->thread[i];
        if (t->node == node && (t->tid == p->tid ||
                                (p->thread >= 0 && t->pid == input->nit->threads[p->thread].pid))) {
            return -1;
        }
    }
    const noise_nit_thread *t = p->thread >= 0 ? &input->nit->threads[p->thread] : NULL;
    if (t != NULL && (t->kind == NOISE_PROGRAM_APPLICATION || t->kind == NOISE_PROGRAM_MONITOR)) {
        return -1;
    }
    g_autofree char *name =
        t != NULL ? noise_program_family(t->name, t->kind) : g_strdup(NOISE_JOIN_UNNAMED);
    for (guint i = 0; i < names->len; i++) {
        if (strcmp(g_ptr_array_index(names, i), name) == 0) {
            return (int)i;
        }
    }
    if (names->len > MOST_NAMED) { /* the last is for all that come later */
        if (strcmp(g_ptr_array_index(names, names->len - 1), OTHERS) == 0) {
            return (int)names->len - 1;
        }
        g_free(name);
        name = g_strdup(OTHERS);
    }
    g_ptr_array_add(names, g_steal_pointer(&name));
    return (int)names->len - 1;
}

static void add_detour(GArray *start, GArray *length, GArray *source, sim_time from, sim_time ns,
                       uint16_t which)
{
    const sim_time ps_from = from * PS_PER_NS;
    const sim_time ps = ns * PS_PER_NS;
    g_array_append_val(start, ps_from);
    g_array_append_val(length, ps);
    g_array_append_val(source, which);
}

static noise_detour_run run_of(const noise_join *join, const noise_join_input *input, uint32_t main,
                               GPtrArray *names)
{
    const noise_join_thread *me = &input->thread[main];
    GArray *start = g_array_new(FALSE, FALSE, sizeof(sim_time));
    GArray *length = g_array_new(FALSE, FALSE, sizeof(sim_time));
    GArray *source = g_array_new(FALSE, FALSE, sizeof(uint16_t));
    for (size_t i = 0; i < join->num_pieces; i++) {
        const noise_join_piece *p = &join->piece[i];
        const int which = p->main == main && p->from >= me->begin && p->to <= me->end
                              ? source_of(input, p, names)
                              : -1;
        if (which >= 0) {
            add_detour(start, length, source, (sim_time)(p->from - me->begin),
                       (sim_time)(p->to - p->from), (uint16_t)which);
        }
    }
    return (noise_detour_run){.n = start->len,
                              .start = (sim_time *)(void *)g_array_free(start, FALSE),
                              .length = (sim_time *)(void *)g_array_free(length, FALSE),
                              .source = (uint16_t *)(void *)g_array_free(source, FALSE),
                              .period = (sim_time)(me->end - me->begin) * PS_PER_NS,
                              .node = me->node,
                              .cpu = me->n > 0 ? me->off[0].cpu : UINT32_MAX};
}

noise_detour_file *noise_join_detours(const noise_join *join, const noise_join_input *input)
{
    noise_detour_file *file = g_new0(noise_detour_file, 1);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(names, g_strdup(NOT_EXPLAINED));
    GArray *runs = g_array_new(FALSE, FALSE, sizeof(noise_detour_run));
    for (uint32_t i = 0; i < input->num_threads; i++) {
        if (input->thread[i].is_main) {
            const noise_detour_run run = run_of(join, input, i, names);
            g_array_append_val(runs, run);
        }
    }
    file->num_runs = runs->len;
    file->runs = (noise_detour_run *)(void *)g_array_free(runs, FALSE);
    file->method = g_strdup("switches");
    file->num_sources = names->len;
    file->sources = g_new0(noise_detour_source, names->len);
    for (guint i = 0; i < names->len; i++) {
        file->sources[i] = (noise_detour_source){
            .name = g_strdup(g_ptr_array_index(names, i)),
            .kind = g_strdup(i == 0 ? "not known" : "program"),
            .evidence = g_strdup(i == 0 ? "the rank was off its CPU; nobody was seen there"
                                        : "ran where the rank was switched out"),
        };
    }
    return file;
}
