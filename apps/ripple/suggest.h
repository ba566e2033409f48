/* apps/ripple/suggest.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>

/**
 * The one of @p names (NULL-terminated) that @p word was most likely meant to be, or NULL if none
 * is close: at most a third of the letters differ, or @p word is its beginning. Borrowed.
 */
const char *app_suggest(const char *word, const char *const *names);
