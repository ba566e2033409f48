/* apps/ripple/options/setting.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_option_effects, cli_simulate_errors. */
#include "options/setting.h"

bool app_setting_resolve(const app_machine_options *machine, const app_place_options *places,
                         const app_noise_options *noise, const uint32_t *sizes, size_t num_sizes,
                         const app_context *context, app_setting *setting, GError **error)
{
    app_setting *s = setting;
    *s = (app_setting){0};
    s->machine = app_machine_options_resolve(machine, context->manifest, error);
    s->places = s->machine != NULL
                    ? app_place_options_resolve(places, s->machine, sizes, num_sizes, error)
                    : NULL;
    const bool ok =
        s->places != NULL &&
        app_noise_options_resolve(noise, s->places, sizes, num_sizes, context->seed,
                                  context->manifest, &s->noise, error) &&
        app_place_options_finish(places, s->places, s->noise.signature, context->manifest, error) &&
        app_noise_check_seed(&s->noise, context->seed_given, error);
    if (!ok) {
        app_setting_clear(s);
    }
    return ok;
}

void app_setting_clear(app_setting *setting)
{
    app_noise_clear(&setting->noise);
    app_places_free(setting->places);
    sim_machine_free(setting->machine);
    *setting = (app_setting){0};
}
