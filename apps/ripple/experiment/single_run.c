/* apps/ripple/experiment/single_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_mine, cli_view. */
#include "experiment/single_run.h"

#include "experiment/run_noise.h"
#include "output/error.h"

uint32_t app_single_run_size(app_source *source, const app_context *context, GError **error)
{
    size_t n = 0;
    g_autofree uint32_t *sizes = app_source_sizes(source, context->manifest, &n, error);
    if (sizes != NULL && n > 1) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--ranks: one size at a time");
        return 0;
    }
    return sizes != NULL ? sizes[0] : 0;
}

bool app_single_run_begin(app_single_run *run, app_source *source, const app_setting *setting,
                          uint32_t ranks, uint64_t more, const app_context *context, GError **error)
{
    const app_noise *noise = &setting->noise;
    *run = (app_single_run){.params = &setting->machine->params};
    if (!app_source_check_memory(source, ranks, more, error)) {
        return false;
    }
    run->program = app_source_program(source, ranks, error);
    if (run->program == NULL) {
        return false;
    }
    run->placement = app_noise_placement(noise, ranks);
    run->injection =
        app_run_noise(noise, &run->placement, noise->cosched ? APP_COSCHEDULED : APP_UNSYNCHRONIZED,
                      context->seed, 0);
    if (app_places_have_levels(setting->places)) {
        run->of_places = app_places_levels_at(setting->places, ranks);
        run->levels = &run->of_places;
    }
    run->num_ops = app_watch_count_ops(run->program);
    run->progress = app_progress_new(context->verb, "runs", context->quiet);
    run->watch = app_watch_of(run->progress, run->num_ops, (double)run->num_ops);
    app_progress_expect(run->progress, 1, (double)run->num_ops);
    return true;
}

void app_single_run_clear(app_single_run *run)
{
    app_progress_free(run->progress);
    *run = (app_single_run){0};
}
