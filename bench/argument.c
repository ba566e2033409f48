/* bench/argument.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "argument.h"

#include "sim/unit.h"

#include <stdio.h>
#include <stdlib.h>

uint32_t bench_count(int argc, char **argv, int index, const char *what, uint32_t otherwise)
{
    if (index >= argc) {
        return otherwise;
    }
    g_autoptr(GError) error = NULL;
    uint32_t count = 0;
    if (!sim_unit_parse_count(argv[index], &count, &error)) {
        fprintf(stderr, "%s: %s: %s\n", argv[0], what, error->message);
        exit(2);
    }
    return count;
}
