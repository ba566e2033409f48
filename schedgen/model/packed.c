/* schedgen/model/packed.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_packed_calls. */
#include "model/packed_private.h"

void sched_packed_free(sched_packed *packed)
{
    if (packed != NULL) {
        g_free(packed->classes);
        g_free(packed->bodies);
        g_free(packed->tokens);
        g_free(packed);
    }
}
