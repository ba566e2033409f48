/* apps/ripple/study/sweep_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Study files: INI, read with GKeyFile.
 *   [study]       schema_version = 1, title
 *   [parameters]  what is fixed: NAME = VALUE
 *   [together]    what is varied together, the slowest axis: NAME = LIST, all of the same length
 *   [sweep]       what is varied: NAME = AXIS (sweep_axis.h), the last one fastest
 */
#pragma once

#include "study/sweep_study.h"

/** Does @p path look like a study file: text whose first group is [study]? */
bool app_sweep_file_probe(const char *path);
/** @return owned by the caller; NULL with an error that names file, line, key and value */
app_sweep_study *app_sweep_file_read(const char *path, GError **error);
/** The same from text; messages call it @p name. */
app_sweep_study *app_sweep_file_parse(const char *name, const char *text, gsize len,
                                      GError **error);
