/* tests/noise/interference/test_scorer.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "interference_models.h"

#include "check.h"

/* The specification's worked example, in 0.1 ms: five ranks, one sequence, four samples. */
static const sim_time EXAMPLE[4][5] = {{100, 100, 100, 100, 100},
                                       {100, 100, 100, 100, 200},
                                       {4, 4, 4, 4, 9},
                                       {110, 90, 100, 100, 120}};

static noise_interference_scorer *make(const noise_interference_model *model, uint32_t ranks,
                                       const uint32_t *nodes, uint32_t window)
{
    noise_interference_error error = {{0}};
    noise_interference_scorer *s = noise_interference_scorer_new(
        model,
        &(noise_interference_options){
            .num_ranks = ranks, .nodes = nodes, .course = 64, .window = window},
        &error);
    CHECK(s != NULL, "%s", error.text);
    return s;
}

static void add(noise_interference_scorer *s, uint32_t rank, uint32_t l, uint64_t t, sim_time work)
{
    const noise_sample sample = {.sequence = l,
                                 .t = t,
                                 .compute = work,
                                 .begin = (sim_time)t * SIM_S,
                                 .end = (sim_time)t * SIM_S + work};
    CHECK(noise_interference_scorer_add(s, rank, &sample), "rank %u, t %" PRIu64, rank, t);
}

static noise_interference_scorer *score_example(const noise_interference_model *model)
{
    noise_interference_scorer *s = make(model, 5, NULL, 0);
    for (uint32_t t = 0; t < 4; t++) {
        for (uint32_t rank = 0; rank < 5; rank++) {
            add(s, rank, 0, t, EXAMPLE[t][rank] * (SIM_MS / 10));
        }
    }
    noise_interference_scorer_finish(s);
    return s;
}

static void the_worked_example_comes_out_exactly(void)
{
    static const uint32_t length = 16;
    static const struct {
        uint32_t k;
        uint64_t exceeded[4]; /* of rank 5, up to each t: section 7's table */
    } row[] = {{1500, {0, 1, 2, 3}}, {2000, {0, 0, 0, 0}}, {1999, {0, 1, 2, 2}}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        noise_interference_model *m = some_model(NOISE_REFERENCE_PAPER, &length, 1, 0, row[i].k);
        noise_interference_scorer *s = score_example(m);
        const noise_interference_signal *fifth = noise_interference_scorer_signal(s, 4, 0);
        CHECK_I64(fifth->judged, 4, "0.9 ms pass the filter");
        CHECK_I64(fifth->num_points, 4);
        for (uint32_t t = 0; t < 4; t++) {
            CHECK_I64(fifth->points[t].exceeded, row[i].exceeded[t], "K %u, t %u", row[i].k, t);
        }
        const noise_interference_signal *first = noise_interference_scorer_signal(s, 0, 0);
        CHECK_I64(first->filtered, 1, "0.4 ms do not");
        CHECK_I64(first->judged, 3);
        CHECK_I64(first->exceeded, 0);
        noise_interference_scorer_free(s);
        noise_interference_model_free(m);
    }
}

static void the_metric_weighs_by_length_what_is_used(void)
{
    static const uint32_t lengths[] = {16, 4, 1000};
    noise_interference_model *m = some_model(NOISE_REFERENCE_PAPER, lengths, 3, 0, 1500);
    m->rows[2].used = false;
    noise_interference_scorer *s = make(m, 5, (const uint32_t[]){0, 0, 1, 2, 2}, 0);
    for (uint32_t t = 0; t < 4; t++) {
        for (uint32_t rank = 0; rank < 5; rank++) {
            const bool late = rank == 4;
            add(s, rank, 0, t, late && t < 3 ? 2 * SIM_MS : SIM_MS);
            add(s, rank, 1, t, late && t < 1 ? 2 * SIM_MS : SIM_MS);
            add(s, rank, 2, t, late ? 9 * SIM_MS : SIM_MS);
        }
    }
    noise_interference_scorer_finish(s);
    CHECK_NEAR(noise_interference_metric(s, 4), 0.65, 1e-12, "0.8 * 0.75 + 0.2 * 0.25");
    CHECK_NEAR(noise_interference_metric(s, 3), 0, 0);
    CHECK_NEAR(noise_interference_node_metric(s, 2), 0.65, 1e-12, "the largest of its ranks");
    CHECK_NEAR(noise_interference_node_metric(s, 0), 0, 0);
    noise_interference_scorer_free(s);
    noise_interference_model_free(m);
}

