/* sim/replica.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "replica_private.h"
#include "sim/large.h"

#include <stdlib.h>

/* A batch's memory, and the list of those that no thread uses at the moment. */
typedef struct room_link {
    replica_room room;
    struct room_link *next;
} room_link;

struct sim_replicas {
    replica_plan *plan;
    const replica_kernel *kernel;
    GMutex mutex; /* guards free_rooms */
    room_link *free_rooms;
};

#ifdef __x86_64__
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
           __builtin_cpu_supports("avx512vl") != 0;
}
#endif

/* The best variant, or the one that is asked for if this processor has it. */
static const replica_kernel *choose_kernel(void)
{
    const char *wanted = g_getenv("RIPPLE_LANES");
    const replica_kernel *best = &sim_replica_portable;
#ifdef __x86_64__
    __builtin_cpu_init();
    const replica_kernel *const kernels[] = {&sim_replica_avx2, &sim_replica_avx512};
    const bool has[] = {__builtin_cpu_supports("avx2") != 0, has_avx512()};
    for (size_t i = 0; i < G_N_ELEMENTS(kernels); i++) {
        if (has[i]) {
            if (g_strcmp0(wanted, best->name) == 0) {
                break;
            }
            best = kernels[i];
        }
    }
#else
    (void)wanted;
#endif
    return best;
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

static void room_free(room_link *link)
{
    sim_large_free(link->room.clock);
    sim_large_free(link->room.handed);
    sim_large_free(link->room.posted);
    sim_large_free(link->room.released);
    sim_large_free(link->room.tx);
    sim_large_free(link->room.rx);
    sim_large_free(link->room.next);
    sim_large_free(link->room.place);
    g_free(link);
}

void sim_replicas_free(sim_replicas *replicas)
{
    if (replicas == NULL) {
        return;
    }
    while (replicas->free_rooms != NULL) {
        room_link *link = replicas->free_rooms;
        replicas->free_rooms = link->next;
        room_free(link);
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

uint64_t sim_replicas_memory(const sim_replicas *replicas)
{
    const replica_plan *plan = replicas->plan;
    const unsigned tables = 3 + 2 * plan->rendezvous + plan->tx + plan->rx;
    return plan->num_ranks * (tables * sizeof(replica_row) + sizeof(replica_places));
}

static replica_row *rows_new(const replica_plan *plan)
{
    return sim_large_new(plan->num_ranks, sizeof(replica_row));
}

static room_link *room_new(const replica_plan *plan)
{
    room_link *link = g_new0(room_link, 1);
    replica_room *room = &link->room;
    room->clock = rows_new(plan);
    room->handed = rows_new(plan);
    room->posted = plan->rendezvous ? rows_new(plan) : NULL;
    room->released = plan->rendezvous ? rows_new(plan) : NULL;
    room->tx = plan->tx ? rows_new(plan) : NULL;
    room->rx = plan->rx ? rows_new(plan) : NULL;
    room->next = rows_new(plan);
    room->place = sim_large_new(plan->num_ranks, sizeof(replica_places));
    return link;
}

static room_link *room_take(sim_replicas *replicas)
{
    g_mutex_lock(&replicas->mutex);
    room_link *link = replicas->free_rooms;
    if (link != NULL) {
        replicas->free_rooms = link->next;
    }
    g_mutex_unlock(&replicas->mutex);
    return link != NULL ? link : room_new(replicas->plan);
}

static void room_give_back(sim_replicas *replicas, room_link *link)
{
    g_mutex_lock(&replicas->mutex);
    link->next = replicas->free_rooms;
    replicas->free_rooms = link;
    g_mutex_unlock(&replicas->mutex);
}

/* W(t, w) - t is less than w, the share of the CPU that is left being what it is, and two periods'
 * detours. */
static double worst_case(const replica_plan *plan, const sim_detours *detours)
{
    const double stolen = (double)detours->at[detours->n].stolen;
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

void sim_replicas_run(sim_replicas *replicas, const sim_noise_lanes *noise, sim_time *makespan,
                      sim_time *const *finish)
{
    room_link *link = room_take(replicas);
    replicas->kernel->run(replicas->plan, &link->room, noise);
    replicas->kernel->finish(replicas->plan, &link->room, makespan, finish);
    room_give_back(replicas, link);
}
