/* bench/sc10/lab.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab.h"

#include "replicas.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

struct sc10_lab {
    uint32_t replicas;
    uint32_t max_ranks;
    unsigned threads;
    uint64_t seed;
    GHashTable *times; /* text of case and size -> sc10_times */
};

static void times_free(gpointer data)
{
    sc10_times *times = data;
    g_free(times->replica);
    g_free(times->sorted);
    g_free(times);
}

sc10_lab *sc10_lab_new(uint32_t replicas, uint32_t max_ranks, unsigned threads, uint64_t seed)
{
    sc10_lab *lab = g_new(sc10_lab, 1);
    *lab =
        (sc10_lab){.replicas = replicas, .max_ranks = max_ranks, .threads = threads, .seed = seed};
    lab->times = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, times_free);
    return lab;
}

void sc10_lab_free(sc10_lab *lab)
{
    if (lab != NULL) {
        g_hash_table_unref(lab->times);
        g_free(lab);
    }
}

uint32_t sc10_lab_max_ranks(const sc10_lab *lab)
{
    return lab->max_ranks;
}

uint64_t sc10_lab_seed(const sc10_lab *lab)
{
    return lab->seed;
}

uint32_t *sc10_lab_sizes(const sc10_lab *lab, size_t *n)
{
    uint32_t *sizes = g_new(uint32_t, 32);
    *n = 0;
    for (uint64_t ranks = 2; ranks <= lab->max_ranks; ranks *= 2) {
        sizes[(*n)++] = (uint32_t)ranks;
    }
    return sizes;
}

const sc10_times *sc10_lab_times(sc10_lab *lab, const sc10_case *what, uint32_t ranks)
{
    g_autofree char *key =
        g_strdup_printf("%s %" G_GINT64_FORMAT " %s %d %s %d %u", what->collective, what->bytes,
                        what->machine, what->network, what->noise, what->cosched, ranks);
    sc10_times *times = g_hash_table_lookup(lab->times, key);
    if (times == NULL) {
        times = g_new(sc10_times, 1);
        *times = (sc10_times){.ranks = ranks, .n = lab->replicas};
        times->replica = g_new(double, times->n);
        times->ideal =
            sc10_run_replicas(what, ranks, lab->replicas, lab->threads, lab->seed, times->replica);
        times->sorted = g_memdup2(times->replica, times->n * sizeof(double));
        gsl_sort(times->sorted, 1, times->n);
        g_hash_table_insert(lab->times, g_steal_pointer(&key), times);
    }
    return times;
}

const sc10_times **sc10_lab_by_size(sc10_lab *lab, const sc10_case *what, uint32_t first,
                                    uint32_t last, size_t *n)
{
    const sc10_times **times = g_new(const sc10_times *, 32);
    *n = 0;
    for (uint64_t ranks = first; ranks <= last; ranks *= 2) {
        times[(*n)++] = sc10_lab_times(lab, what, (uint32_t)ranks);
    }
    return times;
}

double sc10_quantile(const sc10_times *times, double p)
{
    return gsl_stats_quantile_from_sorted_data(times->sorted, 1, times->n, p);
}

double sc10_median(const sc10_times *times)
{
    return sc10_quantile(times, 0.5);
}

double sc10_max(const sc10_times *times)
{
    return times->sorted[times->n - 1];
}

double sc10_max_of_first(const sc10_times *times, size_t n)
{
    double max = 0;
    for (size_t i = 0; i < MIN(times->n, n); i++) {
        max = MAX(max, times->replica[i]);
    }
    return max;
}

double sc10_slowdown(const sc10_times *times, double time)
{
    return (time - times->ideal) / times->ideal;
}

double sc10_outliers(const sc10_times *times)
{
    const double box = sc10_quantile(times, 0.75) - sc10_quantile(times, 0.25);
    const double low = sc10_quantile(times, 0.25) - 1.5 * box;
    const double high = sc10_quantile(times, 0.75) + 1.5 * box;
    size_t n = 0;
    for (size_t i = 0; i < times->n; i++) {
        n += times->sorted[i] < low || times->sorted[i] > high;
    }
    return (double)n / (double)times->n;
}
