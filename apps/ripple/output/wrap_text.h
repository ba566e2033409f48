/* apps/ripple/output/wrap_text.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/**
 * Append @p text in lines of at most @p width columns, broken at blanks, and a newline; the cursor
 * is at @p column, and lines after the first are indented by @p indent.
 */
void app_wrap_text(GString *page, const char *text, size_t width, size_t column, size_t indent);
