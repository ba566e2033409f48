/* noise/files/head.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the beginning of a file is asked for to know its format.
 */
#pragma once

#include <stdbool.h>

/** Is there a line of @p head that begins so (behind blanks)? */
bool noise_head_has_line(const char *head, const char *beginning);
/** The first line that is neither empty nor a comment; may be cut at the end of @p head. Owned by
 * the caller; NULL: there is none. */
char *noise_head_first_data(const char *head);
/** Numbers that @p line begins with. */
unsigned noise_head_numbers(const char *line);
