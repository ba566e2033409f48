/* noise/miner/course.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * When the hits of a row came: over the epochs of the report.
 */
#pragma once

#include "miner/blame.h"
#include "miner/state.h"

/** The epochs of all that @p miner has seen, into it and into @p report. */
void noise_miner_course_epochs(noise_miner *miner, noise_miner_report *report);
/**
 * Count the hits of @p source on @p ranks [n], ascending, each once, and how long these were looked
 * at; into @p row, whose t_noise is set, with what changed.
 */
void noise_miner_course_fill(const noise_miner *miner, const miner_blame *blame, uint32_t source,
                             const uint32_t *ranks, size_t n, const noise_miner_report *report,
                             noise_miner_row *row);
