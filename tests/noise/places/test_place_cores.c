/* tests/noise/places/test_place_cores.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Noise by place against a slow oracle, and what holds of it at any time. */
#include "any_noise.h"
#include "check.h"
#include "noise/injection.h"
#include "noise_oracle.h"

#include <math.h>
#include <string.h>

#define SEED 20101113U

typedef struct setup {
    const char *text;
    noise_signature *signature;
    sim_placement placement;
    noise_injection_options options;
} setup;

static void setup_clear(setup *s)
{
    noise_signature_free(s->signature);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(setup, setup_clear)

static int below(GRand *random, size_t n)
{
    return g_rand_int_range(random, 0, (gint32)n);
}

/* @param ranks of the placement */
static void any_setup(GRand *random, uint32_t ranks, setup *s)
{
    *s = (setup){.signature = any_noise(random)};
    s->text = noise_signature_text(s->signature);
    const uint32_t per_node = 1 + (uint32_t)below(random, 4);
    s->placement = below(random, 2) == 0 ? sim_placement_block(ranks, per_node)
                                         : sim_placement_cyclic(ranks, per_node);
    const uint32_t threads = 1 + (uint32_t)below(random, 3);
    s->options = (noise_injection_options){
        .sync = below(random, 3) == 0 ? NOISE_COSCHEDULED : NOISE_UNSYNCHRONIZED,
        .sigma = below(random, 2) == 0 ? 0 : 150,
        .placement = &s->placement,
        .threads_per_rank = threads,
        .cores_per_node =
            below(random, 2) == 0 ? 0 : threads * per_node + (uint32_t)below(random, 4),
        .seed = g_rand_int(random),
        .replica = (uint32_t)below(random, 100),
    };
}

static sim_time finish(const noise_injection *in, uint32_t rank, sim_time start, sim_time work)
{
    const sim_noise *hook = noise_injection_hook(in);
    return hook != NULL ? hook->finish(hook, rank, start, work) : start + work;
}

enum { RANKS = 6, SPAN = 12000 };

/* Every start, with work that ends anywhere in the span: picosecond by picosecond. */
static void work_takes_the_free_picoseconds(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
    for (int k = 0; k < 120; k++) {
        g_auto(setup) s;
        any_setup(random, RANKS, &s);
        g_autoptr(noise_injection) in = noise_injection_new(s.signature, RANKS, &s.options);
        g_autoptr(noise_oracle) oracle =
            noise_oracle_new(s.signature, RANKS, &s.options, 2 * (sim_time)SPAN);
        const uint32_t rank = (uint32_t)below(random, RANKS);
        const sim_time start = below(random, 9000);
        sim_time work = 0;
        unsigned wrong = 0;
        for (sim_time t = start; t < start + SPAN / 4 && wrong < 3; t++) {
            if (noise_oracle_is_free(oracle, rank, t)) {
                work++;
                wrong += !CHECK_I64(finish(in, rank, start, work), t + 1,
                                    "%d: %s, rank %u, %" PRId64 " + %" PRId64, k, s.text, rank,
                                    start, work);
            }
        }
    }
}

static void work_ends_when_the_oracle_says(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED + 1);
    for (int k = 0; k < 300; k++) {
        g_auto(setup) s;
        any_setup(random, RANKS, &s);
        g_autoptr(noise_injection) in = noise_injection_new(s.signature, RANKS, &s.options);
        g_autoptr(noise_oracle) oracle =
            noise_oracle_new(s.signature, RANKS, &s.options, 20 * (sim_time)SPAN);
        const sim_noise *slow = noise_oracle_hook(oracle);
        for (int i = 0; i < 60; i++) {
            const uint32_t rank = (uint32_t)below(random, RANKS);
            const sim_time start = below(random, 2 * (size_t)SPAN);
            const sim_time work = below(random, i % 2 == 0 ? 300 : SPAN);
            CHECK_I64(finish(in, rank, start, work), slow->finish(slow, rank, start, work),
                      "%d: %s, rank %u, %" PRId64 " + %" PRId64, k, s.text, rank, start, work);
        }
    }
}

