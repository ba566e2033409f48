/* apps/ripple/output/output.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_output, cli_simulate. */
#include "output/output.h"

#include "output/error.h"
#include "sim/out_file.h"

#include <glib/gstdio.h>
#include <stdarg.h>
#include <string.h>

struct app_output {
    sim_out_file *file;
};

app_output *app_output_open(const char *path, GError **error)
{
    sim_out_file *file = sim_out_file_open(path, error);
    if (file == NULL) {
        return NULL;
    }
    app_output *o = g_new0(app_output, 1);
    o->file = file;
    return o;
}

/* Whether it is there already or not. */
static bool is_same(const char *a, const char *b)
{
    GStatBuf is_a;
    GStatBuf is_b;
    if (g_stat(a, &is_a) == 0 && g_stat(b, &is_b) == 0) {
        return S_ISREG(is_a.st_mode) && is_a.st_dev == is_b.st_dev && is_a.st_ino == is_b.st_ino;
    }
    g_autofree char *whole_a = g_canonicalize_filename(a, NULL);
    g_autofree char *whole_b = g_canonicalize_filename(b, NULL);
    return strcmp(whole_a, whole_b) == 0;
}

static bool G_GNUC_PRINTF(3, 4)
    refuse(const app_output_place *place, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *why = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "%s: %s", place->option, why);
    return false;
}

bool app_output_check(const app_output_place *place, size_t n, const char *const *taken,
                      GError **error)
{
    const char *path = place->path;
    if (path != NULL && path[0] == '\0') {
        return refuse(place, error, "the name is empty");
    }
    for (size_t i = 0; path != NULL && i < n; i++) {
        if (taken[i] != NULL && is_same(path, taken[i])) {
            return refuse(place, error, "'%s' is read, or written, by this command already", path);
        }
    }
    GStatBuf info;
    const bool there = path != NULL && g_stat(path, &info) == 0;
    if (place->read_again && there && !S_ISREG(info.st_mode)) {
        return refuse(place, error, "'%s' is not a file: what is kept there is read again", path);
    }
    if (there && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        return true;
    }
    sim_out_file *file = sim_out_file_open(path, error);
    sim_out_file_discard(file);
    return file != NULL;
}

FILE *app_output_stream(app_output *o)
{
    return sim_out_file_stream(o->file);
}

bool app_output_close(app_output *o, GError **error)
{
    const bool ok = sim_out_file_commit(o->file, error);
    g_free(o);
    return ok;
}

void app_output_discard(app_output *o)
{
    if (o != NULL) {
        sim_out_file_discard(o->file);
        g_free(o);
    }
}

void app_output_head(app_output *o, const app_manifest *manifest)
{
    g_autofree char *line = app_manifest_line(manifest);
    fprintf(app_output_stream(o), "%s\n", line);
}

void app_output_json(app_output *o, JsonBuilder *builder)
{
    g_autoptr(JsonGenerator) generator = json_generator_new();
    g_autoptr(JsonNode) root = json_builder_get_root(builder);
    json_generator_set_root(generator, root);
    json_generator_set_pretty(generator, TRUE);
    g_autofree char *text = json_generator_to_data(generator, NULL);
    fputs(text, app_output_stream(o));
    fputc('\n', app_output_stream(o));
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
