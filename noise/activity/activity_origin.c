/* noise/activity/activity_origin.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_activity. */
/**
 * @file
 * Internal or external: is an activity caused by the job? Utrera, Fornes, Labarta ask it of every
 * daemon. Three rules, each with a number that a reader can check; what meets none is external.
 */
#include "activity/activity_private.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define CHANCE  0.001 /* of all programs of a node together, to be called internal by accident */
#define TIMES   10.0  /* as often while the job runs */
#define TENTHS  8     /* of the job's time, in which it must be active at least once */
#define FOLLOWS 0.9   /* of its activations come right after a rank gave up its CPU */
#define MOST_CHANCE                                                                                \
    0.5                /* of the job's time lies right after such a call: else nothing can follow */
#define MORE       2.0 /* times as often while the job runs, where it follows the job's calls */
#define SWEEPS     2   /* that "right after" lasts */
#define MOST_DEPTH 64  /* of a chain of parents: it may have a circle where ids were used again */

const char *const noise_origin_rules[] = {
    "internal by descent: at least half of its CPU time was used by processes that the job "
    "started, or "
    "that belong to it without being ranks",
    "internal by presence: at least 10 times as many activations per second while the job ran as "
    "without "
    "it, in at least 8 tenths of its time, and by chance with a probability below 0.001 (all "
    "programs of "
    "the node together; binomial)",
    "internal by succession: at least 9 of 10 activations while the job ran begin within two "
    "sweeps of a "
    "rank's giving up its CPU, where such times are at most half of the job's, with the same "
    "probability; and "
    "it is at least twice as frequent while the job runs",
    "external: none of these; of an activity that is rare beside the job's length nothing can be "
    "told",
    NULL,
};

bool *noise_activity_find_job(const noise_nit *nit)
{
    bool *is_job = g_new0(bool, nit->num_threads + 1);
    g_autofree bool *has_ranks = g_new0(bool, nit->num_nodes + 1);
    for (size_t t = 0; t < nit->num_threads; t++) {
        has_ranks[nit->threads[t].node] |= nit->threads[t].rank >= 0;
    }
    for (size_t t = 0; t < nit->num_threads; t++) {
        const noise_nit_thread *thread = &nit->threads[t];
        is_job[t] =
            has_ranks[thread->node] ? thread->rank >= 0 : thread->kind == NOISE_PROGRAM_APPLICATION;
    }
    return is_job;
}

/* ---- Descent ---- */

static gint64 process_key(uint32_t node, uint32_t pid)
{
    return (gint64)((uint64_t)node << 32 | pid);
}

/* From (node, pid) to a thread of that process; of several the one listed last. */
static GHashTable *index_processes(const noise_nit *nit, gint64 *keys)
{
    GHashTable *processes = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (size_t t = 0; t < nit->num_threads; t++) {
        keys[t] = process_key(nit->threads[t].node, nit->threads[t].pid);
        g_hash_table_insert(processes, &keys[t], GSIZE_TO_POINTER(t + 1));
    }
    return processes;
}

static bool descends(const noise_nit *nit, GHashTable *processes, const bool *is_job, size_t thread)
{
    if (nit->threads[thread].kind == NOISE_PROGRAM_APPLICATION) {
        return true;
    }
    for (unsigned depth = 0; depth < MOST_DEPTH; depth++) {
        const gint64 key = process_key(nit->threads[thread].node, nit->threads[thread].parent);
        const size_t found = GPOINTER_TO_SIZE(g_hash_table_lookup(processes, &key));
        if (found == 0 || nit->threads[found - 1].pid <= 1) {
            return false;
        }
        thread = found - 1;
        if (is_job[thread]) {
            return true;
        }
    }
    return false;
}

