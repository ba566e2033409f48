/* apps/ripple/options/single_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_option_effects, cli_help. */
#include "options/single_options.h"

void app_single_options_add(app_single_options *self, app_options *options)
{
    app_program_options_add(&self->program, options);
    app_program_options_add_flops(&self->program, options);
    app_machine_options_add(&self->machine, options);
    app_place_options_add(&self->places, options);
    app_noise_options_add(&self->noise, false, options);
}

void app_single_options_clear(app_single_options *self)
{
    app_program_options_clear(&self->program);
    app_machine_options_clear(&self->machine);
    app_place_options_clear(&self->places);
    app_noise_options_clear(&self->noise);
}
