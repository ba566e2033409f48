/* apps/ripple/places/word_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Small text files of words: '#' begins a comment, empty lines do not count, and what is wrong is
 * said with file and line.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct app_word_file {
    char *path;
    char **lines;
    unsigned line; /* the current one, from 1 */
    char **words;  /* of the current line, at least one */
} app_word_file;

/** @return owned by the caller; NULL: it cannot be read, or is binary */
app_word_file *app_word_file_open(const char *path, GError **error);
void app_word_file_free(app_word_file *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_word_file, app_word_file_free)

/** Go to the next line with words. @return false: there is none */
bool app_word_file_next(app_word_file *file);
/** A whole number in 0..@p most from @p word of the current line. */
bool app_word_file_parse(const app_word_file *file, const char *what, const char *word,
                         uint32_t most, uint32_t *out, GError **error);
/** Set "FILE:LINE: message", or "FILE: message" behind the last line. @return false */
bool app_word_file_fail(const app_word_file *file, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
