/* apps/ripple/options/program_options.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "options/extrapolation_options.h"
#include "options/options.h"

/** --repeat: as often as it takes to know the steady slowdown (options/steady_options.h). */
#define APP_REPEAT_AUTO "auto"

/** The options that say how a program is read, converted and enlarged. */
typedef struct app_program_options {
    char *ranks;
    char *coll;
    char *compute;
    char *roots;
    char *copies;
    char *wildcards;
    char *reduce;
    char *repeat;
    char *flops_per_second; /* NULL with verbs that do not offer it */
    app_extrapolation_options larger;
    gboolean no_p2p;
    gboolean no_collectives;
    gboolean recognised; /* --recognise: the grid is asked for, enlarged or not */
    bool any_size;       /* --extrapolate is not idle where no rank is added: all is compared */
    bool may_be_auto;    /* --repeat=auto: the verb knows how often that is */
    bool of_study;       /* do not refuse idle options: the study checks them over all its points */
} app_program_options;

/** All but --flops-per-second; those of a larger grid among them. */
void app_program_options_add(app_program_options *self, app_options *options);
/** How long flops take, for verbs that take traces of flops. */
void app_program_options_add_flops(app_program_options *self, app_options *options);
void app_program_options_clear(app_program_options *self);
