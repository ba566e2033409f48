/* bench/sc10/apps/app_lab.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_lab. */
#include "app_lab.h"

#include "app_queue.h"
#include "ideal.h"
#include "records.h"

#include <math.h>
#include <string.h>

struct sc10_app_lab {
    sc10_app_plan plan;
    sc10_records *records;
    GHashTable *signatures; /* text -> noise_signature */
    GHashTable *results;    /* key of the run -> sc10_app_times */
    GHashTable *shares;     /* the same -> sc10_shares */
    sc10_app_queue *queue;  /* what was asked for and has not been run */
    GPtrArray *queued;      /* of sc10_app_case: the queue's */
};

static void times_free(gpointer data)
{
    sc10_app_times *times = data;
    g_free(times->time);
    g_free(times);
}

static void shares_free(gpointer data)
{
    sc10_shares_clear(data);
    g_free(data);
}

static void signature_free(gpointer signature)
{
    noise_signature_free(signature);
}

sc10_app_lab *sc10_app_lab_new(const char *folder, const sc10_app_plan *plan)
{
    sc10_app_lab *lab = g_new0(sc10_app_lab, 1);
    lab->plan = *plan;
    lab->records = sc10_records_new(folder);
    lab->signatures = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, signature_free);
    lab->results = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, times_free);
    lab->shares = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, shares_free);
    lab->queue = sc10_app_queue_new(lab->records, plan->threads, plan->seed);
    lab->queued = g_ptr_array_new_with_free_func(g_free);
    return lab;
}

void sc10_app_lab_free(sc10_app_lab *lab)
{
    if (lab != NULL) {
        sc10_app_queue_free(lab->queue);
        sc10_records_free(lab->records);
        g_hash_table_unref(lab->signatures);
        g_hash_table_unref(lab->results);
        g_hash_table_unref(lab->shares);
        g_ptr_array_unref(lab->queued);
        g_free(lab);
    }
}

uint64_t sc10_app_seed(const sc10_app_lab *lab)
{
    return lab->plan.seed;
}

size_t sc10_app_sizes(const sc10_app_lab *lab, sc10_proxy_id proxy,
                      uint32_t copies[SC10_PROXY_SIZES])
{
    size_t n = 0;
    for (size_t i = 0; i < SC10_PROXY_SIZES; i++) {
        const uint32_t wanted = SC10_PROXIES[proxy].copies[i];
        if (i == 0 || lab->plan.copies == 0 || wanted <= lab->plan.copies) {
            copies[n++] = wanted;
        }
    }
    return n;
}

bool sc10_app_is_whole(const sc10_app_lab *lab, sc10_proxy_id proxy)
{
    uint32_t copies[SC10_PROXY_SIZES];
    return sc10_app_sizes(lab, proxy, copies) == SC10_PROXY_SIZES;
}

const sched_trace *sc10_app_trace(sc10_app_lab *lab, const sc10_app_case *what)
{
    return sc10_records_trace(lab->records, what);
}

/* ---- what is to be run ---- */

static const noise_signature *signature_of(sc10_app_lab *lab, const char *text)
{
    noise_signature *signature = g_hash_table_lookup(lab->signatures, text);
    if (signature == NULL) {
        g_autoptr(GError) error = NULL;
        signature = noise_signature_parse(text, lab->plan.seed, &error);
        if (signature == NULL) {
            g_error("%s", error->message);
        }
        g_hash_table_insert(lab->signatures, g_strdup(text), signature);
    }
    return signature;
}

static bool is_largest(const sc10_app_case *what)
{
    return what->copies == SC10_PROXIES[what->proxy].copies[SC10_PROXY_SIZES - 1];
}

/* Half of the time of the largest size would go into runs without noise. Few ranks stand for all
 * where each copy has roots of its own: that takes no time. */
static bool is_extrapolated(const sc10_app_lab *lab, const sc10_app_case *what)
{
    return !lab->plan.exact && is_largest(what) && !what->roots_per_copy;
}

/* Below the largest size it is CHiC's noise that something is inferred from: E16 takes the
 * difference that messages make from pairs of runs. */
static bool needs_interval(const sc10_app_case *what)
{
    return strcmp(what->machine, "chic") == 0 && what->network == 0 && !what->no_collectives;
}

/* Fewer of large sizes, where runs take longest and vary least. */
uint32_t sc10_app_runs_of(const sc10_app_lab *lab, const sc10_app_case *what)
{
    const uint32_t *sizes = SC10_PROXIES[what->proxy].copies;
    if (what->noise == NULL) {
        return 0;
    }
    if (is_largest(what) || (what->cosched && what->copies > 1)) { /* a note beside a check */
        return lab->plan.few_runs;
    }
    return what->copies == sizes[SC10_PROXY_SIZES - 2] && !needs_interval(what)
               ? lab->plan.fewer_runs
               : lab->plan.runs;
}

static sc10_app_case without_noise(const sc10_app_case *what)
{
    sc10_app_case ideal = *what;
    ideal.noise = NULL;
    ideal.cosched = false;
    return ideal;
}

/* What has to be run to know how long @p what takes without noise. @return how many */
static size_t ideal_cases(const sc10_app_lab *lab, const sc10_app_case *what,
                          sc10_app_case cases[SC10_IDEAL_SIZES])
{
    cases[0] = without_noise(what);
    if (!is_extrapolated(lab, what)) {
        return 1;
    }
    for (size_t i = 0; i < SC10_IDEAL_SIZES; i++) {
        cases[i] = cases[0];
        cases[i].copies = SC10_PROXIES[what->proxy].copies[i];
    }
    return SC10_IDEAL_SIZES;
}

