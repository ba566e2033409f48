/* tests/apps/scores/test_score.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The whole way from records to what is said of ranks, on rings of which it is known which rank
 * was disturbed, since when, and how much it lost.
 */
#include "check.h"
#include "scores/score_words.h"
#include "scores/scored_ring.h"
#include "sim/unit.h"

static bool says(GPtrArray *sentences, const char *text)
{
    for (guint i = 0; i < sentences->len; i++) {
        if (strstr(g_ptr_array_index(sentences, i), text) != NULL) {
            return true;
        }
    }
    return false;
}

static const struct {
    uint32_t ranks;
    noise_interference_reference reference;
} WAYS[] = {
    {2, NOISE_REFERENCE_CLEAN},
    {8, NOISE_REFERENCE_CLEAN},
    {8, NOISE_REFERENCE_LOO},
    {8, NOISE_REFERENCE_MAD},
};

static void the_disturbed_rank_is_named_with_onset_and_loss(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(WAYS); i++) {
        scored_ring *b = scored_ring_new();
        const disturbed_ring ring = {.ranks = WAYS[i].ranks,
                                     .steps = SCORED_STEPS,
                                     .seed = 7,
                                     .rank = 1,
                                     .from = 200,
                                     .to = 400,
                                     .extra = 4 * SIM_MS};
        sim_time onset = 0;
        scored_ring_learn(b, WAYS[i].ranks, WAYS[i].reference);
        g_autoptr(app_score) s = scored_ring_score(b, &ring, &onset);
        CHECK_I64(s->num_disturbed, 1, "way %zu", i);
        CHECK_I64(s->num_clean, WAYS[i].ranks - 1, "way %zu", i);
        CHECK_I64(s->order[0], 1, "way %zu", i);
        const noise_interference_judgement *j = &s->judged[1];
        CHECK(j->of[NOISE_INTERFERENCE_DISTURBED].has_onset, "way %zu", i);
        CHECK_NEAR(j->of[NOISE_INTERFERENCE_DISTURBED].onset, onset, 200 * SIM_MS, "way %zu", i);
        CHECK(!j->of[NOISE_INTERFERENCE_DISTURBED].open, "way %zu", i);
        CHECK_NEAR(j->of[NOISE_INTERFERENCE_DISTURBED].lost, 200 * ring.extra, 20 * ring.extra,
                   "way %zu", i);
        CHECK(j->of[NOISE_INTERFERENCE_DISTURBED].p_value < 1e-6, "way %zu: %g", i,
              j->of[NOISE_INTERFERENCE_DISTURBED].p_value);
        g_autoptr(GPtrArray) findings = app_score_findings(s);
        CHECK(says(findings, "Rank 1 was disturbed from "), "way %zu", i);
        CHECK(says(findings, WAYS[i].ranks == 2 ? "The other 1 was not disturbed"
                                                : "The other 7 were not disturbed"),
              "way %zu", i);
        /* Where a stretch alone says so, a large p is not put beside it as if it did. */
        s->judged[1].of[NOISE_INTERFERENCE_DISTURBED].p_value = 1;
        g_autofree char *stretch = app_score_rank_text(s, 1);
        CHECK(strstr(stretch, "by the length of that stretch") != NULL, "%s", stretch);
        scored_ring_free(b);
    }
}

static void a_clean_run_is_said_to_be_clean(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(WAYS); i++) {
        scored_ring *b = scored_ring_new();
        const disturbed_ring ring = {.ranks = WAYS[i].ranks, .steps = SCORED_STEPS, .seed = 7};
        scored_ring_learn(b, WAYS[i].ranks, WAYS[i].reference);
        g_autoptr(app_score) s = scored_ring_score(b, &ring, NULL);
        CHECK_I64(s->num_clean, WAYS[i].ranks, "way %zu", i);
        g_autoptr(GPtrArray) findings = app_score_findings(s);
        CHECK(says(findings, "No rank was disturbed beyond what clean runs show."), "way %zu", i);
        scored_ring_free(b);
    }
}

static void another_program_is_not_judged(void)
{
    scored_ring *b = scored_ring_new();
    const disturbed_ring ring = {.ranks = 8, .steps = SCORED_STEPS, .seed = 7, .changed = true};
    scored_ring_learn(b, 8, NOISE_REFERENCE_LOO);
    g_autoptr(app_score) s = scored_ring_score(b, &ring, NULL);
    CHECK_I64(s->num_clean + s->num_disturbed, 0);
    g_autoptr(GPtrArray) findings = app_score_findings(s);
    CHECK(says(findings, "The run cannot be judged: at most 0 % of a rank's calls"));
    scored_ring_free(b);
}

static void the_reference_follows_from_the_number_of_nodes(void)
{
    static const uint32_t NODES[] = {0, 0, 1, 1, 2, 2, 3, 3};
    uint32_t nodes[G_N_ELEMENTS(NODES)];
    memcpy(nodes, NODES, sizeof nodes);
    app_run_input input = {.num_ranks = 8};
    CHECK_I64(app_learn_reference(&input), NOISE_REFERENCE_LOO, "eight of one rank");
    input.nodes = nodes;
    CHECK_I64(app_learn_reference(&input), NOISE_REFERENCE_CLEAN, "four of two ranks");
    input.nodes = NULL;
    input.num_ranks = 2;
    CHECK_I64(app_learn_reference(&input), NOISE_REFERENCE_CLEAN, "two");
}

SUITE_MAIN("score", TEST(the_disturbed_rank_is_named_with_onset_and_loss),
           TEST(a_clean_run_is_said_to_be_clean), TEST(another_program_is_not_judged),
           TEST(the_reference_follows_from_the_number_of_nodes))
