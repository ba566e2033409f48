/* tests/sim/replica/test_replica.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replicas in the lanes of vectors against sim_run(), one replica after the other: bit for bit, on
 * every rank. Programs are collectives, noise is injected as it is elsewhere.
 */
#include "check.h"
#include "coll/program.h"
#include "noise/injection.h"
#include "noise/lanes.h"
#include "seeds.h"
#include "sim/chain.h"
#include "sim/graph.h"
#include "sim/replica.h"
#include "sim/run.h"

#define SEED 20101113U

/** What is run: a program, a machine, a noise. */
typedef struct trial {
    coll_call call;
    coll_algorithm algorithm;
    uint32_t repeat;
    sim_params params;
    noise_signature *signature;      /* NULL: none */
    noise_injection_options options; /* the placement is that of per_node */
    uint32_t per_node;               /* ranks */
    unsigned lanes;                  /* compared with sim_run(), from the first on */
} trial;

static const sim_params XT4 = {.L = 9900 * SIM_NS,
                               .o = 1750 * SIM_NS,
                               .g = 3400 * SIM_NS,
                               .G = 580 * SIM_RATE_PER_PS / 1000,
                               .S = 65535};

static const char *const NOISES[] = {
    "none",
    "fixed:10kHz:10us",
    "fixed:37us:11us+poisson:200us:30us",
    "tick:50us:1us:20us@0-3,7,100-600+fixed:71us:9us@5-300",
    "jaguar",
    "poisson:5us:2us",
    "lognormal:90us:9us:0.9+fixed:50us:1us",
    "fixed:50us:4us@node-all+poisson:400us:20us@node-all",
    "fixed:50us:4us@core:1-200",
    "fixed:31us:4us@3-700/5,8-1000/7",
    "job:40us:300us:700us:500us+fixed:50us:1us",
    "fixed:6ms:4.5ms+poisson:100us:20us", /* long ones, that fit in no packed table */
};
static noise_signature *signatures[G_N_ELEMENTS(NOISES)];

static noise_signature *signature_of(size_t i)
{
    if (signatures[i] == NULL) {
        signatures[i] = noise_signature_parse(NOISES[i], 1, NULL);
        g_assert_nonnull(signatures[i]);
    }
    return signatures[i];
}

static char *describe(const trial *t)
{
    const sim_params *p = &t->params;
    return g_strdup_printf(
        "%s %s p=%u root=%u bytes=%" PRId64 " repeat=%u reduce=%" PRId64 " L=%" PRId64 " o=%" PRId64
        " g=%" PRId64 " G=%" PRId64 " O=%" PRId64 " S=%" PRId64 " rendezvous=%d noise=%s sync=%d "
        "sigma=%" PRId64 " per node=%u replica=%u",
        coll_kind_name(t->call.kind), coll_algorithm_name(t->algorithm), t->call.size, t->call.root,
        t->call.bytes, t->repeat, t->call.reduce, p->L, p->o, p->g, p->G, p->O, p->S, p->rendezvous,
        t->signature != NULL ? noise_signature_text(t->signature) : "none", t->options.sync,
        t->options.sigma, t->per_node, t->options.replica);
}

static void compare_lane(const trial *t, const sim_program *program, const sim_replicas *replicas,
                         unsigned lane, sim_time makespan, const sim_time *finish)
{
    const sim_placement placement = sim_placement_block(t->call.size, t->per_node);
    noise_injection_options o = t->options;
    o.placement = &placement;
    o.replica += lane;
    g_autoptr(noise_injection) injection =
        t->signature != NULL ? noise_injection_new(t->signature, t->call.size, &o) : NULL;
    const sim_run_options options = {
        .noise = injection != NULL ? noise_injection_hook(injection) : NULL,
    };
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_result) result = sim_run(program, &t->params, &options, &error);
    g_assert_no_error(error);
    uint32_t wrong = SIM_NOBODY;
    for (uint32_t r = 0; r < t->call.size && wrong == SIM_NOBODY; r++) {
        wrong = result->finish[r] != finish[r] ? r : SIM_NOBODY;
    }
    if (wrong != SIM_NOBODY || result->makespan != makespan) {
        g_autofree char *where = describe(t);
        const uint32_t r = wrong != SIM_NOBODY ? wrong : 0;
        CHECK_I64(finish[r], result->finish[r], "lane %u, rank %u: %s", lane, r, where);
        CHECK_I64(makespan, result->makespan, "lane %u: %s", lane, where);
    }
    CU_ASSERT_EQUAL(sim_replicas_num_ops(replicas), result->num_ops);
    CU_ASSERT_EQUAL(sim_replicas_num_messages(replicas), result->num_messages);
}