static sc10_app_times *find(const sc10_app_lab *lab, const sc10_app_case *what)
{
    g_autofree char *key = sc10_app_run_key(what);
    return g_hash_table_lookup(lab->results, key);
}

bool sc10_app_has(const sc10_app_lab *lab, const sc10_app_case *what)
{
    return find(lab, what) != NULL;
}

/* Cases are the caller's, and the queue needs them until it is done. */
static const sc10_app_case *keep(sc10_app_lab *lab, const sc10_app_case *what)
{
    sc10_app_case *kept = g_memdup2(what, sizeof *what);
    g_ptr_array_add(lab->queued, kept);
    return kept;
}

/* Its runs, unless they have been asked for before. */
static void queue_runs(sc10_app_lab *lab, const sc10_app_case *what)
{
    if (sc10_app_has(lab, what)) {
        return;
    }
    sc10_app_times *times = g_new0(sc10_app_times, 1);
    times->ranks = sc10_app_ranks(what);
    times->n = sc10_app_runs_of(lab, what);
    times->time = g_new0(double, times->n);
    g_hash_table_insert(lab->results, sc10_app_run_key(what), times);
    sc10_app_run run = {.what = keep(lab, what), .messages = &times->messages};
    if (what->noise == NULL) {
        run.seconds = &times->ideal;
        sc10_app_queue_add(lab->queue, &run);
    }
    for (uint32_t k = 0; k < times->n; k++) {
        run.noise = signature_of(lab, what->noise);
        run.replica = k;
        run.seconds = &times->time[k];
        sc10_app_queue_add(lab->queue, &run);
        run.messages = NULL; /* all runs send as many */
    }
}

void sc10_app_ask(sc10_app_lab *lab, const sc10_app_case *what)
{
    sc10_app_case ideal[SC10_IDEAL_SIZES];
    const size_t n = ideal_cases(lab, what, ideal);
    for (size_t i = 0; i < n; i++) {
        queue_runs(lab, &ideal[i]);
    }
    if (what->noise != NULL) {
        queue_runs(lab, what);
    }
}

void sc10_app_ask_shares(sc10_app_lab *lab, const sc10_app_case *what)
{
    g_autofree char *key = sc10_app_run_key(what);
    if (!g_hash_table_contains(lab->shares, key)) {
        sc10_shares *shares = g_new0(sc10_shares, 1);
        sc10_app_queue_add_shares(lab->queue, keep(lab, what), shares);
        g_hash_table_insert(lab->shares, g_steal_pointer(&key), shares);
    }
}

void sc10_app_run_asked(sc10_app_lab *lab)
{
    sc10_app_queue_do(lab->queue);
    g_ptr_array_set_size(lab->queued, 0);
}

/* ---- results ---- */

/* Detours that come to all ranks together are met once. */
static double fewest_met(sc10_app_lab *lab, const sc10_app_case *what, double lasts)
{
    const noise_signature *signature = signature_of(lab, what->noise);
    double fewest = INFINITY;
    for (size_t i = 0; i < noise_signature_num_components(signature); i++) {
        const double interval = noise_signature_component(signature, i)->interval / (double)SIM_S;
        const double phases = what->cosched ? 1 : sc10_app_ranks(what);
        fewest = fmin(fewest, phases * lasts / interval);
    }
    return fewest;
}

static sc10_ideal ideal_of(const sc10_app_lab *lab, const sc10_app_case *what)
{
    sc10_app_case cases[SC10_IDEAL_SIZES];
    const size_t n = ideal_cases(lab, what, cases);
    uint32_t ranks[SC10_IDEAL_SIZES];
    double seconds[SC10_IDEAL_SIZES];
    for (size_t i = 0; i < n; i++) {
        ranks[i] = sc10_app_ranks(&cases[i]);
        seconds[i] = find(lab, &cases[i])->ideal;
    }
    return n == 1 ? (sc10_ideal){seconds[0], 0}
                  : sc10_ideal_extrapolate(ranks, seconds, sc10_app_ranks(what));
}

const sc10_app_times *sc10_app_times_of(sc10_app_lab *lab, const sc10_app_case *what)
{
    sc10_app_ask(lab, what);
    sc10_app_times *times = find(lab, what);
    if ((times->n > 0 ? times->time[0] : times->ideal) <= 0) { /* not run yet */
        sc10_app_run_asked(lab);
    }
    if (what->noise != NULL && times->ideal <= 0) {
        const sc10_ideal ideal = ideal_of(lab, what);
        times->ideal = ideal.seconds;
        times->ideal_off = ideal.off;
        times->fewest_met = fewest_met(lab, what, times->ideal);
    }
    return times;
}

const sc10_shares *sc10_app_shares_of(sc10_app_lab *lab, const sc10_app_case *what)
{
    sc10_app_ask_shares(lab, what);
    g_autofree char *key = sc10_app_run_key(what);
    const sc10_shares *shares = g_hash_table_lookup(lab->shares, key);
    if (shares->makespan == 0) { /* not run yet */
        sc10_app_run_asked(lab);
    }
    return shares;
}
