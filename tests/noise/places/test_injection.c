/* tests/noise/places/test_injection.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/injection.h"
#include "noise/random.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static noise_signature *parse(const char *text)
{
    noise_signature *s = noise_signature_parse(text, 1, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    return s;
}

static const noise_injection_options UNSYNC = {.sync = NOISE_UNSYNCHRONIZED, .seed = 1};
static const noise_injection_options COSCHED = {.sync = NOISE_COSCHEDULED, .seed = 1};

static void unsynchronized_offsets_are_uniform(void)
{
    enum { RANKS = 50000, CELLS = 50 };
    g_autoptr(noise_signature) s = parse("fixed:10ms:1ms");
    g_autoptr(noise_injection) in = noise_injection_new(s, RANKS, &UNSYNC);
    double seen[CELLS] = {0};
    double next_to_equal = 0;
    for (uint32_t r = 0; r < RANKS; r++) {
        const sim_time offset = noise_injection_offset(in, r);
        CU_ASSERT_FATAL(offset >= 0 && offset < 10 * SIM_MS);
        seen[offset / (10 * SIM_MS / CELLS)]++;
        next_to_equal += r > 0 && offset == noise_injection_offset(in, r - 1);
    }
    double chi2 = 0;
    for (int i = 0; i < CELLS; i++) {
        const double wanted = (double)RANKS / CELLS;
        chi2 += (seen[i] - wanted) * (seen[i] - wanted) / wanted;
    }
    CHECK(gsl_cdf_chisq_Q(chi2, CELLS - 1) > 1e-6, "chi2 %g", chi2);
    CHECK_NEAR(next_to_equal, 0, 0);
}

static void offsets_do_not_depend_on_the_number_of_ranks(void)
{
    g_autoptr(noise_signature) s = parse("jaguar+fixed:3ms:1us@40-50");
    noise_injection_options all[] = {UNSYNC, COSCHED, COSCHED};
    all[2].sigma = SIM_MS;
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        g_autoptr(noise_injection) small = noise_injection_new(s, 64, &all[i]);
        g_autoptr(noise_injection) large = noise_injection_new(s, 65536, &all[i]);
        for (uint32_t r = 0; r < 64; r++) {
            CHECK_I64(noise_injection_offset(small, r), noise_injection_offset(large, r));
        }
    }
}

static void seeds_and_replicas_have_offsets_of_their_own(void)
{
    g_autoptr(noise_signature) s = parse("fixed:1s:1ms");
    noise_injection_options modes[] = {UNSYNC, COSCHED, COSCHED};
    modes[2].sigma = SIM_MS;
    for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
        noise_injection_options seed = modes[i];
        noise_injection_options replica = modes[i];
        seed.seed = 2;
        replica.replica = 1;
        g_autoptr(noise_injection) a = noise_injection_new(s, 3, &modes[i]);
        g_autoptr(noise_injection) again = noise_injection_new(s, 3, &modes[i]);
        g_autoptr(noise_injection) b = noise_injection_new(s, 3, &seed);
        g_autoptr(noise_injection) c = noise_injection_new(s, 3, &replica);
        for (uint32_t r = 0; r < 3; r++) {
            CHECK_I64(noise_injection_offset(a, r), noise_injection_offset(again, r));
            CHECK(noise_injection_offset(a, r) != noise_injection_offset(b, r));
            CHECK(noise_injection_offset(a, r) != noise_injection_offset(c, r));
            CHECK(noise_injection_offset(b, r) != noise_injection_offset(c, r));
        }
    }
}

static void cores_of_a_node_share_an_offset_where_they_are_struck_together(void)
{
    g_autoptr(noise_signature) together = parse("fixed:1s:1ms@node-all");
    g_autoptr(noise_signature) each = parse("fixed:1s:1ms");
    const sim_placement placement = sim_placement_block(100, 4);
    noise_injection_options modes[] = {UNSYNC, COSCHED};
    modes[1].sigma = SIM_MS;
    for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
        g_autoptr(noise_injection) single = noise_injection_new(each, 100, &modes[i]);
        modes[i].placement = &placement;
        g_autoptr(noise_injection) in = noise_injection_new(together, 100, &modes[i]);
        for (uint32_t r = 0; r < 100; r++) {
            CHECK_I64(noise_injection_offset(in, r), noise_injection_offset(single, r / 4));
        }
    }
}

/* Cores of a node read one clock: what is its error is theirs. */
static void cores_have_offsets_of_their_own_unless_they_are_co_scheduled(void)
{
    g_autoptr(noise_signature) s = parse("fixed:1s:1ms");
    const sim_placement placement = sim_placement_block(100, 4);
    noise_injection_options modes[] = {UNSYNC, COSCHED};
    modes[1].sigma = SIM_MS;
    for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
        g_autoptr(noise_injection) alone = noise_injection_new(s, 100, &modes[i]);
        modes[i].placement = &placement;
        g_autoptr(noise_injection) in = noise_injection_new(s, 100, &modes[i]);
        for (uint32_t r = 0; r < 100; r++) {
            const sim_time first = noise_injection_offset(in, r / 4 * 4);
            CHECK_I64(first, noise_injection_offset(alone, r / 4), "core 0 has its node's number");
            CHECK((noise_injection_offset(in, r) == first) == (i == 1 || r % 4 == 0));
        }
    }
}

