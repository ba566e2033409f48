/* apps/ripple/study/sweep_shipped.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Studies that ship with Ripple, by name: "study:synchronisation". Options override what they say.
 */
#pragma once

#include "study/sweep_study.h"

/** Does @p text begin as the name of one does? */
bool app_sweep_is_shipped(const char *text);
/** @return owned by the caller; NULL with an error that suggests a name */
app_sweep_study *app_sweep_shipped(const char *text, GError **error);
