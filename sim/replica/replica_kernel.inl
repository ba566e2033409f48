/* sim/replica/replica_kernel.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The loops over the rows of a batch: one source, compiled once for each kind of vector. It is
 * included by replica_portable.c, replica_avx2.c and replica_avx512.c, which define REPLICA_KERNEL
 * and REPLICA_NAME.
 */
#include "replica/replica_private.h"

#include <stdbool.h>
#include <string.h>

#include "replica/replica_lanes.inl"

#pragma GCC poison malloc calloc realloc free g_malloc printf

typedef struct batch {
    const replica_plan *plan;
    const replica_storage *storage;
    const sim_noise_lanes *noise;
    replica_watch *watch;
    uint32_t num_ranks; /* of the plan, or copies of some (replica_pass.inl) */
} batch;

/* So many more rows are done. @return false: the batch ends here */
ALWAYS_INLINE bool go_on(const batch *b, uint64_t rows)
{
    b->watch->done += rows;
    return b->watch->done < b->watch->next || sim_replica_watch_look(b->watch);
}

#include "replica/replica_detours.inl"

/* The partner of rank run->first + i. */
ALWAYS_INLINE uint32_t peer_at(const batch *b, const replica_run *run, uint32_t i)
{
    return b->plan->mirrors ? (run->first + i) ^ run->peer : run->peer + i;
}

/* The send of each rank starts; where there is a rendezvous, so does the receive. */
ALWAYS_INLINE void begin_run(const batch *b, bool noisy, const replica_run *run,
                             const replica_cost *c)
{
    const sim_params *m = &b->plan->params;
    const replica_storage *storage = b->storage;
    const bool is_late = c->rendezvous && m->rendezvous == SIM_RENDEZVOUS_HANDSHAKE;
    for (uint32_t rank = run->first; rank < run->first + run->n; rank++) {
        lanes start = load(&storage->clock[rank]);
        if (c->sends && storage->tx != NULL) {
            start = later(start, load(&storage->tx[rank]));
        }
        if (storage->posted != NULL) {
            store(&storage->posted[rank], start);
        }
        if (!c->sends) {
            continue;
        }
        const lanes handed = finish(b, noisy, rank, start, m->o);
        store(&storage->handed[rank], handed);
        store(&storage->clock[rank], finish(b, noisy, rank, handed, c->send_bytes));
        if (storage->tx != NULL && !is_late) {
            store(&storage->tx[rank], after(handed, m->g + c->send_wire - m->o));
        }
    }
}

/* Rendezvous: the message of each rank meets its receive. */
static void meet_run(const batch *b, const replica_run *run, const replica_cost *c)
{
    const sim_params *m = &b->plan->params;
    const replica_storage *storage = b->storage;
    for (uint32_t i = 0; i < run->n; i++) {
        const uint32_t rank = run->first + i;
        const lanes met = later(after(load(&storage->handed[rank]), m->L),
                                load(&storage->posted[peer_at(b, run, i)]));
        if (m->rendezvous == SIM_RENDEZVOUS_INSTANT) {
            store(&storage->released[rank], met);
            continue;
        }
        const lanes leaves = after(met, m->H + m->L); /* the send has waited for the interface */
        if (storage->tx != NULL) {
            store(&storage->tx[rank], after(leaves, m->g + c->send_wire));
        }
        store(&storage->handed[rank], leaves);
        store(&storage->released[rank], after(leaves, c->send_wire));
    }
}

/* The receive of each rank, and all that follows it in the round. */
ALWAYS_INLINE void end_run(const batch *b, bool noisy, const replica_run *run,
                           const replica_cost *c)
{
    const sim_params *m = &b->plan->params;
    const replica_storage *storage = b->storage;
    for (uint32_t i = 0; i < run->n; i++) {
        const uint32_t rank = run->first + i;
        lanes clock = load(&storage->clock[rank]);
        if (c->receives) {
            lanes taken = after(load(&storage->handed[peer_at(b, run, i)]), m->L);
            if (storage->rx != NULL) {
                taken = later(taken, load(&storage->rx[rank]));
                store(&storage->rx[rank], after(taken, m->g + c->recv_wire));
            }
            clock =
                finish(b, noisy, rank, later(clock, after(taken, c->delay)), m->o + c->recv_bytes);
        }
        if (c->rendezvous) {
            clock = later(clock, load(&storage->released[rank]));
        }
        store(&storage->clock[rank], finish(b, noisy, rank, clock, c->work));
    }
}

/* If one rank represents all, it is its own partner. */
ALWAYS_INLINE replica_run own_part(const batch *b, replica_run run)
{
    if (b->num_ranks < b->plan->num_ranks) {
        run = (replica_run){.n = run.first == 0, .cost = run.cost};
    }
    return run;
}

