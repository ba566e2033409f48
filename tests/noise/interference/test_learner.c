/* tests/noise/interference/test_learner.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "interference_models.h"

#include "check.h"

#include "noise/random.h"

#include <math.h>

static const uint32_t ONE = 1;

static void ties_are_broken_as_the_rules_say(void)
{
    /* The specification's example: gain 1 for k = 1..3. */
    double disturbed[NOISE_INTERFERENCE_KS], clean[NOISE_INTERFERENCE_KS] = {0.4, 0.2};
    for (int i = 0; i < NOISE_INTERFERENCE_KS; i++) {
        disturbed[i] = i <= 6 ? 1 : i <= 10 ? 0.5 : 0;
    }
    CHECK_I64(noise_interference_choose_k(NOISE_LEARNED_PAPER, disturbed, clean, clean), 2, "1.0");
    CHECK_I64(noise_interference_choose_k(NOISE_LEARNED_GAIN, disturbed, clean, clean), 6, "3.0");
    /* Within 10 % of the best, farther. */
    disturbed[7] = 0.9;
    disturbed[8] = 0.89;
    CHECK_I64(noise_interference_choose_k(NOISE_LEARNED_GAIN, disturbed, clean, clean), 7);
    /* One of several clean runs exceeds up to k = 3.5. */
    const double most[NOISE_INTERFERENCE_KS] = {1, 1, 1, 1, 1, 1, 1, 0.1};
    CHECK_I64(noise_interference_choose_k(NOISE_LEARNED_GAIN, disturbed, clean, most), 8);
    /* No gain. */
    CHECK_I64(noise_interference_choose_k(NOISE_LEARNED_GAIN, clean, clean, clean), -1);
    CHECK_I64(noise_interference_choose_k(NOISE_LEARNED_PAPER, clean, clean, clean), -1);
}

/* Work of a rank: 10 ms and 5 %; a disturbed one every second time twice as much. */
static sim_time work_of(uint64_t seed, uint32_t rank, uint64_t t, bool disturbed)
{
    const sim_time usual = 10 * SIM_MS + (sim_time)(5e8 * noise_random_normal(seed, rank, t));
    return disturbed && rank == 1 && t % 2 == 1 ? 2 * usual : usual;
}

typedef bool taker(void *to, uint32_t rank, const noise_sample *sample);

static bool to_learner(void *to, uint32_t rank, const noise_sample *sample)
{
    return noise_interference_learner_add(to, rank, sample);
}

static bool to_scorer(void *to, uint32_t rank, const noise_sample *sample)
{
    return noise_interference_scorer_add(to, rank, sample);
}

static void give_run(taker *take, void *to, uint32_t ranks, uint64_t seed, bool disturbed)
{
    for (uint32_t rank = 0; rank < ranks; rank++) {
        for (uint64_t t = 0; t < 200; t++) {
            const noise_sample sample = {.t = t,
                                         .compute = work_of(seed, rank, t, disturbed),
                                         .begin = (sim_time)t * SIM_S,
                                         .end = (sim_time)t * SIM_S + 1};
            CHECK(take(to, rank, &sample));
        }
    }
}

/* Three clean runs and, where the rule needs them, two disturbed ones. */
static noise_interference_model *learn(noise_interference_reference reference,
                                       noise_interference_rule rule, uint32_t ranks)
{
    noise_interference_error error = {{0}};
    noise_interference_model *m = some_model(reference, &ONE, 1, 0, 0);
    m->rule = rule;
    noise_interference_learner *l = noise_interference_learner_new(m, ranks, NULL, &error);
    CHECK(l != NULL, "%s", error.text);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        const bool disturbed = seed > 3;
        if (!disturbed || rule == NOISE_LEARNED_PAPER || rule == NOISE_LEARNED_GAIN) {
            noise_interference_learner_run(l, disturbed ? NOISE_RUN_DISTURBED : NOISE_RUN_CLEAN,
                                           "simulated");
            give_run(to_learner, l, ranks, seed, disturbed);
            for (uint32_t rank = 0; rank < ranks; rank++) {
                noise_interference_learner_cover(l, rank, 100, disturbed ? 10 : 80 + rank);
            }
        }
    }
    CHECK(noise_interference_learner_finish(l, &error), "%s", error.text);
    noise_interference_learner_free(l);
    return m;
}

