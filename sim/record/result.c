/* sim/record/result.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run. */
#include "sim/result.h"

void sim_result_free(sim_result *result)
{
    if (result != NULL) {
        g_free(result->finish);
        g_free(result->path);
        g_free(result);
    }
}
