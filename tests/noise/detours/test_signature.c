/* tests/noise/detours/test_signature.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "data.h"
#include "noise/signature.h"

#include <math.h>
#include <string.h>

static noise_signature *parse(const char *text)
{
    GError *error = NULL;
    noise_signature *s = noise_signature_parse(text, 1, &error);
    CHECK(s != NULL, "%s: %s", text, error != NULL ? error->message : "");
    g_clear_error(&error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    return s;
}

static void none_has_no_noise(void)
{
    static const char *const texts[] = {"none", "cnk", "cnk@0-3"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(noise_signature) s = parse(texts[i]);
        CHECK_I64(noise_signature_num_components(s), 0);
        CHECK(noise_signature_trace(s, 0) == NULL);
        CHECK_NEAR(noise_signature_share(s, 0), 0, 0);
        CHECK_STR(noise_signature_text(s), texts[i]);
        CHECK_I64(noise_signature_longest_period(s), 1);
    }
}

static void fixed_alone_is_one_detour(void)
{
    static const struct {
        const char *text;
        sim_time period, length;
    } row[] = {{"fixed:1kHz:100us", SIM_MS, 100 * SIM_US},
               {"fixed:21.34ms:5.7ms", 21340 * SIM_US, 5700 * SIM_US},
               {"zeptoos", 62500 * SIM_US, 50 * SIM_US}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(noise_signature) s = parse(row[i].text);
        const noise_detour_trace *t = noise_signature_trace(s, 12345);
        CHECK_I64(noise_detour_trace_count(t), 1);
        CHECK_I64(noise_detour_trace_start(t, 0), 0);
        CHECK_I64(noise_detour_trace_length(t, 0), row[i].length);
        CHECK_I64(noise_detour_trace_period(t), row[i].period);
        CHECK_I64(noise_signature_longest_period(s), row[i].period);
    }
}

static void presets_have_the_noise_of_the_table(void)
{
    /* docs/noise.md, section 7: serial noise in percent, trace to store */
    static const struct {
        const char *name;
        double percent, tolerance;
        sim_time at_least;
        size_t detours;
    } row[] = {
        {"chic", 0.132 + 0.078, 0.03, 400 * SIM_S, 100000},
        {"altix", 0.011 + 0.040, 0.03, 1000 * SIM_S, 100000},
        {"zeptoos", 0.08, 0.03, 62500 * SIM_US, 1},
        {"jaguar", 0.02, 0.03, 2000 * SIM_S, 20000},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            g_autoptr(noise_signature) s = noise_signature_parse(row[i].name, seed, NULL);
            CU_ASSERT_PTR_NOT_NULL_FATAL(s);
            CHECK_NEAR(100 * noise_signature_share(s, 0) / row[i].percent, 1, row[i].tolerance,
                       "%s", row[i].name);
            const noise_detour_trace *t = noise_signature_trace(s, 0);
            CHECK(noise_detour_trace_period(t) >= row[i].at_least, "%s", row[i].name);
            CHECK(noise_detour_trace_count(t) >= row[i].detours, "%s", row[i].name);
            double sum = 0;
            for (size_t c = 0; c < noise_signature_num_components(s); c++) {
                sum += noise_signature_component(s, c)->share;
            }
            CHECK_NEAR(100 * sum / row[i].percent, 1, row[i].tolerance, "%s", row[i].name);
        }
    }
}

static void models_are_written_down(void)
{
    g_autofree char *path = test_data("../../docs/noise.md");
    g_autofree char *text = NULL;
    g_autofree const char **names = noise_signature_models();
    CU_ASSERT_TRUE_FATAL(g_file_get_contents(path, &text, NULL, NULL));
    CHECK(names[0] != NULL);
    for (size_t i = 0; names[i] != NULL; i++) {
        g_autofree char *row = g_strdup_printf("| `%s:", names[i]);
        CHECK(strstr(text, row) != NULL, "docs/noise.md, section 2, has no row for %s", names[i]);
        g_autofree char *bare = g_strdup_printf("%s:1:1:1:1:1", names[i]);
        g_autoptr(GError) error = NULL;
        CHECK(noise_signature_parse(bare, 1, &error) == NULL);
        CHECK_ERROR(error, "its form is");
    }
}

