/* apps/ripple/output/context.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate_errors, cli_sweep_errors. */
#include "output/context.h"

#include "output/error.h"

#include <stdarg.h>
#include <stdio.h>

bool app_context_check_args(const app_context *context, unsigned min, unsigned max, GError **error)
{
    if (context->nargs < min) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "missing argument: %s", context->usage);
        return false;
    }
    if (context->nargs > max) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "unexpected argument '%s'",
                    context->args[max]);
        return false;
    }
    return true;
}

void app_context_note(const app_context *context, const char *format, ...)
{
    if (!context->quiet) {
        va_list args;
        va_start(args, format);
        g_autofree char *text = g_strdup_vprintf(format, args);
        va_end(args);
        fprintf(stderr, "ripple %s: %s\n", context->verb, text);
    }
}
