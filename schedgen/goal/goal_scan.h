/* schedgen/goal/goal_scan.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Tokens of GOAL text, docs/goal.md, section 1. A scan either matches and moves on, or leaves the
 * position where it is. Lines are not counted here: an error does it, from the beginning.
 */
#pragma once

#include "goal/goal_block.h"

#include <string.h>

typedef struct goal_scan {
    const char *at;
    const char *end;
} goal_scan;

static inline bool goal_is_letter(char c)
{
    return ((unsigned char)(c | 0x20) - (unsigned)'a') < 26;
}

static inline bool goal_is_digit(char c)
{
    return ((unsigned char)c - (unsigned)'0') < 10;
}

/* Letters, digits, _: a bit for each character. */
static inline bool goal_is_name(char c)
{
    static const uint32_t bits[8] = {0, 0x03FF0000, 0x87FFFFFE, 0x07FFFFFE};
    return (bits[(unsigned char)c / 32] >> (unsigned char)c % 32 & 1) != 0;
}

static inline void goal_scan_blanks(goal_scan *scan)
{
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t')) {
        scan->at++;
    }
}

static inline bool goal_scan_char(goal_scan *scan, char c)
{
    if (scan->at < scan->end && *scan->at == c) {
        scan->at++;
        return true;
    }
    return false;
}

/** The letters of @p word, of @p len; what follows may touch them. */
static inline bool goal_scan_word(goal_scan *scan, const char *word, size_t len)
{
    if ((size_t)(scan->end - scan->at) >= len && memcmp(scan->at, word, len) == 0) {
        scan->at += len;
        return true;
    }
    return false;
}

/** LF or CR LF. */
static inline bool goal_scan_newline(goal_scan *scan)
{
    return goal_scan_char(scan, '\n') || goal_scan_word(scan, "\r\n", 2);
}

/** Digits. @return false if there are none; @p out is UINT64_MAX and @p fits false beyond 2^64. */
static inline bool goal_scan_number(goal_scan *scan, uint64_t *out, bool *fits)
{
    const char *at = scan->at;
    uint64_t value = 0;
    *fits = true;
    for (; at < scan->end && goal_is_digit(*at); at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            *fits = false;
        }
        value = value * 10 + digit;
    }
    if (at == scan->at) {
        return false;
    }
    scan->at = at;
    *out = *fits ? value : UINT64_MAX;
    return true;
}

/** A label or keyword: [A-Za-z][A-Za-z0-9_]*, the longest. */
static inline bool goal_scan_label(goal_scan *scan, goal_label *out)
{
    const char *at = scan->at;
    if (at == scan->end || !goal_is_letter(*at)) {
        return false;
    }
    while (at < scan->end && goal_is_name(*at)) {
        at++;
    }
    *out = (goal_label){.text = scan->at, .len = (uint32_t)(at - scan->at)};
    scan->at = at;
    return true;
}

static inline bool goal_label_is(const goal_label *label, const char *word)
{
    return strlen(word) == label->len && memcmp(label->text, word, label->len) == 0;
}
