/* noise/monitor/program_class.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Whose a process is: the kernel's, the application's, a user's, the system's, or ours.
 */
#pragma once

#include "monitor/sampler_state.h"

/** @param stat  of the process or one of its threads; @p name without a kernel worker's work */
noise_program_class noise_program_class_of(const noise_sampler *sampler, uint32_t pid,
                                           const proc_stat *stat);
/** The rank that MPI or the batch system has put into its environment; -1: none is seen. */
int32_t noise_program_rank(const noise_sampler *sampler, uint32_t pid);