/* Runs the replicas of @p t; NULL where they cannot be run at once. */
static sim_replicas *compare(const trial *t)
{
    g_autoptr(GError) error = NULL;
    sim_program *program = coll_program_new(&t->call, t->algorithm, t->repeat, &error);
    g_assert_no_error(error);
    const char *why = NULL;
    sim_replicas *replicas = sim_replicas_new(program, &t->params, &why);
    g_autofree char *where = describe(t);
    if (CHECK(replicas != NULL, "%s: %s", where, why)) {
        const sim_placement placement = sim_placement_block(t->call.size, t->per_node);
        noise_injection_options o = t->options;
        o.placement = &placement;
        g_autoptr(noise_lanes) noise =
            t->signature != NULL ? noise_lanes_new(t->signature, t->call.size, &o, t->lanes) : NULL;
        sim_time makespan[SIM_LANES];
        sim_time *finish[SIM_LANES] = {NULL};
        for (unsigned lane = 0; lane < t->lanes; lane++) {
            finish[lane] = g_new(sim_time, t->call.size);
        }
        const sim_noise_lanes *hook = noise != NULL ? noise_lanes_hook(noise) : NULL;
        CHECK(sim_replicas_in_time(replicas, hook), "%s", where);
        CHECK(sim_replicas_run(replicas, hook, NULL, makespan, finish), "%s", where);
        for (unsigned lane = 0; lane < t->lanes; lane++) {
            compare_lane(t, program, replicas, lane, makespan[lane], finish[lane]);
            g_free(finish[lane]);
        }
    }
    sim_program_free(program);
    return replicas;
}

static void check(const trial *t)
{
    sim_replicas_free(compare(t));
}

static trial exchange(uint32_t size, size_t noise, sim_params params)
{
    return (trial){
        .call = {.kind = COLL_ALLREDUCE, .size = size, .bytes = 1},
        .algorithm = coll_algorithm_get("dissemination"),
        .repeat = 1,
        .params = params,
        .signature = signature_of(noise),
        .options = {.seed = 1},
        .per_node = 1,
        .lanes = SIM_LANES,
    };
}

static void a_dissemination_of_any_size_is_that_of_the_engine(void)
{
    for (uint32_t size = 1; size <= 1025; size += EVERY) {
        trial t = exchange(size, 1 + size % 6, XT4);
        t.options.replica = size;
        t.options.sync = size % 7 == 0 ? NOISE_COSCHEDULED : NOISE_UNSYNCHRONIZED;
        t.options.sigma = (sim_time)(size % 2) * 5 * SIM_US;
        t.params.g = (sim_time)(size % 3) * 1900 * SIM_NS; /* binds, or not */
        t.params.S = size % 3 == 0 ? 0 : XT4.S;            /* rendezvous, or not */
        t.params.H = (sim_time)(size % 5) * 700 * SIM_NS;
        t.params.rendezvous = size % 4 < 2 ? SIM_RENDEZVOUS_HANDSHAKE : SIM_RENDEZVOUS_INSTANT;
        t.lanes = 1 + size % 2;
        check(&t);
    }
}

static void a_broadcast_of_any_size_is_that_of_the_engine(void)
{
    for (uint32_t size = 1; size <= 1025; size += EVERY) {
        trial t = exchange(size, 1 + size % 6, XT4);
        t.call.kind = COLL_BCAST;
        t.call.root = size / 3;
        t.algorithm = coll_algorithm_get("binomial");
        t.per_node = 1 + size % 4;
        check(&t);
    }
}

static sim_time any_time(GRand *random, sim_time most)
{
    return g_rand_int_range(random, 0, 3) == 0 ? 0
                                               : (sim_time)(g_rand_double(random) * (double)most);
}

static sim_params any_machine(GRand *random)
{
    return (sim_params){
        .L = any_time(random, 10 * SIM_US),
        .o = any_time(random, 4 * SIM_US),
        .g = any_time(random, 9 * SIM_US),
        .G = any_time(random, 20 * SIM_RATE_PER_PS),
        .O = any_time(random, 20 * SIM_RATE_PER_PS),
        .S = g_rand_int_range(random, 0, 3) == 0 ? INT64_MAX : g_rand_int_range(random, 0, 20000),
        .H = any_time(random, 5 * SIM_US),
        .rendezvous = g_rand_boolean(random) ? SIM_RENDEZVOUS_HANDSHAKE : SIM_RENDEZVOUS_INSTANT,
    };
}

