/* tests/noise/interference/test_scorer_verdict.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "interference_models.h"

#include "check.h"

#include "noise/random.h"

#define ALPHA 0.001

/* Learned: 10 ms and 1 % on both ranks, for a sequence of one call and one of ten of these. */
static noise_interference_model *learned(void)
{
    static const uint32_t lengths[] = {10, 1};
    noise_interference_model *m = some_model(NOISE_REFERENCE_CLEAN, lengths, 2, 2, 4000);
    for (uint32_t i = 0; i < 6; i++) {
        const sim_time mean = i % 2 == 0 ? 100 * SIM_MS : 10 * SIM_MS;
        m->rows[i].count = 1000;
        m->rows[i].exceeded = 1;
        m->rows[i].mean = m->rows[i].centre = mean;
        m->rows[i].deviation = m->rows[i].residual = mean / 100;
    }
    m->least_coverage = 0.5;
    return m;
}

/* What is said of CPU time, and how fast rank 1 has it. */
typedef struct clocks {
    bool known;
    double slow; /* takes so many times as much CPU time … */
    sim_time slow_from, slow_to;
} clocks;

static const clocks WALL = {.slow = 1}, CPU = {.known = true, .slow = 1};

/* 30 s of two ranks; rank 1 takes twice as long from..to, a clock that the burner keeps. */
static noise_interference_scorer *score_clocks(const noise_interference_model *m, sim_time from,
                                               sim_time to, uint64_t seed, const clocks *c)
{
    noise_interference_error error = {{0}};
    noise_interference_scorer *s =
        noise_interference_scorer_new(m, &(noise_interference_options){.num_ranks = 2}, &error);
    CHECK(s != NULL, "%s", error.text);
    for (uint32_t rank = 0; rank < 2; rank++) {
        noise_sample ten = {.sequence = 0, .has_cpu = c->known};
        sim_time now = 0, work = 0;
        for (uint64_t t = 0; now < 30 * SIM_S; t++) {
            const bool slow = rank == 1 && now >= c->slow_from && now < c->slow_to;
            const double usual = (double)SIM_MS * (10 + 0.1 * noise_random_normal(seed, rank, t));
            const sim_time cpu = (sim_time)(slow ? c->slow * usual : usual);
            const sim_time off = rank == 1 && now >= from && now < to ? cpu : 0;
            const noise_sample one = {.sequence = 1,
                                      .t = t,
                                      .compute = cpu + off,
                                      .begin = now,
                                      .end = now + cpu + off,
                                      .has_cpu = c->known,
                                      .off = c->known ? off : 0};
            CHECK(noise_interference_scorer_add(s, rank, &one));
            ten.compute += one.compute;
            ten.off += one.off;
            now += one.compute;
            work += one.compute;
            if (t % 10 == 9) {
                ten.t = t / 10;
                ten.end = now;
                CHECK(noise_interference_scorer_add(s, rank, &ten));
                ten = (noise_sample){.sequence = 0, .has_cpu = c->known, .begin = now};
            }
        }
        noise_interference_scorer_cover(s, rank, 1000, 900, work, work);
    }
    noise_interference_scorer_finish(s);
    return s;
}

static noise_interference_scorer *score(const noise_interference_model *m, sim_time from,
                                        sim_time to, uint64_t seed)
{
    return score_clocks(m, from, to, seed, &WALL);
}

/* As learned(), of ranks that were on their CPU all the time. */
static noise_interference_model *learned_cpu(void)
{
    noise_interference_model *m = learned();
    for (uint32_t i = 0; i < 6; i++) {
        m->rows[i].has_cpu = true;
    }
    return m;
}

static void a_rank_that_has_its_cpu_is_slower_not_disturbed(void)
{
    noise_interference_model *m = learned_cpu();
    for (uint64_t seed = 1; seed <= 5; seed++) {
        const clocks c = {true, 1.13, 5 * SIM_S, 25 * SIM_S};
        noise_interference_scorer *s = score_clocks(m, 0, 0, seed, &c);
        const noise_interference_judgement j = noise_interference_judge(s, 1, ALPHA);
        CHECK_I64(j.verdict, NOISE_VERDICT_SLOWER, "seed %" PRIu64, seed);
        CHECK(j.has_cpu && !j.of[NOISE_INTERFERENCE_DISTURBED].found);
        const noise_interference_finding *f = &j.of[NOISE_INTERFERENCE_SLOWER];
        CHECK_NEAR(f->onset, 5 * SIM_S, 50 * SIM_MS, "seed %" PRIu64, seed);
        CHECK_NEAR(f->until, 25 * SIM_S, 50 * SIM_MS, "seed %" PRIu64, seed);
        CHECK_NEAR(f->lost, 0.13 / 1.13 * 20 * SIM_S, 50 * SIM_MS, "seed %" PRIu64, seed);
        CHECK_I64(noise_interference_judge(s, 0, ALPHA).verdict, NOISE_VERDICT_CLEAN);
        noise_interference_scorer_free(s);
    }
    noise_interference_model_free(m);
}

