/* noise/files/samples.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From samples of fixed work (FWQ) and of fixed time (FTQ) to detours: each sample that took longer
 * than the shortest, or did less than the most, is one detour at its beginning. What is lost: where
 * in the sample it was, and whether there were several. docs/noise.md, section 5.
 */
#pragma once

#include "files/reader.h"

/**
 * A sample as Netgauge writes it: the number of its cycle, blanks, and @p what.
 * @param power as for noise_decimal_parse(): 6 reads us as ps
 * @param least that it may be
 * @param samples of double; made with the first
 * @return false with the reader's error "'...' is not WHAT"
 */
bool noise_samples_read(noise_reader *reader, const char *line, int power, sim_time least,
                        const char *what, GArray **samples);
/**
 * A run of fixed work, which ends here. A detour is as long as what the sample took above the
 * shortest of the run, so that all together are FWQ's overhead.
 * @param durations of double, ps, > 0; taken
 * @param stated    the run's period, or -1
 */
bool noise_samples_end_fwq(noise_reader *reader, GArray *durations, sim_time stated);
/**
 * A run of fixed time, which ends here. A detour is as long as the missing share of the work, of
 * the 99.9th percentile of all samples, times the interval; what misses less than two units of work
 * is resolution.
 * @param work     of double, >= 0; taken
 * @param interval ps, > 0
 */
bool noise_samples_end_ftq(noise_reader *reader, GArray *work, sim_time interval, sim_time stated);
