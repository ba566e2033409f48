/* bench/sc10/params.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: sc10_short. */
#include "params.h"

sim_params sc10_params(const char *machine, int network)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_machine) loaded = sim_machine_load(machine, &error);
    if (loaded == NULL) {
        g_error("%s", error->message);
    }
    sim_params p = loaded->params;
    if (network > 0) {
        p.L *= network;
        p.g *= network;
        p.G *= network;
    } else if (network < 0) {
        p.L /= -network;
        p.g /= -network;
        p.G /= -network;
    }
    return p;
}
