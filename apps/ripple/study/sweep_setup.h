/* apps/ripple/study/sweep_setup.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From the values of a point to what the simulator takes: program, machine and noise, by the same
 * code as for simulate, and every parameter that takes effect with its value.
 */
#pragma once

#include "options/noise_options.h"
#include "program/source.h"
#include "study/sweep_parameter.h"

#include "sim/machine.h"

/** The value of a parameter that takes effect. */
typedef struct app_sweep_value {
    bool has; /* else it has no effect in this point */
    int64_t number;
    char *text; /* of words; NULL for numbers */
} app_sweep_value;

typedef struct app_sweep_setup {
    app_source *source;
    uint32_t ranks;
    const sim_machine *machine;
    const app_places *places;
    const app_noise *noise;
    bool cosched; /* its noisy runs are co-scheduled ones */
    uint64_t seed;
    app_sweep_value effective[APP_NUM_PARAMETERS];
} app_sweep_setup;

/** Keeps what was set up last: points that have a program, machine or noise in common share it. */
typedef struct app_sweep_maker app_sweep_maker;
app_sweep_maker *app_sweep_maker_new(void);
void app_sweep_maker_free(app_sweep_maker *maker);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_sweep_maker, app_sweep_maker_free)

/**
 * Set a point up. @p values by parameter, NULL: as simulate has it.
 * @return borrowed from @p maker, until the next call; NULL with an error
 */
const app_sweep_setup *app_sweep_make(app_sweep_maker *maker,
                                      const char *const values[APP_NUM_PARAMETERS], GError **error);
/**
 * Where a parameter has no effect, if that is in this point: "without noise"; else NULL. Static.
 * Some that have none are still in the point's effective values: its seed, for one.
 */
const char *app_sweep_setup_ignores(const app_sweep_setup *setup, app_parameter_id id);
/**
 * Which program with which options: points with the same text share a source. Owned by the caller.
 */
char *app_sweep_source_key(const char *const values[APP_NUM_PARAMETERS]);
