/* noise/sample_reader.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Reads a rank's file detect.RANK while the rank appends to it. Not installed.
 */
#pragma once

#include "noise/sample_record.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct noise_sample_reader noise_sample_reader;

/** A sample that has come. Those of a rank come in the order in which it wrote them. */
typedef void noise_sample_take(void *data, const noise_sample_header *header,
                               const noise_sample_record *record);

/** Of the file @p path, which need not be there yet. Owned by the caller. */
noise_sample_reader *noise_sample_reader_new(const char *path);
void noise_sample_reader_free(noise_sample_reader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_sample_reader, noise_sample_reader_free)

/**
 * Read the whole blocks that have been added since; what they take on the disk is given back, where
 * the file system can do that. A block of which a part is missing or wrong is left for the next
 * time, since it may be on its way.
 * @param is_last  nobody writes any more: what is left over then is an error
 * @return false with NOISE_ERROR_BAD_FILE naming file and block, or G_FILE_ERROR; nothing more is
 *   read then
 */
bool noise_sample_reader_poll(noise_sample_reader *reader, bool is_last, noise_sample_take *take,
                              void *data, GError **error);

/** The same, of so many blocks at most. @param more set: it stopped there, and may have more */
bool noise_sample_reader_poll_some(noise_sample_reader *reader, uint64_t blocks, bool is_last,
                                   bool *more, noise_sample_take *take, void *data, GError **error);

/** NULL: the file is not there yet, or holds less than that. */
const noise_sample_header *noise_sample_reader_header(const noise_sample_reader *reader);
/** As of the last block; zero before the first. */
const noise_sample_totals *noise_sample_reader_totals(const noise_sample_reader *reader);
noise_sample_end noise_sample_reader_end(const noise_sample_reader *reader);

/**
 * The same from memory, for tests: the header and blocks at the beginning of @p size bytes.
 * @return how many of them were taken; fewer than @p size: the rest is not whole, or refused, if
 *   @p error is set
 */
size_t noise_sample_reader_feed(noise_sample_reader *reader, const void *bytes, size_t size,
                                noise_sample_take *take, void *data, GError **error);
