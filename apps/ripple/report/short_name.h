/* report/short_name.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Names that fit into a drawing; the caption says what the shortened ones stand for.
 */
#pragma once

#include <glib.h>
#include <stddef.h>

/**
 * @p names, those longer than @p most letters cut at a place that suits, with an ellipsis; those
 * that would be the same then are numbered.
 * @return [n], NULL-terminated, owned by the caller
 */
char **app_short_names(const char *const *names, size_t n, size_t most);
/** @p caption, followed by the shortened names and the whole ones. Owned by the caller. */
char *app_short_caption(const char *caption, const char *const *names, char *const *shorts,
                        size_t n);
