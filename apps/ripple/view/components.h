/* apps/ripple/view/components.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The noise of a run, and each of its components as it would be alone, at the same instants: so
 * that a detour has a name.
 */
#pragma once

#include "view/lanes.h"

typedef struct app_components {
    noise_injection *all; /* NULL: no noise */
    size_t n;
    noise_signature **alone;          /* [n] all the others are left out */
    noise_injection **each;           /* [n] */
    const sim_noise **hooks;          /* [n] */
    const noise_signature *signature; /* borrowed, as are the options */
    noise_injection_options options;
    uint32_t num_ranks;
} app_components;

/** Lay all of it over the ranks. @param signature NULL: no noise */
void app_components_init(app_components *components, const noise_signature *signature,
                         const noise_injection_options *options, uint32_t num_ranks);
/**
 * Lay each over them, too. One that cannot be told from the others stays without a hook.
 * @return false with NOISE_ERROR
 */
bool app_components_split(app_components *components, GError **error);
void app_components_clear(app_components *components);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_components, app_components_clear)
