/* tests/apps/scores/test_score_page.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a score has what the text has, and the figures of the paper. */
#include "check.h"
#include "scores/score_figures.h"
#include "scores/score_page.h"
#include "scores/scored_ring.h"
#include "sim/unit.h"

static const disturbed_ring RING = {.ranks = 8,
                                    .steps = SCORED_STEPS,
                                    .seed = 7,
                                    .rank = 1,
                                    .from = 200,
                                    .to = 400,
                                    .extra = 4 * SIM_MS};

static void the_page_has_findings_table_and_figures(void)
{
    scored_ring *b = scored_ring_new();
    scored_ring_learn(b, RING.ranks, NOISE_REFERENCE_LOO);
    g_autoptr(app_score) s = scored_ring_score(b, &RING, NULL);
    const app_score_page page = {s, "a <ring>", "ripple detect score"};
    g_autofree char *folder = g_build_filename(b->folder, "page", NULL);
    g_autofree char *path = g_build_filename(folder, APP_SCORE_PAGE, NULL);
    g_autoptr(GError) error = NULL;
    CHECK(app_score_page_write(&page, folder, &error));
    g_assert_no_error(error);
    g_autofree char *html = NULL;
    CHECK(g_file_get_contents(path, &html, NULL, &error));
    static const char *const HAS[] = {"Rank 1 was disturbed from ", "a &lt;ring&gt;",
                                      "metric-by-rank.csv", "ils-rank-1.csv", "MPI_Send to rank+1"};
    for (size_t i = 0; i < G_N_ELEMENTS(HAS); i++) {
        CHECK(strstr(html, HAS[i]) != NULL, "%s", HAS[i]);
    }
    scored_ring_free(b);
}

/* A bar per rank: of the disturbed one alone it is in the column "disturbed". */
static void the_metric_is_drawn_for_every_rank(void)
{
    scored_ring *b = scored_ring_new();
    scored_ring_learn(b, RING.ranks, NOISE_REFERENCE_LOO);
    g_autoptr(app_score) s = scored_ring_score(b, &RING, NULL);
    g_autoptr(app_chart) chart = app_score_metric_figure(s);
    g_auto(GStrv) lines = g_strsplit(chart->csv, "\n", -1);
    for (uint32_t r = 0; r < RING.ranks; r++) {
        g_auto(GStrv) fields = g_strsplit(lines[r + 1], ",", -1);
        const double disturbed = g_ascii_strtod(fields[3], NULL);
        CHECK_I64(g_ascii_strtoll(fields[0], NULL, 10), r, "%s", lines[r + 1]);
        CHECK(r == 1 ? disturbed > 0.3 : disturbed == 0, "%s", lines[r + 1]);
        CHECK(r == 1 || s->judged[r].metric < s->judged[1].metric, "rank %u", r);
    }
    scored_ring_free(b);
}

/* It is 0 before the disturbance, grows while it lasts, and falls afterwards. */
static void signals_rise_and_fall_with_the_disturbance(void)
{
    scored_ring *b = scored_ring_new();
    scored_ring_learn(b, RING.ranks, NOISE_REFERENCE_LOO);
    sim_time onset = 0;
    g_autoptr(app_score) s = scored_ring_score(b, &RING, &onset);
    const uint32_t l = s->judged[1].of[NOISE_INTERFERENCE_DISTURBED].by_onset;
    const noise_interference_signal *g = noise_interference_scorer_signal(s->scorer, 1, l);
    CHECK(g->num_points > 10, "%u", g->num_points);
    double most = 0;
    for (uint32_t i = 0; i < g->num_points; i++) {
        const noise_interference_point *p = &g->points[i];
        const double ils = p->judged > 0 ? (double)p->exceeded / (double)p->judged : 0;
        CHECK(p->end > onset || ils < 0.05, "point %u: %g", i, ils);
        most = MAX(most, ils);
    }
    CHECK(most > 0.4, "%g", most);
    CHECK(noise_interference_ils(g) < most, "%g", noise_interference_ils(g));
    g_autoptr(app_chart) chart = app_score_ils_figure(s, 1);
    CHECK(chart != NULL && strstr(chart->csv, "sequence 0") != NULL);
    scored_ring_free(b);
}

SUITE_MAIN("score_page", TEST(the_page_has_findings_table_and_figures),
           TEST(the_metric_is_drawn_for_every_rank),
           TEST(signals_rise_and_fall_with_the_disturbance))
