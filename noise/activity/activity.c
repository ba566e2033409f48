/* noise/activity/activity.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/activity.h"

#include "activity/activity_private.h"
#include "timing/period.h"

#include <stdlib.h>
#include <string.h>

#define PERIOD_CHANCE 1e-3 /* a period is believed if chance gives one as clear less often */
#define PERIOD_EFFORT 2e6  /* hits times frequencies: a few milliseconds per program */

/* ---- Which row a thread belongs to ---- */

static void find_rows(noise_activity *a, const bool *is_job)
{
    const noise_nit *nit = a->nit;
    g_auto(GStrv) programs = noise_nit_programs(nit);
    g_autoptr(GHashTable) rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    a->row_of = g_new(uint32_t, nit->num_threads + 1);
    a->rows = g_new0(noise_activity_row, nit->num_threads + 1);
    for (size_t t = 0; t < nit->num_threads; t++) {
        const noise_nit_thread *thread = &nit->threads[t];
        char *key =
            g_strdup_printf("%u %d %d %s", thread->node, thread->kind, is_job[t], programs[t]);
        size_t found = GPOINTER_TO_SIZE(g_hash_table_lookup(rows, key));
        if (found == 0) {
            noise_activity_row *row = &a->rows[a->num_rows++];
            row->node = thread->node;
            row->kind = thread->kind;
            row->name = g_strdup(programs[t]);
            found = a->num_rows;
            g_hash_table_insert(rows, key, GSIZE_TO_POINTER(found));
        } else {
            g_free(key);
        }
        a->row_of[t] = (uint32_t)(found - 1);
    }
}

/* ---- Activations ---- */

static int by_beginning(const void *a, const void *b)
{
    const noise_activation *x = a;
    const noise_activation *y = b;
    if (x->from != y->from) {
        return x->from < y->from ? -1 : 1;
    }
    return (x->thread > y->thread) - (x->thread < y->thread);
}

/* A thread that gave up its CPU of itself had to be woken again; where that was not read, each of
 * its slices may have been a wake-up. */
static uint64_t most_wakeups(const noise_nit_activity *act)
{
    const bool read = act->voluntary > 0 || act->involuntary > 0;
    return read ? act->voluntary : act->slices;
}

/* Activities of a thread without a quiet sweep between them are one activation. */
static GArray *find_activations(const noise_nit *nit)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(noise_activation));
    g_autofree size_t *last = g_new0(size_t, nit->num_threads + 1); /* + 1; 0: none */
    for (size_t i = 0; i < nit->num_activities; i++) {
        const noise_nit_activity *act = &nit->activities[i];
        if (last[act->thread] > 0) {
            noise_activation *before =
                &g_array_index(found, noise_activation, last[act->thread] - 1);
            if (act->from <= before->to) {
                before->to = MAX(before->to, act->to);
                before->cpu_ns += act->cpu_ns;
                before->most += most_wakeups(act);
                continue;
            }
        }
        const noise_activation one = {act->thread, act->from,         act->to,
                                      act->cpu_ns, most_wakeups(act), act->is_recorded};
        g_array_append_val(found, one);
        last[act->thread] = found->len;
    }
    g_array_sort(found, by_beginning);
    return found;
}

/* ---- What a row says ---- */

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t at_share(const uint64_t *sorted, size_t n, size_t hundredths)
{
    const size_t rank = (n * hundredths + 99) / 100; /* from 1 */
    return sorted[MAX(rank, 1) - 1];
}

static void find_lengths(noise_activity_row *row, const noise_activation *const *act, size_t n)
{
    g_autofree uint64_t *length = g_new(uint64_t, n);
    for (size_t i = 0; i < n; i++) {
        length[i] = act[i]->cpu_ns;
        row->most_activations += MAX(act[i]->most, 1);
    }
    qsort(length, n, sizeof *length, by_number);
    row->mean_ns = (double)row->cpu_ns / (double)n;
    row->median_ns = (double)at_share(length, n, 50);
    row->p99_ns = (double)at_share(length, n, 99);
    row->max_ns = length[n - 1];
}

