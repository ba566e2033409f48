/* sim/base/out_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/out_file.h"

#include "sim/file_lock.h"
#include "sim/scratch_file.h"

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
    bool nameless; /* the temporary has its name only when it is whole: nothing can leave it behind
                    */
    int lock;      /* on the temporary, held until it has gone; -1: none */
};

static void set_error(GError **error, const char *path, int code)
{
    g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(code),
                "%s: cannot be written: %s", path, g_strerror(code));
}

static void free_file(sim_out_file *file)
{
    g_free(file->path);
    g_free(file->target);
    g_free(file->temporary);
    if (file->lock >= 0) {
        (void)close(file->lock);
    }
    g_free(file);
}

/* Links are followed, so that the file behind one is replaced and not the link.
 * @return owned by the caller; NULL with errno: links in a circle */
static char *resolve(const char *path)
{
    enum { MAX_LINKS = 40 };
    char *target = realpath(path, NULL);
    if (target == NULL && errno == ELOOP) {
        return NULL;
    }
    char *owned = g_strdup(target != NULL ? target : path);
    /* What is not there yet, perhaps behind links. */
    for (int i = 0; target == NULL && i < MAX_LINKS; i++) {
        g_autofree char *next = g_file_read_link(owned, NULL);
        if (next == NULL) {
            break;
        }
        g_autofree char *folder = g_path_get_dirname(owned);
        g_free(owned);
        owned = g_canonicalize_filename(next, folder);
    }
    free(target);
    return owned;
}

/* Where a name can be given later. @return -1: here it cannot */
static int open_nameless(const char *target, mode_t mode)
{
    g_autofree char *folder = g_path_get_dirname(target);
    const int fd = g_open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", fd);
    if (fd >= 0 && access(link, F_OK) != 0) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

/* What a killed command has left under that name. Whoever writes there holds its lock until the
 * name has gone: what can be locked and still has the name is nobody's. */
static void remove_left_behind(const char *name)
{
    const int fd = g_open(name, O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0);
    GStatBuf info;
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        sim_file_lock(fd) == 0 && sim_file_has_name(fd, name)) {
        (void)g_unlink(name);
    }
    if (fd >= 0) {
        (void)close(fd);
    }
}

/* The same for the same target, so that the next command finds what a killed one has left. */
static char *usual_name(const sim_out_file *file)
{
    return g_strconcat(file->target, ".ripple-part", NULL);
}

/* Keep @p fd's lock beyond its end. */
static bool keep_lock(sim_out_file *file, int fd)
{
    file->lock = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return file->lock >= 0;
}

/* Under the usual name, locked. @return -1: another command is writing there, or there are no
 * locks */
static int open_usual(sim_out_file *file, mode_t mode)
{
    file->temporary = usual_name(file);
    remove_left_behind(file->temporary);
    const int fd = g_open(file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0) {
        return -1;
    }
    const int code = sim_file_lock(fd);
    if (code == 0 && sim_file_has_name(fd, file->temporary) && keep_lock(file, fd)) {
        return fd;
    }
    if (code != 0 && code != EAGAIN && code != EACCES) { /* no locks: nobody else removes it */
        (void)g_unlink(file->temporary);
    }
    (void)close(fd);
    return -1;
}

static int open_named(sim_out_file *file, mode_t mode)
{
    const int fd = open_usual(file, mode);
    if (fd >= 0) {
        return fd;
    }
    g_free(file->temporary);
    file->temporary = g_strconcat(file->target, ".XXXXXX", NULL);
    return g_mkstemp_full(file->temporary, O_RDWR | O_CLOEXEC, (int)mode);
}

/* What is there already keeps its mode. */
static int open_target(sim_out_file *file)
{
    GStatBuf info;
    const bool exists = g_stat(file->target, &info) == 0;
    const mode_t mode = exists ? info.st_mode & 0777 : 0666;
    const int fd = open_nameless(file->target, mode);
    file->nameless = fd >= 0;
    if (fd < 0) {
        return open_named(file, mode);
    }
    (void)(sim_file_lock(fd) == 0 && keep_lock(file, fd));
    file->temporary = usual_name(file);
    return fd;
}

