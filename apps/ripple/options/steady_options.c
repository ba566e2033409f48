/* apps/ripple/options/steady_options.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_option_effects. */
#include "options/steady_options.h"

#include "options/program_options.h"
#include "output/error.h"
#include "sim/unit.h"

#include <string.h>

static const double HALF_WIDTH = 0.1;
static const sim_time BUDGET = 120 * SIM_S;

void app_steady_options_add(app_steady_options *self, app_options *options)
{
    const GOptionEntry entries[] = {
        {"half-width", 0, 0, G_OPTION_ARG_STRING, &self->half_width,
         "with --repeat=auto: wanted half width of the 95 % interval, relative to the slowdown "
         "[10%]",
         "PERCENT"},
        {"budget", 0, 0, G_OPTION_ARG_STRING, &self->budget,
         "with --repeat=auto: wall time for all sizes together, and as far as can be foreseen not "
         "more than a tenth beyond; what does not settle in it "
         "is marked, sizes that it has no room for are left out and named, all but the smallest; "
         "run without --ranks: so are sizes that do not settle [2min; run --watch: 5min]",
         "TIME"},
        {"threshold", 0, 0, G_OPTION_ARG_STRING, &self->threshold,
         "with --repeat=auto: say from how many ranks on the slowdown is above this, e.g. 10%, by "
         "bisection between the smallest and the largest of --ranks",
         "PERCENT"},
        {NULL},
    };
    app_options_add(options, "Steady slowdown", entries);
}

void app_steady_options_clear(app_steady_options *self)
{
    g_free(self->half_width);
    g_free(self->budget);
    g_free(self->threshold);
}

/* "10%" or "0.1" */
static bool parse_fraction(const char *option, const char *text, double standard, double *out,
                           GError **error)
{
    const double most = 1e6;
    *out = standard;
    if (text == NULL) {
        return true;
    }
    char *end = NULL;
    double value = g_ascii_strtod(text, &end);
    if (end != text && *end == '%') {
        value /= 100;
        end++;
    }
    if (end == text || *end != '\0' || !(value > 0) || value > most) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "%s: '%s' is not a percentage above 0, e.g. 10%%", option, text);
        return false;
    }
    *out = value;
    return true;
}

static bool parse_budget(const char *text, sim_time *out, GError **error)
{
    *out = BUDGET;
    if (text != NULL && !sim_unit_parse_time(text, SIM_S, out, error)) {
        app_error_blame_option(error, "--budget");
        return false;
    }
    return true;
}

static void add_to_manifest(const app_steady_wish *wish, app_manifest *manifest)
{
    g_autofree char *budget = sim_unit_format_time(wish->budget);
    app_manifest_add(manifest, "half-width", "%g%%", 100 * wish->half_width);
    app_manifest_add(manifest, "budget", "%s", budget);
    if (wish->threshold > 0) {
        app_manifest_add(manifest, "threshold", "%g%%", 100 * wish->threshold);
    }
}

bool app_steady_options_resolve(const app_steady_options *self, const char *repeat,
                                const char *idle, app_manifest *manifest, app_steady_wish *wish,
                                GError **error)
{
    const bool asked = repeat != NULL && strcmp(repeat, APP_REPEAT_AUTO) == 0;
    const bool automatic = asked || (repeat == NULL && self->standard);
    const char *why = idle != NULL ? idle : automatic ? NULL : "without --repeat=auto";
    const app_option_use uses[] = {
        {"--repeat=auto", asked, idle},
        {"--half-width", self->half_width != NULL, why},
        {"--budget", self->budget != NULL, why},
        {"--threshold", self->threshold != NULL, why},
    };
    *wish = (app_steady_wish){.wanted = automatic && idle == NULL};
    if (!app_options_refuse_idle(uses, G_N_ELEMENTS(uses), error) ||
        !parse_fraction("--half-width", self->half_width, HALF_WIDTH, &wish->half_width, error) ||
        !parse_fraction("--threshold", self->threshold, 0, &wish->threshold, error) ||
        !parse_budget(self->budget, &wish->budget, error)) {
        return false;
    }
    if (wish->wanted) {
        add_to_manifest(wish, manifest);
    }
    return true;
}