static void presets_are_listed_and_described(void)
{
    const char *const *name = noise_presets();
    int n = 0;
    for (; name[n] != NULL; n++) {
        g_autoptr(noise_signature) s = parse(name[n]);
        CHECK(s != NULL && noise_preset_description(name[n]) != NULL, "%s", name[n]);
    }
    CHECK_I64(n, 5);
    CHECK(noise_preset_description("nosuch") == NULL);
}

static void components_are_named(void)
{
    g_autofree char *path = test_data("noise/detours/linux-vm-head.tsv");
    g_autofree char *text = g_strdup_printf("jaguar+fixed:1kHz:1us@0,5-7+%s@9", path);
    g_autoptr(noise_signature) s = parse(text);
    static const char *const names[] = {"jaguar: poisson:20s:2.5ms", "jaguar: fixed:100ms:6us",
                                        "jaguar: fixed:1s:15us", "fixed:1kHz:1us",
                                        "linux-vm-head.tsv"};
    CHECK_I64(noise_signature_num_components(s), 5);
    for (size_t i = 0; i < 5; i++) {
        const noise_component *c = noise_signature_component(s, i);
        CHECK_STR(c->name, names[i]);
        CHECK((c->scope == NOISE_SCOPE_RANKS) == (i >= 3));
    }
    const noise_component *c = noise_signature_component(s, 3);
    CHECK_I64(c->num_ranges, 2);
    CHECK_I64(c->ranges[0].first, 0);
    CHECK_I64(c->ranges[0].last, 0);
    CHECK_I64(c->ranges[1].first, 5);
    CHECK_I64(c->ranges[1].last, 7);
    CHECK_NEAR(c->share, 0.001, 1e-12);
}

static void ranks_see_the_components_that_hold_there(void)
{
    g_autoptr(noise_signature) s =
        parse("fixed:1kHz:100us@3,10-20,19-30+fixed:100Hz:100us@20-25+fixed:10Hz:1ms@4000000000");
    static const struct {
        uint32_t rank;
        double share; /* by hand; two fixed ones add up, as nothing stolen is lost */
    } row[] = {{0, 0},    {2, 0},    {3, 0.1},           {4, 0},          {9, 0},
               {10, 0.1}, {19, 0.1}, {20, 0.11},         {25, 0.11},      {26, 0.1},
               {30, 0.1}, {31, 0},   {4000000000, 0.01}, {4000000001, 0}, {UINT32_MAX, 0}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        CHECK_NEAR(noise_signature_share(s, row[i].rank), row[i].share, 1e-9, "rank %u",
                   row[i].rank);
        CHECK((noise_signature_trace(s, row[i].rank) == NULL) == (row[i].share == 0));
    }
    CHECK(noise_signature_trace(s, 3) == noise_signature_trace(s, 30), "one trace per combination");
}

static void joined_fixed_components_lose_nothing(void)
{
    static const struct {
        const char *text;
        sim_time period;
        double share;
    } row[] = {
        /* least common multiples */
        {"fixed:1ms:100us+fixed:3ms:1ms", 3 * SIM_MS, 0.1 + 1.0 / 3},
        {"fixed:1kHz:1us+fixed:21.34ms:5.7ms", 1067 * SIM_MS, 0.001 + 5.7 / 21.34},
        /* crowded: they must queue, also over the end of the period */
        {"fixed:1ms:400us+fixed:1ms:500us", SIM_MS, 0.9},
        {"fixed:1ms:300us+fixed:1ms:300us+fixed:1ms:300us", SIM_MS, 0.9},
        {"fixed:10ms:9ms+fixed:1ms:90us", 10 * SIM_MS, 0.99},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(noise_signature) s = parse(row[i].text);
        CHECK_I64(noise_detour_trace_period(noise_signature_trace(s, 0)), row[i].period, "%s",
                  row[i].text);
        CHECK_NEAR(noise_signature_share(s, 0), row[i].share, 1e-9, "%s", row[i].text);
    }
}

static void several_ticks_do_not_begin_together(void)
{
    g_autoptr(noise_signature) s = parse("fixed:1s:15us+fixed:100ms:6us");
    const noise_detour_trace *t = noise_signature_trace(s, 0);
    CHECK_I64(noise_detour_trace_count(t), 11);
    CHECK_I64(noise_detour_trace_period(t), SIM_S);
    CHECK(noise_detour_trace_start(t, 0) > 0);
    for (size_t i = 1; i < 11; i++) {
        CHECK(noise_detour_trace_start(t, i) >
              noise_detour_trace_start(t, i - 1) + noise_detour_trace_length(t, i - 1));
    }
}