static void find_descent(noise_activity *a, const bool *is_job)
{
    const noise_nit *nit = a->nit;
    g_autofree uint64_t *of_job = g_new0(uint64_t, a->num_rows + 1);
    g_autofree gint64 *keys = g_new(gint64, nit->num_threads + 1);
    g_autoptr(GHashTable) processes = index_processes(nit, keys);
    g_autofree bool *below = g_new0(bool, nit->num_threads + 1);
    for (size_t t = 0; t < nit->num_threads; t++) {
        below[t] = !is_job[t] && descends(nit, processes, is_job, t);
    }
    for (size_t i = 0; i < nit->num_activities; i++) {
        const noise_nit_activity *activity = &nit->activities[i];
        of_job[a->row_of[activity->thread]] += below[activity->thread] ? activity->cpu_ns : 0;
    }
    for (size_t r = 0; r < a->num_rows; r++) {
        noise_activity_row *row = &a->rows[r];
        if (row->origin == NOISE_ORIGIN_EXTERNAL && of_job[r] > 0 && of_job[r] >= row->cpu_ns / 2) {
            row->origin = NOISE_ORIGIN_INTERNAL;
            row->because =
                g_strdup_printf("by descent: %.3g %% of its CPU time is of the job's own "
                                "processes",
                                100.0 * (double)of_job[r] / (double)row->cpu_ns);
        }
    }
}

/* ---- Presence ---- */

typedef struct presence {
    unsigned inside;
    unsigned outside;
    unsigned tenths; /* bits */
    unsigned following;
} presence;

/* Of @p n, as many as @p k or more, each with probability @p each: how likely? */
static double tail(unsigned k, double each, unsigned n)
{
    return k == 0 ? 1 : gsl_cdf_binomial_Q(k - 1, each, n);
}

/* The time that the job ran on the node of a row, and the rest of the watch, in ns. */
static void find_times(const noise_activity *a, const noise_activity_row *row, double *job,
                       double *rest)
{
    const noise_activity_node *node = &a->nodes[row->node];
    const noise_nit_node *watch = &a->nit->nodes[row->node];
    *job = (double)(node->job_end - node->job_begin);
    *rest = fmax((double)(watch->end - watch->begin) - *job, 0);
}

static void judge_presence(const noise_activity *a, noise_activity_row *row, const presence *seen,
                           double chance)
{
    double job = 0;
    double rest = 0;
    find_times(a, row, &job, &rest);
    if (!(rest > 0)) {
        return;
    }
    const double with = seen->inside / job;
    const double without = seen->outside / rest;
    const double p = tail(seen->inside, job / (job + rest), seen->inside + seen->outside);
    if (with >= TIMES * without && __builtin_popcount(seen->tenths) >= TENTHS && p < chance) {
        row->origin = NOISE_ORIGIN_INTERNAL;
        row->because =
            g_strdup_printf("by presence: %u activations in the %.3g s of the job, %u in "
                            "the %.3g s without it (by chance: %.1g)",
                            seen->inside, job / 1e9, seen->outside, rest / 1e9, p);
    }
}

/* ---- Succession ---- */

/* The times right after a rank of a node gave up its CPU. */
typedef struct calls {
    GArray *edges; /* of uint64_t: from, to, from, to, ...; ascending */
    double share;  /* of the job's time */
} calls;

