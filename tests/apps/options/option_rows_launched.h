/* tests/apps/options/option_rows_launched.h — SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of verbs for which a script stands for the launcher, and for the program. */
#pragma once

#include "option_row_macros.h"

#define LAUNCHED_ROWS                                                                              \
    /* calibrate: a script stands for the launcher */                                              \
    TRACED("calibrate", "--rounds", CALIBRATED, "--rounds=6"),                                     \
        REFUSED("calibrate", "--rounds", CALIBRATED, "--rounds=5", "--rounds: 5 is not between"),  \
        TRACED("calibrate", "--node-of", CALIBRATED, "--node-of=xt4"),                             \
        REFUSED("calibrate", "--node-of", CALIBRATED, "--node-of=none",                            \
                "--node-of: no such machine"),                                                     \
        TRACED("calibrate", "--cold", CALIBRATED, "--cold"),                                       \
        TRACED("calibrate", "--format", CALIBRATED, "--format=json"),                              \
        TRACED("calibrate", "--output", CALIBRATED, "--output=x.txt"),                             \
        COMMON("calibrate", CALIBRATED), /* validate: the same script stands for a program of four \
                                            ranks; how long it took is a line */                   \
        SAYS("validate", "--machine", "--runs=2 " LAUNCHED, "--machine=chic", ON_ANOTHER),         \
        SAYS("validate", "--set", VALIDATED, "--set=L=1ms", ON_ANOTHER),                           \
        SAYS("validate", "--runs", "--machine=xt4 " LAUNCHED, "--runs=3",                          \
             "3 timed and 3 recorded runs"),                                                       \
        REFUSED("validate", "--runs", "--machine=xt4 " LAUNCHED, "--runs=0",                       \
                "--runs: 0 is not between"),                                                       \
        SAYS("validate", "--tolerance", VALIDATED, "--tolerance=7%",                               \
             "the limit is 7 % either way"),                                                       \
        REFUSED("validate", "--tolerance", VALIDATED, "--tolerance=0%",                            \
                "--tolerance: '0%' is not"),                                                       \
        SAYS("validate", "--coll", VALIDATED, "--coll=allreduce=ring", ON_ANOTHER),                \
        REFUSED("validate", "--coll", VALIDATED, "--coll=allreduce=circle", "--coll: "),           \
        SAYS("validate", "--compute", VALIDATED, "--compute=wall", ON_ANOTHER),                    \
        REFUSED("validate", "--compute", VALIDATED, "--compute=all",                               \
                "--compute: 'all' is none of"),                                                    \
        REFUSED("validate", "--mpi", VALIDATED, "--mpi=lam", "--mpi: 'lam' is none of"),           \
        SAYS("validate", "--mpi", VALIDATED, "--mpi=openmpi", "2 timed and 2 recorded runs"),      \
        SAYS("validate", "--report", VALIDATED, "--report=pages", "^file pages"),                  \
        SAYS("validate", "--format", VALIDATED, "--format=csv", "^kind,name,calls,"),              \
        DIFFERS("validate", "--output", VALIDATED, "--output=x.txt"),                              \
        SAYS("validate", "--help", VALIDATED, "--help", "^Usage: ripple validate"),                \
        HUSHES("validate", "--quiet", VALIDATED, "-q", "ripple validate: ")
