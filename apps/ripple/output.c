/* apps/ripple/output.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "output.h"

#include "error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct app_output {
    FILE *stream;
    char *name;      /* for messages */
    char *target;    /* what the file will be called; NULL: written in place */
    char *temporary; /* what it is called until it is complete */
};

static app_output *fail(GError **error, const char *name, int code)
{
    g_set_error(error, APP_ERROR, APP_ERROR_OUTPUT, "%s: %s", name, g_strerror(code));
    return NULL;
}

static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* The mode a new file would have been given: g_mkstemp() makes it private. */
static mode_t wanted_mode(const char *target)
{
    struct stat status;
    if (stat(target, &status) == 0) {
        return status.st_mode & 0777U;
    }
    const mode_t mask = umask(0);
    (void)umask(mask);
    return 0666U & ~mask;
}

static app_output *open_beside(const char *path, GError **error)
{
    g_autofree char *real = realpath(path, NULL); /* a link stays a link */
    g_autofree char *target = g_strdup(real != NULL ? real : path);
    g_autofree char *temporary = g_strconcat(target, ".XXXXXX", NULL);
    const int fd = g_mkstemp(temporary);
    if (fd < 0) {
        return fail(error, path, errno);
    }
    FILE *stream = fdopen(fd, "w");
    if (stream == NULL || fchmod(fd, wanted_mode(target)) != 0) {
        const int code = errno;
        (void)close(fd);
        (void)g_unlink(temporary);
        return fail(error, path, code);
    }
    app_output *o = g_new0(app_output, 1);
    o->stream = stream;
    o->name = g_strdup(path);
    o->target = g_steal_pointer(&target);
    o->temporary = g_steal_pointer(&temporary);
    return o;
}

app_output *app_output_open(const char *path, GError **error)
{
    if (path != NULL && !is_special(path)) {
        return open_beside(path, error);
    }
    FILE *stream = path == NULL ? stdout : g_fopen(path, "w");
    if (stream == NULL) {
        return fail(error, path, errno);
    }
    app_output *o = g_new0(app_output, 1);
    o->stream = stream;
    o->name = g_strdup(path != NULL ? path : "standard output");
    return o;
}

FILE *app_output_stream(app_output *o)
{
    return o->stream;
}

static void output_free(app_output *o)
{
    g_free(o->name);
    g_free(o->target);
    g_free(o->temporary);
    g_free(o);
}

bool app_output_close(app_output *o, GError **error)
{
    errno = 0;
    int code = fflush(o->stream) != 0 || ferror(o->stream) != 0 ? (errno != 0 ? errno : EIO) : 0;
    /* Closing tells of errors that a network file system reports late. */
    if (fclose(o->stream) != 0 && code == 0) {
        code = errno;
    }
    if (code == 0 && o->target != NULL && g_rename(o->temporary, o->target) != 0) {
        code = errno;
    }
    if (code != 0) {
        (void)fail(error, o->name, code);
        if (o->temporary != NULL) {
            (void)g_unlink(o->temporary);
        }
    }
    output_free(o);
    return code == 0;
}

void app_output_discard(app_output *o)
{
    if (o == NULL) {
        return;
    }
    if (o->stream != stdout) {
        (void)fclose(o->stream);
    }
    if (o->temporary != NULL) {
        (void)g_unlink(o->temporary);
    }
    output_free(o);
}

void app_output_head(app_output *o, const app_manifest *manifest)
{
    g_autofree char *line = app_manifest_line(manifest);
    fprintf(o->stream, "%s\n", line);
}

void app_output_json(app_output *o, JsonBuilder *builder)
{
    g_autoptr(JsonGenerator) generator = json_generator_new();
    g_autoptr(JsonNode) root = json_builder_get_root(builder);
    json_generator_set_root(generator, root);
    json_generator_set_pretty(generator, TRUE);
    g_autofree char *text = json_generator_to_data(generator, NULL);
    fputs(text, o->stream);
    fputc('\n', o->stream);
}

void app_output_csv_text(FILE *stream, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"') {
            fputc('"', stream);
        }
        fputc(*c, stream);
    }
    fputc('"', stream);
}
