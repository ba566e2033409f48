/* tests/apps/places/text_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A file that is there while something reads it.
 */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>

/** @return its path, owned by the caller */
static inline char *text_file_write(const char *text)
{
    char *path = NULL;
    const int fd = g_file_open_tmp("ripple-XXXXXX", &path, NULL);
    g_assert_true(fd >= 0 && g_close(fd, NULL) && g_file_set_contents(path, text, -1, NULL));
    return path;
}

static inline void text_file_drop(char *path)
{
    (void)g_unlink(path);
    g_free(path);
}
