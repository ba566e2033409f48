/* apps/ripple/impact/impact_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_mine. */
#include "impact/impact_options.h"

#include "output/error.h"
#include "sim/unit.h"

static const sim_time DEFAULT_BUDGET = 60 * SIM_S;

void app_impact_options_add(app_impact_options *self, app_options *options)
{
    const GOptionEntry entries[] = {
        {"impact", 0, 0, G_OPTION_ARG_STRING, &self->impact,
         "say what each row costs the program: it is simulated under the noise that was found, and "
         "without each row in turn, at this many ranks [as many as were mined]",
         "[=RANKS]"},
        {"budget", 0, 0, G_OPTION_ARG_STRING, &self->budget,
         "wall time that --impact may take, about; rows that take little are left out first [60s]",
         "TIME"},
        {NULL},
    };
    app_options_add(options, "Impact", entries);
}

void app_impact_options_clear(app_impact_options *self)
{
    g_free(self->impact);
    g_free(self->budget);
}

bool app_impact_options_resolve(const app_impact_options *self, app_manifest *manifest,
                                app_impact_wish *wish, GError **error)
{
    const char *text = self->impact;
    *wish = (app_impact_wish){.wanted = text != NULL};
    const app_option_use use = {"--budget", self->budget != NULL,
                                wish->wanted ? NULL : "without --impact"};
    if (!app_options_refuse_idle(&use, 1, error)) {
        return false;
    }
    if (text == NULL) {
        return true;
    }
    if (text[0] != '\0' && !sim_unit_parse_count(text, &wish->ranks, error)) {
        app_error_blame_option(error, "--impact");
        return false;
    }
    sim_time budget = DEFAULT_BUDGET;
    if (self->budget != NULL && !sim_unit_parse_time(self->budget, SIM_S, &budget, error)) {
        app_error_blame_option(error, "--budget");
        return false;
    }
    if (budget <= 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--budget: '%s' leaves no time",
                    self->budget);
        return false;
    }
    wish->seconds = (double)budget / (double)SIM_S;
    g_autofree char *seconds = sim_unit_format_time(budget);
    app_manifest_add(manifest, "impact", "%s", text[0] != '\0' ? text : "yes");
    app_manifest_add(manifest, "budget", "%s", seconds);
    return true;
}
