/* tests/sim/symmetry/test_symmetry.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A few ranks that stand for all, against the run of all ranks: the same on every rank, and
 * everything else that a result says.
 */
#include "check.h"
#include "coll/program.h"
#include "few_trial.h"
#include "noise/injection.h"
#include "sched/pattern.h"
#include "seeds.h"
#include "sim/symmetry.h"

#define SEED 20261123U

enum { ROUNDS = SEEDS(20) };

/** What is run. */
typedef struct trial {
    const sim_program *program;
    sim_params params;
    sim_run_options options;
    const char *what;
} trial;

static char *describe(const trial *t)
{
    const sim_params *p = &t->params;
    return g_strdup_printf("%s p=%u L=%" PRId64 " o=%" PRId64 " g=%" PRId64 " G=%" PRId64
                           " O=%" PRId64 " S=%" PRId64 " progress=%d rendezvous=%d",
                           t->what, t->program->num_ranks, p->L, p->o, p->g, p->G, p->O, p->S,
                           p->progress, p->rendezvous);
}

/* @return how many ranks stood for all; 0: all were run */
static uint32_t compare(const trial *t)
{
    g_autofree char *where = describe(t);
    const few_trial found = few_trial_compare(t->program, &t->params, &t->options, where);
    CHECK(!found.failed, "%s", where);
    return found.ranks;
}

static sim_time any_time(GRand *random, sim_time most)
{
    return g_rand_int_range(random, 0, 3) == 0 ? 0 : g_rand_int_range(random, 0, 20) * most / 20;
}

static sim_params any_machine(GRand *random)
{
    return (sim_params){
        .L = any_time(random, 10 * SIM_US),
        .o = any_time(random, 4 * SIM_US),
        .g = any_time(random, 9 * SIM_US),
        .G = any_time(random, 20 * SIM_RATE_PER_PS),
        .O = any_time(random, 20 * SIM_RATE_PER_PS),
        .S = g_rand_int_range(random, 0, 3) == 0 ? INT64_MAX : g_rand_int_range(random, 0, 8000),
        .progress = g_rand_boolean(random) ? SIM_PROGRESS_POLLING : SIM_PROGRESS_ASYNC,
        .rendezvous = g_rand_boolean(random) ? SIM_RENDEZVOUS_HANDSHAKE : SIM_RENDEZVOUS_INSTANT,
    };
}

static uint32_t any_size(GRand *random)
{
    const bool is_power = g_rand_boolean(random);
    return is_power ? 1U << g_rand_int_range(random, 1, 7)
                    : (uint32_t)g_rand_int_range(random, 2, 80);
}

/* How often ranks stood for others, and how often not, is known to be of use. */
typedef struct tally {
    unsigned few, all;
} tally;

static void count(tally *of, uint32_t representatives)
{
    *(representatives > 0 ? &of->few : &of->all) += 1;
}

/* One noise for everybody, drawn once. */
static noise_injection *any_common_noise(GRand *random, const noise_signature *signature,
                                         uint32_t ranks)
{
    const noise_injection_options o = {.sync = NOISE_COSCHEDULED, .seed = g_rand_int(random)};
    return noise_injection_new(signature, ranks, &o);
}

static void any_collective_is_that_of_all_ranks(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
    g_autoptr(noise_signature) noise = noise_signature_parse("fixed:37us:11us", 1, NULL);
    tally tallies = {0};
    for (unsigned i = 0; i < 40 * ROUNDS; i++) {
        const uint32_t size = any_size(random);
        const size_t which = (size_t)g_rand_int_range(random, 0, (gint32)coll_algorithm_count());
        const coll_algorithm algorithm = coll_algorithm_at(which);
        coll_call call = {.kind = g_rand_int_range(random, 0, COLL_NUM_KINDS),
                          .size = size,
                          .bytes = (1 << g_rand_int_range(random, 0, 13)) -
                                   g_rand_int_range(random, 0, 2),
                          .reduce = any_time(random, SIM_RATE_PER_PS)};
        const uint32_t repeat = (uint32_t)g_rand_int_range(random, 1, 4);
        sim_program *program = coll_program_new(&call, algorithm, repeat, NULL);
        if (program == NULL) {
            continue;
        }
        g_autoptr(noise_injection) injection = any_common_noise(random, noise, size);
        const bool is_noisy = g_rand_boolean(random);
        trial t = {.program = program,
                   .params = any_machine(random),
                   .options = {.noise = is_noisy ? noise_injection_hook(injection) : NULL,
                               .explain = !is_noisy},
                   .what = coll_algorithm_name(algorithm)};
        count(&tallies, compare(&t));
        sim_program_free(program);
    }
    CHECK(tallies.few >= 2 * ROUNDS && tallies.all >= 3 * ROUNDS, "%u taken, %u not", tallies.few,
          tallies.all);
}