static void cosched_without_error_is_synchronized(void)
{
    g_autoptr(noise_signature) s = parse("jaguar");
    g_autoptr(noise_injection) in = noise_injection_new(s, 1000, &COSCHED);
    const sim_noise *hook = noise_injection_hook(in);
    for (uint32_t r = 1; r < 1000; r++) {
        CHECK_I64(noise_injection_offset(in, r), noise_injection_offset(in, 0));
        CHECK_I64(hook->finish(hook, r, 5 * SIM_S, 3 * SIM_S),
                  hook->finish(hook, 0, 5 * SIM_S, 3 * SIM_S));
    }
}

static void cosched_means_the_same_instant_for_ranks_with_different_traces(void)
{
    /* rank 0: 10 ms; rank 1: 10 ms and 25 ms, so 50 ms; rank 2: nothing */
    g_autoptr(noise_signature) s = parse("fixed:10ms:1ms@0-1+fixed:25ms:1ms@1");
    bool beyond = false;
    for (uint32_t replica = 0; replica < 20; replica++) {
        noise_injection_options o = COSCHED;
        o.replica = replica;
        g_autoptr(noise_injection) in = noise_injection_new(s, 3, &o);
        CHECK_I64(noise_injection_offset(in, 0), noise_injection_offset(in, 1) % (10 * SIM_MS));
        beyond = beyond || noise_injection_offset(in, 1) > 25 * SIM_MS;
    }
    CHECK(beyond, "the common instant covers the longest period");
}

static void clock_errors_are_normal_and_wrapped(void)
{
    enum { RANKS = 20000 };
    g_autoptr(noise_signature) s = parse("fixed:1s:1ms");
    noise_injection_options o = COSCHED;
    g_autoptr(noise_injection) exact = noise_injection_new(s, 1, &o);
    o.sigma = 10 * SIM_MS;
    g_autoptr(noise_injection) in = noise_injection_new(s, RANKS, &o);
    double sum = 0;
    double squares = 0;
    for (uint32_t r = 0; r < RANKS; r++) {
        sim_time error = noise_injection_offset(in, r) - noise_injection_offset(exact, 0);
        error += error > SIM_S / 2 ? -SIM_S : error < -SIM_S / 2 ? SIM_S : 0;
        sum += (double)error / (double)o.sigma;
        squares += (double)error / (double)o.sigma * ((double)error / (double)o.sigma);
    }
    CHECK_NEAR(sum / RANKS, 0, 5 / sqrt(RANKS));
    CHECK_NEAR(squares / RANKS, 1, 5 * sqrt(2.0 / RANKS));

    /* far beyond the period: uniform again, and always in range */
    o.sigma = SIM_TIME_MAX;
    g_autoptr(noise_injection) wild = noise_injection_new(s, RANKS, &o);
    double below = 0;
    for (uint32_t r = 0; r < RANKS; r++) {
        const sim_time offset = noise_injection_offset(wild, r);
        CU_ASSERT_FATAL(offset >= 0 && offset < SIM_S);
        below += offset < SIM_S / 4;
    }
    CHECK_NEAR(below / RANKS, 0.25, 5 * sqrt(0.25 * 0.75 / RANKS));
}

static void hook_answers_for_the_rank_and_its_trace(void)
{
    g_autoptr(noise_signature) s = parse("fixed:10ms:1ms@1-2+poisson:1s:3ms@2-4");
    g_autoptr(noise_injection) in = noise_injection_new(s, 6, &UNSYNC);
    const sim_noise *hook = noise_injection_hook(in);
    for (uint32_t r = 0; r < 6; r++) {
        const noise_detour_trace *t = noise_signature_trace(s, r);
        for (sim_time at = 0; at < 20; at++) {
            const sim_time got = hook->finish(hook, r, at * 7 * SIM_MS, 50 * SIM_MS);
            const sim_time want = t != NULL
                                      ? noise_detour_trace_finish(t, noise_injection_offset(in, r),
                                                                  at * 7 * SIM_MS, 50 * SIM_MS)
                                      : at * 7 * SIM_MS + 50 * SIM_MS;
            CHECK_I64(got, want, "rank %u", r);
        }
    }
}

/* Kept from one question to the next, as an engine does; ranks that see one trace, several or none.
 */
