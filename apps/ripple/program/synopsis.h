/* apps/ripple/program/synopsis.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the tracer mined while the program ran (ripple trace --mine): one file of all ranks, or, of
 * a program that runs or has died, one file of each.
 */
#pragma once

#include "noise/miner.h"

#include <glib.h>
#include <stdbool.h>

/** Is @p argument a file of the miner, or a folder that holds such and no archive? */
bool app_synopsis_is(const char *argument);
/**
 * Add to @p miner what the file, or the folder's file, or else its ranks' files, say.
 * @param num_parts how many ranks' files; 0: the file of all
 */
bool app_synopsis_add(noise_miner *miner, const char *path, unsigned *num_parts, GError **error);
/** A miner that knows it. @return owned by the caller; NULL with an error */
noise_miner *app_synopsis_read(const char *path, const noise_miner_options *options,
                               unsigned *num_parts, GError **error);
