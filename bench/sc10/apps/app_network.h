/* bench/sc10/apps/app_network.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * POP on CHiC under its noise, with other networks, as in section V-B of the paper.
 */
#pragma once

#include "app_case.h"

enum { SC10_SLOW, SC10_NOMINAL, SC10_FAST, SC10_NUM_NETWORKS };

typedef struct sc10_network_speed {
    const char *name; /* "network x 10" */
    int factor;       /* of sc10_app_case */
} sc10_network_speed;

extern const sc10_network_speed SC10_NETWORKS[SC10_NUM_NETWORKS];
sc10_app_case sc10_network_case(size_t network, uint32_t copies);
