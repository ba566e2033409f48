/* tests/support/data.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Where test data lie: in the repository (tests/data), and beside it (reference data whose
 * licence keeps them out of the repository; a test that needs them skips where they are absent).
 */
#pragma once

#include <glib.h>

/** Owned by the caller. RIPPLE_TEST_DATA is the repository's tests/data. */
static inline char *test_data(const char *relative)
{
    return g_build_filename(RIPPLE_TEST_DATA, relative, NULL);
}

/** Owned by the caller; NULL where the file is absent. */
static inline char *shared_data(const char *relative)
{
    char *path = g_build_filename(RIPPLE_SHARED_DATA, relative, NULL);
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        g_free(path);
        return NULL;
    }
    return path;
}