static void incommensurable_periods_keep_their_shares(void)
{
    /* no common multiple within reach: odd gaps at the end cost less than 1 % */
    g_autoptr(noise_signature) s = parse("fixed:1.000000001ms:100us+fixed:0.7071067811865ms:1us");
    CHECK_NEAR(noise_signature_share(s, 0), 0.1 + 0.0014142, 0.001);
}

static void poisson_gaps_are_exponential(void)
{
    enum { MEAN_US = 1000 };
    /* 100 gaps per seed; P(gap > x) = exp(-x / mean) */
    double above[3] = {0};
    double n = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        g_autoptr(noise_signature) s = noise_signature_parse("poisson:1ms:1ns", seed, NULL);
        const noise_detour_trace *t = noise_signature_trace(s, 0);
        CHECK_I64(noise_detour_trace_period(t), 100 * SIM_US * MEAN_US);
        CHECK_I64(noise_detour_trace_count(t), 100);
        for (size_t i = 1; i < noise_detour_trace_count(t); i++) {
            const double gap =
                (double)(noise_detour_trace_start(t, i) - noise_detour_trace_start(t, i - 1)) /
                (MEAN_US * (double)SIM_US);
            above[0] += gap > 0.5;
            above[1] += gap > 1;
            above[2] += gap > 3;
            n++;
        }
    }
    static const double x[] = {0.5, 1, 3};
    for (size_t i = 0; i < 3; i++) {
        const double p = exp(-x[i]);
        CHECK_NEAR(above[i] / n, p, 5 * sqrt(p * (1 - p) / n) + 0.01, "gap > %g", x[i]);
    }
}

static void overlapping_random_detours_are_served_one_after_the_other(void)
{
    g_autoptr(noise_signature) s = parse("poisson:1ms:600us");
    CHECK_NEAR(noise_signature_share(s, 0), 0.6, 1e-12);
}

static void tick_lengths_are_uniform_and_in_range(void)
{
    g_autoptr(noise_signature) s = parse("tick:10ms:1us:7us");
    const noise_detour_trace *t = noise_signature_trace(s, 0);
    CHECK_I64(noise_detour_trace_count(t), 100);
    CHECK_I64(noise_detour_trace_period(t), SIM_S);
    double sum = 0;
    for (size_t i = 0; i < 100; i++) {
        CHECK_I64(noise_detour_trace_start(t, i), (int64_t)i * 10 * SIM_MS);
        const sim_time length = noise_detour_trace_length(t, i);
        CHECK(length >= SIM_US && length <= 7 * SIM_US);
        sum += (double)length;
    }
    CHECK_NEAR(sum / 100 / SIM_US, 4, 5 * sqrt(3) / 10); /* sd of U[1,7] is sqrt(3) */
}

static void pareto_lengths_have_their_tail(void)
{
    /* P(length > x min) = x^-alpha */
    double above[3] = {0};
    double n = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        g_autoptr(noise_signature) s = noise_signature_parse("pareto:1s:1us:1.5", seed, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(s);
        CHECK_NEAR(noise_signature_component(s, 0)->share, 3e-6, 1e-12); /* min a / (a - 1) */
        const noise_detour_trace *t = noise_signature_trace(s, 0);
        for (size_t i = 0; i < noise_detour_trace_count(t); i++) {
            const double x = (double)noise_detour_trace_length(t, i) / SIM_US;
            CHECK(x >= 1);
            above[0] += x > 2;
            above[1] += x > 10;
            above[2] += x > 100;
            n++;
        }
    }
    static const double x[] = {2, 10, 100};
    for (size_t i = 0; i < 3; i++) {
        const double p = pow(x[i], -1.5);
        CHECK_NEAR(above[i] / n, p, 5 * sqrt(p / n), "length > %g", x[i]);
    }
}

