/* sim/base/file_lock.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_out_file. */
#include "sim/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>

int sim_file_lock(int fd)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_SETLK, &all) == 0 ? 0 : errno;
}

bool sim_file_has_name(int fd, const char *name)
{
    GStatBuf open;
    GStatBuf named;
    return fstat(fd, &open) == 0 && g_stat(name, &named) == 0 && open.st_dev == named.st_dev &&
           open.st_ino == named.st_ino;
}
