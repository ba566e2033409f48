/* noise/miner/drift.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Mode modern: where all that ranks do became slower or faster, as with their clock. */
#pragma once

#include "miner/state.h"

/** Fill in the drifts of @p report. Ranks that moved at the same time by about as much are one. */
void noise_miner_drift_report(const noise_miner *miner, noise_miner_report *report);
