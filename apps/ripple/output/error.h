/* apps/ripple/output/error.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Errors of the command itself, and which exit code an error means.
 */
#pragma once

#include <glib.h>

#define APP_ERROR (app_error_quark())
GQuark app_error_quark(void);

typedef enum {
    APP_ERROR_USAGE,      /* the command line is wrong: exit 2 */
    APP_ERROR_OUTPUT,     /* results cannot be written */
    APP_ERROR_MEMORY,     /* the work asked for does not fit into this machine */
    APP_ERROR_INPUT,      /* what was read cannot be used for what was asked */
    APP_ERROR_STOPPED,    /* by a signal or --time-limit: results are not whole */
    APP_ERROR_UNCOMPARED, /* a comparison could not be made, so that it says neither: exit 2 */
} app_error;

enum { APP_EXIT_DONE = 0, APP_EXIT_ERROR = 1, APP_EXIT_USAGE = 2, APP_EXIT_INVALID = 3 };

/** 2 for a wrong command line, or a comparison that could not be made; else 1. */
int app_error_exit_code(const GError *error);

/**
 * The value of an option was refused by a layer below: put the option's name in front and make it
 * an error of usage. @p error as filled by that layer; NULL is a no-op.
 */
void app_error_blame_option(GError **error, const char *option);