/* How many of @p outliers equal ones among @p ranks exceed at this K? */
static uint64_t exceed(noise_interference_reference reference, uint32_t ranks, uint32_t outliers,
                       uint32_t k)
{
    static const uint32_t length = 1;
    noise_interference_model *m = some_model(reference, &length, 1, 0, k);
    noise_interference_scorer *s = make(m, ranks, NULL, 0);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        add(s, rank, 0, 0, rank < outliers ? 1000 * SIM_S : SIM_MS);
    }
    noise_interference_scorer_finish(s);
    uint64_t sum = 0;
    for (uint32_t rank = 0; rank < ranks; rank++) {
        sum += noise_interference_scorer_signal(s, rank, 0)->exceeded;
    }
    noise_interference_scorer_free(s);
    noise_interference_model_free(m);
    return sum;
}

static void no_outlier_of_p_ranks_has_more_deviations_than_the_bound(void)
{
    /* sqrt(P - 1), and sqrt((P - 2) / 2) for two equal ones: exact for whole roots. */
    static const uint32_t row[][3] = {
        {5, 1, 2000}, {10, 1, 3000}, {65, 1, 8000}, {10, 2, 2000}, {20, 2, 3000}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        const uint32_t *r = row[i];
        CHECK_I64(exceed(NOISE_REFERENCE_PAPER, r[0], r[1], r[2]), 0, "%u of %u", r[1], r[0]);
        CHECK_I64(exceed(NOISE_REFERENCE_PAPER, r[0], r[1], r[2] - 1), r[1], "%u of %u", r[1],
                  r[0]);
    }
    CHECK_I64(exceed(NOISE_REFERENCE_LOO, 5, 1, 1000000), 1, "no such bound");
    CHECK_I64(exceed(NOISE_REFERENCE_MAD, 5, 1, 1000000), 1, "no such bound");
    CHECK_I64(exceed(NOISE_REFERENCE_MAD, 7, 3, 1000000), 3, "with several bad ones");
}

static void refuses_what_cannot_be_compared(void)
{
    static const uint32_t length = 1;
    static const struct {
        noise_interference_reference reference;
        uint32_t ranks;
        const char *why;
    } row[] = {{NOISE_REFERENCE_PAPER, 4, "needs at least 5, not 4"},
               {NOISE_REFERENCE_LOO, 3, "needs at least 4, not 3"},
               {NOISE_REFERENCE_MAD, 2, "needs at least 4, not 2"},
               {NOISE_REFERENCE_CLEAN, 2, "knows none of rank 0"}};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        noise_interference_model *m = some_model(row[i].reference, &length, 1, 0, 1000);
        noise_interference_error error = {{0}};
        CHECK(noise_interference_scorer_new(
                  m, &(noise_interference_options){.num_ranks = row[i].ranks}, &error) == NULL);
        CHECK(strstr(error.text, row[i].why) != NULL, "%s", error.text);
        noise_interference_model_free(m);
    }
    noise_interference_model *m = some_model(NOISE_REFERENCE_PAPER, &length, 1, 0, 1000);
    noise_interference_scorer *s = make(m, 5, NULL, 0);
    add(s, 0, 0, 3, SIM_MS);
    noise_sample sample = {.sequence = 0, .t = 3, .compute = 1};
    CHECK(!noise_interference_scorer_add(s, 0, &sample), "t does not grow");
    sample = (noise_sample){.sequence = 1, .t = 9, .compute = 1};
    CHECK(!noise_interference_scorer_add(s, 0, &sample), "no such sequence");
    sample.sequence = 0;
    CHECK(!noise_interference_scorer_add(s, 5, &sample), "no such rank");
    noise_interference_scorer_free(s);
    noise_interference_model_free(m);
}

