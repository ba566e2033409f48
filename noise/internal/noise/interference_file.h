/* noise/interference_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A model on disk, for programs with GLib. Not installed.
 */
#pragma once

#include "noise/interference.h"

#include <glib.h>

/**
 * Write the model, whole or not at all.
 * @param path NULL: standard output
 * @return false with G_FILE_ERROR
 */
bool noise_interference_model_save(const noise_interference_model *model, const char *path,
                                   GError **error);
/** Read one. @return owned by the caller; NULL with NOISE_ERROR_BAD_FILE or G_FILE_ERROR */
noise_interference_model *noise_interference_model_open(const char *path, GError **error);
