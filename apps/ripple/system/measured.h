/* apps/ripple/system/measured.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What both verbs that measure do with a measurement.
 */
#pragma once

#include "noise/selfish.h"

/** Share of the CPU's time that its detours took, 0..1. */
double app_measured_share(const noise_selfish_cpu *cpu);

/** Write the detours, for --noise of other verbs: a new file, all or nothing. */
bool app_measured_write(const noise_selfish_result *measured, const char *path, GError **error);
