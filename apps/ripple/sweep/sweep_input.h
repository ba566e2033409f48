/* apps/ripple/sweep/sweep_input.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Files that a sweep reads, and whether they have changed since.
 */
#pragma once

#include <glib.h>

/**
 * SHA-256 over a file, or over names and content of all files in a folder (and of what
 * belongs to it elsewhere: sched_reader.beside), as hexadecimal text. Owned by the caller; NULL
 * with an error.
 */
char *app_sweep_input_digest(const char *path, GError **error);
