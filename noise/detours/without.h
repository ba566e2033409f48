/* noise/detours/without.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * "without=NAME,NAME" in the text of a signature: which of its components are left out. In a name
 * a backslash takes the next character as it is: "kworker/u8:2\+flush", "a\,b".
 */
#pragma once

#include "noise/signature.h"

#include <glib.h>
#include <stdbool.h>

/**
 * What stands between '+'; what follows the last one that is not in a name of "without=", too.
 * @param head so many bytes at the beginning are one piece, whatever is in it: 0, or a file's name
 * @return owned by the caller; [NULL-terminated]
 */
char **noise_without_pieces(const char *text, size_t head);
/** How many bytes stand before the first "+without="; all if there is none. */
size_t noise_without_head(const char *text);
/** "NAME,NAME" as a list. Owned by the caller. */
char **noise_without_names(const char *text);
/** And back, behind "+without=". Owned by the caller. */
char *noise_without_text(const char *const *names);
/** Does it mean this component: its name, the part of it before or behind ": ", with or without
 * '@' and whom it strikes, or the path of its file? */
bool noise_without_means(const char *name, const noise_component *component);
/** @p name means none of @p components [@p n]. Sets NOISE_ERROR_BAD_MODEL, which lists them. */
void noise_without_refuse(const char *name, const noise_component *components, size_t n,
                          const char *text, GError **error);
