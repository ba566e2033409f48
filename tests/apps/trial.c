/* tests/apps/trial.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "trial.h"

enum { SEED = 1 };

void trial_open(trial *t, const char *program, const char *ranks, const char *noise,
                const char *cosched, const char *replicas)
{
    char *argv[] = {NULL};
    g_autoptr(GError) error = NULL;
    t->manifest = app_manifest_new("test", argv);
    t->program.ranks = g_strdup(ranks);
    t->source = app_source_open(program, &t->program, false, t->manifest, &error);
    g_assert_no_error(error);
    t->sizes = app_source_sizes(t->source, t->manifest, &t->num_sizes, &error);
    g_assert_no_error(error);
    t->machine = sim_machine_load("xt4", &error);
    g_assert_no_error(error);
    g_autofree char *noise_text = g_strdup(noise);
    g_autofree char *cosched_text = g_strdup(cosched);
    g_autofree char *replicas_text = g_strdup(replicas);
    const app_noise_options options = {
        .noise = noise_text, .cosched = cosched_text, .replicas = replicas_text};
    (void)app_noise_options_resolve(&options, NULL, NULL, 0, SEED, t->manifest, &t->noise, &error);
    g_assert_no_error(error);
}

app_experiment trial_experiment(const trial *t, unsigned threads)
{
    return (app_experiment){.source = t->source,
                            .sizes = t->sizes,
                            .num_sizes = t->num_sizes,
                            .params = &t->machine->params,
                            .noise = &t->noise,
                            .seed = SEED,
                            .threads = threads,
                            .verb = "test",
                            .quiet = true};
}

void trial_close(trial *t)
{
    app_results_free(t->results);
    app_noise_clear(&t->noise);
    sim_machine_free(t->machine);
    g_free(t->sizes);
    app_source_free(t->source);
    app_manifest_free(t->manifest);
    app_program_options_clear(&t->program);
}
