/* apps/ripple/validation/validation_words.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file What a comparison comes to, in sentences. */
#pragma once

#include "validation/validation.h"

/** "+1.3 %". Owned by the caller. */
char *app_validation_percent(double fraction);
/** Verdict first, then what carries the difference, then what it stands on. Owned by the caller. */
GPtrArray *app_validation_sentences(const app_validation *validation);
