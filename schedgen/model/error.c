/* schedgen/model/error.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_trace. */
#include "sched/error.h"

GQuark sched_error_quark(void)
{
    return g_quark_from_static_string("sched-error");
}
