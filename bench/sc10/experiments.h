/* bench/sc10/experiments.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The experiments on collectives of Hoefler, Schneider and Lumsdaine, "Characterizing the Influence
 * of System Noise on Large-Scale Applications by Simulation", SC'10; each adds its checks to the
 * table. Numbers, tolerances and what they are inferred from: docs/sc10.md.
 */
#pragma once

#include "lab.h"
#include "table.h"

typedef void sc10_experiment(sc10_lab *lab, sc10_table *table);

sc10_experiment sc10_noise_models;    /* E1: Table I, Figure 1 */
sc10_experiment sc10_synchronization; /* E2: Figures 2 to 4 */
sc10_experiment sc10_beckman;         /* E3: fixed noise of Beckman et al. */
sc10_experiment sc10_extreme_noise;   /* E4: Figure 5a */
sc10_experiment sc10_rooted;          /* E5 */
sc10_experiment sc10_ferreira;        /* E6 */
sc10_experiment sc10_machines;        /* E7: Figures 5b, 5c, 6a */
sc10_experiment sc10_broadcast;       /* E8: Figure 6b */
sc10_experiment sc10_large_messages;  /* E9: Figures 6c, 7a */
sc10_experiment sc10_coscheduling;    /* E10: Figure 7b */
sc10_experiment sc10_network;         /* E11: Figures 7d to 7f */

/** A machine of the paper, and what the paper says of it. */
typedef struct sc10_machine {
    const char *name;    /* "CHiC" */
    const char *machine; /* preset of Table III */
    const char *noise;   /* preset */
    double jump;         /* ranks at which the median jumps; 0: nowhere */
    double slowdown;     /* of the dissemination at 2^20 ranks */
    double tolerance;    /* of that */
    double broadcast;    /* slowdown of the broadcast at 2^20 ranks */
} sc10_machine;

enum { SC10_CHIC, SC10_ALTIX, SC10_ZEPTOOS, SC10_JAGUAR, SC10_NUM_MACHINES };
extern const sc10_machine SC10_MACHINES[SC10_NUM_MACHINES];
/** 1-byte dissemination on a machine under its own noise. */
sc10_case sc10_case_of(const sc10_machine *machine);