static void files_are_traces_of_all_their_runs(void)
{
    g_autofree char *path = test_data("noise/detours/two-runs.txt");
    g_autoptr(noise_signature) s = parse(path);
    const noise_detour_trace *t = noise_signature_trace(s, 0);
    CHECK_I64(noise_detour_trace_period(t), 2 * SIM_MS); /* two of 1 ms each */
    CHECK_I64(noise_detour_trace_count(t), 4);
    CHECK_I64(noise_detour_trace_start(t, 0), 0);
    CHECK_I64(noise_detour_trace_start(t, 2), SIM_MS);
    CHECK_I64(noise_detour_trace_start(t, 3), SIM_MS + 3 * SIM_US);
    CHECK_I64(noise_detour_trace_length(t, 3), 1010);
    CHECK_NEAR(noise_signature_component(s, 0)->share, 22350.0 / (2 * SIM_MS), 1e-12);
}

static void a_file_joins_with_models(void)
{
    g_autofree char *path = test_data("noise/detours/two-runs.txt");
    g_autofree char *text = g_strdup_printf("%s+fixed:3ms:1ms", path);
    g_autoptr(noise_signature) s = parse(text);
    const noise_detour_trace *t = noise_signature_trace(s, 0);
    CHECK_I64(noise_detour_trace_period(t), 6 * SIM_MS);
    CHECK_NEAR(noise_signature_share(s, 0), 22350.0 / (2 * SIM_MS) + 1.0 / 3, 1e-9);
}

static void netgauge_files_are_signatures(void)
{
    const char *name = "noise/netgauge/oracle__2022_07_08_21_16_56__ng_osnoise.out.gz";
    g_autofree char *path = shared_data(name);
    if (path == NULL) {
        SKIP_TEST("no %s", name);
    }
    g_autoptr(noise_signature) s = parse(path);
    const noise_detour_trace *t = noise_signature_trace(s, 0);
    CHECK_I64(noise_detour_trace_count(t), 4 * 49999);
    CHECK_NEAR((double)noise_detour_trace_period(t) / SIM_S, 4 * 24.93, 0.05);
    CHECK_NEAR(noise_signature_share(s, 0), 0.00675, 0.0001); /* the mean of its four overheads */
}

static bool same_trace(const noise_detour_trace *a, const noise_detour_trace *b)
{
    const size_t n = noise_detour_trace_count(a);
    bool same = n == noise_detour_trace_count(b) &&
                noise_detour_trace_period(a) == noise_detour_trace_period(b);
    for (size_t i = 0; same && i < n; i++) {
        same = noise_detour_trace_start(a, i) == noise_detour_trace_start(b, i) &&
               noise_detour_trace_length(a, i) == noise_detour_trace_length(b, i);
    }
    return same;
}

static void seed_decides_and_nothing_else(void)
{
    static const char *const texts[] = {
        "jaguar", "chic", "altix", "pareto:1s:1us:1.5", "lognormal:1s:1us:0.7", "job:4ms:1s:3s:2s"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(noise_signature) a = noise_signature_parse(texts[i], 7, NULL);
        g_autoptr(noise_signature) b = noise_signature_parse(texts[i], 7, NULL);
        g_autoptr(noise_signature) c = noise_signature_parse(texts[i], 8, NULL);
        const noise_detour_trace *t = noise_signature_trace(a, 0);
        CHECK(same_trace(t, noise_signature_trace(b, 3)), "%s", texts[i]);
        CHECK(!same_trace(t, noise_signature_trace(c, 0)), "%s", texts[i]);
    }
}

static void a_component_stays_when_another_is_left_out(void)
{
    /* Both have the period of 2000 s that the rare one asks for. */
    g_autoptr(noise_signature) both = parse("fixed:2000s:1us+poisson:20s:2.5ms");
    g_autoptr(noise_signature) one = parse("poisson:20s:2.5ms");
    const noise_detour_trace *b = noise_signature_trace(both, 0);
    const noise_detour_trace *o = noise_signature_trace(one, 0);
    CHECK_I64(noise_detour_trace_count(b), noise_detour_trace_count(o) + 1);
    size_t j = 0;
    for (size_t i = 0; i < noise_detour_trace_count(o); i++) {
        j += noise_detour_trace_length(b, j) == SIM_US;
        CHECK_I64(noise_detour_trace_start(b, j), noise_detour_trace_start(o, i));
        j++;
    }
}