/* Noise of machines: too long to be walked over, and none of these needs that. */
static void work_is_additive_monotone_and_never_early(void)
{
    static const char *const TEXTS[] = {
        "jaguar+fixed:1kHz:100us@node",
        "fixed:1kHz:25us@node+slow:3%@node:1-2",
        "tick:1kHz:1us:50us@node-fixed+poisson:20ms:2ms@node-all+slow:30%:60ms:10ms@core",
        "fixed:1kHz:100us@node+fixed:70Hz:1ms@core:1+drift=100",
        "altix@core+slow:0.5%",
    };
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED + 2);
    const sim_placement placement = sim_placement_block(64, 8);
    for (size_t k = 0; k < G_N_ELEMENTS(TEXTS); k++) {
        g_autoptr(noise_signature) s = noise_signature_parse(TEXTS[k], 1, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(s);
        for (uint32_t threads = 1; threads <= 8; threads *= 8) {
            const noise_injection_options o = {
                .placement = &placement, .threads_per_rank = threads, .seed = 1};
            g_autoptr(noise_injection) in = noise_injection_new(s, 64, &o);
            for (int i = 0; i < 300; i++) {
                const uint32_t rank = (uint32_t)below(random, 64);
                const sim_time start = (sim_time)(g_rand_double(random) * (double)(40 * SIM_S));
                const sim_time a = (sim_time)(g_rand_double(random) * (double)(3 * SIM_MS));
                const sim_time b = (sim_time)(g_rand_double(random) * (double)(300 * SIM_US));
                const sim_time once = finish(in, rank, start, a);
                CHECK(once >= start + a, "%s", TEXTS[k]);
                CHECK_I64(finish(in, rank, once, b), finish(in, rank, start, a + b), "%s",
                          TEXTS[k]);
                CHECK(finish(in, rank, start + b, a) >= once, "%s", TEXTS[k]);
                CHECK_I64(finish(in, rank, start, 0), start);
            }
        }
    }
}

/* Each detour of a node strikes one of its cores, from beginning to end; nothing else is struck. */
static void each_detour_of_a_node_strikes_one_core(void)
{
    enum { NODE_CORES = 16, NODES = 3 };
    g_autoptr(noise_signature) s = noise_signature_parse("tick:1kHz:10us:90us@node", 1, NULL);
    g_autoptr(noise_signature) all = noise_signature_parse("tick:1kHz:10us:90us@node-all", 1, NULL);
    const sim_placement placement = sim_placement_block(NODE_CORES * NODES, NODE_CORES);
    const noise_injection_options o = {.placement = &placement, .seed = 3};
    g_autoptr(noise_injection) one = noise_injection_new(s, NODE_CORES * NODES, &o);
    g_autoptr(noise_injection) together = noise_injection_new(all, NODE_CORES * NODES, &o);
    unsigned detours = 0;
    for (uint32_t node = 0; node < NODES; node++) {
        const uint32_t first = node * NODE_CORES;
        for (sim_time t = 0; t < SIM_S; t += 41 * SIM_US) {
            const sim_time node_back = finish(together, first, t, 1);
            unsigned struck = 0;
            for (uint32_t c = 0; c < NODE_CORES; c++) {
                const sim_time back = finish(one, first + c, t, 1);
                struck += back > t + 1;
                CHECK(back == t + 1 || back == node_back);
            }
            CHECK_I64(struck, node_back > t + 1, "node %u, %" PRId64, node, t);
            detours += struck;
        }
    }
    CHECK_NEAR(detours / (double)(NODES * 24391), 0.05, 0.004);
}

/* The trace of 64 cores takes 1/64 of the node's share from each: 20,000 detours, of which a core
 * gets 312 ± 18. */
static void a_core_of_64_gets_its_part(void)
{
    enum { NODE_CORES = 64 };
    g_autoptr(noise_signature) s = noise_signature_parse("fixed:1kHz:100us@node", 1, NULL);
    g_autoptr(noise_signature) many =
        noise_signature_parse("tick:1kHz:100us:100us@node+poisson:200ms:100us@node", 1, NULL);
    const sim_placement placement = sim_placement_block(NODE_CORES, NODE_CORES);
    const noise_injection_options o = {.placement = &placement, .seed = 5};
    g_autoptr(noise_injection) in = noise_injection_new(many, NODE_CORES, &o);
    double sum = 0;
    double chi2 = 0;
    for (uint32_t r = 0; r < NODE_CORES; r++) {
        const sim_time work = 19 * SIM_S;
        const double stolen = (double)(finish(in, r, 0, work) - work) / (double)SIM_S;
        const double expected = 19 * (0.1 + 0.0005) / NODE_CORES;
        const double detours = expected / 1e-4; /* variance of a count */
        chi2 += (stolen - expected) * (stolen - expected) / (expected * expected / detours);
        sum += stolen;
    }
    CHECK_NEAR(sum / (19 * 0.1005), 1, 0.01);
    CHECK(chi2 > 30 && chi2 < 110, "%g: 63 degrees of freedom, 11.2 standard deviation", chi2);
    /* A trace of one detour goes round, too. */
    g_autoptr(noise_injection) fixed = noise_injection_new(s, NODE_CORES, &o);
    unsigned struck = 0;
    for (uint32_t r = 0; r < NODE_CORES; r++) {
        struck += finish(fixed, r, 0, SIM_S) > SIM_S;
    }
    CHECK_I64(struck, NODE_CORES);
}

