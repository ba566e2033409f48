/* sim/replica/replica.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "replica/replica_private.h"
#include "sim/large.h"

#include <stdlib.h>

/* A batch's memory, and the list of those that no thread uses at the moment. */
typedef struct storage_link {
    replica_storage storage;
    replica_storage saved;
    replica_storage together;
    struct storage_link *next;
} storage_link;

struct sim_replicas {
    replica_plan *plan;
    const replica_kernel *kernel;
    GMutex mutex; /* guards free_storage */
    storage_link *free_storage;
};

#ifdef __x86_64__
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
           __builtin_cpu_supports("avx512vl") != 0;
}
#endif

enum { MOST_KERNELS = 3 };

/* Those that this processor has, the best last. @return how many */
static size_t list_kernels(const replica_kernel *kernels[MOST_KERNELS])
{
    size_t n = 0;
    kernels[n++] = &sim_replica_portable;
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") != 0) {
        kernels[n++] = &sim_replica_avx2;
    }
    if (has_avx512()) {
        kernels[n++] = &sim_replica_avx512;
    }
#endif
    return n;
}

/* The best variant, or the one that is asked for if this processor has it. */
static const replica_kernel *choose_kernel(void)
{
    const char *wanted = g_getenv("RIPPLE_LANES");
    const replica_kernel *kernels[MOST_KERNELS];
    const size_t n = list_kernels(kernels);
    for (size_t i = 0; i < n; i++) {
        if (g_strcmp0(wanted, kernels[i]->name) == 0) {
            return kernels[i];
        }
    }
    return kernels[n - 1];
}

const char **sim_replicas_variants(void)
{
    const replica_kernel *kernels[MOST_KERNELS];
    const size_t n = list_kernels(kernels);
    const char **names = g_new0(const char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        names[i] = kernels[i]->name;
    }
    return names;
}

sim_replicas *sim_replicas_new(const sim_program *program, const sim_params *params,
                               const char **why)
{
    replica_plan *plan = sim_replica_plan_new(program, params, why);
    if (plan == NULL) {
        return NULL;
    }
    sim_replicas *replicas = g_new0(sim_replicas, 1);
    replicas->plan = plan;
    replicas->kernel = choose_kernel();
    g_mutex_init(&replicas->mutex);
    return replicas;
}

static void storage_clear(replica_storage *storage)
{
    sim_large_free(storage->clock);
    sim_large_free(storage->handed);
    sim_large_free(storage->posted);
    sim_large_free(storage->released);
    sim_large_free(storage->tx);
    sim_large_free(storage->rx);
    sim_large_free(storage->next);
    sim_large_free(storage->place);
}

static void storage_free(storage_link *link)
{
    storage_clear(&link->storage);
    storage_clear(&link->saved);
    storage_clear(&link->together);
    g_free(link);
}

void sim_replicas_free(sim_replicas *replicas)
{
    if (replicas == NULL) {
        return;
    }
    while (replicas->free_storage != NULL) {
        storage_link *link = replicas->free_storage;
        replicas->free_storage = link->next;
        storage_free(link);
    }
    sim_replica_plan_free(replicas->plan);
    g_mutex_clear(&replicas->mutex);
    g_free(replicas);
}

uint64_t sim_replicas_num_ops(const sim_replicas *replicas)
{
    return replicas->plan->num_ops;
}

uint64_t sim_replicas_num_messages(const sim_replicas *replicas)
{
    return replicas->plan->num_messages;
}

const char *sim_replicas_variant(const sim_replicas *replicas)
{
    return replicas->kernel->name;
}

/* Passes derive it from when the last message was handed over. But where there is a rendezvous, not
 * all noise can be evaluated in passes. */
static bool has_tx(const replica_plan *plan)
{
    return plan->tx && !(plan->in_passes && !plan->rendezvous);
}

static uint64_t rank_bytes(const replica_plan *plan)
{
    const unsigned tables = 3 + 2 * plan->rendezvous + has_tx(plan) + plan->rx;
    return tables * sizeof(replica_row) + sizeof(replica_places);
}

