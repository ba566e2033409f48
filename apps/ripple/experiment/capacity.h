/* apps/ripple/experiment/capacity.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What runs take of the memory, and how many of them may go at once: as many as there are threads
 * and memory for; system/beside.h says how many then do. Beside each other they take less time than
 * one after the other on all threads, large ones, too, since threads of one run wait for each other
 * (bench/README.md, "Runs beside each other").
 */
#pragma once

#include "noise/signature.h"
#include "places/places.h"
#include "program/source.h"
#include "sim/machine.h"

/**
 * Bytes that one run by the engine takes at @p ranks on @p threads, with the program and @p noise
 * (NULL: none is laid over the ranks), with levels where @p places have them; about:
 * bench/README.md, "Estimates".
 */
uint64_t app_capacity_run(app_source *source, uint32_t ranks, const sim_params *params,
                          const app_places *places, const noise_signature *noise, unsigned threads);
/** Does such a run make use of more than one of @p threads? */
bool app_capacity_is_shared(app_source *source, uint32_t ranks, const sim_params *params,
                            const app_places *places, unsigned threads);
/** Is there memory for that, on one thread, and @p more? APP_ERROR_MEMORY if not. */
bool app_capacity_check(app_source *source, uint32_t ranks, const sim_params *params,
                        const app_places *places, const noise_signature *noise, uint64_t more,
                        GError **error);
/** How many runs of so many bytes may go at once, of @p tasks of them; at least one. */
unsigned app_capacity_at_once(uint64_t run_bytes, uint64_t free_bytes, unsigned threads,
                              size_t tasks);
/** Bytes of the whole process while runs of both cases of one size go, about. */
uint64_t app_capacity_process(app_source *source, uint32_t ranks, const sim_params *params,
                              const app_places *places, const noise_signature *noise,
                              unsigned threads, size_t runs);