static void add_item(GRand *random, GString *text)
{
    static const char *const ITEMS[] = {"calc=3us",
                                        "calc=20us",
                                        "stencil1d:100",
                                        "stencil2d",
                                        "stencil3d:3000",
                                        "ring:0",
                                        "ring:5000",
                                        "allreduce",
                                        "barrier",
                                        "allreduce:recursive-doubling:64",
                                        "allgather:ring:9",
                                        "allreduce:ring:4096",
                                        "alltoall:bruck:8",
                                        "alltoall:pairwise:20",
                                        "allgather:recursive-doubling:16",
                                        "allreduce:recursive-halving:4096"};
    static const char *const ROOTED[] = {"bcast", "calc=20us~50%", "random:300", "wavefront"};
    if (g_rand_int_range(random, 0, 30) == 0) {
        g_string_append(text, ROOTED[g_rand_int_range(random, 0, G_N_ELEMENTS(ROOTED))]);
    } else {
        g_string_append(text, ITEMS[g_rand_int_range(random, 0, G_N_ELEMENTS(ITEMS))]);
    }
}

static void any_pattern_is_that_of_all_ranks(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED + 1);
    g_autoptr(noise_signature) noise =
        noise_signature_parse("fixed:37us:11us+poisson:200us:30us", 1, NULL);
    tally polling = {0};
    tally async = {0};
    for (unsigned i = 0; i < 20 * ROUNDS; i++) {
        g_autoptr(GString) text = g_string_new("(");
        const int n = g_rand_int_range(random, 1, 5);
        for (int k = 0; k < n; k++) {
            g_string_append(text, k > 0 ? "," : "");
            add_item(random, text);
        }
        g_string_append(text, ")*2");
        const uint32_t size = any_size(random);
        g_autoptr(sched_pattern) pattern = sched_pattern_new(text->str, NULL);
        g_assert_nonnull(pattern);
        const sched_pattern_options o = {.ranks = size,
                                         .repeat = (uint32_t)g_rand_int_range(random, 1, 4),
                                         .reduce = any_time(random, SIM_RATE_PER_PS)};
        sim_program *program = sched_pattern_program_new(pattern, &o, NULL);
        g_assert_nonnull(program);
        g_autoptr(noise_injection) injection = any_common_noise(random, noise, size);
        const bool is_noisy = g_rand_boolean(random);
        const trial t = {.program = program,
                         .params = any_machine(random),
                         .options = {.noise = is_noisy ? noise_injection_hook(injection) : NULL,
                                     .explain = !is_noisy},
                         .what = text->str};
        count(t.params.progress == SIM_PROGRESS_POLLING ? &polling : &async, compare(&t));
        sim_program_free(program);
    }
    CHECK(polling.few >= 2 * ROUNDS && polling.all >= ROUNDS, "%u taken, %u not", polling.few,
          polling.all);
    CHECK(async.few >= ROUNDS / 2 && async.all >= ROUNDS, "%u taken, %u not", async.few, async.all);
}

