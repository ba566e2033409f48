/* apps/ripple/calibration/calibration_run.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "calibration/calibration.h"

/** Rounds where nobody asks for another number. */
#define APP_CALIBRATION_ROUNDS 15

/**
 * Start the calibrator by the launcher @p command (NULL-terminated, without a program), once for
 * each round until @p rounds agree and none is faster, at most three times as often, and read what
 * it measured. Some 2 s for each round. A signal that stops it ends this process.
 * @return owned by the caller; NULL with an error
 */
app_calibration *app_calibration_run(char **command, int rounds, GError **error);
