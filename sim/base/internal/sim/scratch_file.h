/* sim/scratch_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A file without a name, for what is gathered before it can be written, or is too large for memory:
 * it goes when it is closed, and with a process that is killed.
 */
#pragma once

#include <glib.h>
#include <stdio.h>

/**
 * An empty one, for reading and writing.
 * @param folder where it takes room; NULL: the folder of temporary files ($TMPDIR)
 * @return closed by the caller; NULL with G_FILE_ERROR
 */
FILE *sim_scratch_file(const char *folder, GError **error);
