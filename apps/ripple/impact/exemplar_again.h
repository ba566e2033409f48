/* apps/ripple/impact/exemplar_again.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Examples of what NoiseMiner found in a simulated run, which is run once more: the miner keeps
 * events of each row (noise_miner_row.exemplars), and a run that is the same to the picosecond says
 * what went on around them. Where a detour was in a stretch is known, since the noise can be asked.
 */
#pragma once

#include "mining/exemplar.h"
#include "noise/miner.h"
#include "sim/program.h"
#include "sim/sink.h"

/** What the run is to be looked at for: the events of all rows and their surroundings. */
typedef struct app_exemplar_again app_exemplar_again;
/**
 * @param report borrowed
 * @param num_ranks of the run
 */
app_exemplar_again *app_exemplar_again_new(const noise_miner_report *report, uint32_t num_ranks);
void app_exemplar_again_free(app_exemplar_again *again); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_exemplar_again, app_exemplar_again_free)
/**
 * For the same run as the miner saw, on any number of threads. Borrowed. Of a rank without examples
 * one look-up for each event; of the others O(examples of the rank). At most 256 stretches are kept
 * of an example: those in the middle of it, with as many that come before as there is room for.
 */
sim_sink *app_exemplar_again_sink(app_exemplar_again *again);
/**
 * After the run.
 * @param program of the run; looked through once for each rank with examples
 * @param noise   of the run; NULL: none
 * @return [*n] by row, start, rank; owned by the caller: app_exemplars_free()
 */
app_exemplar *app_exemplar_again_find(const app_exemplar_again *again, const sim_program *program,
                                      const sim_noise *noise, size_t *n);