static int by_edge(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a; /* the first of a pair */
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static calls find_calls(const noise_activity *a, uint32_t node, const bool *is_job)
{
    const noise_nit *nit = a->nit;
    const uint64_t after = SWEEPS * (uint64_t)nit->nodes[node].mean_interval_ns;
    g_autoptr(GArray) times = g_array_new(FALSE, FALSE, 2 * sizeof(uint64_t));
    for (size_t i = 0; i < nit->num_activities; i++) {
        const noise_nit_activity *act = &nit->activities[i];
        if (is_job[act->thread] && act->voluntary > 0 && nit->threads[act->thread].node == node) {
            const uint64_t time[2] = {act->from, act->to + after};
            g_array_append_vals(times, time, 1);
        }
    }
    g_array_sort(times, by_edge);
    calls c = {.edges = g_array_new(FALSE, FALSE, sizeof(uint64_t))};
    double covered = 0;
    for (guint i = 0; i < times->len; i++) {
        const uint64_t *time = (const uint64_t *)(void *)times->data + 2 * (size_t)i;
        uint64_t *edge = (uint64_t *)(void *)c.edges->data;
        const guint len = c.edges->len;
        if (len > 0 && edge[len - 1] >= time[0]) {
            covered += (double)(MAX(edge[len - 1], time[1]) - edge[len - 1]);
            edge[len - 1] = MAX(edge[len - 1], time[1]);
        } else {
            g_array_append_vals(c.edges, time, 2);
            covered += (double)(time[1] - time[0]);
        }
    }
    const double job = (double)(a->nodes[node].job_end - a->nodes[node].job_begin);
    c.share = fmin(covered / job, 1);
    return c;
}

static bool is_after_call(const calls *c, uint64_t when)
{
    const uint64_t *edge = (const uint64_t *)(void *)c->edges->data;
    guint low = 0;
    guint high = c->edges->len;
    while (low < high) { /* how many edges are at or before it? */
        const guint middle = low + (high - low) / 2;
        if (edge[middle] <= when) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low % 2 == 1;
}

/* Two rhythms may be in step by accident: what the job causes also comes more often with it. */
static void judge_succession(const noise_activity *a, noise_activity_row *row, const presence *seen,
                             const calls *c, double chance)
{
    double job = 0;
    double rest = 0;
    find_times(a, row, &job, &rest);
    if (seen->inside == 0 || c->share > MOST_CHANCE ||
        seen->inside * rest < MORE * seen->outside * job) {
        return;
    }
    const double p = tail(seen->following, c->share, seen->inside);
    if (seen->following >= FOLLOWS * seen->inside && p < chance) {
        row->origin = NOISE_ORIGIN_INTERNAL;
        row->because =
            g_strdup_printf("by succession: %u of %u activations come right after a rank "
                            "gave up its CPU, which is %.3g %% of its time (by chance: "
                            "%.1g)",
                            seen->following, seen->inside, 100 * c->share, p);
    }
}

static void judge_node(noise_activity *a, uint32_t node, const bool *is_job,
                       const noise_activation *activations, size_t n)
{
    const noise_activity_node *here = &a->nodes[node];
    const uint64_t length = here->job_end - here->job_begin;
    g_autofree presence *seen = g_new0(presence, a->num_rows + 1);
    const calls c = find_calls(a, node, is_job);
    for (size_t i = 0; i < n; i++) {
        const noise_activation *act = &activations[i];
        presence *p = &seen[a->row_of[act->thread]];
        const uint64_t when = act->from + (act->to - act->from) / 2;
        if (a->nit->threads[act->thread].node != node) {
            continue;
        }
        if (when < here->job_begin || when >= here->job_end) {
            p->outside++;
            continue;
        }
        p->inside++;
        p->tenths |= 1U << (unsigned)(10.0 * (double)(when - here->job_begin) / (double)length);
        p->following += is_after_call(&c, act->from);
    }
    unsigned candidates = 0;
    for (size_t r = 0; r < a->num_rows; r++) {
        candidates += a->rows[r].node == node && a->rows[r].origin == NOISE_ORIGIN_EXTERNAL;
    }
    for (size_t r = 0; r < a->num_rows; r++) {
        noise_activity_row *row = &a->rows[r];
        if (row->node == node && row->origin == NOISE_ORIGIN_EXTERNAL) {
            judge_presence(a, row, &seen[r], CHANCE / candidates);
        }
        if (row->node == node && row->origin == NOISE_ORIGIN_EXTERNAL) {
            judge_succession(a, row, &seen[r], &c, CHANCE / candidates);
        }
    }
    g_array_unref(c.edges);
}

void noise_activity_find_origins(noise_activity *a, const bool *is_job,
                                 const noise_activation *activations, size_t n)
{
    g_autofree bool *of_job = g_new0(bool, a->num_rows + 1);
    for (size_t t = 0; t < a->nit->num_threads; t++) {
        of_job[a->row_of[t]] |= is_job[t];
    }
    for (size_t r = 0; r < a->num_rows; r++) {
        noise_activity_row *row = &a->rows[r];
        row->origin = row->kind == NOISE_PROGRAM_MONITOR ? NOISE_ORIGIN_MONITOR
                      : of_job[r]                        ? NOISE_ORIGIN_JOB
                      : a->nodes[row->node].has_job      ? NOISE_ORIGIN_EXTERNAL
                                                         : NOISE_ORIGIN_UNKNOWN;
    }
    find_descent(a, is_job);
    for (uint32_t node = 0; node < a->nit->num_nodes; node++) {
        if (a->nodes[node].has_job && a->nodes[node].job_end > a->nodes[node].job_begin) {
            judge_node(a, node, is_job, activations, n);
        }
    }
}