static trial any_trial(GRand *random, uint32_t max_size)
{
    trial t;
    const size_t noise = (size_t)g_rand_int_range(random, 0, G_N_ELEMENTS(NOISES));
    do {
        const uint32_t size = (uint32_t)g_rand_int_range(random, 1, (gint32)max_size + 1);
        t = exchange(size, noise, any_machine(random));
        t.call.kind = (coll_kind)g_rand_int_range(random, 0, COLL_NUM_KINDS);
        t.call.bytes = g_rand_int_range(random, 0, 10000);
        t.call.root = (uint32_t)g_rand_int_range(random, 0, (gint32)size);
        t.call.reduce = any_time(random, SIM_RATE_PER_PS * 1000);
        const size_t algorithm =
            (size_t)g_rand_int_range(random, 0, (gint32)coll_algorithm_count());
        t.algorithm = coll_algorithm_at(algorithm);
    } while (!coll_algorithm_check(t.algorithm, t.call.kind, t.call.size, NULL));
    t.repeat = (uint32_t)g_rand_int_range(random, 1, 4);
    t.options.sync = g_rand_boolean(random) ? NOISE_COSCHEDULED : NOISE_UNSYNCHRONIZED;
    t.options.sigma = any_time(random, 50 * SIM_US);
    t.per_node = (uint32_t)g_rand_int_range(random, 1, 5);
    t.options.replica = (uint32_t)g_rand_int_range(random, 0, 1000);
    t.lanes = (unsigned)g_rand_int_range(random, 1, SIM_LANES + 1);
    return t;
}

static void any_collective_on_any_machine_is_that_of_the_engine(void)
{
    for (unsigned i = 0; i < SEEDS(2000); i++) {
        GRand *random = g_rand_new_with_seed(SEED + i);
        const trial t = any_trial(random, i % 10 == 0 ? 130 : 20);
        g_rand_free(random);
        check(&t);
    }
}

/* Every algorithm in which ranks may be told apart by exclusive-or, on 2^k ranks. */
static void mirrored_collectives_are_those_of_the_engine(void)
{
    static const char *const variants[] = {"portable", "avx2", "avx512"};
    static const struct {
        coll_kind kind;
        const char *algorithm;
    } row[] = {
        {COLL_BARRIER, "recursive-doubling"},   {COLL_ALLREDUCE, "recursive-doubling"},
        {COLL_ALLGATHER, "recursive-doubling"}, {COLL_REDUCE_SCATTER, "recursive-halving"},
        {COLL_ALLREDUCE, "recursive-halving"},  {COLL_ALLTOALL, "pairwise"},
    };
    for (unsigned i = 0; i < SEEDS(600); i++) {
        GRand *random = g_rand_new_with_seed(SEED + 9000 + i);
        const uint32_t size = 2U << g_rand_int_range(random, 0, i % 20 == 0 ? 9 : 6);
        trial t = exchange(size, i % G_N_ELEMENTS(NOISES), i % 2 == 0 ? XT4 : any_machine(random));
        t.call.kind = row[i % G_N_ELEMENTS(row)].kind;
        t.algorithm = coll_algorithm_get(row[i % G_N_ELEMENTS(row)].algorithm);
        t.call.bytes = (int64_t)g_rand_int_range(random, 0, 20) * (i % 2 == 0 ? size : 1);
        t.call.reduce = any_time(random, SIM_RATE_PER_PS * 1000);
        t.params.S = g_rand_int_range(random, 0, 4) == 0 ? 8 : t.params.S;
        t.repeat = (uint32_t)g_rand_int_range(random, 1, 3);
        t.options.sync =
            g_rand_int_range(random, 0, 4) == 0 ? NOISE_COSCHEDULED : NOISE_UNSYNCHRONIZED;
        t.options.sigma = (sim_time)(i % 3) * 5 * SIM_US;
        t.options.replica = i;
        t.lanes = i % 3 == 0 ? SIM_LANES : 2;
        g_rand_free(random);
        (void)g_setenv("RIPPLE_LANES", variants[i / 7 % G_N_ELEMENTS(variants)], TRUE);
        check(&t);
    }
    g_unsetenv("RIPPLE_LANES");
}