static sim_time to_ps(uint64_t ns)
{
    return (sim_time)MIN(ns, (uint64_t)(SIM_TIME_MAX / SIM_NS)) * SIM_NS;
}

static miner_period find_period(const noise_activation *const *act, size_t n, uint32_t only)
{
    g_autofree miner_seen *seen = g_new0(miner_seen, n);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        if (only != UINT32_MAX && act[i]->thread != only) {
            continue;
        }
        const uint64_t most = act[i]->to - act[i]->from;
        const uint64_t ran = act[i]->is_recorded ? most : MIN(act[i]->cpu_ns, most);
        seen[used++] = (miner_seen){
            .first = to_ps(act[i]->from - act[0]->from),
            .last = to_ps(act[i]->to - ran - act[0]->from),
            .hits = 1,
        };
    }
    return noise_miner_period_find(seen, used, PERIOD_CHANCE / 2, PERIOD_EFFORT);
}

static uint32_t busiest(const noise_activity *a, const noise_activation *const *act, size_t n)
{
    g_autofree uint32_t *count = g_new0(uint32_t, a->nit->num_threads + 1);
    uint32_t best = act[0]->thread;
    for (size_t i = 0; i < n; i++) {
        if (++count[act[i]->thread] > count[best]) {
            best = act[i]->thread;
        }
    }
    return best;
}

/* Of all its threads together, else of the busiest alone: two tries, each at half the chance. */
static void find_rhythm(const noise_activity *a, noise_activity_row *row,
                        const noise_activation *const *act, size_t n)
{
    miner_period found = find_period(act, n, UINT32_MAX);
    if (found.period == 0) {
        found = find_period(act, n, busiest(a, act, n));
    }
    row->period_ns = found.period / (double)SIM_NS;
    row->period_confidence = found.period > 0 ? 1 - MIN(2 * found.false_alarm, 1) : 0;
}

static void summarise(noise_activity *a, const GArray *activations)
{
    const noise_activation *all = (const noise_activation *)(void *)activations->data;
    g_autofree size_t *first = g_new0(size_t, a->num_rows + 2);
    for (guint i = 0; i < activations->len; i++) {
        first[a->row_of[all[i].thread] + 2]++;
    }
    for (size_t r = 2; r < a->num_rows + 2; r++) {
        first[r] += first[r - 1];
    }
    g_autofree const noise_activation **act = g_new(const noise_activation *, activations->len + 1);
    for (guint i = 0; i < activations->len; i++) {
        act[first[a->row_of[all[i].thread] + 1]++] = &all[i];
    }
    for (size_t r = 0; r < a->num_rows; r++) {
        noise_activity_row *row = &a->rows[r];
        const size_t n = first[r + 1] - first[r];
        const uint64_t watched = a->nodes[row->node].watched_ns;
        row->activations = n;
        row->rate = watched > 0 ? (double)n * 1e9 / (double)watched : 0;
        if (n > 0) {
            find_lengths(row, act + first[r], n);
            find_rhythm(a, row, act + first[r], n);
        }
    }
}

/* ---- Sums over activities ---- */

static void append_new(uint32_t **list, size_t *n, uint32_t value)
{
    size_t at = *n;
    while (at > 0 && (*list)[at - 1] > value) {
        at--;
    }
    if (at > 0 && (*list)[at - 1] == value) {
        return;
    }
    *list = g_renew(uint32_t, *list, *n + 1);
    memmove(*list + at + 1, *list + at, (*n - at) * sizeof **list);
    (*list)[at] = value;
    ++*n;
}

static gboolean uses_cpu(GHashTable *cpus, uint32_t node, uint32_t cpu)
{
    const gint64 key = (gint64)((uint64_t)node << 32 | cpu);
    return g_hash_table_contains(cpus, &key);
}

