/* sim/out_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A file that appears whole or not at all: written to a temporary beside its place and renamed when
 * complete. Until then the temporary has no name where the file system can do that (Linux: ext4,
 * XFS, Btrfs, tmpfs, overlayfs), so that not even a killed process leaves anything behind.
 * Elsewhere (NFS) its name is that of the file with ".ripple-part" appended, and it is locked: the
 * next command that writes there removes what a killed one has left. What is not a regular file (a
 * pipe, a device; /dev/stdout where that is one) is written to directly.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct sim_out_file sim_out_file;

/**
 * @param path NULL: standard output, which is written to directly and stays open
 * @return owned by the caller, who commits or discards it; NULL with G_FILE_ERROR
 */
sim_out_file *sim_out_file_open(const char *path, GError **error);
/** Is what is written there on standard output, be it a pipe or a terminal? NULL is. */
bool sim_out_file_is_output(const char *path);
/** @p path as messages name it. Borrowed. */
const char *sim_out_file_name(const char *path);
/** Where to write. Errors need not be checked call by call: committing does. Borrowed. */
FILE *sim_out_file_stream(sim_out_file *file);
/**
 * An empty file without a name, for what has to be gathered before it can be written: beside what
 * @p file becomes, or in the folder of temporary files where that is no regular file. For reading
 * and writing. @return closed by the caller; NULL with G_FILE_ERROR
 */
FILE *sim_out_file_scratch(const sim_out_file *file, GError **error);
/** Flush any stream. @return 0, or the errno of the first write that failed, now or earlier */
int sim_out_stream_flush(FILE *stream);
/** Flush, put in place, free. @return false with G_FILE_ERROR; then nothing is left behind */
bool sim_out_file_commit(sim_out_file *file, GError **error);
/** Remove what was written, free. NULL is a no-op. */
void sim_out_file_discard(sim_out_file *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sim_out_file, sim_out_file_discard)