static noise_interference_scorer *score(const noise_interference_model *m, uint32_t ranks,
                                        bool disturbed)
{
    noise_interference_error error = {{0}};
    noise_interference_scorer *s =
        noise_interference_scorer_new(m, &(noise_interference_options){.num_ranks = ranks}, &error);
    CHECK(s != NULL, "%s", error.text);
    give_run(to_scorer, s, ranks, 99, disturbed);
    noise_interference_scorer_finish(s);
    return s;
}

static void what_was_learned_tells_disturbed_from_clean(void)
{
    static const struct {
        noise_interference_reference reference;
        noise_interference_rule rule;
        uint32_t ranks;
    } row[] = {{NOISE_REFERENCE_PAPER, NOISE_LEARNED_PAPER, 64},
               {NOISE_REFERENCE_PAPER, NOISE_LEARNED_GAIN, 64},
               {NOISE_REFERENCE_LOO, NOISE_LEARNED_GAIN, 8},
               {NOISE_REFERENCE_MAD, NOISE_LEARNED_GAIN, 16},
               {NOISE_REFERENCE_LOO, NOISE_LEARNED_CLEAN, 8},
               {NOISE_REFERENCE_LOO, NOISE_LEARNED_NOTHING, 16},
               {NOISE_REFERENCE_CLEAN, NOISE_LEARNED_CLEAN, 2},
               {NOISE_REFERENCE_CLEAN, NOISE_LEARNED_GAIN, 2}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const uint32_t ranks = row[i].ranks;
        noise_interference_model *m = learn(row[i].reference, row[i].rule, ranks);
        CHECK_NEAR(m->coverage, 0.8, 1e-12, "of the rank with least in a clean run");
        CHECK_NEAR(m->least_coverage, 0.4, 1e-12);
        noise_interference_scorer *bad = score(m, ranks, true), *good = score(m, ranks, false);
        const noise_interference_row *second = noise_interference_model_row(m, 1, 0);
        CHECK(second->used && second->count == 600, "row %zu", i);
        CHECK_NEAR(second->mean, 10 * SIM_MS, 0.1 * SIM_MS);
        CHECK_NEAR(noise_interference_metric(bad, 1), 0.5, 0.02, "row %zu", i);
        CHECK_NEAR(noise_interference_metric(good, 1), 0, 0.02, "row %zu", i);
        const noise_interference_judgement j = noise_interference_judge(bad, 1, 0.001);
        CHECK_I64(j.verdict, NOISE_VERDICT_DISTURBED, "row %zu", i);
        CHECK_NEAR(j.of[NOISE_INTERFERENCE_DISTURBED].lost, SIM_MS * 100 * 10, 50 * SIM_MS,
                   "row %zu", i);
        for (uint32_t rank = 0; rank < ranks; rank++) {
            if (noise_interference_model_row(m, rank, 0)->used) {
                CHECK_I64(noise_interference_judge(good, rank, 0.001).verdict, NOISE_VERDICT_CLEAN,
                          "row %zu, rank %u", i, rank);
            }
        }
        noise_interference_scorer_free(bad);
        noise_interference_scorer_free(good);
        noise_interference_model_free(m);
    }
}

static void a_rank_that_gains_nothing_is_not_used(void)
{
    noise_interference_model *m = learn(NOISE_REFERENCE_LOO, NOISE_LEARNED_GAIN, 8);
    for (uint32_t rank = 0; rank < 8; rank++) {
        CHECK(noise_interference_model_row(m, rank, 0)->used == (rank == 1), "rank %u", rank);
    }
    CHECK(noise_interference_model_row(m, 8, 0)->used, "any");
    CHECK_I64(noise_interference_model_row(m, 8, 0)->k, noise_interference_model_row(m, 1, 0)->k);
    noise_interference_model_free(m);
}

