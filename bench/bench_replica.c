/* bench/bench_replica.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replicas of a collective in the lanes of vectors: what one update (one round of one rank in one
 * replica) costs a core, and what 1,000 replicas would take on the threads used here.
 *
 *     bench_replica [RANKS [NOISE [BATCHES [THREADS [MACHINE [LOAD]]]]]]
 */
#include "argument.h"
#include "coll/program.h"
#include "noise/injection.h"
#include "noise/lanes.h"
#include "sim/large.h"
#include "sim/machine.h"
#include "sim/replica.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct load {
    const char *name;
    coll_kind kind;
    const char *algorithm;
    int64_t bytes;
} load;

typedef struct work {
    sim_replicas *replicas;
    const noise_signature *signature;
    uint32_t ranks;
    unsigned first, batches;
    sim_time slowest;
} work;

static double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static gpointer run(gpointer data)
{
    work *w = data;
    for (unsigned i = 0; i < w->batches; i++) {
        const noise_injection_options o = {.seed = 1, .replica = (w->first + i) * SIM_LANES};
        g_autoptr(noise_lanes) noise = noise_lanes_new(w->signature, w->ranks, &o, SIM_LANES);
        sim_time makespan[SIM_LANES];
        (void)sim_replicas_run(w->replicas, noise_lanes_hook(noise), NULL, makespan, NULL);
        for (unsigned lane = 0; lane < SIM_LANES; lane++) {
            w->slowest = MAX(w->slowest, makespan[lane]);
        }
    }
    return NULL;
}

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "bench_replica: %s: %s\n", what, why);
    exit(1);
}

static void measure(const load *l, uint32_t ranks, const char *noise, unsigned batches,
                    unsigned threads, const sim_params *params)
{
    const coll_call call = {.kind = l->kind, .size = ranks, .bytes = l->bytes};
    sim_program *program = coll_program_new(&call, coll_algorithm_get(l->algorithm), 1, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_signature) signature = noise_signature_parse(noise, 1, &error);
    if (signature == NULL) {
        fail("NOISE", error->message);
    }
    const char *why = NULL;
    const double start = wall();
    g_autoptr(sim_replicas) replicas = sim_replicas_new(program, params, &why);
    if (replicas == NULL) {
        fail(l->name, why);
    }
    const double planned = wall();
    g_autofree work *works = g_new0(work, threads);
    g_autofree GThread **running = g_new(GThread *, threads);
    for (unsigned i = 0; i < threads; i++) {
        works[i] = (work){replicas, signature, ranks, i * batches, batches, 0};
        running[i] = g_thread_new("replicas", run, &works[i]);
    }
    sim_time slowest = 0;
    for (unsigned i = 0; i < threads; i++) {
        g_thread_join(running[i]);
        slowest = MAX(slowest, works[i].slowest);
    }
    const double time = wall() - planned;
    const double done = (double)SIM_LANES * batches * threads;
    /* A round has a send and a receive. */
    const double updates = done * (double)sim_replicas_num_ops(replicas) / 2;
    printf("%-14s %9u %-8s %8.2f s %8.2f ns/update %8.1f s  %7.0f MiB  (%s, slowest %.0f us)\n",
           l->name, ranks, noise, planned - start, 1e9 * time * threads / updates,
           planned - start + 1000 / done * time,
           (double)sim_replicas_memory(replicas) * threads / (1 << 20),
           sim_replicas_variant(replicas), (double)slowest / (double)SIM_US);
    sim_program_free(program);
}

int main(int argc, char **argv)
{
    sim_large_keep_freed();
    static const load loads[] = {
        {"dissemination", COLL_ALLREDUCE, "dissemination", 1},
        {"broadcast", COLL_BCAST, "binomial", 1},
        {"rendezvous", COLL_ALLREDUCE, "dissemination", 1 << 20},
        {"doubling", COLL_ALLREDUCE, "recursive-doubling", 8},
        {"reduce", COLL_REDUCE, "binomial", 1},
    };
    const uint32_t ranks = bench_count(argc, argv, 1, "RANKS", 1U << 20);
    const char *const own_noise = argc > 2 ? argv[2] : NULL;
    const unsigned batches = bench_count(argc, argv, 3, "BATCHES", 2);
    const unsigned threads = bench_count(argc, argv, 4, "THREADS", g_get_num_processors());
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_machine) machine = sim_machine_load(argc > 5 ? argv[5] : "xt4", &error);
    if (machine == NULL) {
        fail("MACHINE", error->message);
    }
    bool found = argc <= 6;
    static const char *const noises[] = {"none", "jaguar",  "altix",
                                         "chic", "zeptoos", "fixed:1kHz:100us"};
    printf("# plan; each update on its core; 1,000 replicas on %u threads; tables of all threads\n",
           threads);
    for (size_t i = 0; i < G_N_ELEMENTS(loads); i++) {
        if (argc > 6 && strcmp(argv[6], loads[i].name) != 0) {
            continue;
        }
        found = true;
        for (size_t j = 0; j < (own_noise != NULL ? 1 : G_N_ELEMENTS(noises)); j++) {
            measure(&loads[i], ranks, own_noise != NULL ? own_noise : noises[j], batches, threads,
                    &machine->params);
        }
    }
    if (!found) {
        fail("LOAD", "there is none of this name");
    }
    return 0;
}
