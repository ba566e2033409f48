/* tests/apps/scores/test_explain.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The time line of a disturbed rank: what is marked is what was disturbed, and nothing is lost. */
#include "check.h"
#include "scores/explain.h"
#include "scores/scored_ring.h"
#include "sim/unit.h"

static const disturbed_ring RING = {.ranks = 8,
                                    .steps = SCORED_STEPS,
                                    .seed = 7,
                                    .rank = 1,
                                    .from = 200,
                                    .to = 400,
                                    .extra = 4 * SIM_MS};

static void what_was_disturbed_is_marked(void)
{
    scored_ring *b = scored_ring_new();
    scored_ring_learn(b, RING.ranks, NOISE_REFERENCE_LOO);
    sim_time onset = 0;
    g_autoptr(app_score) s = scored_ring_score(b, &RING, &onset);
    const sched_trace *trace = app_run_input_record(b->input);
    g_autoptr(app_picture) p = app_explain_rank(s, 1, trace, b->folder);
    CHECK_I64(p->lanes[0].rank, 1);
    sim_time struck = 0; /* marked, and longer than it is without */
    sim_time missed = 0; /* the same, not marked */
    for (size_t i = 0; i < p->lanes[0].num_slices; i++) {
        const app_picture_slice *t = &p->slices[p->lanes[0].first_slice + i];
        const bool is_long = t->kind == APP_PICTURE_COMPUTE && t->end - t->begin > 6 * SIM_MS;
        const bool is_marked = t->component != APP_PICTURE_NONE;
        struck += is_long && is_marked ? t->end - t->begin : 0;
        missed += is_long && !is_marked ? t->end - t->begin : 0;
        CHECK(!is_marked || t->begin > onset - 200 * SIM_MS, "slice %zu", i);
    }
    CHECK(struck > 1440 * SIM_MS, "%" G_GINT64_FORMAT, struck);
    CHECK(missed < 160 * SIM_MS, "%" G_GINT64_FORMAT, missed);
    CHECK(p->num_facts > 1);
    CHECK(strstr(p->facts[0].value, "rank 1 was disturbed from ") != NULL, "%s", p->facts[0].value);
    CHECK(p->num_components > 0 && g_str_has_suffix(p->components[0].name, " disturbed"));
    scored_ring_free(b);
}

static void other_lanes_are_as_recorded(void)
{
    scored_ring *b = scored_ring_new();
    scored_ring_learn(b, RING.ranks, NOISE_REFERENCE_LOO);
    g_autoptr(app_score) s = scored_ring_score(b, &RING, NULL);
    const sched_trace *trace = app_run_input_record(b->input);
    g_autoptr(app_picture) p = app_explain_rank(s, 1, trace, b->folder);
    CHECK_I64(p->num_lanes, 4);
    for (uint32_t i = 0; i < p->num_lanes; i++) {
        const app_picture_lane *lane = &p->lanes[i];
        sim_time until = 0;
        CHECK_I64(lane->rank, i + 1);
        for (size_t k = 0; k < lane->num_slices; k++) {
            const app_picture_slice *t = &p->slices[lane->first_slice + k];
            CHECK(t->begin >= until && t->end > t->begin, "lane %u slice %zu", i, k);
            CHECK(i == 0 || t->component == APP_PICTURE_NONE, "lane %u slice %zu", i, k);
            until = t->end;
        }
        CHECK_NEAR(until, p->makespan, 20 * SIM_MS, "lane %u", i);
    }
    scored_ring_free(b);
}

SUITE_MAIN("explain", TEST(what_was_disturbed_is_marked), TEST(other_lanes_are_as_recorded))