/* Two clean runs whose samples grow with t. */
static noise_interference_model *learn_growing(uint64_t in_second)
{
    noise_interference_error error = {{0}};
    noise_interference_model *m = some_model(NOISE_REFERENCE_CLEAN, &ONE, 1, 0, 0);
    m->rule = NOISE_LEARNED_CLEAN;
    noise_interference_learner *l = noise_interference_learner_new(m, 1, NULL, &error);
    for (uint64_t run = 0; run < 2; run++) {
        noise_interference_learner_run(l, NOISE_RUN_CLEAN, "");
        for (uint64_t t = 0; t < (run == 0 ? 50 : in_second); t++) {
            const noise_sample sample = {
                .t = t, .compute = ((sim_time)t + 1) * 10 * SIM_MS + (run == 0 ? -SIM_MS : SIM_MS)};
            noise_interference_learner_add(l, 0, &sample);
        }
    }
    CHECK(noise_interference_learner_finish(l, &error), "%s", error.text);
    noise_interference_learner_free(l);
    return m;
}

static void samples_that_follow_a_course_are_compared_with_it(void)
{
    noise_interference_model *m = learn_growing(50);
    const noise_interference_row *row = noise_interference_model_row(m, 0, 0);
    CHECK_I64(row->num_course, 50);
    CHECK_I64(row->course[49], 500 * SIM_MS);
    CHECK_NEAR(row->residual, sqrt(2) * (double)SIM_MS, 1e6, "50 pairs, 1 ms from their means");
    noise_interference_model_free(m);
    m = learn_growing(49);
    CHECK_I64(noise_interference_model_row(m, 0, 0)->num_course, 0, "of different length");
    noise_interference_model_free(m);
}

static void thresholds_are_beyond_what_clean_runs_show(void)
{
    noise_interference_error error = {{0}};
    noise_interference_model *m = some_model(NOISE_REFERENCE_CLEAN, &ONE, 1, 0, 0);
    m->rule = NOISE_LEARNED_CLEAN;
    noise_interference_learner *l = noise_interference_learner_new(m, 1, NULL, &error);
    noise_interference_learner_run(l, NOISE_RUN_CLEAN, "");
    for (uint64_t t = 0; t < 1000; t++) {
        const noise_sample sample = {.t = t, .compute = t % 20 == 0 ? 120 * SIM_MS : 100 * SIM_MS};
        noise_interference_learner_add(l, 0, &sample);
    }
    CHECK(noise_interference_learner_finish(l, &error), "%s", error.text);
    /* Mean 101, deviation 20 sqrt(0.05 * 0.95) = 4.359 ms: 5 % have 19 / 4.359 = 4.359 of them. */
    const noise_interference_row *row = noise_interference_model_row(m, 0, 0);
    CHECK_NEAR(row->k, 1250 * 4.35890, 2, "1.25 times as many");
    CHECK_I64(row->exceeded, 0);
    CHECK_I64(row->mean, 101 * SIM_MS);
    noise_interference_learner_free(l);
    noise_interference_model_free(m);
}

/* One clean and one disturbed run of so many samples; every third disturbed one is long. */
static bool is_gain_of(uint64_t num)
{
    noise_interference_error error = {{0}};
    noise_interference_model *m = some_model(NOISE_REFERENCE_CLEAN, &ONE, 1, 0, 0);
    noise_interference_learner *l = noise_interference_learner_new(m, 1, NULL, &error);
    for (int run = 0; run < 2; run++) {
        noise_interference_learner_run(l, run == 0 ? NOISE_RUN_CLEAN : NOISE_RUN_DISTURBED, "");
        for (uint64_t t = 0; t < num; t++) {
            const noise_sample sample = {
                .t = t, .compute = run == 1 && t % 3 == 0 ? 30 * SIM_MS : 10 * SIM_MS};
            noise_interference_learner_add(l, 0, &sample);
        }
    }
    const bool learned = noise_interference_learner_finish(l, &error);
    noise_interference_learner_free(l);
    noise_interference_model_free(m);
    return learned;
}