/* 16,384 detours or more of the node, in whole traces; then all is as before. */
static void a_core_has_a_periodic_trace(void)
{
    const char *text = "tick:1ms:10us:90us@node+slow:10%:20ms:5ms@node-fixed";
    g_autoptr(noise_signature) s = noise_signature_parse(text, 1, NULL);
    CHECK_I64(noise_signature_longest_period(s), 100 * SIM_MS);
    const sim_time period = 16400 * SIM_MS;
    const sim_placement placement = sim_placement_block(8, 8);
    const noise_injection_options o = {.placement = &placement, .seed = 3};
    g_autoptr(noise_injection) in = noise_injection_new(s, 8, &o);
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED + 3);
    for (int i = 0; i < 2000; i++) {
        const uint32_t rank = (uint32_t)below(random, 8);
        const sim_time t = (sim_time)(g_rand_double(random) * (double)period);
        /* 10 % of integers repeat after 10 ps, of which a period has whole ones. */
        CHECK_I64(finish(in, rank, t, SIM_MS) + period, finish(in, rank, t + period, SIM_MS));
    }
}

/* With one core per node, all places are the same, to the picosecond. */
static void with_one_core_per_node_places_are_one(void)
{
    static const char *const PLACES[] = {"@core", "@node", "@node-fixed", "@node-all"};
    g_autoptr(noise_signature) plain = noise_signature_parse("jaguar", 1, NULL);
    for (int sync = 0; sync < 2; sync++) {
        const noise_injection_options o = {.sync =
                                               sync == 0 ? NOISE_UNSYNCHRONIZED : NOISE_COSCHEDULED,
                                           .sigma = SIM_MS,
                                           .seed = 1};
        g_autoptr(noise_injection) known = noise_injection_new(plain, 200, &o);
        for (size_t i = 0; i < G_N_ELEMENTS(PLACES); i++) {
            g_autofree char *text = g_strconcat("jaguar", PLACES[i], NULL);
            g_autoptr(noise_signature) s = noise_signature_parse(text, 1, NULL);
            g_autoptr(noise_injection) in = noise_injection_new(s, 200, &o);
            for (uint32_t r = 0; r < 200; r++) {
                const sim_time start = (sim_time)r * SIM_S;
                CHECK_I64(finish(in, r, start, SIM_S), finish(known, r, start, SIM_S), "%s", text);
            }
        }
    }
}

/* By hand: 3 % slower, so 97 of 100 ps; ten of sixty seconds at 70 %. */
static void a_rate_stretches_work(void)
{
    g_autoptr(noise_signature) s = noise_signature_parse("slow:3%@node:17", 1, NULL);
    const noise_injection_options o = {.seed = 1};
    g_autoptr(noise_injection) in = noise_injection_new(s, 32, &o);
    CHECK_I64(finish(in, 17, 0, 97 * SIM_MS), 100 * SIM_MS);
    CHECK_I64(finish(in, 17, 100, 97), 200);
    CHECK_I64(finish(in, 17, 0, 1), 2, "floor(0.97) = 0, floor(1.94) = 1");
    CHECK_I64(finish(in, 16, 5, 97), 102);
    g_autoptr(noise_signature) phases = noise_signature_parse("slow:30%:60s:10s", 1, NULL);
    const noise_injection_options together = {.sync = NOISE_COSCHEDULED, .seed = 1};
    g_autoptr(noise_injection) throttled = noise_injection_new(phases, 4, &together);
    CHECK_I64(finish(throttled, 0, 0, 57 * SIM_S), 60 * SIM_S, "50 s + 7 s in each minute");
    CHECK_I64(finish(throttled, 3, 0, 570 * SIM_S), 600 * SIM_S);
    const noise_component *c = noise_signature_component(phases, 0);
    CHECK_NEAR(c->share, 0.05, 1e-12);
}

/* All cores of a rank are busy in turn, and it never gets on: it ends beyond the range of time. */
static void a_rank_whose_cores_are_never_all_there_stands_still(void)
{
    g_autoptr(noise_signature) s = noise_signature_parse("fixed:1ms:900us", 1, NULL);
    const sim_placement placement = sim_placement_block(1, 1);
    const noise_injection_options o = {.placement = &placement, .threads_per_rank = 64, .seed = 1};
    g_autoptr(noise_injection) in = noise_injection_new(s, 1, &o);
    CHECK_I64(finish(in, 0, 0, SIM_MS), 2 * SIM_TIME_MAX);
}

SUITE_MAIN("place_cores", TEST(work_takes_the_free_picoseconds),
           TEST(work_ends_when_the_oracle_says), TEST(work_is_additive_monotone_and_never_early),
           TEST(each_detour_of_a_node_strikes_one_core), TEST(a_core_of_64_gets_its_part),
           TEST(a_core_has_a_periodic_trace), TEST(with_one_core_per_node_places_are_one),
           TEST(a_rate_stretches_work), TEST(a_rank_whose_cores_are_never_all_there_stands_still))
