/* bench/sc10/recorded/app_case.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_lab. */
#include "app_case.h"

char *sc10_app_program_key(const sc10_app_case *what)
{
    return g_strdup_printf("%d %u %u %d%d%d%d %g %s", (int)what->proxy, what->copies,
                           MAX(what->repeat, 1), what->no_p2p, what->no_collectives,
                           what->roots_per_copy, (int)what->computation, sc10_app_stretch(what),
                           what->algorithms != NULL ? what->algorithms : "");
}

char *sc10_app_run_key(const sc10_app_case *what)
{
    g_autofree char *program = sc10_app_program_key(what);
    return g_strdup_printf("%s %s %d %s %d", program, what->machine, what->network,
                           what->noise != NULL ? what->noise : "none",
                           what->noise != NULL && what->cosched);
}
