/* bench/sc10/replicas.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "replicas.h"

#include "coll/program.h"
#include "noise/injection.h"
#include "noise/lanes.h"
#include "params.h"
#include "sim/replica.h"

typedef struct job {
    sim_replicas *replicas;
    uint32_t num_ranks;
    uint32_t num_replicas;
    const noise_signature *signature;
    noise_injection_options options;
    double *times;
} job;

static double us(sim_time time)
{
    return (double)time / (double)SIM_US;
}

/* Batches count from 1: a pool takes no NULL. */
static void run_batch(gpointer batch, gpointer data)
{
    const job *j = data;
    noise_injection_options options = j->options;
    options.replica = (uint32_t)(GPOINTER_TO_UINT(batch) - 1) * SIM_LANES;
    const uint32_t n = MIN(SIM_LANES, j->num_replicas - options.replica);
    g_autoptr(noise_lanes) lanes = noise_lanes_new(j->signature, j->num_ranks, &options, n);
    if (!sim_replicas_in_time(j->replicas, noise_lanes_hook(lanes))) {
        g_error("time runs out");
    }
    sim_time makespan[SIM_LANES];
    (void)sim_replicas_run(j->replicas, noise_lanes_hook(lanes), NULL, makespan, NULL);
    for (uint32_t i = 0; i < n; i++) {
        j->times[options.replica + i] = us(makespan[i]);
    }
}

static sim_program *program_of(const sc10_case *what, uint32_t ranks)
{
    g_autoptr(GError) error = NULL;
    coll_call call = {.size = ranks, .bytes = MAX(what->bytes, 1)};
    const bool known = coll_kind_parse(what->collective, &call.kind);
    const coll_algorithm algorithm =
        coll_algorithm_get(known && call.kind == COLL_ALLREDUCE ? "dissemination" : "binomial");
    sim_program *program = known ? coll_program_new(&call, algorithm, 1, &error) : NULL;
    if (program == NULL) {
        g_error("%s: %s", what->collective, error != NULL ? error->message : "unknown");
    }
    return program;
}

double sc10_run_replicas(const sc10_case *what, uint32_t ranks, uint32_t replicas, unsigned threads,
                         uint64_t seed, double *times)
{
    const sim_params params = sc10_params(what->machine, what->network);
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_signature) signature = noise_signature_parse(what->noise, seed, &error);
    if (signature == NULL) {
        g_error("%s", error->message);
    }
    sim_program *program = program_of(what, ranks);
    const char *why = NULL;
    g_autoptr(sim_replicas) engine = sim_replicas_new(program, &params, &why);
    if (engine == NULL) {
        g_error("%s", why);
    }
    job j = {
        .replicas = engine,
        .num_ranks = ranks,
        .num_replicas = replicas,
        .signature = signature,
        .options = {.sync = what->cosched ? NOISE_COSCHEDULED : NOISE_UNSYNCHRONIZED, .seed = seed},
        .times = times};
    GThreadPool *pool = g_thread_pool_new(run_batch, &j, (int)threads, FALSE, NULL);
    for (uint32_t batch = 0; batch * SIM_LANES < replicas; batch++) {
        g_thread_pool_push(pool, GUINT_TO_POINTER(batch + 1), NULL);
    }
    g_thread_pool_free(pool, FALSE, TRUE);
    sim_time ideal[SIM_LANES];
    (void)sim_replicas_run(engine, NULL, NULL, ideal, NULL);
    sim_program_free(program);
    return us(ideal[0]);
}
