/* apps/ripple/output/sentences.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What is found, said in sentences: a GPtrArray of strings, owned by it.
 */
#pragma once

#include <glib.h>
#include <stdio.h>

void app_sentences_add(GPtrArray *sentences, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** In lines of at most 118 columns; those after the first are indented. */
void app_sentence_print(const char *sentence, FILE *out);
