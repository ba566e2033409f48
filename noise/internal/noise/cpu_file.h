/* noise/cpu_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The file switches.cpus beside an archive: who ran on each CPU of a node, as the kernel recorded
 * it (noise/cpu_record.h), and who began whom. In the byte order of the machine that wrote it. Not
 * installed.
 */
#pragma once

#include "noise/cpu_record.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define NOISE_CPU_FILE "switches.cpus"

typedef struct noise_cpu_log {
    char boot_id[40]; /* of the node; ends with 0 */
    GArray *cpus;     /* of noise_cpu_slices, ascending; frees what it holds */
} noise_cpu_log;

/** 24 bytes for each slice, 40 for each name. Errors are those of the stream: ask ferror().
 * @param cpus of noise_cpu_slices, ascending */
void noise_cpu_file_write(const char *boot_id, const GArray *cpus, FILE *out);
/** @return owned by the caller; NULL with NOISE_ERROR_BAD_FILE naming file and record, or
 *   G_FILE_ERROR */
noise_cpu_log *noise_cpu_file_read(const char *path, GError **error);
/** The same from memory; @p name is for errors. */
noise_cpu_log *noise_cpu_file_parse(const char *name, const void *data, size_t size,
                                    GError **error);
void noise_cpu_log_free(noise_cpu_log *log); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_cpu_log, noise_cpu_log_free)

/** An empty GArray of noise_cpu_slices that frees what it holds. Owned by the caller. */
GArray *noise_cpu_slices_new(void);
