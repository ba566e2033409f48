/* noise/measure/clock_sync.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/clock_sync.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { ROUNDS = 1000, GIVEN_UP = -1 };
static const double PATIENCE_S = 0.1;

/* Even turns are the first CPU's, odd ones the other's. */
typedef struct pair {
    noise_clock clock;
    uint32_t first;
    uint32_t other;
    uint64_t patience; /* ticks */
    atomic_int turn;
    uint64_t answer; /* the other's counter; written before its turn ends */
    uint64_t width;  /* of the tightest round */
    double offset;   /* in it, ticks */
} pair;

static bool bind_to(uint32_t cpu)
{
    cpu_set_t *set = CPU_ALLOC(cpu + 1);
    if (set == NULL) {
        return false;
    }
    const size_t size = CPU_ALLOC_SIZE(cpu + 1);
    CPU_ZERO_S(size, set);
    CPU_SET_S(cpu, size, set);
    const bool ok = pthread_setaffinity_np(pthread_self(), size, set) == 0;
    CPU_FREE(set);
    return ok;
}

/* false: the pair has given up. */
static bool wait_for(pair *p, int turn)
{
    int now;
    while ((now = atomic_load_explicit(&p->turn, memory_order_acquire)) != turn) {
        if (now == GIVEN_UP) {
            return false;
        }
    }
    return true;
}

static void *answer(void *data)
{
    pair *p = data;
    if (!bind_to(p->other)) {
        atomic_store(&p->turn, GIVEN_UP);
    }
    for (int round = 0; round < ROUNDS && wait_for(p, 2 * round + 1); round++) {
        p->answer = noise_clock_read(p->clock);
        atomic_store_explicit(&p->turn, 2 * round + 2, memory_order_release);
    }
    return NULL;
}

static void *ask(void *data)
{
    pair *p = data;
    if (!bind_to(p->first)) {
        atomic_store(&p->turn, GIVEN_UP);
        return NULL;
    }
    const uint64_t begin = noise_clock_read(p->clock);
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t before = noise_clock_read(p->clock);
        int turn = 2 * round;
        if (!atomic_compare_exchange_strong(&p->turn, &turn, 2 * round + 1)) {
            return NULL; /* the other one has given up */
        }
        uint64_t after;
        do {
            after = noise_clock_read(p->clock);
            turn = atomic_load_explicit(&p->turn, memory_order_acquire);
        } while (turn == 2 * round + 1 && after - begin < p->patience);
        if (turn != 2 * round + 2) {
            atomic_store(&p->turn, GIVEN_UP);
            return NULL;
        }
        after = noise_clock_read(p->clock);
        if (after - before < p->width) {
            p->width = after - before;
            p->offset = (double)(int64_t)(p->answer - before) - (double)p->width / 2;
        }
    }
    return NULL;
}

void noise_clock_compare(noise_clock clock, double ticks_per_second, const uint32_t *cpus, size_t n,
                         noise_gate_offset *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = (noise_gate_offset){0, 0};
        if (i == 0) {
            continue;
        }
        pair p = {.clock = clock,
                  .first = cpus[0],
                  .other = cpus[i],
                  .patience = (uint64_t)(PATIENCE_S * ticks_per_second),
                  .width = UINT64_MAX};
        pthread_t asks;
        pthread_t answers;
        if (pthread_create(&answers, NULL, answer, &p) != 0) {
            continue;
        }
        if (pthread_create(&asks, NULL, ask, &p) == 0) {
            (void)pthread_join(asks, NULL);
        } else {
            atomic_store(&p.turn, GIVEN_UP);
        }
        (void)pthread_join(answers, NULL);
        if (p.width != UINT64_MAX) {
            out[i].ns = p.offset / ticks_per_second * 1e9;
            out[i].within_ns = (double)p.width / 2 / ticks_per_second * 1e9;
        }
    }
}
