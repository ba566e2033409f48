/* apps/ripple/options/program_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_option_effects, cli_simulate. */
#include "options/program_options.h"

void app_program_options_add(app_program_options *self, app_options *options)
{
    const GOptionEntry entries[] = {
        {"ranks", 'p', 0, G_OPTION_ARG_STRING, &self->ranks,
         "sizes, e.g. 64,1Ki,2^20; multiples of a trace's or schedule's own size [the program's "
         "own; a collective or pattern: 64]",
         "LIST"},
        {"coll", 0, 0, G_OPTION_ARG_STRING, &self->coll,
         "algorithms of collectives, e.g. sc10 or allreduce=ring,bcast=binomial [sc10]",
         "PROFILE|KIND=ALGORITHM,..."},
        {"compute", 0, 0, G_OPTION_ARG_STRING, &self->compute,
         "time between MPI calls: CPU time where it is recorded, or wall clock [cpu]", "cpu|wall"},
        {"no-p2p", 0, 0, G_OPTION_ARG_NONE, &self->no_p2p,
         "leave point-to-point messages out; their time counts as computation", NULL},
        {"no-collectives", 0, 0, G_OPTION_ARG_NONE, &self->no_collectives,
         "leave collectives out; their time counts as computation", NULL},
        {"roots", 0, 0, G_OPTION_ARG_STRING, &self->roots,
         "when a trace is repeated: one root of rooted collectives, or one in each copy "
         "[global]",
         "global|copy"},
        {"copies", 0, 0, G_OPTION_ARG_STRING, &self->copies,
         "when a trace is repeated: copies compute what was recorded when it was recorded, or in "
         "an order of their own, so that they are no clones [recorded; seed 1]",
         "recorded|resampled[,seed=N]"},
        {"wildcards", 0, 0, G_OPTION_ARG_STRING, &self->wildcards,
         "receives from any source: keep them, or receive what was recorded [keep]",
         "keep|recorded"},
        {"reduce", 0, 0, G_OPTION_ARG_STRING, &self->reduce,
         "CPU time per byte combined in reductions [0]", "RATE"},
        {"repeat", 0, 0, G_OPTION_ARG_STRING, &self->repeat,
         self->may_be_auto
             ? "the program this often, back to back; auto: as often as it takes to know "
               "how much slower it is in the long run"
             : "the program this often, back to back [1]",
         self->may_be_auto ? "N|auto" : "N"},
        {NULL},
    };
    app_options_add(options, "Program", entries);
    app_extrapolation_options_add(&self->larger, options);
}

void app_program_options_add_flops(app_program_options *self, app_options *options)
{
    const GOptionEntry entries[] = {
        {"flops-per-second", 0, 0, G_OPTION_ARG_STRING, &self->flops_per_second,
         "what a rank computes in a second, e.g. 2.5e9, for traces that tell it in flops", "RATE"},
        {NULL},
    };
    app_options_add(options, "Trace", entries);
}

void app_program_options_clear(app_program_options *self)
{
    g_free(self->ranks);
    g_free(self->coll);
    g_free(self->compute);
    g_free(self->roots);
    g_free(self->copies);
    g_free(self->wildcards);
    g_free(self->reduce);
    g_free(self->repeat);
    g_free(self->flops_per_second);
    app_extrapolation_options_clear(&self->larger);
}
