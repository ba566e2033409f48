/* apps/ripple/analysis/analysis.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/analysis.h"

/* Ordered by what makes them differ, so that what is kept does not depend on who comes first. */
static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static gint compare_stretches(gconstpointer a, gconstpointer b)
{
    const sim_path_stretch *x = a;
    const sim_path_stretch *y = b;
    const int longer = compare(y->finish - y->start, x->finish - x->start);
    return longer != 0 ? longer : compare(x->start, y->start);
}

static gint compare_waits(gconstpointer a, gconstpointer b)
{
    const sim_wait *x = a;
    const sim_wait *y = b;
    const int64_t of_x[] = {-x->length, x->start, x->rank, x->op, x->cause.kind, x->cause.rank};
    const int64_t of_y[] = {-y->length, y->start, y->rank, y->op, y->cause.kind, y->cause.rank};
    for (size_t i = 0; i < G_N_ELEMENTS(of_x); i++) {
        if (of_x[i] != of_y[i]) {
            return compare(of_x[i], of_y[i]);
        }
    }
    return compare(x->cause.op, y->cause.op);
}

static gint compare_ranks(gconstpointer a, gconstpointer b)
{
    const app_analysis_rank *x = a;
    const app_analysis_rank *y = b;
    return x->time != y->time ? compare(y->time, x->time) : compare(x->rank, y->rank);
}

/* Keep the first @p most of all that is added, in order. */
static void keep(GArray *list, size_t most, gconstpointer item, GCompareFunc order)
{
    const guint size = g_array_get_element_size(list);
    guint at = list->len;
    if (at >= most) {
        if (most == 0 || order(item, list->data + (size_t)(at - 1) * size) >= 0) {
            return;
        }
        g_array_set_size(list, --at);
    }
    guint low = 0;
    while (low < at) {
        const guint middle = low + (at - low) / 2;
        if (order(list->data + (size_t)middle * size, item) < 0) {
            low = middle + 1;
        } else {
            at = middle;
        }
    }
    g_array_insert_vals(list, low, item, 1);
}

/* ---- the path ---- */

typedef struct summing {
    app_analysis *analysis;
    const app_analysis_request *request;
    GHashTable *ranks; /* rank to app_analysis_rank */
    uint32_t rank;     /* of the stretch before */
} summing;

static void add_stretch(const sim_path_stretch *s, void *user)
{
    summing *sum = user;
    app_analysis *a = sum->analysis;
    const sim_time time = s->finish - s->start;
    for (int p = 0; p < SIM_NUM_PARTS; p++) {
        a->part[p] += s->part[p];
        a->amount[p] += s->amount[p];
    }
    a->type[s->type].stretches++;
    a->type[s->type].time += time;
    app_analysis_rank *rank = g_hash_table_lookup(sum->ranks, GUINT_TO_POINTER(s->rank));
    if (rank == NULL) {
        rank = g_new0(app_analysis_rank, 1);
        rank->rank = s->rank;
        g_hash_table_insert(sum->ranks, GUINT_TO_POINTER(s->rank), rank);
    }
    rank->stretches++;
    rank->visits += a->stretches == 0 || s->rank != sum->rank;
    rank->time += time;
    a->stretches++;
    sum->rank = s->rank;
    keep(a->operations, sum->request->operations, s, compare_stretches);
}

static bool sum_path(app_analysis *a, const sim_run_record *record,
                     const app_analysis_request *request, GError **error)
{
    g_autoptr(GHashTable) ranks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    summing sum = {.analysis = a, .request = request, .ranks = ranks};
    if (!sim_run_record_walk_path(record, add_stretch, &sum, error)) {
        return false;
    }
    GHashTableIter each;
    gpointer rank = NULL;
    g_hash_table_iter_init(&each, ranks);
    while (g_hash_table_iter_next(&each, NULL, &rank)) {
        g_array_append_vals(a->ranks, rank, 1);
    }
    g_array_sort(a->ranks, compare_ranks);
    return true;
}

/* ---- waits ---- */

static void add_wait(const sim_wait *wait, void *user)
{
    const summing *sum = user;
    app_analysis_cause *cause = &sum->analysis->cause[wait->cause.kind];
    cause->count++;
    cause->longest = MAX(cause->longest, wait->length);
    cause->total += wait->length;
    keep(sum->analysis->waits, sum->request->waits, wait, compare_waits);
}

app_analysis *app_analysis_new(const sim_run_record *record, const app_analysis_request *request,
                               GError **error)
{
    g_autoptr(app_analysis) a = g_new0(app_analysis, 1);
    a->facts = sim_run_record_facts(record);
    a->ranks = g_array_new(FALSE, FALSE, sizeof(app_analysis_rank));
    a->operations = g_array_new(FALSE, FALSE, sizeof(sim_path_stretch));
    a->waits = g_array_new(FALSE, FALSE, sizeof(sim_wait));
    a->waited = request->waited;
    summing waits = {.analysis = a, .request = request};
    if (!sum_path(a, record, request, error) ||
        (a->waited && !sim_run_record_visit_waits(record, add_wait, &waits, error))) {
        return NULL;
    }
    return g_steal_pointer(&a);
}

void app_analysis_free(app_analysis *a)
{
    if (a != NULL) {
        g_array_unref(a->ranks);
        g_array_unref(a->operations);
        g_array_unref(a->waits);
        g_free(a);
    }
}
