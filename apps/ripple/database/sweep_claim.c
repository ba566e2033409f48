/* apps/ripple/database/sweep_claim.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "database/sweep_claim.h"

#include "sim/file_lock.h"
#include "system/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

enum { WAIT_US = 50000 }; /* between two looks at who is at work */

/* Points are the bytes from 0 on. Who uses the database shares the lock on this one. */
#define USERS ((size_t)G_MAXINT64 - 1)

struct app_sweep_claims {
    char *path;
    int fd; /* -1: there are none to be had */
};

/* Of the open file, not of the process: two sweeps in one process exclude each other, too. */
static int lock(const app_sweep_claims *claims, size_t point, size_t n, short type, int command)
{
    struct flock bytes = {.l_type = type,
                          .l_whence = SEEK_SET,
                          .l_start = (off_t)point,
                          .l_len = (off_t)n}; /* 0: all that follow */
    int code = 0;
    do {
        code = fcntl(claims->fd, command, &bytes) == 0 ? 0 : errno;
    } while (code == EINTR);
    return code;
}

app_sweep_claims *app_sweep_claims_open(const char *path)
{
    enum { ATTEMPTS = 100 };
    app_sweep_claims *claims = g_new(app_sweep_claims, 1);
    claims->path = g_strconcat(path, "-claims", NULL);
    for (int i = 0; i < ATTEMPTS; i++) {
        claims->fd = g_open(claims->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (claims->fd < 0 || lock(claims, USERS, 1, F_RDLCK, F_OFD_SETLKW) != 0 ||
            sim_file_has_name(claims->fd, claims->path)) {
            break;
        }
        (void)close(claims->fd); /* who ended has removed it meanwhile: others use another */
        claims->fd = -1;
    }
    return claims;
}

bool app_sweep_claims_alone(const app_sweep_claims *claims)
{
    const int code = claims->fd >= 0 ? lock(claims, 0, 0, F_WRLCK, F_OFD_SETLK) : 0;
    return code != EAGAIN && code != EACCES;
}

void app_sweep_claims_close(app_sweep_claims *claims)
{
    if (claims != NULL) {
        if (claims->fd >= 0) {
            if (app_sweep_claims_alone(claims) && sim_file_has_name(claims->fd, claims->path)) {
                (void)g_unlink(claims->path); /* whoever comes now makes another */
            }
            (void)close(claims->fd);
        }
        g_free(claims->path);
        g_free(claims);
    }
}

bool app_sweep_claims_take(const app_sweep_claims *claims, size_t point, bool wait)
{
    while (claims->fd >= 0) {
        const int code = lock(claims, point, 1, F_WRLCK, F_OFD_SETLK);
        if (code != EAGAIN && code != EACCES) {
            break; /* it is ours, or there are no locks here */
        }
        if (!wait || app_stop_is_asked()) {
            return false;
        }
        g_usleep(WAIT_US);
    }
    return true;
}

void app_sweep_claims_give_back(const app_sweep_claims *claims, size_t point)
{
    if (claims->fd >= 0) {
        (void)lock(claims, point, 1, F_UNLCK, F_OFD_SETLK);
    }
}