static void a_gain_of_few_samples_may_be_chance(void)
{
    /* Fisher's test: 1 of 3 and 0 of 3: 1/2; 10 of 30 and 0 of 30: 0.0004. */
    CHECK(!is_gain_of(3));
    CHECK(is_gain_of(30));
}

static void refuses_what_cannot_be_learned(void)
{
    noise_interference_error error = {{0}};
    noise_interference_model *m = some_model(NOISE_REFERENCE_LOO, &ONE, 1, 0, 0);
    CHECK(noise_interference_learner_new(m, 3, NULL, &error) == NULL);
    CHECK(strstr(error.text, "needs at least 4, not 3") != NULL, "%s", error.text);
    noise_interference_learner *l = noise_interference_learner_new(m, 4, NULL, &error);
    CHECK(!noise_interference_learner_finish(l, &error));
    CHECK(strstr(error.text, "needs a clean run") != NULL, "%s", error.text);
    noise_interference_learner_run(l, NOISE_RUN_CLEAN, "a");
    CHECK(!noise_interference_learner_finish(l, &error));
    CHECK(strstr(error.text, "needs a disturbed run") != NULL, "%s", error.text);
    noise_interference_learner_run(l, NOISE_RUN_DISTURBED, "b");
    CHECK(!noise_interference_learner_finish(l, &error));
    CHECK(strstr(error.text, "no sequence tells anything") != NULL, "%s", error.text);
    noise_interference_learner_free(l);
    noise_interference_model_free(m);
}

static void what_clean_runs_are_off_the_cpu_is_learned(void)
{
    for (int known = 0; known <= 1; known++) {
        noise_interference_error error = {{0}};
        noise_interference_model *m = some_model(NOISE_REFERENCE_CLEAN, &ONE, 1, 0, 0);
        m->rule = NOISE_LEARNED_CLEAN;
        noise_interference_learner *l = noise_interference_learner_new(m, 1, NULL, &error);
        noise_interference_learner_run(l, NOISE_RUN_CLEAN, "a run");
        for (uint64_t t = 0; t < 100; t++) { /* 1 ms and 3 ms, of 10 ms and 12 ms */
            const sim_time off = (1 + 2 * (sim_time)(t % 2)) * SIM_MS;
            const noise_sample sample = {
                .t = t, .compute = 9 * SIM_MS + off, .has_cpu = known == 1 || t != 50, .off = off};
            CHECK(noise_interference_learner_add(l, 0, &sample));
        }
        CHECK(noise_interference_learner_finish(l, &error), "%s", error.text);
        const noise_interference_row *row = noise_interference_model_row(m, 0, 0);
        CHECK(row->has_cpu == (known == 1), "of all samples, or not at all");
        CHECK_I64(row->off, known == 1 ? 2 * SIM_MS : 0);
        CHECK_I64(row->off_deviation, known == 1 ? SIM_MS : 0);
        CHECK_I64(row->off_peak, 0, "no sample is more than one deviation above");
        noise_interference_learner_free(l);
        noise_interference_model_free(m);
    }
}

SUITE_MAIN("learner", TEST(what_clean_runs_are_off_the_cpu_is_learned),
           TEST(ties_are_broken_as_the_rules_say),
           TEST(what_was_learned_tells_disturbed_from_clean),
           TEST(a_rank_that_gains_nothing_is_not_used),
           TEST(samples_that_follow_a_course_are_compared_with_it),
           TEST(thresholds_are_beyond_what_clean_runs_show),
           TEST(a_gain_of_few_samples_may_be_chance), TEST(refuses_what_cannot_be_learned))
