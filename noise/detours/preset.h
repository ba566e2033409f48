/* noise/detours/preset.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The machines of the SC'10 paper, as models (docs/noise.md, section 7).
 */
#pragma once

#include "sim/time.h"

typedef struct noise_preset {
    const char *name;
    const char *description;
    const char *components; /* models joined by '+'; "" for none */
    sim_time at_least;      /* a trace of it is at least so long */
} noise_preset;

/** @return NULL if there is none of that name; static */
const noise_preset *noise_preset_find(const char *name);
