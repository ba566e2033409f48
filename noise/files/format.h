/* noise/files/format.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A format of files of detours, read line by line. One descriptor says what it is, in the file of
 * its name (formats/format_columns.c and so on); the table lists them in the order in which they
 * are asked.
 */
#pragma once

#include "files/reader.h"

struct noise_file_format {
    const char *name; /* as docs/formats.md lists it */
    /** Is a file that begins with @p head one of these? Up to 64 KiB of it; the last line may be
     * cut. */
    bool (*probe)(const char *head);
    /** Never under Ripple's own header, whatever else is in it. */
    bool is_foreign;
    /** Of a format that is not text: reads all of it. NULL: it is read line by line. */
    bool (*whole)(noise_reader *reader, const void *data, size_t size);
    /** A line that is not empty: without blanks at its beginning, without its newline. false with
     * the reader's error. */
    bool (*line)(noise_reader *reader, const char *line);
    /** All lines have been read. May be NULL. */
    bool (*finish)(noise_reader *reader);
    /** Of the format's own state, zeroed at first; 0: none. */
    size_t state_size;
    /** Frees what is in the state. May be NULL. */
    void (*clear)(void *state);
};

/** A row each: ROW(NAME) stands for noise_format_NAME in format_NAME.c. The last takes all that no
 * other has taken. */
#define NOISE_FILE_FORMATS(ROW)                                                                    \
    ROW(nit)                                                                                       \
    ROW(fwq)                                                                                       \
    ROW(ftq)                                                                                       \
    ROW(osnoise_hist)                                                                              \
    ROW(osnoise_top)                                                                               \
    ROW(osnoise_trace)                                                                             \
    ROW(counts)                                                                                    \
    ROW(times)                                                                                     \
    ROW(psnap)                                                                                     \
    ROW(columns)

#define NOISE_FILE_FORMAT_DECLARE(NAME) extern const noise_file_format noise_format_##NAME;
NOISE_FILE_FORMATS(NOISE_FILE_FORMAT_DECLARE)

/** The format of a file that begins so. @param size of what is there of it */
const noise_file_format *noise_file_format_of(const char *beginning, size_t size);
