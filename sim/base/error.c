/* sim/base/error.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_unit. */
#include "sim/error.h"

GQuark sim_error_quark(void)
{
    return g_quark_from_static_string("sim-error");
}
