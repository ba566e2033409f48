/* bench/sc10/apps/parts.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A proxy with some of its calls left out, as the paper does it in section V-A.
 */
#pragma once

#include "app_case.h"

typedef enum { SC10_ALL_CALLS, SC10_NO_P2P, SC10_NO_COLLECTIVES, SC10_NUM_PARTS } sc10_part;

/** "all", "nop2p", "nocolls": the paper's words. Static. */
extern const char *const SC10_PARTS[SC10_NUM_PARTS];
/** On CHiC, under its noise. */
sc10_app_case sc10_part_case(sc10_proxy_id proxy, sc10_part part, uint32_t copies);
