/* sim/base/scratch_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_out_file, test_stretch_log. */
#include "sim/scratch_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>

FILE *sim_scratch_file(const char *folder, GError **error)
{
    const char *where = folder != NULL ? folder : g_get_tmp_dir();
    g_autofree char *name = g_build_filename(where, "ripple.XXXXXX", NULL);
    int fd = g_open(where, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) { /* a file system that always wants names: for as long as it takes to remove it */
        fd = g_mkstemp_full(name, O_RDWR | O_CLOEXEC, 0600);
        if (fd >= 0) {
            (void)g_unlink(name);
        }
    }
    FILE *stream = fd >= 0 ? fdopen(fd, "w+b") : NULL;
    if (stream == NULL) {
        const int code = errno;
        g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(code),
                    "%s: cannot be written: %s", name, g_strerror(code));
        if (fd >= 0) {
            (void)g_close(fd, NULL);
        }
    }
    return stream;
}
