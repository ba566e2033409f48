/* tests/noise/detours/test_component.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "data.h"
#include "noise/signature.h"

#include <math.h>

static noise_signature *parse(const char *text)
{
    GError *error = NULL;
    noise_signature *s = noise_signature_parse(text, 1, &error);
    CHECK(s != NULL, "%s: %s", text, error != NULL ? error->message : "");
    g_clear_error(&error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    return s;
}

typedef struct fact {
    const char *text;
    size_t component;
    double interval, mean_length;
    sim_time least, most; /* bounds of the longest */
    sim_time list_length;
    bool is_locked;
    const char *preset;
} fact;

/* Intervals and lengths are those of the texts; means by hand: (1 + 7) / 2, MIN ALPHA / (ALPHA -
 * 1), MEDIAN exp(SIGMA^2 / 2). What is drawn holds 100 intervals (docs/noise.md, section 3). */
static void models_say_what_they_are(void)
{
    const fact row[] = {
        {"fixed:1kHz:100us", 0, 1e9, 1e8, 100 * SIM_US, 100 * SIM_US, SIM_MS, true, NULL},
        {"tick:10ms:1us:7us", 0, 1e10, 4e6, 5 * SIM_US, 7 * SIM_US, SIM_S, true, NULL},
        {"poisson:20s:2.5ms", 0, 2e13, 2.5e9, 2500 * SIM_US, 2500 * SIM_US, 2000 * SIM_S, false,
         NULL},
        {"pareto:1s:1us:1.5", 0, 1e12, 3e6, SIM_US, 100 * SIM_S, 100 * SIM_S, false, NULL},
        {"lognormal:1s:1us:1", 0, 1e12, 1e6 * 1.6487212707001282, SIM_US, 100 * SIM_S, 100 * SIM_S,
         false, NULL},
        {"jaguar", 0, 2e13, 2.5e9, 2500 * SIM_US, 2500 * SIM_US, 2000 * SIM_S, false, "jaguar"},
        {"jaguar", 2, 1e12, 15e6, 15 * SIM_US, 15 * SIM_US, SIM_S, true, "jaguar"},
        {"altix", 1, 1e10, 4e6, 6 * SIM_US, 7 * SIM_US, 1000 * SIM_S, true, "altix"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(noise_signature) s = parse(row[i].text);
        const noise_component *c = noise_signature_component(s, row[i].component);
        CHECK_NEAR(c->interval / row[i].interval, 1, 1e-12, "%s", c->name);
        CHECK_NEAR(c->mean_length / row[i].mean_length, 1, 1e-12, "%s", c->name);
        CHECK_NEAR(c->share, row[i].mean_length / row[i].interval, 1e-12, "%s", c->name);
        CHECK(c->longest >= row[i].least && c->longest <= row[i].most, "%s: %" G_GINT64_FORMAT,
              c->name, c->longest);
        CHECK_I64(c->list_length, row[i].list_length, "%s", c->name);
        CHECK(c->is_locked == row[i].is_locked, "%s", c->name);
        CHECK_I64(c->origin, row[i].preset != NULL ? NOISE_ORIGIN_PRESET : NOISE_ORIGIN_MODEL);
        CHECK(g_strcmp0(c->preset, row[i].preset) == 0, "%s", c->name);
    }
}

static void the_longest_is_the_longest_of_the_trace(void)
{
    static const char *const texts[] = {"tick:10ms:1us:7us", "pareto:1s:1us:1.5",
                                        "lognormal:1s:1us:1"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(noise_signature) s = parse(texts[i]);
        const noise_detour_trace *t = noise_signature_trace(s, 0);
        sim_time longest = 0;
        for (size_t d = 0; d < noise_detour_trace_count(t); d++) {
            longest = MAX(longest, noise_detour_trace_length(t, d));
        }
        CHECK_I64(noise_signature_component(s, 0)->longest, longest, "%s", texts[i]);
    }
}

static void files_say_what_was_measured(void)
{
    /* Two runs of 1 ms with four detours, 22.35 ns in all: the longest is 12.34 ns. */
    g_autofree char *path = test_data("noise/detours/two-runs.txt");
    g_autoptr(noise_signature) s = parse(path);
    const noise_component *c = noise_signature_component(s, 0);
    CHECK_NEAR(c->interval, 2e9 / 4, 1e-3);
    CHECK_NEAR(c->mean_length, 22350.0 / 4, 1e-6);
    CHECK_I64(c->longest, 12340);
    CHECK_I64(c->list_length, 2 * SIM_MS);
    CHECK(c->is_locked);
    CHECK_I64(c->origin, NOISE_ORIGIN_FILE);
    CHECK(c->preset == NULL);
}

/* Ranks 0-3 see it in a trace of 100 s, the others in one of 600 s. */
static void the_shortest_list_of_all_ranks_counts(void)
{
    g_autoptr(noise_signature) s = parse("poisson:1s:1us+poisson:6s:1us@4-7");
    CHECK_I64(noise_signature_component(s, 0)->list_length, 100 * SIM_S);
    CHECK_I64(noise_signature_component(s, 1)->list_length, 600 * SIM_S);
}

SUITE_MAIN("component", TEST(models_say_what_they_are),
           TEST(the_longest_is_the_longest_of_the_trace), TEST(files_say_what_was_measured),
           TEST(the_shortest_list_of_all_ranks_counts))