static void what_is_kept_of_a_rank_answers_as_if_it_were_asked(void)
{
    static const char *const TEXTS[] = {"jaguar", "fixed:10ms:1ms@1-2+poisson:1s:3ms@2-4"};
    for (size_t i = 0; i < G_N_ELEMENTS(TEXTS); i++) {
        g_autoptr(noise_signature) s = parse(TEXTS[i]);
        g_autoptr(noise_injection) in = noise_injection_new(s, 6, &UNSYNC);
        const sim_noise *hook = noise_injection_hook(in);
        CU_ASSERT_PTR_NOT_NULL_FATAL(hook->finish_quiet);
        int kept = 0;
        int asked = 0;
        for (uint32_t r = 0; r < 6; r++) {
            sim_quiet quiet = {0};
            for (sim_time at = 1; at < 4 * SIM_S; at += 1234567 * SIM_NS) {
                const sim_time work = at % (3 * SIM_MS);
                const sim_time want = hook->finish(hook, r, at, work);
                if (at >= quiet.from && at + work <= quiet.until) {
                    CHECK_I64(want, at + work, "rank %u", r);
                    kept++;
                } else {
                    CHECK_I64(hook->finish_quiet(hook, r, at, work, &quiet), want, "rank %u", r);
                    asked++;
                }
            }
        }
        CHECK(kept > 1000 && asked > 50, "%s: %d, %d", TEXTS[i], kept, asked);
    }
    g_autoptr(noise_signature) drifting = parse("jaguar+drift=20");
    g_autoptr(noise_injection) in = noise_injection_new(drifting, 6, &UNSYNC);
    CHECK(noise_injection_hook(in)->finish_quiet == NULL, "clocks that drift are asked each time");
}

static void no_noise_means_no_hook(void)
{
    g_autoptr(noise_signature) none = parse("none");
    g_autoptr(noise_injection) a = noise_injection_new(none, 4, &UNSYNC);
    CHECK(noise_injection_hook(a) == NULL);
    CHECK_I64(noise_injection_offset(a, 3), 0);
    g_autoptr(noise_signature) elsewhere = parse("jaguar@100");
    g_autoptr(noise_injection) b = noise_injection_new(elsewhere, 4, &UNSYNC);
    CHECK(noise_injection_hook(b) == NULL);
    g_autoptr(noise_injection) c = noise_injection_new(elsewhere, 101, &UNSYNC);
    CHECK(noise_injection_hook(c) != NULL);
    g_autoptr(noise_injection) d = noise_injection_new(elsewhere, 0, &UNSYNC);
    CHECK(noise_injection_hook(d) == NULL);
}

static void collectives_are_hit_as_often_as_computed(void)
{
    /* docs/noise.md, section 8: P(hit) = 1 - exp(-P (D + w) / T); T = 1 s, D = 2 ms, w = 1 ms. A
     * trace of 100 detours makes each draw of it a little different: many signatures, few replicas.
     */
    enum { RANKS = 200, SEEDS = 100, REPLICAS = 20 };
    double hits = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        g_autoptr(noise_signature) s = noise_signature_parse("poisson:1s:2ms", seed, NULL);
        for (uint32_t replica = 0; replica < REPLICAS; replica++) {
            noise_injection_options o = UNSYNC;
            o.replica = replica;
            o.seed = seed;
            g_autoptr(noise_injection) in = noise_injection_new(s, RANKS, &o);
            const sim_noise *hook = noise_injection_hook(in);
            bool hit = false;
            for (uint32_t r = 0; r < RANKS; r++) {
                hit = hit || hook->finish(hook, r, 0, SIM_MS) > SIM_MS;
            }
            hits += hit;
        }
    }
    const double p = 1 - exp(-RANKS * 0.003);
    const double n = SEEDS * REPLICAS;
    /* detours that meet are served together: a hair fewer hits */
    CHECK_NEAR(hits / n, p, 5 * sqrt(p * (1 - p) / n));
}

/* An offset; with ranks that differ, a trace; with drift, tables and a rate. Each group of detours
 * and rates take a number per rank at most. Nothing is stored per core. */
static void bytes_are_those_of_ranks_and_groups(void)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } ROWS[] = {
        {"jaguar", 8},           {"jaguar@0-1", 16},
        {"jaguar+drift=20", 24}, {"jaguar@0-1+drift=20", 32},
        {"slow:3%@node:1", 16},  {"jaguar@core+fixed:1kHz:1us@node+slow:3%@node:1", 32},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autoptr(noise_signature) s = parse(ROWS[i].text);
        CHECK_I64(noise_injection_bytes(s), ROWS[i].bytes, "%s", ROWS[i].text);
    }
}

SUITE_MAIN("injection", TEST(bytes_are_those_of_ranks_and_groups),
           TEST(unsynchronized_offsets_are_uniform),
           TEST(offsets_do_not_depend_on_the_number_of_ranks),
           TEST(seeds_and_replicas_have_offsets_of_their_own),
           TEST(cores_of_a_node_share_an_offset_where_they_are_struck_together),
           TEST(cores_have_offsets_of_their_own_unless_they_are_co_scheduled),
           TEST(cosched_without_error_is_synchronized),
           TEST(cosched_means_the_same_instant_for_ranks_with_different_traces),
           TEST(clock_errors_are_normal_and_wrapped), TEST(hook_answers_for_the_rank_and_its_trace),
           TEST(what_is_kept_of_a_rank_answers_as_if_it_were_asked), TEST(no_noise_means_no_hook),
           TEST(collectives_are_hit_as_often_as_computed))
