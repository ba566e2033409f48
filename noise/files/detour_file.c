/* noise/files/detour_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/detour_file.h"

#include "files/format.h"
#include "sim/byte_order_mark.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

/* A line may be the JSON of a large node; more is not a file of detours. */
enum { MAX_LINE = 16 << 20, CHUNK = 1 << 16 };

/* @p line ends in NUL, without its newline; @p len as in the file */
static bool read_line(noise_reader *r, const char *line, size_t len)
{
    r->line++;
    if (strlen(line) != len) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                 "a byte 0: this is not a text file");
    }
    line += strspn(line, " \t\r");
    return *line == '\0' || r->format->line(r, line);
}

/* What a file is, its beginning says. */
static bool begin(noise_reader *r, const GString *pending)
{
    r->format = noise_file_format_of(pending->str, pending->len);
    r->state = g_malloc0(r->format->state_size);
    r->clear = r->format->clear;
    return r->format->whole != NULL ||
           sim_byte_order_mark_refuse(r->name, pending->str, pending->len, NOISE_ERROR,
                                      NOISE_ERROR_BAD_FILE, r->error);
}

/* Read the complete lines in @p pending, keep the rest. @p last: the rest is a line, too. */
static bool read_lines(noise_reader *r, GString *pending, bool last)
{
    if (r->format == NULL && !begin(r, pending)) {
        return false;
    }
    if (r->format->whole != NULL) {
        return !last || r->format->whole(r, pending->str, pending->len);
    }
    char *line = pending->str;
    char *const end = pending->str + pending->len;
    while (line < end) {
        char *newline = memchr(line, '\n', (size_t)(end - line));
        if (newline == NULL && !last) {
            break;
        }
        char *stop = newline != NULL ? newline : end;
        *stop = '\0';
        if (!read_line(r, line, (size_t)(stop - line))) {
            return false;
        }
        line = newline != NULL ? newline + 1 : end;
    }
    g_string_erase(pending, 0, line - pending->str);
    if (pending->len > MAX_LINE) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line + 1,
                                 "this line has no end: it is not a file of detours");
    }
    return true;
}

static noise_detour_file *complete(noise_reader *r)
{
    const bool ok = r->format->finish == NULL || r->format->finish(r);
    return ok ? noise_reader_file(r) : NULL;
}

noise_detour_file *noise_detour_file_parse(const char *name, const char *text, size_t size,
                                           GError **error)
{
    g_autoptr(noise_reader) r = noise_reader_new(name, error);
    g_autoptr(GString) pending = g_string_new_len(text, (gssize)size);
    return read_lines(r, pending, true) ? complete(r) : NULL;
}

/* gzread() passes plain files through, and checks the sums of compressed ones. */
static bool read_stream(noise_reader *r, gzFile in)
{
    g_autoptr(GString) pending = g_string_new(NULL);
    g_autofree char *chunk = g_malloc(CHUNK);
    int got;
    while ((got = gzread(in, chunk, CHUNK)) > 0) {
        g_string_append_len(pending, chunk, got);
        if (!read_lines(r, pending, false)) {
            return false;
        }
    }
    int code;
    const char *why = gzerror(in, &code);
    if (code != Z_OK && code != Z_STREAM_END) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line + 1, "reading failed here: %s",
                                 code == Z_ERRNO       ? g_strerror(errno)
                                 : code == Z_BUF_ERROR ? "the compressed file is cut off"
                                                       : why);
    }
    return read_lines(r, pending, true);
}

noise_detour_file *noise_detour_file_read(const char *path, GError **error)
{
    gzFile in = gzopen(path, "rb");
    if (in == NULL) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE, "%s: %s", path, g_strerror(errno));
        return NULL;
    }
    g_autoptr(noise_reader) r = noise_reader_new(path, error);
    const bool ok = read_stream(r, in);
    (void)gzclose_r(in);
    return ok ? complete(r) : NULL;
}
