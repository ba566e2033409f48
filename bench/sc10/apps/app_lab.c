/* bench/sc10/apps/app_lab.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_lab. */
#include "app_lab.h"

#include "cost.h"
#include "ideal.h"
#include "noise/injection.h"
#include "params.h"
#include "records.h"
#include "sim/run.h"

#include <math.h>
#include <stdio.h>

struct sc10_app_lab {
    sc10_app_plan plan;
    sc10_records *records;
    GHashTable *signatures; /* text -> noise_signature */
    GHashTable *results;    /* key of the run -> sc10_app_times */
    GPtrArray *asked;       /* of sc10_app_case: not run yet */
};

/* One run of a program. */
typedef struct job {
    const sc10_app_lab *lab;
    const sim_program *program;
    const sc10_app_case *what;
    const noise_signature *signature; /* NULL: the ideal run */
    uint32_t replica;
    sc10_app_times *times; /* where it goes */
} job;

static void times_free(gpointer data)
{
    sc10_app_times *times = data;
    g_free(times->time);
    g_free(times);
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
    lab->asked = g_ptr_array_new_with_free_func(g_free);
    return lab;
}

void sc10_app_lab_free(sc10_app_lab *lab)
{
    if (lab != NULL) {
        sc10_records_free(lab->records);
        g_hash_table_unref(lab->signatures);
        g_hash_table_unref(lab->results);
        g_ptr_array_unref(lab->asked);
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

sc10_shares sc10_app_shares(sc10_app_lab *lab, const sc10_app_case *what)
{
    const sim_params params = sc10_params(what->machine, what->network);
    g_autoptr(sim_graph) graph = sc10_records_graph(lab->records, what);
    g_autoptr(GError) error = NULL;
    sc10_shares shares;
    if (!sc10_shares_of(graph, &params, &shares, &error)) {
        g_error("%s: %s", SC10_PROXIES[what->proxy].name, error->message);
    }
    return shares;
}

/* ---- runs ---- */

static noise_injection_options injection_of(const job *j)
{
    return (noise_injection_options){
        .sync = j->what->cosched ? NOISE_COSCHEDULED : NOISE_UNSYNCHRONIZED,
        .seed = j->lab->plan.seed,
        .replica = j->replica,
    };
}

static void run_job(gpointer data, gpointer user_data)
{
    const job *j = data;
    const unsigned threads = GPOINTER_TO_UINT(user_data);
    const sim_params params = sc10_params(j->what->machine, j->what->network);
    const noise_injection_options injected = injection_of(j);
    g_autoptr(noise_injection) noise =
        j->signature != NULL ? noise_injection_new(j->signature, j->program->num_ranks, &injected)
                             : NULL;
    const sim_run_options options = {
        .noise = noise != NULL ? noise_injection_hook(noise) : NULL,
        .threads = threads,
        .symmetry = true,
    };
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_result) result = sim_run(j->program, &params, &options, &error);
    if (result == NULL) {
        g_error("%s on %u ranks: %s", SC10_PROXIES[j->what->proxy].name, j->program->num_ranks,
                error->message);
    }
    const double time = (double)result->makespan / (double)SIM_S;
    if (j->signature != NULL) {
        j->times->time[j->replica] = time;
    } else {
        j->times->ideal = time;
    }
    if (j->replica == 0) { /* those of all runs; one of them writes it */
        j->times->messages = result->num_messages;
    }
}

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

/* Fewer of the largest size, where each run takes longest and varies least. */
static uint32_t runs_of(const sc10_app_lab *lab, const sc10_app_case *what)
{
    if (what->noise == NULL) {
        return 0;
    }
    return is_largest(what) ? lab->plan.few_runs : lab->plan.runs;
}

/* An entry for the results of @p what, whose run is still to be made; NULL: there is one. */
static sc10_app_times *new_entry(sc10_app_lab *lab, const sc10_app_case *what)
{
    g_autofree char *key = sc10_app_run_key(what);
    if (g_hash_table_contains(lab->results, key)) {
        return NULL;
    }
    sc10_app_times *times = g_new0(sc10_app_times, 1);
    times->ranks = sc10_app_ranks(what);
    times->n = runs_of(lab, what);
    times->time = g_new0(double, times->n);
    g_hash_table_insert(lab->results, g_steal_pointer(&key), times);
    return times;
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

void sc10_app_ask(sc10_app_lab *lab, const sc10_app_case *what)
{
    sc10_app_case ideal[SC10_IDEAL_SIZES];
    const size_t n = ideal_cases(lab, what, ideal);
    for (size_t i = 0; i < n; i++) {
        g_ptr_array_add(lab->asked, g_memdup2(&ideal[i], sizeof ideal[i]));
    }
    if (what->noise != NULL) {
        g_ptr_array_add(lab->asked, g_memdup2(what, sizeof *what));
    }
}

/* The runs of those asked for whose program is @p key, as jobs. */
static void collect(sc10_app_lab *lab, const char *key, const sim_program *program, GArray *jobs)
{
    for (guint i = 0; i < lab->asked->len; i++) {
        const sc10_app_case *what = g_ptr_array_index(lab->asked, i);
        g_autofree char *own = sc10_app_program_key(what);
        sc10_app_times *times = g_str_equal(own, key) ? new_entry(lab, what) : NULL;
        if (times == NULL) {
            continue;
        }
        job j = {.lab = lab, .program = program, .what = what, .times = times};
        if (what->noise == NULL) {
            g_array_append_val(jobs, j);
        }
        for (uint32_t k = 0; k < times->n; k++) {
            j.signature = signature_of(lab, what->noise);
            j.replica = k;
            g_array_append_val(jobs, j);
        }
    }
}

/* As many at once as there are threads; what is left over goes one by one, on all of them. */
static void run_jobs(const sc10_app_lab *lab, GArray *jobs)
{
    const guint alone = jobs->len % lab->plan.threads;
    GThreadPool *pool =
        g_thread_pool_new(run_job, GUINT_TO_POINTER(1), (int)lab->plan.threads, FALSE, NULL);
    for (guint i = alone; i < jobs->len; i++) {
        g_thread_pool_push(pool, &g_array_index(jobs, job, i), NULL);
    }
    g_thread_pool_free(pool, FALSE, TRUE);
    for (guint i = 0; i < alone; i++) {
        run_job(&g_array_index(jobs, job, i), GUINT_TO_POINTER(lab->plan.threads));
    }
}

static void run_program(sc10_app_lab *lab, const sc10_app_case *what)
{
    g_autofree char *key = sc10_app_program_key(what);
    sim_program *program = sc10_records_program(lab->records, what);
    g_autoptr(GArray) jobs = g_array_new(FALSE, FALSE, sizeof(job));
    collect(lab, key, program, jobs);
    const sc10_cost begin = sc10_cost_now();
    run_jobs(lab, jobs);
    const sc10_cost spent = sc10_cost_since(begin);
    fprintf(stderr, "%s on %u ranks: %u runs, %.1f s, CPU %.1f s\n", SC10_PROXIES[what->proxy].name,
            program->num_ranks, jobs->len, spent.wall, spent.cpu);
    for (guint i = 0; i < jobs->len; i++) { /* what is known if the rest does not come */
        const job *j = &g_array_index(jobs, job, i);
        fprintf(stderr, "  %s, %s%s: %.9g s\n", j->what->machine,
                j->signature != NULL ? j->what->noise : "no noise",
                j->what->cosched ? ", co-scheduled" : "",
                j->signature != NULL ? j->times->time[j->replica] : j->times->ideal);
    }
    sim_program_free(program);
}

void sc10_app_run(sc10_app_lab *lab)
{
    for (guint i = 0; i < lab->asked->len; i++) {
        const sc10_app_case *what = g_ptr_array_index(lab->asked, i);
        if (!sc10_app_has(lab, what)) {
            run_program(lab, what);
        }
    }
    g_ptr_array_set_size(lab->asked, 0);
}

/* ---- results ---- */

static sc10_app_times *find(const sc10_app_lab *lab, const sc10_app_case *what)
{
    g_autofree char *key = sc10_app_run_key(what);
    return g_hash_table_lookup(lab->results, key);
}

bool sc10_app_has(const sc10_app_lab *lab, const sc10_app_case *what)
{
    return find(lab, what) != NULL;
}

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
    sc10_app_run(lab);
    sc10_app_times *times = find(lab, what);
    if (what->noise != NULL && times->ideal <= 0) {
        const sc10_ideal ideal = ideal_of(lab, what);
        times->ideal = ideal.seconds;
        times->ideal_off = ideal.off;
        times->fewest_met = fewest_met(lab, what, times->ideal);
    }
    return times;
}
