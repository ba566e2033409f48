/* join/join_lengths.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which times off a CPU are as long as what was seen to have run there once.
 */
#pragma once

#include "noise/nit.h"
#include "noise/switch_record.h"

/**
 * An activity of one slice took one time off the CPU, as long as what the kernel counted of it and
 * a switch to it and back. Where only one time off in its window is so long, and no other activity
 * claims that one, it is the one.
 * @param off [n] of one CPU, by time, not overlapping
 * @param skip thread id whose activities are none: it is off when others run
 * @param of_off [n] in and out: index of its activity in @p nit, SIZE_MAX: none
 */
void noise_join_match_lengths(const noise_nit *nit, uint32_t cpu, uint32_t skip,
                              const noise_switch_record *off, size_t n, size_t *of_off);
