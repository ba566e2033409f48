/* tests/sim/engine/judged_run.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The engine against the judge, and against itself with several threads, on programs drawn at
 * random.
 */
#pragma once

#include "random_program.h"

#define JUDGED_SEED 20101113U

/* What became of the runs. */
typedef struct judged_tally {
    unsigned sound, stuck, truncated;
} judged_tally;

/** @p n programs, each in all four settings of progress and rendezvous, without and with noise;
 * with random_shape.levels, each setting either without or with. */
judged_tally judged_runs(unsigned n, const random_shape *shape);
