/* apps/ripple/output/sentences.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What is found, said in sentences: a GPtrArray of strings, owned by it.
 */
#pragma once

#include <glib.h>

void app_sentences_add(GPtrArray *sentences, const char *format, ...) G_GNUC_PRINTF(2, 3);
