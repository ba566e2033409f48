/* tests/noise/places/test_place_without.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What is left out is gone, and everything else is where it was. */
#include "check.h"
#include "noise/injection.h"

#define SEED 20260801U

enum { RANKS = 6, SPAN = 4000 };

static const char *const DETOURS[] = {"fixed:1009ps:11ps", "tick:500ps:1ps:9ps",
                                      "poisson:800ps:7ps", "lognormal:900ps:5ps:1",
                                      "job:3ps:90ps:30ps:170ps"};
static const char *const RATES[] = {"slow:3%", "slow:25%", "slow:30%:700ps:211ps"};
static const char *const WHERE[] = {"",       "@node",   "@node",     "@node-fixed", "@node-all",
                                    "@0-9/2", "@node:0", "@core:1-2", "@1,3-5",      "@node:1-2"};

static size_t below(GRand *random, size_t n)
{
    return (size_t)g_rand_int_range(random, 0, (gint32)n);
}

static noise_signature *parse(const char *text, const char *without)
{
    g_autofree char *whole =
        without != NULL ? g_strdup_printf("%s+without=%s", text, without) : g_strdup(text);
    GError *error = NULL;
    noise_signature *s = noise_signature_parse(whole, 3, &error);
    CHECK(s != NULL, "%s: %s", whole, error != NULL ? error->message : "");
    g_clear_error(&error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    return s;
}

static noise_injection_options any_options(GRand *random, const sim_placement *placement,
                                           uint32_t per_node)
{
    const uint32_t threads = 1 + (uint32_t)below(random, 3);
    return (noise_injection_options){
        .sync = below(random, 3) == 0 ? NOISE_COSCHEDULED : NOISE_UNSYNCHRONIZED,
        .sigma = below(random, 2) == 0 ? 0 : 150,
        .placement = placement,
        .threads_per_rank = threads,
        .cores_per_node = threads * per_node + (uint32_t)below(random, 4),
        .seed = g_rand_int(random),
        .replica = (uint32_t)below(random, 100),
    };
}

/* At "@node" detours queue for the node, behind some that a rank does not see. */
static bool is_at_node(const char *where)
{
    return g_str_equal(where, "@node") || g_str_has_prefix(where, "@node:");
}

/* Twice or thrice a turn, and never at the same time: with seed 3 of parse(). */
static const char *const APART[] = {"fixed:600ps:11ps", "fixed:1200ps:13ps"};

static void these_two_do_not_meet(void)
{
    g_autofree char *text = g_strjoin("+", APART[0], APART[1], NULL);
    g_autoptr(noise_signature) s = parse(text, NULL);
    const noise_detour_trace *t = noise_signature_trace(s, 0);
    CHECK_I64(noise_detour_trace_count(t), 3);
    for (size_t i = 0; i < noise_detour_trace_count(t); i++) {
        CHECK(i == 0 || noise_detour_trace_start(t, i) > noise_detour_trace_start(t, i - 1) +
                                                             noise_detour_trace_length(t, i - 1));
    }
}

static bool is_free(const noise_injection *in, uint32_t rank, sim_time t)
{
    const sim_noise *hook = noise_injection_hook(in);
    return hook == NULL || hook->finish(hook, rank, t, 1) == t + 1;
}

/* Of two components each picosecond is lost to the one, to the other, or to none, and leaving one
 * of them out gives back what it took: where they do not meet, so that nothing queues. */
static void what_remains_is_where_it_was(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(SEED);
    unsigned compared = 0;
    unsigned lost[2] = {0};
    for (int k = 0; k < 90; k++) {
        const bool is_rate = below(random, 4) == 0;
        const char *there = WHERE[below(random, G_N_ELEMENTS(WHERE))];
        const char *here = WHERE[below(random, G_N_ELEMENTS(WHERE))];
        const bool apart = is_at_node(there) && is_at_node(here);
        const char *one = apart ? APART[0] : DETOURS[below(random, G_N_ELEMENTS(DETOURS))];
        const char *other = is_rate ? RATES[below(random, G_N_ELEMENTS(RATES))]
                            : apart ? APART[1]
                                    : "fixed:613ps:13ps";
        const bool drifts = below(random, 3) == 0 && (!is_rate || apart);
        g_autofree char *text =
            g_strdup_printf("%s%s+%s%s%s", one, there, other, here, drifts ? "+drift=30000" : "");
        const uint32_t per_node = 1 + (uint32_t)below(random, 4);
        const sim_placement placement = sim_placement_block(RANKS, per_node);
        const noise_injection_options o = any_options(random, &placement, per_node);
        g_autoptr(noise_signature) with = parse(text, NULL);
        g_autoptr(noise_signature) no_one = parse(text, one);
        g_autoptr(noise_signature) no_other = parse(text, other);
        g_autoptr(noise_injection) all = noise_injection_new(with, RANKS, &o);
        g_autoptr(noise_injection) left = noise_injection_new(no_one, RANKS, &o);
        g_autoptr(noise_injection) right = noise_injection_new(no_other, RANKS, &o);
        unsigned wrong = 0;
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            bool met = false; /* then one delays the other: left to the oracle */
            for (sim_time t = 0; t < SPAN && wrong < 3; t++) {
                const bool l = is_free(left, rank, t);
                const bool r = is_free(right, rank, t);
                met = !is_rate && (met || (!l && !r));
                if (met && is_free(all, rank, t)) {
                    met = false; /* the queue is empty */
                    continue;
                }
                if (!met) {
                    lost[0] += !r;
                    lost[1] += !l;
                    compared++;
                    wrong += !CHECK_I64(is_free(all, rank, t), l && r, "%d: %s, rank %u, %" PRId64,
                                        k, text, rank, t);
                }
            }
        }
    }
    CHECK(compared > 1000000 && lost[0] > 4000 && lost[1] > 4000, "%u, %u, %u", compared, lost[0],
          lost[1]);
}

static void without_everything_there_is_no_noise(void)
{
    static const char *const TEXTS[][2] = {
        {"fixed:1kHz:100us", "fixed:1kHz:100us"},
        {"jaguar@node+slow:3%", "jaguar,slow:3%"},
        {"fixed:1kHz:25us@0-3+tick:100Hz:1us:7us@node+slow:30%:60s:10s+drift=20",
         "fixed:1kHz:25us,tick:100Hz:1us:7us,slow:30%:60s:10s"},
    };
    const sim_placement placement = sim_placement_block(RANKS, 2);
    for (size_t i = 0; i < G_N_ELEMENTS(TEXTS); i++) {
        g_autoptr(noise_signature) s = parse(TEXTS[i][0], TEXTS[i][1]);
        const noise_injection_options o = {
            .placement = &placement, .seed = 7, .threads_per_rank = 2};
        g_autoptr(noise_injection) in = noise_injection_new(s, RANKS, &o);
        const sim_noise *hook = noise_injection_hook(in);
        for (uint32_t rank = 0; rank < RANKS && hook != NULL; rank++) {
            CHECK_I64(hook->finish(hook, rank, 12345, 7 * SIM_S), 12345 + 7 * SIM_S, "%s",
                      TEXTS[i][0]);
        }
        CHECK_I64(noise_signature_num_components(s), 0);
    }
}

SUITE_MAIN("place_without", TEST(these_two_do_not_meet), TEST(what_remains_is_where_it_was),
           TEST(without_everything_there_is_no_noise))
