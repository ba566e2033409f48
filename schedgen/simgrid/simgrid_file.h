/* schedgen/simgrid/simgrid_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A file of actions in memory: mapped, or, if it is compressed (gzip, bzip2, xz, zstd), unpacked.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct simgrid_file {
    char *name;
    GMappedFile *map; /* NULL: unpacked, or borrowed */
    char *unpacked;   /* NULL: mapped, or borrowed */
    const char *data; /* [len] */
    size_t len;
} simgrid_file;

/** @return false with SCHED_ERROR naming the file; @p out is then unchanged */
bool sched_simgrid_file_open(const char *path, simgrid_file *out, GError **error);
void sched_simgrid_file_clear(simgrid_file *file);
/** The first bytes of a file, @p most of them at most; 0 for anything unreadable. */
size_t sched_simgrid_file_peek(const char *path, char *out, size_t most);
