/* bench/sc10/apps/app_queue.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_lab. */
#include "app_queue.h"

#include "cost.h"
#include "memory_gate.h"
#include "noise/injection.h"
#include "params.h"
#include "sched/replay.h"
#include "sim/run.h"
#include "system/memory.h"
#include "system/tasks.h"

#include <stdio.h>

/* A program that several runs follow: made by the first, freed after the last, since those of many
 * ranks take much memory. */
typedef struct program_entry {
    GMutex mutex;
    sim_program *program; /* NULL: not made */
    unsigned runs_left;
} program_entry;

/* One task: a run, or shares. */
typedef struct job {
    sc10_app_run run;
    program_entry *entry;
    sc10_shares *shares; /* NULL: it is a run */
    double load;         /* how long it takes, as compared with others */
} job;

struct sc10_app_queue {
    sc10_records *records;
    unsigned threads;
    unsigned threads_of_run;
    uint64_t seed;
    GArray *jobs;         /* of job */
    GHashTable *programs; /* key of the program -> program_entry */
    sc10_memory_gate gate;
};

static void entry_free(gpointer data)
{
    program_entry *entry = data;
    sim_program_free(entry->program);
    g_mutex_clear(&entry->mutex);
    g_free(entry);
}

sc10_app_queue *sc10_app_queue_new(sc10_records *records, unsigned threads, uint64_t seed)
{
    sc10_app_queue *queue = g_new0(sc10_app_queue, 1);
    queue->records = records;
    queue->threads = threads;
    queue->seed = seed;
    queue->jobs = g_array_new(FALSE, FALSE, sizeof(job));
    queue->programs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, entry_free);
    return queue;
}

void sc10_app_queue_free(sc10_app_queue *queue)
{
    g_array_unref(queue->jobs);
    g_hash_table_unref(queue->programs);
    g_free(queue);
}

/* ---- what there is to do ---- */

static program_entry *entry_of(sc10_app_queue *queue, const sc10_app_case *what)
{
    g_autofree char *key = sc10_app_program_key(what);
    program_entry *entry = g_hash_table_lookup(queue->programs, key);
    if (entry == NULL) {
        entry = g_new0(program_entry, 1);
        g_mutex_init(&entry->mutex);
        g_hash_table_insert(queue->programs, g_steal_pointer(&key), entry);
    }
    return entry;
}

/* The three applications send about as many messages per rank. */
static double load_of(const sc10_app_case *what)
{
    return (double)sc10_app_ranks(what) * MAX(what->repeat, 1);
}

void sc10_app_queue_add(sc10_app_queue *queue, const sc10_app_run *run)
{
    const job j = {.run = *run, .entry = entry_of(queue, run->what), .load = load_of(run->what)};
    j.entry->runs_left++;
    g_array_append_val(queue->jobs, j);
}

void sc10_app_queue_add_shares(sc10_app_queue *queue, const sc10_app_case *what,
                               sc10_shares *shares)
{
    /* All operations are stored, and the run tells of each: that takes several times as long. */
    enum { OF_RUN = 4 };
    const job j = {.run = {.what = what}, .shares = shares, .load = OF_RUN * load_of(what)};
    g_array_append_val(queue->jobs, j);
}

/* ---- doing it ---- */

static const sim_program *borrow_program(sc10_app_queue *queue, const job *j)
{
    program_entry *entry = j->entry;
    g_mutex_lock(&entry->mutex);
    if (entry->program == NULL) {
        entry->program = sc10_records_program(queue->records, j->run.what);
    }
    const sim_program *program = entry->program;
    g_mutex_unlock(&entry->mutex);
    return program;
}

static void return_program(const job *j)
{
    program_entry *entry = j->entry;
    g_mutex_lock(&entry->mutex);
    if (--entry->runs_left == 0) {
        sim_program_free(g_steal_pointer(&entry->program));
    }
    g_mutex_unlock(&entry->mutex);
}

static uint64_t bytes_of(const sim_program *program, const sim_params *params,
                         const sim_run_options *options, const noise_signature *noise)
{
    const uint64_t per_rank =
        sched_replay_rank_bytes(program) + (noise != NULL ? noise_injection_bytes(noise) : 0);
    return sim_run_estimate(program->num_ranks, program, params, options).bytes +
           per_rank * program->num_ranks;
}

