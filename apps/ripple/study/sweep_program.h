/* apps/ripple/study/sweep_program.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The text of a program, as the parameters of a point change it.
 */
#pragma once

#include "study/sweep_parameter.h"

/** The program as it would be named to simulate: parameters bytes and interval go into the name.
 * @return owned by the caller; NULL with an error where one of them has no place in it */
char *app_sweep_program_text(const char *const values[APP_NUM_PARAMETERS], GError **error);
/** The last part of "collective:NAME:..." if it is a size; else NULL. */
const char *app_sweep_size_part(const char *program, int64_t *bytes);
