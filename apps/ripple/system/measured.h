/* apps/ripple/system/measured.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What both verbs that measure do with a measurement.
 */
#pragma once

#include "noise/measurement.h"

/** Write the detours, for --noise of other verbs: a new file, all or nothing. @param netgauge as
 * Netgauge itself writes it */
bool app_measured_write(const noise_measurement *measured, bool netgauge, const char *path,
                        GError **error);
/** The same of text that is there already. */
bool app_measured_write_text(const char *text, const char *path, GError **error);
