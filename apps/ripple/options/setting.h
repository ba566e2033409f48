/* apps/ripple/options/setting.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Under what a program runs: the machine, where its ranks are, and the noise.
 */
#pragma once

#include "options/machine_options.h"
#include "options/noise_options.h"
#include "options/place_options.h"
#include "output/context.h"

/** All owned but what noise borrows: places. */
typedef struct app_setting {
    sim_machine *machine;
    app_places *places;
    app_noise noise;
} app_setting;

/**
 * What the options mean for programs of @p sizes; every parameter goes into the context's manifest.
 * @param setting is filled on success, and all zero otherwise
 */
bool app_setting_resolve(const app_machine_options *machine, const app_place_options *places,
                         const app_noise_options *noise, const uint32_t *sizes, size_t num_sizes,
                         const app_context *context, app_setting *setting, GError **error);
void app_setting_clear(app_setting *setting);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_setting, app_setting_clear)