static void what_has_no_counterpart_is_counted(void)
{
    static const uint32_t length = 1;
    noise_interference_model *m = some_model(NOISE_REFERENCE_PAPER, &length, 1, 0, 1000);
    noise_interference_scorer *s = make(m, 5, NULL, 0);
    for (uint32_t rank = 0; rank < 5; rank++) {
        for (uint32_t t = 0; t < (rank == 2 ? 7 : 10); t++) {
            add(s, rank, 0, t, SIM_MS);
        }
    }
    noise_interference_scorer_finish(s);
    CHECK_I64(noise_interference_scorer_signal(s, 0, 0)->judged, 7, "the fewest of all ranks");
    CHECK_I64(noise_interference_scorer_signal(s, 0, 0)->unmatched, 3);
    CHECK_I64(noise_interference_scorer_signal(s, 2, 0)->unmatched, 0);
    CHECK(noise_interference_misaligned(s, 0), "7 and 10 differ by more than 5 %%");
    noise_interference_scorer_free(s);
    noise_interference_model_free(m);
}

static void samples_numbered_by_collectives_may_be_missing(void)
{
    static const uint32_t length = 1;
    noise_interference_model *m = some_model(NOISE_REFERENCE_PAPER, &length, 1, 0, 1000);
    m->sequences[0].misaligned = true;
    noise_interference_scorer *s = make(m, 10, NULL, 0);
    for (uint32_t rank = 0; rank < 10; rank++) {
        for (uint64_t anchor = 0; anchor < 3; anchor++) {
            for (uint64_t k = 0; k < (rank < 5 + anchor ? 2 : 1); k++) {
                add(s, rank, 0, anchor << 20 | k, SIM_MS);
            }
        }
    }
    noise_interference_scorer_finish(s);
    CHECK_I64(noise_interference_scorer_signal(s, 0, 0)->judged, 6, "of 10, 5 to 7 have it");
    CHECK_I64(noise_interference_scorer_signal(s, 9, 0)->judged, 3);
    noise_interference_scorer_free(s);
    noise_interference_model_free(m);
}

static void a_bounded_window_names_the_rank_that_lags(void)
{
    static const uint32_t length = 1;
    noise_interference_model *m = some_model(NOISE_REFERENCE_PAPER, &length, 1, 0, 1000);
    noise_interference_scorer *s = make(m, 5, NULL, 4);
    for (uint32_t rank = 0; rank < 5; rank++) {
        for (uint32_t t = 0; t < 10; t++) {
            add(s, rank, 0, t, SIM_MS);
        }
    }
    noise_interference_scorer_finish(s);
    for (uint32_t rank = 0; rank < 5; rank++) {
        const noise_interference_signal *signal = noise_interference_scorer_signal(s, rank, 0);
        CHECK_I64(signal->seen, 10);
        CHECK_I64(signal->judged, 4, "the last ones still waited when the others came");
        CHECK_I64(signal->late, rank == 0 ? 0 : 6, "rank %u", rank);
        CHECK_I64(signal->unmatched, rank == 0 ? 6 : 0, "rank %u", rank);
    }
    noise_interference_scorer_free(s);
    noise_interference_model_free(m);
}

SUITE_MAIN("scorer", TEST(the_worked_example_comes_out_exactly),
           TEST(the_metric_weighs_by_length_what_is_used),
           TEST(no_outlier_of_p_ranks_has_more_deviations_than_the_bound),
           TEST(refuses_what_cannot_be_compared), TEST(what_has_no_counterpart_is_counted),
           TEST(samples_numbered_by_collectives_may_be_missing),
           TEST(a_bounded_window_names_the_rank_that_lags))