static void same_component_twice_is_two_components(void)
{
    g_autoptr(noise_signature) s = parse("poisson:1s:1ms+poisson:1s:1ms");
    CHECK_I64(noise_detour_trace_count(noise_signature_trace(s, 0)), 200);
    CHECK_NEAR(noise_signature_share(s, 0), 0.002, 1e-12);
}

static void bad_text_is_refused_and_named(void)
{
    static const char *const row[][2] = {
        {"", "nothing stands"},
        {"jaguar+", "nothing stands"},
        {"+jaguar", "nothing stands"},
        {"@1", "nothing stands"},
        {"jagur",
         "noise 'jagur' is neither a preset nor a model nor a file; did you mean 'jaguar'?"},
        {"poison:20s:2.5ms", "did you mean 'poisson'?"},
        {"no/such.tsv", "no/such.tsv: no such file"},
        {"fixed:1kHz", "noise 'fixed:1kHz': its form is 'fixed:PERIOD:LENGTH'"},
        {"fixed:1kHz:1us:2us", "its form is"},
        {"tick:1ms:1us", "its form is 'tick:PERIOD:MIN:MAX'"},
        {"fixed:1kHz:1ms",
         "noise 'fixed:1kHz:1ms': its detours leave no CPU time: one every '1kHz'"},
        {"fixed:1kHz:2ms", "leave no CPU time"},
        {"poisson:1ms:1s", "leave no CPU time"},
        {"pareto:1ms:0.5ms:1.5", "leave no CPU time"},
        {"pareto:1ms:1us:1", "ALPHA is a number above 1, up to 1000, not '1'"},
        {"pareto:1ms:1us:nan", "'nan'"},
        {"pareto:1ms:1us:inf", "'inf'"},
        {"pareto:1ms:1us:2x", "'2x'"},
        {"lognormal:1ms:1us", "its form is 'lognormal:MEAN:MEDIAN:SIGMA'"},
        {"lognormal:1ms:1us:0", "SIGMA is a number above 0, up to 10, not '0'"},
        {"lognormal:1ms:1us:10.1", "SIGMA is a number above 0, up to 10, not '10.1'"},
        {"lognormal:1ms:0:1", "above 0, not '0'"},
        {"job:4ms", "its form is 'job:SLICE:STAY[:ON:OFF]'"},
        {"job:4ms:1s:10s", "its form is 'job:SLICE:STAY[:ON:OFF]'"},
        {"job:0:1s", "SLICE is above 0, not '0'"},
        {"job:4ms:1s:10s:0", "OFF is above 0, not '0'"},
        {"job:4ms:10h", "needs a trace that is too long"}, /* 1000 stays: 417 days */
        {"job:4ms:600h:600h:600h", "needs a trace that is too long"},
        {"job:1ns:1s", "needs a trace that is too long"}, /* of 5e11 slices */
        {"lognormal:1ms:1us:5", "leave no CPU time"},     /* a mean of 268 ms */
        {"fixed:1kHz:0", "LENGTH is above 0, not '0'"},
        {"tick:1ms:0:1us", "above 0, not '0'"},
        {"tick:1ms:5us:4us", "MAX is less than MIN: '4us'"},
        {"fixed:0:1us", "noise 'fixed:0:1us'"},
        {"fixed:1kHz:-1us", "noise 'fixed:1kHz:-1us'"},
        {"fixed:1kHz:1parsec", "1parsec"},
        {"fixed:1ms:600us+fixed:1ms:600us", "steal 120 % of the CPU time"},
        {"fixed:1ms:500us+fixed:1ms:500us", "steal 100 % of the CPU time"},
        {"fixed:1ms:600us@0-5+fixed:1ms:600us@5", "steal 120 %"},
        {"poisson:100s:1ms+fixed:100kHz:1us", "too long"},
        {"poisson:1h:1ms+poisson:6h:1us", NULL},
        {"poisson:200h:1ms", "too long"},
        {"jaguar@", "ranks '' are not of the form 0,5-7"},
        {"jaguar@x", "'@x' is neither ranks"},
        {"jaguar@1,", "ranks '1,' are not"},
        {"jaguar@5-3", "ranks '5-3' are not"},
        {"jaguar@-3", "ranks '-3' are not"},
        {"jaguar@1-", "ranks '1-' are not"},
        {"jaguar@4294967295", "ranks '4294967295' are not"},
        {"jaguar@99999999999999999999999", "are not"},
        {"cnk@x", "'@x' is neither ranks"},
        {"fixed:1kHz:1us+drift=",
         "noise 'fixed:1kHz:1us+drift=': drift is a number of parts per million from 0 to 100000, "
         "not ''"},
        {"fixed:1kHz:1us+drift=-1", "not '-1'"},
        {"fixed:1kHz:1us+drift=nan", "not 'nan'"},
        {"fixed:1kHz:1us+drift=100001", "not '100001'"},
        {"fixed:1kHz:1us+drift=20ppm", "not '20ppm'"},
        {"fixed:1kHz:1us+drift=20@3", "drift is of all ranks, not of some"},
        {"fixed:1kHz:1us+drift=20+drift=20", "drift is said twice"},
        {"drift=20", "drift has no effect: nothing in it is periodic"},
        {"cnk+drift=20", "drift has no effect"},
        {"poisson:1s:1ms+drift=20", "drift has no effect"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(noise_signature) s = noise_signature_parse(row[i][0], 1, &error);
        CHECK((s == NULL) == (row[i][1] != NULL), "%s", row[i][0]);
        if (row[i][1] != NULL) {
            CHECK_ERROR(error, row[i][1]);
        }
    }
}

static void drift_is_of_the_whole_signature(void)
{
    static const struct {
        const char *text;
        double ppm;
        size_t components;
    } row[] = {{"fixed:1kHz:100us", 0, 1},
               {"fixed:1kHz:100us+drift=20", 20, 1},
               {"drift=2.5e1+jaguar", 25, 3},
               {"poisson:1s:1ms+drift=100000+tick:1ms:1us:2us@3", 1e5, 2},
               {"fixed:1kHz:100us+drift=0", 0, 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(noise_signature) s = parse(row[i].text);
        CHECK_NEAR(noise_signature_drift(s), row[i].ppm, 0, "%s", row[i].text);
        CHECK_I64(noise_signature_num_components(s), row[i].components);
        CHECK_STR(noise_signature_text(s), row[i].text);
        g_autoptr(noise_signature) again = parse(noise_signature_text(s));
        CHECK_NEAR(noise_signature_drift(again), row[i].ppm, 0, "%s", row[i].text);
    }
    /* what is drawn stays as it is without */
    g_autoptr(noise_signature) with = parse("jaguar+drift=20");
    g_autoptr(noise_signature) without = parse("jaguar");
    CHECK(same_trace(noise_signature_trace(with, 0), noise_signature_trace(without, 0)));
}

static void too_many_components_are_refused(void)
{
    GString *text = g_string_new("fixed:1s:1us");
    for (int i = 1; i < 64; i++) {
        g_string_append(text, "+fixed:1s:1us");
    }
    g_autoptr(noise_signature) s = parse(text->str);
    CHECK_I64(noise_signature_num_components(s), 64);
    g_string_append(text, "+fixed:1s:1us");
    g_autoptr(GError) error = NULL;
    CHECK(noise_signature_parse(text->str, 1, &error) == NULL);
    CHECK_ERROR(error, "more than 64 components");
    g_string_free(text, TRUE);
}

SUITE_MAIN("signature", TEST(none_has_no_noise), TEST(fixed_alone_is_one_detour),
           TEST(presets_have_the_noise_of_the_table), TEST(models_are_written_down),
           TEST(presets_are_listed_and_described), TEST(components_are_named),
           TEST(ranks_see_the_components_that_hold_there),
           TEST(joined_fixed_components_lose_nothing), TEST(several_ticks_do_not_begin_together),
           TEST(incommensurable_periods_keep_their_shares), TEST(poisson_gaps_are_exponential),
           TEST(overlapping_random_detours_are_served_one_after_the_other),
           TEST(tick_lengths_are_uniform_and_in_range), TEST(pareto_lengths_have_their_tail),
           TEST(files_are_traces_of_all_their_runs), TEST(a_file_joins_with_models),
           TEST(netgauge_files_are_signatures), TEST(seed_decides_and_nothing_else),
           TEST(a_component_stays_when_another_is_left_out),
           TEST(same_component_twice_is_two_components), TEST(bad_text_is_refused_and_named),
           TEST(drift_is_of_the_whole_signature), TEST(too_many_components_are_refused))
