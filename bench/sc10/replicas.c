/* bench/sc10/replicas.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "replicas.h"

#include "coll/program.h"
#include "noise/injection.h"
#include "sim/run.h"

typedef struct job {
    const sim_program *program;
    const sim_params *params;
    const noise_signature *signature;
    noise_injection_options options;
    double *times;
} job;

static double us(sim_time time)
{
    return (double)time / (double)SIM_US;
}

static sim_time makespan(const sim_program *program, const sim_params *params,
                         const sim_noise *noise)
{
    const sim_run_options options = {.noise = noise};
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_result) result = sim_run(program, params, &options, &error);
    if (result == NULL) {
        g_error("%s", error->message);
    }
    return result->makespan;
}

/* Replicas count from 1: a pool takes no NULL. */
static void run_one(gpointer replica, gpointer data)
{
    const job *j = data;
    noise_injection_options options = j->options;
    options.replica = (uint32_t)GPOINTER_TO_UINT(replica) - 1;
    g_autoptr(noise_injection) injection =
        noise_injection_new(j->signature, j->program->num_ranks, &options);
    j->times[options.replica] =
        us(makespan(j->program, j->params, noise_injection_hook(injection)));
}

static sim_params params_of(const sc10_case *what)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_machine) machine = sim_machine_load(what->machine, &error);
    if (machine == NULL) {
        g_error("%s", error->message);
    }
    sim_params p = machine->params;
    if (what->network > 0) {
        p.L *= what->network;
        p.g *= what->network;
        p.G *= what->network;
    } else if (what->network < 0) {
        p.L /= -what->network;
        p.g /= -what->network;
        p.G /= -what->network;
    }
    return p;
}

static sim_program *program_of(const sc10_case *what, uint32_t ranks)
{
    g_autoptr(GError) error = NULL;
    coll_call call = {.size = ranks, .bytes = MAX(what->bytes, 1)};
    const bool known = coll_kind_parse(what->collective, &call.kind);
    const coll_algorithm algorithm =
        known && call.kind == COLL_ALLREDUCE ? COLL_ALG_DISSEMINATION : COLL_ALG_BINOMIAL;
    sim_program *program = known ? coll_program_new(&call, algorithm, 1, &error) : NULL;
    if (program == NULL) {
        g_error("%s: %s", what->collective, error != NULL ? error->message : "unknown");
    }
    return program;
}

double sc10_run_replicas(const sc10_case *what, uint32_t ranks, uint32_t replicas, unsigned threads,
                         uint64_t seed, double *times)
{
    const sim_params params = params_of(what);
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_signature) signature = noise_signature_parse(what->noise, seed, &error);
    if (signature == NULL) {
        g_error("%s", error->message);
    }
    sim_program *program = program_of(what, ranks);
    job j = {.program = program,
             .params = &params,
             .signature = signature,
             .options = {.sync = what->cosched ? NOISE_COSCHEDULED : NOISE_UNSYNCHRONIZED,
                         .ranks_per_node = 1,
                         .seed = seed},
             .times = times};
    GThreadPool *pool = g_thread_pool_new(run_one, &j, (int)threads, FALSE, NULL);
    for (uint32_t replica = 0; replica < replicas; replica++) {
        g_thread_pool_push(pool, GUINT_TO_POINTER(replica + 1), NULL);
    }
    g_thread_pool_free(pool, FALSE, TRUE);
    const double ideal = us(makespan(program, &params, NULL));
    sim_program_free(program);
    return ideal;
}