/* Where it is taken, and where not. */
static void it_is_taken_where_it_holds(void)
{
    static const sim_params XT4 = {.L = 9900 * SIM_NS,
                                   .o = 1750 * SIM_NS,
                                   .g = 3400 * SIM_NS,
                                   .G = 580 * SIM_RATE_PER_PS / 1000,
                                   .S = 65535};
    static const struct {
        const char *pattern;
        uint32_t ranks;
        sim_progress progress;
        sim_rendezvous rendezvous;
        uint32_t representatives;
    } row[] = {
        {"barrier", 2, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_HANDSHAKE, 1},
        {"barrier", 1000, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_HANDSHAKE, 1},
        {"barrier", 1, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_HANDSHAKE, 0}, /* stands for itself */
        {"barrier", 1000, SIM_PROGRESS_ASYNC, SIM_RENDEZVOUS_HANDSHAKE, 1},
        {"allreduce:recursive-doubling:8", 64, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_HANDSHAKE, 1},
        {"allreduce:recursive-doubling:8", 65, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_HANDSHAKE, 0},
        {"allreduce:recursive-halving:8", 8, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_HANDSHAKE, 1},
        {"allreduce:recursive-halving:9", 8, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_HANDSHAKE, 0},
        {"alltoall:pairwise:8", 64, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_HANDSHAKE, 1},
        {"bcast", 64, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_HANDSHAKE, 0},
        {"barrier,bcast", 64, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_HANDSHAKE, 0},
        {"stencil3d:8KiB,calc=1ms,barrier", 60, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_HANDSHAKE, 1},
        {"stencil3d:8KiB", 60, SIM_PROGRESS_ASYNC, SIM_RENDEZVOUS_HANDSHAKE, 0}, /* ties */
        {"stencil3d:1MiB", 60, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_HANDSHAKE, 1},
        {"stencil3d:1MiB", 60, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_INSTANT, 0}, /* releases */
        {"ring:1MiB", 60, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_INSTANT, 1},
        {"ring:1MiB", 60, SIM_PROGRESS_ASYNC, SIM_RENDEZVOUS_INSTANT, 0},
        {"ring:1MiB", 60, SIM_PROGRESS_ASYNC, SIM_RENDEZVOUS_HANDSHAKE, 1},
        {"calc=1ms~5%,barrier", 60, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_HANDSHAKE, 0},
        {"calc=1ms", 60, SIM_PROGRESS_POLLING, SIM_RENDEZVOUS_HANDSHAKE, 1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(sched_pattern) pattern = sched_pattern_new(row[i].pattern, NULL);
        const sched_pattern_options o = {.ranks = row[i].ranks, .repeat = 1};
        sim_program *program = sched_pattern_program_new(pattern, &o, NULL);
        trial t = {.program = program, .params = XT4, .what = row[i].pattern};
        t.params.progress = row[i].progress;
        t.params.rendezvous = row[i].rendezvous;
        CHECK_I64(compare(&t), row[i].representatives, "row %zu: %s", i, row[i].pattern);
        sim_program_free(program);
    }
}

/* A program in which every rank does the same, and what is asked of its run. */
static void it_is_not_taken_where_ranks_are_told_apart(void)
{
    enum { RANKS = 12 };
    const sim_params params = {.L = SIM_US, .o = SIM_US, .S = INT64_MAX};
    g_autoptr(sched_pattern) pattern = sched_pattern_new("calc=100us,barrier", NULL);
    const sched_pattern_options o = {.ranks = RANKS, .repeat = 1};
    sim_program *program = sched_pattern_program_new(pattern, &o, NULL);
    g_autoptr(noise_signature) signature = noise_signature_parse("fixed:37us:11us", 1, NULL);
    const noise_injection_options own = {.sync = NOISE_UNSYNCHRONIZED, .seed = 1};
    const noise_injection_options near = {.sync = NOISE_COSCHEDULED, .sigma = 1, .seed = 1};
    const noise_injection_options common = {.sync = NOISE_COSCHEDULED, .seed = 1};
    g_autoptr(noise_injection) alone = noise_injection_new(signature, RANKS, &own);
    g_autoptr(noise_injection) about = noise_injection_new(signature, RANKS, &near);
    g_autoptr(noise_injection) same = noise_injection_new(signature, RANKS, &common);
    const sim_levels levels = {.has_node = true, .placement = sim_placement_block(RANKS, 4)};
    const sim_run_options plain = {0};
    const sim_run_options none = {.noise = noise_injection_hook(alone)};
    const sim_run_options some = {.noise = noise_injection_hook(about)};
    const sim_run_options all = {.noise = noise_injection_hook(same)};
    const sim_run_options explained = {.noise = noise_injection_hook(same), .explain = true};
    const sim_run_options nodes = {.levels = &levels};
    sim_params no_time = params;
    no_time.L = no_time.o = 0;
    sim_params creation = params;
    creation.order = SIM_ORDER_CREATION;
    CHECK_I64(sim_symmetry_holds(program, &params, &plain), 1);
    CHECK_I64(sim_symmetry_holds(program, &params, &all), 1);
    CHECK_I64(sim_symmetry_holds(program, &params, &none), 0);
    CHECK_I64(sim_symmetry_holds(program, &params, &some), 0);
    CHECK_I64(sim_symmetry_holds(program, &params, &explained), 0);
    CHECK_I64(sim_symmetry_holds(program, &params, &nodes), 0);
    CHECK_I64(sim_symmetry_holds(program, &no_time, &plain), 0);
    CHECK_I64(sim_symmetry_holds(program, &creation, &plain), 0);
    sim_program_free(program);
}

SUITE_MAIN("symmetry", TEST(any_collective_is_that_of_all_ranks),
           TEST(any_pattern_is_that_of_all_ranks), TEST(it_is_taken_where_it_holds),
           TEST(it_is_not_taken_where_ranks_are_told_apart))