/* Sizes whose rounds are made in several groups: powers of two, multiples of one, and neither. */
static void large_collectives_are_those_of_the_engine(void)
{
    static const struct {
        coll_kind kind;
        const char *algorithm;
        int64_t bytes;
        uint32_t size;
        uint16_t repeat;
        bool is_eager;
    } row[] = {
        {COLL_ALLREDUCE, "dissemination", 1, 65536, 1, true},
        {COLL_ALLREDUCE, "dissemination", 1, 3 << 13, 2, true},
        {COLL_BARRIER, "dissemination", 0, 40961, 1, true},
        {COLL_ALLTOALL, "bruck", 3, 1 << 14, 1, true},
        {COLL_ALLGATHER, "bruck", 2, 1 << 15, 1, true},
        {COLL_ALLGATHER, "dissemination", 2, 20011, 1, true},
        {COLL_ALLREDUCE, "recursive-doubling", 8, 20000, 1, true},
        {COLL_ALLREDUCE, "recursive-doubling", 8, 1 << 16, 1, true},
        {COLL_BARRIER, "recursive-doubling", 0, 1 << 15, 2, true},
        {COLL_ALLGATHER, "recursive-doubling", 1, 1 << 13, 1, true},
        {COLL_ALLREDUCE, "recursive-doubling", 100, 1 << 14, 1, false},
        {COLL_BCAST, "binomial", 8, 65535, 2, true},
        {COLL_REDUCE, "binomial", 8, 65536, 1, true},
        {COLL_ALLREDUCE, "ring", 65536, 256, 1, true},
        {COLL_ALLREDUCE, "dissemination", 100, 32768, 1, false},
        {COLL_ALLREDUCE, "dissemination", 100, 3 << 13, 2, false},
        {COLL_ALLREDUCE, "dissemination", 100, 16385, 1, false},
        {COLL_ALLGATHER, "bruck", 2, 1 << 14, 1, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        GRand *random = g_rand_new_with_seed(SEED + (guint32)i);
        trial t = exchange(row[i].size, 1 + i % 6, i % 3 == 0 ? XT4 : any_machine(random));
        t.params.S = row[i].is_eager ? INT64_MAX : 0;
        t.call.kind = row[i].kind;
        t.call.bytes = row[i].bytes;
        t.algorithm = coll_algorithm_get(row[i].algorithm);
        t.repeat = row[i].repeat;
        t.lanes = 1;
        g_rand_free(random);
        check(&t);
    }
}

/* Times of a few ps: detours begin and end just when work does. */
static void detours_that_touch_work_are_those_of_the_engine(void)
{
    static const char *const variants[] = {"portable", "avx2", "avx512"};
    static const char *const texts[] = {
        "fixed:23ps:6ps",
        "fixed:31ps:1ps+poisson:11ps:3ps",
        "fixed:900ps:400ps@0-3,7+tick:17ps:1ps:9ps@2-20",
        "lognormal:19ps:3ps:1.1",
        "job:5ps:40ps",
    };
    noise_signature *tiny[G_N_ELEMENTS(texts)];
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        tiny[i] = noise_signature_parse(texts[i], 1, NULL);
        g_assert_nonnull(tiny[i]);
    }
    for (unsigned i = 0; i < SEEDS(600); i++) {
        GRand *random = g_rand_new_with_seed(SEED + i);
        trial t = any_trial(random, 20);
        (void)g_setenv("RIPPLE_LANES", variants[i % 3], TRUE);
        t.signature = tiny[i / 3 % G_N_ELEMENTS(texts)];
        t.call.bytes %= 4;
        t.call.reduce %= 5 * SIM_RATE_PER_PS;
        t.params.L = g_rand_int_range(random, 0, 30);
        t.params.o = g_rand_int_range(random, 0, i % 4 == 0 ? 300 : 20);
        t.params.g = g_rand_int_range(random, 0, 40);
        t.params.G %= 5 * SIM_RATE_PER_PS;
        t.params.O %= 5 * SIM_RATE_PER_PS;
        t.params.S = i % 2 == 0 ? INT64_MAX : 1;
        t.options.sigma %= 20;
        g_rand_free(random);
        check(&t);
    }
    g_unsetenv("RIPPLE_LANES");
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        noise_signature_free(tiny[i]);
    }
}

static void all_variants_are_the_engine(void)
{
    static const char *const variants[] = {"portable", "avx2", "avx512"};
    unsigned seen = 0;
    for (size_t v = 0; v < G_N_ELEMENTS(variants); v++) {
        (void)g_setenv("RIPPLE_LANES", variants[v], TRUE);
        for (unsigned i = 0; i < 100; i++) {
            GRand *random = g_rand_new_with_seed(SEED + 5000 + i);
            trial t = any_trial(random, 40);
            g_rand_free(random);
            g_autoptr(sim_replicas) replicas = compare(&t);
            seen += i == 0 && g_str_equal(sim_replicas_variant(replicas), variants[v]);
        }
    }
    g_unsetenv("RIPPLE_LANES");
    CHECK(seen >= 1, "at least the portable one was run");
    printf(" (%u of %zu variants) ", seen, G_N_ELEMENTS(variants));
}