uint64_t sim_replicas_memory(const sim_replicas *replicas)
{
    const replica_plan *plan = replicas->plan;
    const uint64_t ranks = (uint64_t)plan->num_ranks + (plan->gathers ? PASS_COPIES : 0);
    const uint64_t saved = (plan->rendezvous ? 2 : 1) * sizeof(replica_row);
    return ranks * rank_bytes(plan) + plan->saved_rows * saved;
}

static replica_row *rows_new(uint32_t num_rows)
{
    return sim_large_new(num_rows, sizeof(replica_row));
}

static void storage_init(replica_storage *storage, const replica_plan *plan, uint32_t num_ranks)
{
    storage->clock = rows_new(num_ranks);
    storage->handed = rows_new(num_ranks);
    storage->posted = plan->rendezvous ? rows_new(num_ranks) : NULL;
    storage->released = plan->rendezvous ? rows_new(num_ranks) : NULL;
    storage->tx = has_tx(plan) ? rows_new(num_ranks) : NULL;
    storage->rx = plan->rx ? rows_new(num_ranks) : NULL;
    storage->next = rows_new(num_ranks);
    storage->place = sim_large_new(num_ranks, sizeof(replica_places));
}

static storage_link *storage_new(const replica_plan *plan)
{
    storage_link *link = g_new0(storage_link, 1);
    storage_init(&link->storage, plan, plan->num_ranks);
    if (plan->in_passes) {
        link->saved.handed = rows_new(plan->saved_rows);
        link->saved.posted = plan->rendezvous ? rows_new(plan->saved_rows) : NULL;
    }
    if (plan->gathers) {
        storage_init(&link->together, plan, PASS_COPIES);
    }
    link->together.saved = link->storage.saved = &link->saved;
    link->storage.together = &link->together;
    return link;
}

static storage_link *storage_take(sim_replicas *replicas)
{
    g_mutex_lock(&replicas->mutex);
    storage_link *link = replicas->free_storage;
    if (link != NULL) {
        replicas->free_storage = link->next;
    }
    g_mutex_unlock(&replicas->mutex);
    return link != NULL ? link : storage_new(replicas->plan);
}

static void storage_give_back(sim_replicas *replicas, storage_link *link)
{
    g_mutex_lock(&replicas->mutex);
    link->next = replicas->free_storage;
    replicas->free_storage = link;
    g_mutex_unlock(&replicas->mutex);
}

/* W(t, w) - t is less than w, the share of the CPU that is left being what it is, and two periods'
 * detours. */
static double worst_case(const replica_plan *plan, const sim_detours *detours)
{
    const double stolen = (double)detours->stolen;
    const double period = (double)detours->period;
    return plan->span + plan->work * (period / (period - stolen)) + 2 * plan->uses * stolen;
}

bool sim_replicas_in_time(const sim_replicas *replicas, const sim_noise_lanes *noise)
{
    const replica_plan *plan = replicas->plan;
    double worst = plan->span + plan->work;
    const sim_detours *last = NULL;
    for (uint32_t rank = 0; noise != NULL && rank < plan->num_ranks; rank++) {
        const sim_detours *detours = noise->same != NULL ? noise->same : noise->each[rank];
        if (detours != NULL && detours != last) {
            worst = MAX(worst, worst_case(plan, detours));
        }
        last = detours;
        if (noise->same != NULL) {
            break;
        }
    }
    return worst < (double)SIM_TIME_MAX / 2;
}

bool sim_replicas_run(sim_replicas *replicas, const sim_noise_lanes *noise, sim_watch *watch,
                      sim_time *makespan, sim_time *const *finish)
{
    storage_link *link = storage_take(replicas);
    replica_watch w = {.watch = watch};
    replicas->kernel->run(replicas->plan, &link->storage, noise, &w, makespan, finish);
    storage_give_back(replicas, link);
    return !w.stopped;
}