static void one_that_is_both_is_told_of_both(void)
{
    static const double SLOW[] = {1, 0.85, 1.2}; /* than in the clean runs, all the time */
    noise_interference_model *m = learned_cpu();
    for (size_t i = 0; i < G_N_ELEMENTS(SLOW); i++) {
        const clocks c = {true, SLOW[i], 0, 30 * SIM_S};
        noise_interference_scorer *s = score_clocks(m, 10 * SIM_S, 18 * SIM_S, i, &c);
        const noise_interference_judgement j = noise_interference_judge(s, 1, ALPHA);
        const noise_interference_finding *f = &j.of[NOISE_INTERFERENCE_DISTURBED];
        CHECK_I64(j.verdict, NOISE_VERDICT_DISTURBED, "row %zu", i);
        CHECK_NEAR(f->lost, 4 * SIM_S, 100 * SIM_MS, "the burner's share, row %zu", i);
        CHECK_NEAR(f->onset, 10 * SIM_S, 50 * SIM_MS, "the burner's begin, row %zu", i);
        CHECK_NEAR(f->until, 18 * SIM_S, 50 * SIM_MS, "row %zu", i);
        CHECK(j.of[NOISE_INTERFERENCE_SLOWER].found == (SLOW[i] > 1), "row %zu", i);
        noise_interference_scorer_free(s);
    }
    noise_interference_model_free(m);
}

static void without_cpu_time_of_both_the_kinds_are_one(void)
{
    noise_interference_model *with = learned_cpu(), *without = learned();
    const clocks slow = {true, 1.13, 5 * SIM_S, 25 * SIM_S},
                 wall = {false, 1.13, 5 * SIM_S, 25 * SIM_S};
    noise_interference_scorer *s[] = {score_clocks(without, 0, 0, 1, &slow),
                                      score_clocks(with, 0, 0, 1, &wall)};
    for (size_t i = 0; i < G_N_ELEMENTS(s); i++) {
        const noise_interference_judgement j = noise_interference_judge(s[i], 1, ALPHA);
        CHECK_I64(j.verdict, NOISE_VERDICT_DISTURBED, "as ever, row %zu", i);
        CHECK(!j.has_cpu && !j.of[NOISE_INTERFERENCE_SLOWER].found, "row %zu", i);
        noise_interference_scorer_free(s[i]);
    }
    noise_interference_model_free(with);
    noise_interference_model_free(without);
}

static void time_off_the_cpu_that_clean_runs_have_is_none(void)
{
    noise_interference_model *m = learned_cpu();
    for (uint32_t i = 0; i < 6; i++) { /* reads a file, say, half of the time */
        m->rows[i].off = m->rows[i].mean;
        m->rows[i].mean *= 2;
        m->rows[i].residual *= 2;
        m->rows[i].deviation *= 2;
    }
    noise_interference_scorer *s = score_clocks(m, 0, 30 * SIM_S, 1, &CPU);
    for (uint32_t rank = 0; rank < 2; rank++) { /* the other one never does, and is faster */
        CHECK_I64(noise_interference_judge(s, rank, ALPHA).verdict, NOISE_VERDICT_CLEAN, "%u",
                  rank);
    }
    noise_interference_scorer_free(s);
    noise_interference_model_free(m);
}

static void half_a_cpu_for_a_while_is_dated_and_weighed(void)
{
    noise_interference_model *m = learned();
    for (uint64_t seed = 1; seed <= 5; seed++) {
        noise_interference_scorer *s = score(m, 10 * SIM_S, 18 * SIM_S, seed);
        const noise_interference_judgement j = noise_interference_judge(s, 1, ALPHA);
        CHECK_I64(j.verdict, NOISE_VERDICT_DISTURBED);
        CHECK(j.of[NOISE_INTERFERENCE_DISTURBED].has_onset &&
              !j.of[NOISE_INTERFERENCE_DISTURBED].open);
        CHECK_NEAR(j.of[NOISE_INTERFERENCE_DISTURBED].onset, 10 * SIM_S, 50 * SIM_MS,
                   "seed %" PRIu64, seed);
        CHECK_NEAR(j.of[NOISE_INTERFERENCE_DISTURBED].until, 18 * SIM_S, 50 * SIM_MS,
                   "seed %" PRIu64, seed);
        CHECK_I64(j.of[NOISE_INTERFERENCE_DISTURBED].by_onset, 1,
                  "the sequence that resolves time best");
        CHECK_NEAR(j.of[NOISE_INTERFERENCE_DISTURBED].lost, 4 * SIM_S, 100 * SIM_MS,
                   "half of 8 s, within 2.5 %%");
        CHECK_NEAR(j.of[NOISE_INTERFERENCE_DISTURBED].lost_share, 4.0 / 26, 0.005);
        CHECK_NEAR(j.coverage, 0.9, 1e-12);
        CHECK(j.of[NOISE_INTERFERENCE_DISTURBED].p_value < 1e-9);
        const noise_interference_judgement other = noise_interference_judge(s, 0, ALPHA);
        CHECK_I64(other.verdict, NOISE_VERDICT_CLEAN, "seed %" PRIu64, seed);
        CHECK_I64(other.of[NOISE_INTERFERENCE_DISTURBED].lost, 0);
        noise_interference_scorer_free(s);
    }
    noise_interference_model_free(m);
}

