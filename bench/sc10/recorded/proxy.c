/* bench/sc10/recorded/proxy.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: sc10_short. */
#include "proxy.h"

/* Section V of the paper; AMG2006's collectives are 9.72 % of all time, of 45 %. */
const sc10_proxy SC10_PROXIES[SC10_NUM_PROXIES] = {
    [SC10_SWEEP3D] =
        {"sweep3d", "sweep3d-100", "E13", "Sweep3D", 100, {1, 4, 16, 160}, 36200, 0.172, 0.076},
    [SC10_AMG] =
        {"amg", "amg-125", "E14", "AMG2006", 125, {1, 4, 16, 128}, 6300, 0.45, 0.0972 / 0.45},
    [SC10_POP] = {"pop", "pop-128", "E15", "POP", 128, {1, 5, 25, 250}, 40000, 0.772, 0.77},
};
