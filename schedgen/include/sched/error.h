/* sched/error.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The error domain of this layer. Messages name file, line (or record) and value.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define SCHED_ERROR (sched_error_quark())
GQuark sched_error_quark(void);

typedef enum {
    SCHED_ERROR_NOT_RECOGNISED, /* not a format that Ripple reads */
    SCHED_ERROR_BAD_FILE,       /* recognised, but damaged or not valid */
    SCHED_ERROR_INCOMPLETE,     /* a trace that is cut short: a rank or its end is missing */
    SCHED_ERROR_UNSUPPORTED,    /* valid, but not convertible */
    SCHED_ERROR_CYCLE,          /* the happens-before graph has a cycle */
    SCHED_ERROR_BAD_PATTERN,    /* the text of a pattern is not one */
} sched_error;

G_END_DECLS