/* g > 2 o: under each noise, with each kind of vectors, on each size; the last two are large enough
 * that classes of ranks are put together. */
static void sends_that_wait_for_the_interface_are_those_of_the_engine(void)
{
    static const char *const variants[] = {"portable", "avx2", "avx512"};
    static const sim_time more[] = {1, 400 * SIM_NS, 5 * SIM_US, 40 * SIM_US};
    static const uint32_t large[] = {65536, 40961};
    for (uint32_t i = 1; i <= 1025 + G_N_ELEMENTS(large); i++) {
        if (i <= 1025 && i % EVERY != 0) {
            continue;
        }
        const uint32_t size = i <= 1025 ? i : large[i - 1026];
        trial t = exchange(size, 1 + i % (G_N_ELEMENTS(NOISES) - 1), XT4);
        t.params.g = 2 * t.params.o + more[i / 6 % G_N_ELEMENTS(more)];
        t.params.S = INT64_MAX;
        t.call.bytes = i % 5 == 0 ? 300 : 1;
        t.repeat = 1 + (size < 100 && i % 4 == 0);
        t.options.replica = i;
        t.lanes = size < 40 ? SIM_LANES : 2;
        (void)g_setenv("RIPPLE_LANES", variants[i % G_N_ELEMENTS(variants)], TRUE);
        check(&t);
    }
    g_unsetenv("RIPPLE_LANES");
}

static void what_cannot_go_in_lanes_is_refused(void)
{
    const coll_call call = {.kind = COLL_BARRIER, .size = 8};
    g_autoptr(GError) error = NULL;
    sim_program *program = coll_program_new(&call, coll_algorithm_get("dissemination"), 1, &error);
    g_assert_no_error(error);
    sim_params params = XT4;
    params.progress = SIM_PROGRESS_ASYNC;
    const char *why = NULL;
    CHECK(sim_replicas_new(program, &params, &why) == NULL);
    CHECK_STR(why, "progress is async");
    sim_program_free(program);

    g_autoptr(sim_graph) graph = sim_graph_builder_finish(sim_graph_builder_new(2), &error);
    g_assert_no_error(error);
    CHECK(sim_replicas_new(sim_graph_program(graph), &XT4, &why) == NULL);
    CHECK_STR(why, "the program is not known to be a chain");
}

static void time_out_of_range_is_foreseen(void)
{
    const coll_call call = {.kind = COLL_BARRIER, .size = 8};
    sim_program *program = coll_program_new(&call, coll_algorithm_get("dissemination"), 1, NULL);
    const char *why = NULL;
    sim_params params = XT4;
    g_autoptr(sim_replicas) near = sim_replicas_new(program, &params, &why);
    CHECK(sim_replicas_in_time(near, NULL));
    params.L = SIM_TIME_MAX / 2;
    g_autoptr(sim_replicas) far = sim_replicas_new(program, &params, &why);
    CHECK(!sim_replicas_in_time(far, NULL));
    /* A day of work by a rank that has a thousandth of its CPU left. */
    params = XT4;
    params.o = SIM_TIME_MAX / 4000;
    g_autoptr(sim_replicas) slow = sim_replicas_new(program, &params, &why);
    CHECK(sim_replicas_in_time(slow, NULL));
    for (unsigned rank = 0; rank < 8; rank += 7) {
        g_autofree char *text = g_strdup_printf("fixed:1ms:999us@%u", rank);
        g_autoptr(noise_signature) signature = noise_signature_parse(text, 1, NULL);
        const noise_injection_options options = {.seed = 1};
        g_autoptr(noise_lanes) noise = noise_lanes_new(signature, 8, &options, 1);
        CHECK(!sim_replicas_in_time(slow, noise_lanes_hook(noise)), "rank %u", rank);
        CHECK(sim_replicas_in_time(near, noise_lanes_hook(noise)), "rank %u", rank);
    }
    sim_program_free(program);
}

SUITE_MAIN("replica", TEST(a_dissemination_of_any_size_is_that_of_the_engine),
           TEST(a_broadcast_of_any_size_is_that_of_the_engine),
           TEST(large_collectives_are_those_of_the_engine),
           TEST(mirrored_collectives_are_those_of_the_engine),
           TEST(any_collective_on_any_machine_is_that_of_the_engine),
           TEST(detours_that_touch_work_are_those_of_the_engine), TEST(all_variants_are_the_engine),
           TEST(sends_that_wait_for_the_interface_are_those_of_the_engine),
           TEST(what_cannot_go_in_lanes_is_refused), TEST(time_out_of_range_is_foreseen))
