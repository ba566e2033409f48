/* noise/switch_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Reads what the tracer wrote of a rank's context switches: switches.RANK. Not installed.
 */
#pragma once

#include "noise/switch_record.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct noise_switch_log {
    noise_switch_header header; /* texts end with 0 */
    size_t n;
    noise_switch_record *record; /* [n] by tid, then by time; those of a tid do not overlap */
} noise_switch_log;

/**
 * Of a rank that was killed, what is there: header.is_whole says so, and header.end is the end of
 * the last record then.
 * @return owned by the caller; NULL with NOISE_ERROR_BAD_FILE naming file and record, or
 *   G_FILE_ERROR
 */
noise_switch_log *noise_switch_log_read(const char *path, GError **error);
/** The same from memory; @p name is for errors. */
noise_switch_log *noise_switch_log_parse(const char *name, const void *data, size_t size,
                                         GError **error);
void noise_switch_log_free(noise_switch_log *log);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_switch_log, noise_switch_log_free)

/** Are its records of run_delay at calls, not of switches? */
static inline bool noise_switch_log_is_coarse(const noise_switch_log *log)
{
    return log->header.refused != 0 && (log->n > 0 || log->header.is_whole != 0);
}

/** May the rank's first thread run on @p cpu, and on no other? */
bool noise_switch_log_is_bound(const noise_switch_log *log, uint32_t cpu);
