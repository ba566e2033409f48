/* tests/sim/observed_program.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A program that does what another does and remembers when each operation finished: so much more
 * than the finish of each rank tells of which message met which receive.
 */
#pragma once

#include "sim/program.h"

/** @p inner is borrowed. Runs one at a time. sim_program_free() */
sim_program *observed_program_new(const sim_program *inner);
/** When operation @p index of @p rank finished in the last run; -1: it did not. */
sim_time observed_program_finish(const sim_program *program, uint32_t rank, uint32_t index);
