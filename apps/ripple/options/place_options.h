/* apps/ripple/options/place_options.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The options that say which node each rank is on, and how many cores it has there.
 */
#pragma once

#include "noise/signature.h"
#include "options/options.h"
#include "output/manifest.h"
#include "places/places.h"

typedef struct app_place_options {
    char *ranks_per_node;
    char *placement;
    char *threads_per_rank;
    char *cores_per_node;
    bool of_study; /* what is idle in one point may not be in the next: the study looks */
} app_place_options;

void app_place_options_add(app_place_options *self, app_options *options);
void app_place_options_clear(app_place_options *self);

/**
 * What they mean on @p machine.
 * @param sizes [num_sizes] numbers of ranks that must have a place each; NULL: not known yet, see
 *   app_places_check()
 * @return owned by the caller; NULL with an error
 */
app_places *app_place_options_resolve(const app_place_options *self, const sim_machine *machine,
                                      const uint32_t *sizes, size_t num_sizes, GError **error);
/**
 * Is one of them given that changes nothing? Else what takes effect goes into @p manifest.
 * @param signature the noise; NULL: some that is not known yet
 */
bool app_place_options_finish(const app_place_options *self, const app_places *places,
                              const noise_signature *signature, app_manifest *manifest,
                              GError **error);
/** Why more cores of a rank, or of a node, make no difference to the noise: "without noise"; or
 * NULL. Static. */
const char *app_place_threads_idle(const noise_signature *signature);
const char *app_place_cores_idle(const noise_signature *signature);
