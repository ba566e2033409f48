/* apps/ripple/output/error.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate_errors. */
#include "output/error.h"

#include <stdbool.h>

GQuark app_error_quark(void)
{
    return g_quark_from_static_string("app-error");
}

int app_error_exit_code(const GError *error)
{
    const bool usage = error->domain == G_OPTION_ERROR ||
                       g_error_matches(error, APP_ERROR, APP_ERROR_USAGE) ||
                       g_error_matches(error, APP_ERROR, APP_ERROR_UNCOMPARED);
    return usage ? APP_EXIT_USAGE : APP_EXIT_ERROR;
}

void app_error_blame_option(GError **error, const char *option)
{
    if (error != NULL && *error != NULL) {
        g_prefix_error(error, "%s: ", option);
        (*error)->domain = APP_ERROR;
        (*error)->code = APP_ERROR_USAGE;
    }
}
