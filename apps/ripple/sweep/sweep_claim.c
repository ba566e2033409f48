/* apps/ripple/sweep/sweep_claim.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/sweep_claim.h"

#include "sim/file_lock.h"
#include "system/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

enum { WAIT_US = 50000 }; /* between two looks at who is at work */

struct app_sweep_claims {
    char *path;
    int fd; /* -1: there are none to be had */
};

static app_sweep_claims *open_claims(const char *path, int flags)
{
    app_sweep_claims *claims = g_new(app_sweep_claims, 1);
    claims->path = g_strconcat(path, "-claims", NULL);
    claims->fd = g_open(claims->path, O_RDWR | O_CLOEXEC | flags, 0666);
    return claims;
}

app_sweep_claims *app_sweep_claims_open(const char *path)
{
    return open_claims(path, O_CREAT);
}

void app_sweep_claims_tidy(const char *path)
{
    app_sweep_claims_close(open_claims(path, 0));
}

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

void app_sweep_claims_close(app_sweep_claims *claims)
{
    if (claims != NULL) {
        if (claims->fd >= 0) {
            /* It is removed only by who has claimed all of it. */
            if (lock(claims, 0, 0, F_WRLCK, F_OFD_SETLK) == 0 &&
                sim_file_has_name(claims->fd, claims->path)) {
                (void)g_unlink(claims->path); /* whoever comes now makes another */
            }
            (void)close(claims->fd);
        }
        g_free(claims->path);
        g_free(claims);
    }
}

/* EAGAIN or EACCES: another has it, and it was not, or not long enough, waited for. */
static int lock_when_free(const app_sweep_claims *claims, size_t point, bool wait)
{
    for (;;) {
        const int code = lock(claims, point, 1, F_WRLCK, F_OFD_SETLK);
        if ((code != EAGAIN && code != EACCES) || !wait || app_stop_is_asked()) {
            return code;
        }
        g_usleep(WAIT_US);
    }
}

bool app_sweep_claims_take(app_sweep_claims *claims, size_t point, bool wait)
{
    enum { ATTEMPTS = 100 };
    for (int i = 0; claims->fd >= 0 && i < ATTEMPTS; i++) {
        const int code = lock_when_free(claims, point, wait);
        if (code == EAGAIN || code == EACCES) {
            return false;
        }
        if (code != 0 ||
            sim_file_has_name(claims->fd, claims->path)) { /* code: there are no locks here */
            return true;
        }
        (void)close(claims->fd); /* who ended has removed it meanwhile: others claim in another */
        claims->fd = g_open(claims->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    }
    return true;
}

void app_sweep_claims_give_back(app_sweep_claims *claims, size_t point)
{
    if (claims->fd >= 0) {
        (void)lock(claims, point, 1, F_UNLCK, F_OFD_SETLK);
    }
}
