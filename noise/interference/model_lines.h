/* noise/interference/model_lines.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A model's file, line by line and word by word; after the first error there is nothing more.
 * Tests: test_model_text, fuzz_interference_model.
 */
#pragma once

#include "noise/interference.h"

typedef struct model_lines {
    const char *name;
    const char *at, *end;   /* of what has not been read */
    const char *word, *eol; /* of the line that is being read */
    uint64_t line;          /* its number, from 1 */
    noise_interference_error *error;
    bool bad;
} model_lines;

/** "NAME:LINE: WHAT "VALUE"", once; without a value if @p length is 0. @return false */
bool noise_model_lines_refuse(model_lines *lines, const char *what, const char *value,
                              size_t length);
/** Go to the next line, which must begin with the word @p key. Lines with # are left out. */
bool noise_model_lines_next(model_lines *lines, const char *key);
/** Go to the next line, whatever it begins with. */
bool noise_model_lines_any(model_lines *lines);
/** Nothing may be left of the line. */
bool noise_model_lines_end(model_lines *lines);
/** The next word must be @p word. */
bool noise_model_lines_word(model_lines *lines, const char *word);
/** Which of @p words the next word is. */
bool noise_model_lines_choice(model_lines *lines, const char *const *words, uint32_t num,
                              uint32_t *out);
/** A whole number, decimal. */
bool noise_model_lines_number(model_lines *lines, uint64_t least, uint64_t most, uint64_t *out);
/** 16 hexadecimal digits. */
bool noise_model_lines_hex(model_lines *lines, uint64_t *out);
/** 0..1. */
bool noise_model_lines_share(model_lines *lines, double *out);
/** The rest of the line, maybe empty, without control characters; malloc'ed. */
bool noise_model_lines_text(model_lines *lines, char **out);
/** So many things, each at least @p bytes long, must still be there. */
bool noise_model_lines_count(model_lines *lines, uint64_t bytes, uint64_t most, uint32_t *out);
