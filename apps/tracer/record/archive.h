/* apps/tracer/record/archive.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file This process's files of the archive, on their own: events and local definitions. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** @return false: cannot be written; tracer_attempt_error says why */
bool tracer_archive_open(void);
/** Write local definitions: an attempt (attempt.h). After one that fails none are written. */
void tracer_archive_define(void (*work)(void *data), void *data);
/** @return false: not all was written. The caller has come through tracer_otf2_begin. */
bool tracer_archive_close(void);
/**
 * An attempt to write events has failed: nothing is recorded from here on, and the file ends with
 * the last chunk that is whole. The caller has come through tracer_otf2_begin.
 */
void tracer_archive_give_up(void);
/** Of both files, after they were closed. */
uint64_t tracer_archive_bytes(void);
/** How many were written; known when the archive was closed. */
uint64_t tracer_archive_events(void);