static void clean_runs_are_clean(void)
{
    noise_interference_model *m = learned();
    for (uint64_t seed = 1; seed <= 20; seed++) {
        noise_interference_scorer *s = score(m, 0, 0, seed);
        for (uint32_t rank = 0; rank < 2; rank++) {
            CHECK_I64(noise_interference_judge(s, rank, ALPHA).verdict, NOISE_VERDICT_CLEAN,
                      "seed %" PRIu64, seed);
        }
        noise_interference_scorer_free(s);
    }
    noise_interference_model_free(m);
}

static void a_program_that_has_changed_is_not_judged(void)
{
    noise_interference_model *m = learned();
    noise_interference_scorer *s = score(m, 10 * SIM_S, 18 * SIM_S, 1);
    noise_interference_scorer_cover(s, 1, 1000, 499, 1, 1);
    CHECK_I64(noise_interference_judge(s, 1, ALPHA).verdict, NOISE_VERDICT_CHANGED);
    noise_interference_scorer_free(s);
    noise_interference_error error;
    s = noise_interference_scorer_new(m, &(noise_interference_options){.num_ranks = 2}, &error);
    noise_interference_scorer_finish(s);
    CHECK_I64(noise_interference_judge(s, 1, ALPHA).verdict, NOISE_VERDICT_NO_SAMPLES);
    noise_interference_scorer_cover(s, 1, 0, 0, 0, 0);
    CHECK_I64(noise_interference_judge(s, 1, ALPHA).verdict, NOISE_VERDICT_NO_SAMPLES,
              "no calls are not other calls");
    noise_interference_scorer_free(s);
    noise_interference_model_free(m);
}

static void chances_are_those_of_the_binomial(void)
{
    const noise_interference_row none = {0};
    /* 1 - 0.99^10; 1 - 0.99^10 - 10 * 0.01 * 0.99^9: by hand. */
    CHECK_NEAR(noise_interference_p_value(&none, 0.01, 10, 1), 0.0956179250, 1e-9);
    CHECK_NEAR(noise_interference_p_value(&none, 0.01, 10, 2), 0.0042662003, 1e-9);
    CHECK_NEAR(noise_interference_p_value(&none, 0.01, 10, 0), 1, 0);
    /* None of 100 clean ones: at most 1 - 0.025^(1/100) = 0.0362 may be the rate. */
    const noise_interference_row clean = {.count = 100};
    CHECK_NEAR(noise_interference_p_value(&clean, 0.5, 1, 1), 0.0362166, 1e-6);
}

static void thresholds_of_theory_have_their_rate(void)
{
    /* 20000 rows of eight normal samples each: the share of false alarms is what was asked for. */
    static const noise_interference_reference kinds[] = {NOISE_REFERENCE_PAPER,
                                                         NOISE_REFERENCE_LOO};
    static const uint32_t length = 1;
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        const uint32_t k = noise_interference_k_of_rate(kinds[i], i == 0 ? 8 : 7, 0.01);
        noise_interference_model *m = some_model(kinds[i], &length, 1, 0, k);
        noise_interference_error error;
        noise_interference_scorer *s =
            noise_interference_scorer_new(m, &(noise_interference_options){.num_ranks = 8}, &error);
        uint64_t exceeded = 0;
        for (uint32_t rank = 0; rank < 8; rank++) {
            for (uint64_t t = 0; t < 20000; t++) {
                const noise_sample one = {
                    .t = t, .compute = SIM_S + (sim_time)(1e10 * noise_random_normal(1, rank, t))};
                noise_interference_scorer_add(s, rank, &one);
            }
        }
        noise_interference_scorer_finish(s);
        for (uint32_t rank = 0; rank < 8; rank++) {
            exceeded += noise_interference_scorer_signal(s, rank, 0)->exceeded;
        }
        /* 160000 samples: 4 deviations of the share are 0.001. */
        CHECK_NEAR((double)exceeded / 160000, 0.01, 0.001, "K %u", k);
        noise_interference_scorer_free(s);
        noise_interference_model_free(m);
    }
    CHECK_I64(noise_interference_k_of_rate(NOISE_REFERENCE_LOO, 2, 0.01), 0, "too few");
    CHECK_NEAR(noise_interference_k_of_rate(NOISE_REFERENCE_MAD, 64, 0.01), 2327, 1, "a table's");
}

SUITE_MAIN("scorer_verdict", TEST(half_a_cpu_for_a_while_is_dated_and_weighed),
           TEST(a_rank_that_has_its_cpu_is_slower_not_disturbed),
           TEST(one_that_is_both_is_told_of_both), TEST(without_cpu_time_of_both_the_kinds_are_one),
           TEST(time_off_the_cpu_that_clean_runs_have_is_none), TEST(clean_runs_are_clean),
           TEST(a_program_that_has_changed_is_not_judged), TEST(chances_are_those_of_the_binomial),
           TEST(thresholds_of_theory_have_their_rate))
