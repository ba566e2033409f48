/* tests/apps/scores/scored_ring.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "scores/scored_ring.h"

#include "check.h"
#include "folder.h"

#include <glib/gstdio.h>

scored_ring *scored_ring_new(void)
{
    scored_ring *b = g_new0(scored_ring, 1);
    b->folder = g_dir_make_tmp("ripple-score-XXXXXX", NULL);
    b->context = (app_context){.verb = "detect", .quiet = true};
    b->context.manifest = app_manifest_new("detect", b->nobody);
    b->how = (app_run_options){&b->program, &b->machine, &b->places, &b->noise};
    return b;
}

void scored_ring_free(scored_ring *b)
{
    noise_interference_scorer_free(b->scorer);
    app_run_input_free(b->input);
    noise_interference_model_free(b->model);
    app_manifest_free(b->context.manifest);
    folder_remove(b->folder);
    g_free(b->folder);
    g_free(b);
}

static char *record(const scored_ring *b, const char *name, const disturbed_ring *ring,
                    sim_time *onset)
{
    char *path = g_build_filename(b->folder, name, NULL);
    CHECK(g_mkdir(path, 0700) == 0);
    const sim_time at = disturbed_ring_write(ring, path);
    if (onset != NULL) {
        *onset = at;
    }
    return path;
}

void scored_ring_learn(scored_ring *b, uint32_t ranks, noise_interference_reference reference)
{
    const disturbed_ring first = {.ranks = ranks, .steps = SCORED_STEPS, .seed = 1};
    const disturbed_ring second = {.ranks = ranks, .steps = SCORED_STEPS, .seed = 2};
    g_autofree char *a = record(b, "clean1", &first, NULL);
    g_autofree char *c = record(b, "clean2", &second, NULL);
    const app_learn_run runs[] = {{a, NOISE_RUN_CLEAN, &b->how}, {c, NOISE_RUN_CLEAN, &b->how}};
    const app_learn_options options = {.reference = reference, .filter = -1};
    g_autoptr(GError) error = NULL;
    noise_sequences_found found;
    b->model = app_learn(runs, G_N_ELEMENTS(runs), &options, &b->context, &found, &error);
    g_assert_no_error(error);
    CHECK(b->model->coverage > 0.9, "%g", b->model->coverage);
}

app_score *scored_ring_score(scored_ring *b, const disturbed_ring *ring, sim_time *onset)
{
    g_autofree char *name = record(b, "run", ring, onset);
    g_autoptr(GError) error = NULL;
    b->input = app_run_input_open(name, &b->how, &b->context, b->context.manifest, 0, &error);
    g_assert_no_error(error);
    g_autoptr(app_run_calls) calls =
        app_run_input_calls(b->input, (noise_match)b->model->match, &b->context, &error);
    b->scorer = app_scoring(b->model, calls, NULL, APP_SCORING_COURSE, &error);
    g_assert_no_error(error);
    return app_score_new(b->model, b->scorer, ring->ranks, APP_SCORE_ALPHA);
}
