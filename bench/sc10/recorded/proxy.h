/* bench/sc10/recorded/proxy.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The three programs that stand for the paper's applications, and what the paper says of those.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum { SC10_SWEEP3D, SC10_AMG, SC10_POP, SC10_NUM_PROXIES } sc10_proxy_id;

enum { SC10_PROXY_SIZES = 4 };

typedef struct sc10_proxy {
    const char *name;                  /* "sweep3d" */
    const char *record;                /* "sweep3d-100": folder and file in apps/proxies/traces */
    const char *experiment;            /* "E13" */
    const char *application;           /* "Sweep3D": the paper's */
    uint32_t ranks;                    /* recorded */
    uint32_t copies[SC10_PROXY_SIZES]; /* of the record, ascending; the last as many as the paper */
    double flops_per_second;           /* time scale; README.md beside the record */
    double communication;              /* share of all time, of the paper's run */
    double collectives;                /* share of that */
} sc10_proxy;

extern const sc10_proxy SC10_PROXIES[SC10_NUM_PROXIES];
