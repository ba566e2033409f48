/* sim/error.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The error domain of this layer. Messages name what was read and the value that is wrong.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define SIM_ERROR (sim_error_quark())
GQuark sim_error_quark(void);

typedef enum {
    SIM_ERROR_BAD_UNIT,    /* a number or unit that cannot be read */
    SIM_ERROR_BAD_MACHINE, /* a machine file, preset or setting that is not valid */
    SIM_ERROR_BAD_PROGRAM, /* a peer, CPU, NIC, size or dependency out of range */
    SIM_ERROR_UNMATCHED,   /* the run ended with messages or operations left over */
    SIM_ERROR_TRUNCATED,   /* a message is larger than the receive it meets */
    SIM_ERROR_OVERFLOW,    /* simulated time passed SIM_TIME_MAX */
    SIM_ERROR_STOPPED,     /* sim_watch wanted no more of the run */
    SIM_ERROR_BAD_FILE,    /* a file that cannot be read, is damaged or of another version */
} sim_error;

G_END_DECLS