static sim_result *run_of(sc10_app_queue *queue, const sc10_app_run *run,
                          const sim_program *program)
{
    const sim_params params = sc10_params(run->what->machine, run->what->network);
    const noise_injection_options injected = {
        .sync = run->what->cosched ? NOISE_COSCHEDULED : NOISE_UNSYNCHRONIZED,
        .seed = queue->seed,
        .replica = run->replica,
    };
    sim_run_options options = {.threads = queue->threads_of_run, .symmetry = true};
    const uint64_t bytes = bytes_of(program, &params, &options, run->noise);
    sc10_memory_gate_enter(&queue->gate, bytes);
    g_autoptr(noise_injection) noise =
        run->noise != NULL ? noise_injection_new(run->noise, program->num_ranks, &injected) : NULL;
    options.noise = noise != NULL ? noise_injection_hook(noise) : NULL;
    g_autoptr(GError) error = NULL;
    sim_result *result = sim_run(program, &params, &options, &error);
    sc10_memory_gate_leave(&queue->gate, bytes);
    if (result == NULL) {
        g_error("%s on %u ranks: %s", SC10_PROXIES[run->what->proxy].name, program->num_ranks,
                error->message);
    }
    return result;
}

/* What is known if the rest does not come. */
static void tell(const sc10_app_run *run, double lasted)
{
    const sc10_app_case *what = run->what;
    g_autoptr(GString) text = g_string_new(SC10_PROXIES[what->proxy].name);
    g_string_append_printf(text, " on %u ranks, %s, %s", sc10_app_ranks(what), what->machine,
                           what->noise != NULL ? what->noise : "no noise");
    if (what->network != 0) {
        g_string_append_printf(text, ", network %d", what->network);
    }
    if (what->repeat > 1) {
        g_string_append_printf(text, ", %u passes", what->repeat);
    }
    g_string_append_printf(
        text, "%s%s%s%s", what->no_p2p ? ", no messages" : "",
        what->no_collectives ? ", no collectives" : "", what->cosched ? ", co-scheduled" : "",
        what->computation != SC10_AS_RECORDED || what->stretch > 0 ? ", other computation" : "");
    fprintf(stderr, "%s: %.9g s, simulated in %.1f s\n", text->str, *run->seconds, lasted);
}

static void make_run(sc10_app_queue *queue, const job *j)
{
    const sc10_app_run *run = &j->run;
    const double begin = sc10_cost_now().wall;
    g_autoptr(sim_result) result = run_of(queue, run, borrow_program(queue, j));
    return_program(j);
    *run->seconds = (double)result->makespan / (double)SIM_S;
    if (run->messages != NULL) {
        *run->messages = result->num_messages;
    }
    tell(run, sc10_cost_now().wall - begin);
}

/* Of the records that ship with Ripple; what storing one takes and gives back again counts. */
static const uint64_t SHARES_BYTES = UINT64_C(1500) << 20;

static void take_shares(sc10_app_queue *queue, const job *j)
{
    const sc10_app_case *what = j->run.what;
    const sim_params params = sc10_params(what->machine, what->network);
    sc10_memory_gate_enter(&queue->gate, SHARES_BYTES);
    sim_graph *graph = sc10_records_graph(queue->records, what);
    g_autoptr(GError) error = NULL;
    if (!sc10_shares_of(graph, &params, j->shares, &error)) {
        g_error("%s: %s", SC10_PROXIES[what->proxy].name, error->message);
    }
    sim_graph_free(graph);
    sc10_memory_gate_leave(&queue->gate, SHARES_BYTES);
}

static void do_job(void *data, size_t i)
{
    sc10_app_queue *queue = data;
    const job *j = &g_array_index(queue->jobs, job, i);
    if (j->shares != NULL) {
        take_shares(queue, j);
    } else {
        make_run(queue, j);
    }
}

/* Stable: runs of one program stay together. */
static gint by_load(gconstpointer a, gconstpointer b)
{
    const double x = ((const job *)a)->load;
    const double y = ((const job *)b)->load;
    return (x < y) - (x > y);
}

void sc10_app_queue_do(sc10_app_queue *queue)
{
    const guint n = queue->jobs->len;
    if (n > 0) {
        g_array_sort(queue->jobs, by_load);
        queue->threads_of_run = MAX(queue->threads / MIN(n, queue->threads), 1);
        sc10_memory_gate_init(&queue->gate, app_memory_available() / 10 * 9);
        app_tasks_do(n, queue->threads, do_job, queue);
        sc10_memory_gate_clear(&queue->gate);
        g_array_set_size(queue->jobs, 0);
    }
}
