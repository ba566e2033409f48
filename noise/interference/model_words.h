/* noise/interference/model_words.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a model's file begins with, and its limits. docs/interference.md, section 7.
 */
#pragma once

#define MODEL_MAGIC "ripple-interference-model"

enum {
    MODEL_VERSION = 2,
    MODEL_MATCHES = 3,
    MODEL_MOST_ONSET = 1000000000, /* thousandths */
    MODEL_LEAST_ROW = 45,          /* bytes of a line, and fewer */
};

/* In the order of noise_match: noise/call_symbol.h. */
static const char *const model_match_words[MODEL_MATCHES] = {"function", "distance", "xor"};
