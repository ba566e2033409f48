/* apps/ripple/options/machine_options.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The options that say on which machine a program is simulated.
 */
#pragma once

#include "options/options.h"
#include "output/manifest.h"
#include "sim/machine.h"

typedef struct app_machine_options {
    char *machine;
    char **set;
    char *compat;
    bool may_be_compat;  /* there is --compat */
    const char *without; /* what is taken without --machine, for the help; NULL: a preset */
} app_machine_options;

/** Is it LogGOPSim's order of events, in which nothing but finish times is known? */
static inline bool app_machine_options_is_compat(const app_machine_options *self)
{
    return self->compat != NULL;
}

void app_machine_options_add(app_machine_options *self, app_options *options);
void app_machine_options_clear(app_machine_options *self);

/**
 * The machine they describe: preset or file, then --compat, then each --set in turn. Every
 * parameter goes into @p manifest. With --compat, nodes, distance and other settings of progress
 * and rendezvous are refused.
 * @return owned by the caller; NULL with an error
 */
sim_machine *app_machine_options_resolve(const app_machine_options *self, app_manifest *manifest,
                                         GError **error);
/** The same of a machine that comes from elsewhere, which is taken: --compat and each --set. */
sim_machine *app_machine_options_apply(const app_machine_options *self, sim_machine *machine,
                                       app_manifest *manifest, GError **error);
