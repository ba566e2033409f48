/* noise/miner/modes.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "miner/state.h"

/** The rows of each mode, unsorted, into a report whose totals are filled in. */
void noise_miner_paper_report(const noise_miner *miner, noise_miner_report *report);
void noise_miner_projections_report(const noise_miner *miner, noise_miner_report *report);
void noise_miner_modern_report(const noise_miner *miner, noise_miner_report *report);