/* Whatever may be open there instead: only what can be written to is standard output. */
static int open_standard_output(void)
{
    (void)fflush(stdout); /* whoever wrote it reports an error of that */
    const int flags = fcntl(STDOUT_FILENO, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
        errno = EBADF;
        return -1;
    }
    return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/* Is that what standard output goes to? */
static bool is_output(const GStatBuf *there)
{
    struct stat out;
    return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == there->st_dev &&
           out.st_ino == there->st_ino;
}

bool sim_out_file_is_output(const char *path)
{
    GStatBuf there;
    return path == NULL ||
           (g_stat(path, &there) == 0 && !S_ISREG(there.st_mode) && is_output(&there));
}

sim_out_file *sim_out_file_open(const char *path, GError **error)
{
    sim_out_file *file = g_new0(sim_out_file, 1);
    file->path = g_strdup(sim_out_file_name(path));
    file->lock = -1;
    GStatBuf there;
    int fd;
    if (path == NULL) {
        fd = open_standard_output();
    } else if (g_stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        /* By the name that was asked for: a pipe behind /dev/stdout has no other. */
        fd = is_output(&there) ? open_standard_output() : g_open(path, O_WRONLY | O_CLOEXEC, 0);
    } else {
        file->target = resolve(path);
        fd = file->target != NULL ? open_target(file) : -1;
    }
    file->stream = fd >= 0 ? fdopen(fd, file->temporary != NULL ? "w+b" : "wb") : NULL;
    if (file->stream == NULL) {
        set_error(error, file->path, errno);
        free_file(file);
        return NULL;
    }
    (void)setvbuf(file->stream, NULL, _IOFBF, BUFFER_BYTES);
    return file;
}

const char *sim_out_file_name(const char *path)
{
    return path != NULL ? path : "standard output";
}

FILE *sim_out_file_stream(sim_out_file *file)
{
    return file->stream;
}

FILE *sim_out_file_scratch(const sim_out_file *file, GError **error)
{
    g_autofree char *folder = file->target != NULL ? g_path_get_dirname(file->target) : NULL;
    FILE *stream = sim_scratch_file(folder, error);
    if (stream != NULL) {
        (void)setvbuf(stream, NULL, _IOFBF, BUFFER_BYTES);
    }
    return stream;
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

/* A name for what has none: the usual one, or one that nobody has. @return 0 or errno */
static int give_name(sim_out_file *file)
{
    enum { ATTEMPTS = 100 };
    g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", fileno(file->stream));
    int code = 0;
    remove_left_behind(file->temporary);
    for (int i = 0; i < ATTEMPTS; i++) {
        if (i > 0 || file->lock < 0) {
            g_free(file->temporary);
            file->temporary = g_strdup_printf("%s.%06x", file->target, g_random_int() & 0xFFFFFF);
        }
        if (linkat(AT_FDCWD, link, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) == 0) {
            file->nameless = false;
            return 0;
        }
        code = errno;
        if (code != EEXIST) {
            break;
        }
    }
    return code;
}

static void remove_temporary(const sim_out_file *file)
{
    if (file->temporary != NULL && !file->nameless) {
        (void)g_unlink(file->temporary);
    }
}

bool sim_out_file_commit(sim_out_file *file, GError **error)
{
    /* A full disk shows at the flush, at the latest at closing; a lost earlier write in ferror. */
    int code = sim_out_stream_flush(file->stream);
    if (code == 0 && file->nameless) {
        code = give_name(file);
    }
    if (fclose(file->stream) != 0 && code == 0) {
        code = errno;
    }
    if (code == 0 && file->temporary != NULL && g_rename(file->temporary, file->target) != 0) {
        code = errno;
    }
    if (code != 0) {
        set_error(error, file->path, code);
        remove_temporary(file);
    }
    free_file(file);
    return code == 0;
}

void sim_out_file_discard(sim_out_file *file)
{
    if (file != NULL) {
        (void)fclose(file->stream);
        remove_temporary(file);
        free_file(file);
    }
}
