/* sim/out_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BUFFER_BYTES (1 << 18)

struct sim_out_file {
    FILE *stream;
    char *path;      /* as it was asked for, for messages */
    char *target;    /* where it goes: path, with symbolic links followed */
    char *temporary; /* NULL: target is written directly */
};

static void set_error(GError **error, const char *what, const char *path, int code)
{
    g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(code), "%s: %s: %s", path, what,
                g_strerror(code));
}

static void free_file(sim_out_file *file)
{
    g_free(file->path);
    g_free(file->target);
    g_free(file->temporary);
    g_free(file);
}

/* Links are followed, so that the file behind one is replaced and not the link. Owned. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);
    char *target = g_strdup(real != NULL ? real : path);
    free(real);
    return target;
}

sim_out_file *sim_out_file_open(const char *path, GError **error)
{
    sim_out_file *file = g_new0(sim_out_file, 1);
    file->path = g_strdup(path);
    file->target = resolve(path);
    GStatBuf info;
    const bool exists = g_stat(file->target, &info) == 0;
    int fd;
    if (exists && !S_ISREG(info.st_mode)) {
        fd = g_open(file->target, O_WRONLY | O_CLOEXEC, 0);
    } else {
        file->temporary = g_strconcat(file->target, ".XXXXXX", NULL);
        fd = g_mkstemp_full(file->temporary, O_RDWR | O_CLOEXEC,
                            exists ? (int)(info.st_mode & 0777) : 0666);
    }
    file->stream = fd >= 0 ? fdopen(fd, file->temporary != NULL ? "w+b" : "wb") : NULL;
    if (file->stream == NULL) {
        set_error(error, "cannot be written", path, errno);
        free_file(file);
        return NULL;
    }
    (void)setvbuf(file->stream, NULL, _IOFBF, BUFFER_BYTES);
    return file;
}

FILE *sim_out_file_stream(sim_out_file *file)
{
    return file->stream;
}

int sim_out_stream_flush(FILE *stream)
{
    errno = 0;
    const bool lost = ferror(stream) != 0;
    if (lost) {
        (void)fputc('\n', stream); /* its cause is forgotten: one more byte meets it again */
    }
    if (fflush(stream) == 0 && !lost) {
        return 0;
    }
    return errno != 0 ? errno : EIO;
}

bool sim_out_file_commit(sim_out_file *file, GError **error)
{
    /* A full disk shows at the flush, at the latest at closing; a lost earlier write in ferror. */
    int code = sim_out_stream_flush(file->stream);
    bool ok = code == 0;
    if (fclose(file->stream) != 0 && ok) {
        ok = false;
        code = errno;
    }
    if (ok && file->temporary != NULL && g_rename(file->temporary, file->target) != 0) {
        ok = false;
        code = errno;
    }
    if (!ok) {
        set_error(error, "cannot be written", file->path, code);
        if (file->temporary != NULL) {
            (void)g_unlink(file->temporary);
        }
    }
    free_file(file);
    return ok;
}

void sim_out_file_discard(sim_out_file *file)
{
    if (file != NULL) {
        (void)fclose(file->stream);
        if (file->temporary != NULL) {
            (void)g_unlink(file->temporary);
        }
        free_file(file);
    }
}
