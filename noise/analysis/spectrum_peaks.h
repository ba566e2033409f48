/* noise/analysis/spectrum_peaks.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The peaks of a power spectrum: which bins stand out, at which frequency exactly, and which of
 * them are harmonics of others.
 */
#pragma once

#include "noise/ftq_spectrum.h"

/** Fill threshold, peaks and num_peaks of @p spectrum from the rest. */
void noise_spectrum_peaks_find(noise_spectrum *spectrum);
