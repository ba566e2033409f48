/* apps/ripple/measure/measure_ask.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_measure_files, cli_measure_page. */
#include "measure/measure_ask.h"

#include "output/error.h"
#include "output/folder.h"
#include "sim/unit.h"

static const sim_time COLLECTIVE = 10 * SIM_US;

bool app_measure_ask_read(const char *collective, const char *report, app_manifest *manifest,
                          app_measure_ask *ask, GError **error)
{
    *ask = (app_measure_ask){.collective = COLLECTIVE, .report = report};
    if (collective != NULL && !sim_unit_parse_time(collective, SIM_NS, &ask->collective, error)) {
        app_error_blame_option(error, "--collective");
        return false;
    }
    if (ask->collective <= 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "--collective: takes no time");
        return false;
    }
    g_autofree char *text = sim_unit_format_time(ask->collective);
    app_manifest_add(manifest, "collective", "%s", text);
    return true;
}

bool app_measure_ask_check(const app_measure_ask *ask, GError **error)
{
    unsigned num_new = 0;
    if (ask->report == NULL) {
        return true;
    }
    if (!app_folder_make(ask->report, &num_new, error)) {
        return false;
    }
    app_folder_drop(ask->report, num_new);
    return true;
}
