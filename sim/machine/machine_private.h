/* sim/machine/machine_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sim/machine.h"

/* A machine that comes with the program. */
typedef struct sim_machine_preset {
    const char *name;
    const char *description;
    sim_params params;
    const char *provenance[SIM_NUM_KEYS]; /* NULL: provenance of L */
} sim_machine_preset;

/** NULL if there is none of that name. Static. */
const sim_machine_preset *sim_machine_preset_find(const char *name);