/* @return false: the batch ends here */
ALWAYS_INLINE bool run_levels(const batch *b, bool noisy)
{
    const replica_plan *plan = b->plan;
    const replica_run *runs = (const replica_run *)(const void *)plan->runs->data;
    const replica_cost *costs = (const replica_cost *)(const void *)plan->costs->data;
    const replica_level *levels = (const replica_level *)(const void *)plan->levels->data;
    for (unsigned l = 0, i = 0; l < plan->levels->len; l++) {
        for (; i < levels[l].begins; i++) {
            const replica_run run = own_part(b, runs[i]);
            begin_run(b, noisy, &run, &costs[run.cost]);
        }
        for (; i < levels[l].meetings; i++) {
            const replica_run run = own_part(b, runs[i]);
            meet_run(b, &run, &costs[run.cost]);
        }
        for (; i < levels[l].ends; i++) {
            const replica_run run = own_part(b, runs[i]);
            end_run(b, noisy, &run, &costs[run.cost]);
        }
        if (!go_on(b, levels[l].rows)) {
            return false;
        }
    }
    return true;
}

#include "replica/replica_pass.inl"

/* A function of its own: among the loops over levels, gcc keeps the latest in memory, which takes
 * several times as long. */
static __attribute__((noinline)) lanes latest_of_all(const replica_storage *storage,
                                                     uint32_t num_ranks)
{
    lanes latest = {{{0}}};
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        latest = later(latest, load(&storage->clock[rank]));
    }
    return latest;
}

/* All levels, one after the other. @return the latest of all ranks */
ALWAYS_INLINE lanes run_in_levels(const batch *b, bool noisy)
{
    const replica_storage *storage = b->storage;
    const size_t bytes = b->num_ranks * sizeof(replica_row);
    memset(storage->clock, 0, bytes);
    if (storage->tx != NULL) {
        memset(storage->tx, 0, bytes);
    }
    for (uint32_t rank = 0; noisy && rank < b->num_ranks; rank += DRAWN) {
        const uint32_t left = b->num_ranks - rank;
        begin_noise(b, rank, left < DRAWN ? left : DRAWN);
    }
    for (uint32_t i = 0; i < b->plan->repeat && run_levels(b, noisy); i++) {
    }
    return latest_of_all(storage, b->num_ranks);
}

/* Ranks that do the same at the same times: one of them, which takes the place of its partners.
 * @return when it ends */
ALWAYS_INLINE lanes run_one(const batch *b, bool noisy)
{
    const replica_plan *plan = b->plan;
    replica_row tx __attribute__((aligned(sizeof(replica_row))));
    replica_storage storage = *b->storage;
    if (plan->tx) {
        storage.tx = &tx;
    }
    batch one = *b;
    one.storage = &storage;
    one.num_ranks = 1;
    return run_in_levels(&one, noisy);
}

/* Tables are read row by row and written lane by lane. */
static void copy_finish(const batch *b, sim_time *const *finish)
{
    for (uint32_t rank = 0; rank < b->num_ranks; rank++) {
        for (unsigned lane = 0; lane < SIM_LANES; lane++) {
            if (finish[lane] != NULL) {
                finish[lane][rank] = b->storage->clock[rank][lane];
            }
        }
    }
}

static void run_batch(const replica_plan *plan, const replica_storage *storage,
                      const sim_noise_lanes *noise, replica_watch *watch, sim_time *makespan,
                      sim_time *const *finish)
{
    const batch b = {plan, storage, noise, watch, plan->num_ranks};
    const bool is_one = plan->is_alike && (noise == NULL || noise->coscheduled);
    /* Where ranks move from row to row, they must all see the same detours. */
    const bool in_passes =
        plan->in_passes && !is_one && !(plan->rendezvous && noise != NULL && noise->same == NULL);
    sim_replica_watch_begin(watch, plan, in_passes);
    if (storage->rx != NULL) {
        memset(storage->rx, 0, (is_one ? 1 : b.num_ranks) * sizeof(replica_row));
    }
    lanes latest;
    if (is_one) {
        latest = noise != NULL ? run_one(&b, true) : run_one(&b, false);
    } else if (in_passes) {
        latest = noise != NULL ? run_passes(&b, true, finish != NULL)
                               : run_passes(&b, false, finish != NULL);
    } else {
        latest = noise != NULL ? run_in_levels(&b, true) : run_in_levels(&b, false);
    }
    if (watch->stopped) {
        return;
    }
    for (unsigned lane = 0; lane < SIM_LANES; lane++) {
        makespan[lane] = lane_of(&latest, lane);
    }
    if (finish != NULL && is_one) {
        for (uint32_t rank = 1; rank < b.num_ranks; rank++) {
            store(&storage->clock[rank], latest);
        }
    }
    if (finish != NULL) {
        copy_finish(&b, finish);
    }
}

const replica_kernel REPLICA_KERNEL = {.name = REPLICA_NAME, .run = run_batch};
