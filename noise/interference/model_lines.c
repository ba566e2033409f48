/* noise/interference/model_lines.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "interference/model_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_WORD 63

bool noise_model_lines_refuse(model_lines *lines, const char *what, const char *value,
                              size_t length)
{
    if (!lines->bad) {
        const int shown = length < 40 ? (int)length : 40;
        const char *quote = length > 0 ? "\"" : "", *space = length > 0 ? " " : "";
        snprintf(lines->error->text, sizeof lines->error->text, "%s:%llu: %s%s%s%.*s%s",
                 lines->name, (unsigned long long)lines->line, what, space, quote, shown, value,
                 quote);
        /* What is quoted may be anything. */
        for (char *c = lines->error->text; *c != '\0'; c++) {
            if ((unsigned char)*c < ' ') {
                *c = '?';
            }
        }
    }
    lines->bad = true;
    return false;
}

bool noise_model_lines_any(model_lines *lines)
{
    do {
        if (lines->bad || lines->at == lines->end) {
            lines->line++;
            return noise_model_lines_refuse(lines, "the file ends too early", "", 0);
        }
        const char *newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
        lines->line++;
        lines->word = lines->at;
        lines->eol = newline != NULL ? newline : lines->end;
        lines->at = newline != NULL ? newline + 1 : lines->end;
    } while (lines->word < lines->eol && lines->word[0] == '#');
    return true;
}

/* The next word: up to a space or the end of the line. */
static bool take_word(model_lines *lines, const char **word, size_t *length)
{
    if (lines->bad) {
        return false;
    }
    if (lines->word >= lines->eol) {
        return noise_model_lines_refuse(lines, "something is missing at the end of the line", "",
                                        0);
    }
    const char *space = memchr(lines->word, ' ', (size_t)(lines->eol - lines->word));
    const char *end = space != NULL ? space : lines->eol;
    *word = lines->word;
    *length = (size_t)(end - lines->word);
    lines->word = space != NULL ? space + 1 : lines->eol;
    return true;
}

static bool is_word(const char *word, size_t length, const char *wanted)
{
    return word != NULL && length == strlen(wanted) && memcmp(word, wanted, length) == 0;
}

bool noise_model_lines_word(model_lines *lines, const char *wanted)
{
    const char *word = NULL;
    size_t length = 0;
    if (!take_word(lines, &word, &length)) {
        return false;
    }
    if (!is_word(word, length, wanted)) {
        char what[96];
        snprintf(what, sizeof what, "expected %s, not", wanted);
        return noise_model_lines_refuse(lines, what, word, length);
    }
    return true;
}

bool noise_model_lines_next(model_lines *lines, const char *key)
{
    return noise_model_lines_any(lines) && noise_model_lines_word(lines, key);
}

bool noise_model_lines_end(model_lines *lines)
{
    return !lines->bad &&
           (lines->word == lines->eol ||
            noise_model_lines_refuse(lines, "too much at the end of the line:", lines->word,
                                     (size_t)(lines->eol - lines->word)));
}

bool noise_model_lines_choice(model_lines *lines, const char *const *words, uint32_t num,
                              uint32_t *out)
{
    const char *word = NULL;
    size_t length = 0;
    if (!take_word(lines, &word, &length)) {
        return false;
    }
    for (*out = 0; *out < num; ++*out) {
        if (is_word(word, length, words[*out])) {
            return true;
        }
    }
    return noise_model_lines_refuse(lines, "unknown word", word, length);
}

/* A word with its end marked. */
static bool take_short(model_lines *lines, char out[LONGEST_WORD + 1], const char **word,
                       size_t *length)
{
    if (!take_word(lines, word, length)) {
        return false;
    }
    if (*length == 0 || *length > LONGEST_WORD) {
        return noise_model_lines_refuse(lines, "not a number:", *word, *length);
    }
    memcpy(out, *word, *length);
    out[*length] = '\0';
    return true;
}

bool noise_model_lines_number(model_lines *lines, uint64_t least, uint64_t most, uint64_t *out)
{
    char text[LONGEST_WORD + 1];
    const char *word = NULL;
    size_t length = 0;
    if (!take_short(lines, text, &word, &length)) {
        return false;
    }
    if (strspn(text, "0123456789") != length || length > 19) {
        return noise_model_lines_refuse(lines, "not a whole number:", word, length);
    }
    const uint64_t value = strtoull(text, NULL, 10); /* 19 digits fit */
    if (value < least || value > most) {
        return noise_model_lines_refuse(lines, "out of range:", word, length);
    }
    *out = value;
    return true;
}

bool noise_model_lines_hex(model_lines *lines, uint64_t *out)
{
    char text[LONGEST_WORD + 1];
    const char *word = NULL;
    size_t length = 0;
    if (!take_short(lines, text, &word, &length)) {
        return false;
    }
    if (length != 16 || strspn(text, "0123456789abcdef") != length) {
        return noise_model_lines_refuse(lines, "not 16 hexadecimal digits:", word, length);
    }
    *out = strtoull(text, NULL, 16);
    return true;
}

bool noise_model_lines_share(model_lines *lines, double *out)
{
    char text[LONGEST_WORD + 1];
    const char *word = NULL;
    size_t length = 0;
    if (!take_short(lines, text, &word, &length)) {
        return false;
    }
    char *end = NULL;
    const double value = strtod(text, &end);
    if (strspn(text, "0123456789.e-+") != length || end != text + length ||
        !(value >= 0 && value <= 1)) {
        return noise_model_lines_refuse(lines, "not a share from 0 to 1:", word, length);
    }
    *out = value;
    return true;
}

bool noise_model_lines_text(model_lines *lines, char **out)
{
    if (lines->bad) {
        return false;
    }
    const size_t length = (size_t)(lines->eol - lines->word);
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)lines->word[i] < ' ') {
            return noise_model_lines_refuse(lines, "a control character in", lines->word, length);
        }
    }
    *out = malloc(length + 1);
    if (*out == NULL) {
        return noise_model_lines_refuse(lines, "no memory for", lines->word, length);
    }
    memcpy(*out, lines->word, length);
    (*out)[length] = '\0';
    lines->word = lines->eol;
    return true;
}

bool noise_model_lines_count(model_lines *lines, uint64_t bytes, uint64_t most, uint32_t *out)
{
    uint64_t value = 0;
    const char *word = lines->word;
    if (!noise_model_lines_number(lines, 0, most, &value)) {
        return false;
    }
    if (value > (uint64_t)(lines->end - lines->at) / bytes) {
        return noise_model_lines_refuse(lines, "more than the file can hold:", word,
                                        (size_t)(lines->eol - word));
    }
    *out = (uint32_t)value;
    return noise_model_lines_end(lines);
}
