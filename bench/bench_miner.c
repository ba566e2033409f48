/* bench/bench_miner.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NoiseMiner on the stream of a simulated run: allreduces by dissemination, back to back, Cray XT-4
 * parameters. Prints the time of the run with the miner listening, that of the report, the largest
 * memory of the process, and the rows.
 * Usage: bench_miner [RANKS [REPEAT [THREADS [NOISE]]]]
 */
#include "argument.h"
#include "coll/program.h"
#include "noise/injection.h"
#include "noise/miner.h"
#include "sim/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

/* Cray XT-4: SC'10, Table III; the network of the published simulations. */
static const sim_params PARAMS = {
    .L = 6500 * SIM_NS,
    .o = 1750 * SIM_NS,
    .g = 3300 * SIM_NS,
    .G = 2500 * (SIM_RATE_PER_PS / 1000),
    .S = 65535,
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_report(const noise_miner_report *r, double simulated, double reported)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%" G_GUINT64_FORMAT
           " events on %u ranks: run %.1f s, report %.1f s, %.2f GiB at most\n",
           r->events, r->ranks_seen, simulated, reported, (double)usage.ru_maxrss / (1 << 20));
    for (size_t i = 0; i < r->num_rows; i++) {
        const noise_miner_row *row = &r->rows[i];
        printf("%" PRId64 " ns x %" PRIu64 ", period %" PRId64 " ns, %u ranks: %s\n",
               row->t_noise / SIM_NS, row->count, row->period / SIM_NS, row->num_ranks, row->label);
    }
}

static bool run(const sim_program *program, const char *noise, unsigned threads, GError **error)
{
    g_autoptr(noise_signature) signature = noise_signature_parse(noise, 1, error);
    if (signature == NULL) {
        return false;
    }
    const noise_injection_options unsynchronized = {.seed = 1};
    g_autoptr(noise_injection) injection =
        noise_injection_new(signature, program->num_ranks, &unsynchronized);
    noise_miner_options miner_options;
    noise_miner_options_init(&miner_options, NOISE_MINER_MODERN);
    miner_options.min_share = 1e-6;
    g_autoptr(noise_miner) miner = noise_miner_new(&miner_options);
    const sim_run_options options = {
        .noise = noise_injection_hook(injection),
        .sink = noise_miner_sink(miner),
        .threads = threads,
    };
    const double begin = seconds();
    g_autoptr(sim_result) result = sim_run(program, &PARAMS, &options, error);
    if (result == NULL) {
        return false;
    }
    const double ran = seconds();
    g_autoptr(noise_miner_report) report = noise_miner_report_new(miner);
    print_report(report, ran - begin, seconds() - ran);
    return true;
}

int main(int argc, char **argv)
{
    if (argc > 5) {
        fprintf(stderr, "usage: bench_miner [RANKS [REPEAT [THREADS [NOISE]]]]\n");
        return 2;
    }
    const uint32_t ranks = bench_count(argc, argv, 1, "RANKS", 1 << 16);
    const uint32_t repeat = bench_count(argc, argv, 2, "REPEAT", 25);
    const uint32_t threads = bench_count(argc, argv, 3, "THREADS", 2);
    const char *noise = argc > 4 ? argv[4] : "jaguar";
    const coll_call call = {.kind = COLL_ALLREDUCE, .size = ranks, .bytes = 1};
    coll_algorithm algorithm;
    g_autoptr(GError) error = NULL;
    if (coll_algorithm_parse("dissemination", &algorithm, NULL)) {
        sim_program *program = coll_program_new(&call, algorithm, repeat, &error);
        if (program != NULL) {
            (void)run(program, noise, threads, &error);
        }
        sim_program_free(program);
    }
    if (error != NULL) {
        fprintf(stderr, "bench_miner: %s\n", error->message);
    }
    return error != NULL ? 1 : 0;
}