/* The CPUs on which the ranks spent time. */
static GHashTable *find_job_cpus(const noise_nit *nit, const bool *is_job)
{
    GHashTable *cpus = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (size_t i = 0; i < nit->num_activities; i++) {
        const noise_nit_activity *act = &nit->activities[i];
        if (is_job[act->thread] && act->cpu_ns > 0) {
            const gint64 key = (gint64)((uint64_t)nit->threads[act->thread].node << 32 | act->cpu);
            g_hash_table_add(cpus, g_memdup2(&key, sizeof key));
        }
    }
    return cpus;
}

static uint64_t since(uint64_t when, uint64_t begin)
{
    return when > begin ? when - begin : 0;
}

static void add_up(noise_activity *a, const bool *is_job)
{
    const noise_nit *nit = a->nit;
    g_autoptr(GHashTable) cpus = find_job_cpus(nit, is_job);
    g_autofree bool *counted = g_new0(bool, nit->num_threads + 1);
    for (size_t i = 0; i < nit->num_activities; i++) {
        const noise_nit_activity *act = &nit->activities[i];
        const noise_nit_thread *thread = &nit->threads[act->thread];
        noise_activity_row *row = &a->rows[a->row_of[act->thread]];
        noise_activity_node *node = &a->nodes[thread->node];
        const uint64_t begin = nit->nodes[thread->node].begin;
        const uint64_t from = since(act->from, begin);
        row->first_ns = row->num_pids == 0 ? from : MIN(row->first_ns, from);
        row->last_ns = MAX(row->last_ns, since(act->to, begin));
        row->slices += act->slices;
        row->cpu_ns += act->cpu_ns;
        row->voluntary += act->voluntary;
        row->involuntary += act->involuntary;
        row->beside_ns +=
            uses_cpu(cpus, thread->node, act->cpu) && !is_job[act->thread] ? act->cpu_ns : 0;
        if (act->cpu != UINT32_MAX) {
            append_new(&row->cpus, &row->num_cpus, act->cpu);
        }
        if (!counted[act->thread]) { /* a program may have thousands of processes */
            counted[act->thread] = true;
            append_new(&row->pids, &row->num_pids, thread->pid);
        }
        node->cpu_ns += act->cpu_ns;
        if (is_job[act->thread]) {
            node->job_ns += act->cpu_ns;
            node->job_begin = node->has_job ? MIN(node->job_begin, act->from) : act->from;
            node->job_end = MAX(node->job_end, act->to);
            node->has_job = true;
        }
    }
    for (size_t r = 0; r < a->num_rows; r++) {
        const noise_nit_node *node = &nit->nodes[a->rows[r].node];
        const double all = (double)a->nodes[a->rows[r].node].watched_ns * node->num_cpus;
        a->rows[r].share = all > 0 ? (double)a->rows[r].cpu_ns / all : 0;
    }
}

static void add_thefts(noise_activity *a, const noise_activity_theft *thefts, size_t n)
{
    for (size_t r = 0; r < a->num_rows; r++) {
        a->rows[r].has_stolen = thefts != NULL;
    }
    for (size_t i = 0; thefts != NULL && i < n; i++) {
        a->rows[a->row_of[thefts[i].thread]].stolen_ns += thefts[i].lost_ns;
    }
}

static int by_line(const void *a, const void *b)
{
    const noise_activity_line *x = a;
    const noise_activity_line *y = b;
    if (x->node != y->node) {
        return x->node < y->node ? -1 : 1;
    }
    if (x->cpu != y->cpu) {
        return x->cpu < y->cpu ? -1 : 1;
    }
    return (x->line > y->line) - (x->line < y->line);
}

