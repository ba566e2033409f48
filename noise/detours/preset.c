/* noise/detours/preset.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature. */
#include "detours/preset.h"

#include "noise/signature.h"

/*
 * Inferred from what the paper states of each machine: Table I's serial noise, the lengths seen in
 * Figure 1, and the size at which a collective's median jumps, P (D + w) / T = ln 2.
 */
static const noise_preset PRESETS[] = {
    {"chic", "CHiC: rare 6 ms interruptions and a 4 ms tick, 0.21 %",
     "poisson:4.556s:6ms+fixed:4ms:3.1us", 456 * SIM_S},
    {"altix", "SGI Altix: 220 us every 2 s and a 10 ms tick of 1-7 us, 0.05 %",
     "fixed:2s:220us+tick:10ms:1us:7us", 1000 * SIM_S},
    {"zeptoos", "Blue Gene/P under ZeptoOS: 50 us every 62.5 ms, 0.08 %", "fixed:62.5ms:50us", 0},
    {"jaguar", "Cray XT-4 Jaguar: rare 2.5 ms interruptions and two ticks, 0.02 %",
     "poisson:20s:2.5ms+fixed:100ms:6us+fixed:1s:15us", 2000 * SIM_S},
    {"cnk", "Blue Gene/P's compute node kernel: none", "", 0},
};

static const char *const NAMES[] = {"chic", "altix", "zeptoos", "jaguar", "cnk", NULL};
G_STATIC_ASSERT(G_N_ELEMENTS(NAMES) == G_N_ELEMENTS(PRESETS) + 1);

const noise_preset *noise_preset_find(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(PRESETS); i++) {
        if (g_str_equal(PRESETS[i].name, name)) {
            return &PRESETS[i];
        }
    }
    return NULL;
}

const char *const *noise_presets(void)
{
    return NAMES;
}

const char *noise_preset_description(const char *name)
{
    const noise_preset *preset = noise_preset_find(name);
    return preset != NULL ? preset->description : NULL;
}
