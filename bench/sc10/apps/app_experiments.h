/* bench/sc10/apps/app_experiments.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The experiments on applications of the SC'10 paper (section V); each adds its checks to the
 * table. Numbers, tolerances and what they are inferred from: docs/sc10.md.
 */
#pragma once

#include "app_lab.h"
#include "experiments.h"
#include "table.h"

/** All experiments ask before any of them checks, so that their runs go in one queue. */
typedef struct sc10_app_experiment {
    void (*ask)(sc10_app_lab *lab);
    /** When that has been run: for what depends on it; NULL: nothing does. */
    void (*ask_more)(sc10_app_lab *lab);
    void (*check)(sc10_app_lab *lab, sc10_table *table);
} sc10_app_experiment;

extern const sc10_app_experiment sc10_call_pattern;  /* E12: Figure 8a */
extern const sc10_app_experiment sc10_scale_sweep3d; /* E13: Figure 8b */
extern const sc10_app_experiment sc10_scale_amg;     /* E14: Figure 8c */
extern const sc10_app_experiment sc10_scale_pop;     /* E15: Figure 9a */
extern const sc10_app_experiment sc10_parts;         /* E16: Figures 9b, 9c */
extern const sc10_app_experiment sc10_app_network;   /* E17: Figure 10 */

/** A proxy on a machine of the paper under its own noise. */
sc10_app_case sc10_app_case_of(sc10_proxy_id proxy, const sc10_machine *machine, uint32_t copies);