static void add_interrupts(noise_activity *a)
{
    const noise_nit *nit = a->nit;
    g_autofree noise_activity_line *all = g_new0(noise_activity_line, nit->num_interrupts + 1);
    size_t n = 0;
    for (size_t i = 0; i < nit->num_interrupts; i++) {
        const noise_nit_interrupts *each = &nit->interrupts[i];
        all[n++] = (noise_activity_line){each->node, each->cpu, each->line, each->count};
    }
    qsort(all, n, sizeof *all, by_line);
    a->lines = g_new0(noise_activity_line, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (a->num_lines > 0 && by_line(&a->lines[a->num_lines - 1], &all[i]) == 0) {
            a->lines[a->num_lines - 1].count += all[i].count;
        } else if (all[i].count > 0) {
            a->lines[a->num_lines++] = all[i];
        }
    }
}

/* ---- Order ---- */

static int descending(uint64_t x, uint64_t y)
{
    return (x < y) - (x > y);
}

static int by_theft(const void *a, const void *b, void *rows)
{
    const noise_activity_row *x = (const noise_activity_row *)rows + *(const uint32_t *)a;
    const noise_activity_row *y = (const noise_activity_row *)rows + *(const uint32_t *)b;
    const int own_x = x->origin == NOISE_ORIGIN_JOB || x->origin == NOISE_ORIGIN_MONITOR;
    const int own_y = y->origin == NOISE_ORIGIN_JOB || y->origin == NOISE_ORIGIN_MONITOR;
    const int keys[] = {
        (x->activations == 0) - (y->activations == 0),
        descending(x->stolen_ns, y->stolen_ns),
        own_x - own_y,
        descending(x->beside_ns, y->beside_ns),
        descending(x->cpu_ns, y->cpu_ns),
        descending(y->node, x->node),
        strcmp(x->name, y->name),
    };
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (keys[i] != 0) {
            return keys[i];
        }
    }
    return (int)x->kind - (int)y->kind;
}

static void sort_rows(noise_activity *a)
{
    g_autofree uint32_t *order = g_new(uint32_t, a->num_rows + 1);
    g_autofree uint32_t *place = g_new(uint32_t, a->num_rows + 1);
    noise_activity_row *sorted = g_new0(noise_activity_row, a->num_rows + 1);
    for (uint32_t r = 0; r < a->num_rows; r++) {
        order[r] = r;
    }
    g_qsort_with_data(order, (gint)a->num_rows, sizeof *order, by_theft, a->rows);
    for (uint32_t r = 0; r < a->num_rows; r++) {
        sorted[r] = a->rows[order[r]];
        place[order[r]] = r;
        a->num_active += sorted[r].activations > 0;
    }
    for (size_t t = 0; t < a->nit->num_threads; t++) {
        a->row_of[t] = place[a->row_of[t]];
    }
    g_free(a->rows);
    a->rows = sorted;
}

noise_activity *noise_activity_new(const noise_nit *nit, const noise_activity_theft *thefts,
                                   size_t num_thefts)
{
    noise_activity *a = g_new0(noise_activity, 1);
    g_autofree bool *is_job = noise_activity_find_job(nit);
    a->nit = nit;
    a->nodes = g_new0(noise_activity_node, nit->num_nodes + 1);
    for (size_t n = 0; n < nit->num_nodes; n++) {
        const uint64_t whole = since(nit->nodes[n].end, nit->nodes[n].begin);
        a->nodes[n].watched_ns = since(whole, nit->nodes[n].blind_ns);
    }
    find_rows(a, is_job);
    add_up(a, is_job);
    g_autoptr(GArray) activations = find_activations(nit);
    summarise(a, activations);
    add_thefts(a, thefts, num_thefts);
    add_interrupts(a);
    noise_activity_find_origins(a, is_job, (const noise_activation *)(void *)activations->data,
                                activations->len);
    sort_rows(a);
    return a;
}

void noise_activity_free(noise_activity *a)
{
    if (a != NULL) {
        for (size_t r = 0; r < a->num_rows; r++) {
            g_free(a->rows[r].name);
            g_free(a->rows[r].because);
            g_free(a->rows[r].pids);
            g_free(a->rows[r].cpus);
        }
        g_free(a->rows);
        g_free(a->nodes);
        g_free(a->row_of);
        g_free(a->lines);
        g_free(a);
    }
}
