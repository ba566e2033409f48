/* apps/ripple/places/word_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_switches, test_placement_file. */
#include "places/word_file.h"

#include "output/error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

app_word_file *app_word_file_open(const char *path, GError **error)
{
    g_autofree char *text = NULL;
    gsize len = 0;
    if (g_file_test(path, G_FILE_TEST_IS_DIR) || g_access(path, R_OK) != 0) {
        const int code = g_file_test(path, G_FILE_TEST_IS_DIR) ? EISDIR : errno;
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: %s", path, g_strerror(code));
        return NULL;
    }
    if (!g_file_get_contents(path, &text, &len, error)) {
        return NULL;
    }
    if (memchr(text, '\0', len) != NULL || !g_utf8_validate(text, (gssize)len, NULL)) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: not a text", path);
        return NULL;
    }
    app_word_file *file = g_new0(app_word_file, 1);
    file->path = g_strdup(path);
    file->lines = g_strsplit(text, "\n", -1);
    return file;
}

void app_word_file_free(app_word_file *file)
{
    if (file != NULL) {
        g_free(file->path);
        g_strfreev(file->lines);
        g_strfreev(file->words);
        g_free(file);
    }
}

/* The words before a comment. */
static char **words_of(const char *line)
{
    g_autofree char *text = g_strndup(line, strcspn(line, "#\r"));
    g_auto(GStrv) parts = g_strsplit_set(text, " \t", -1);
    g_autoptr(GStrvBuilder) words = g_strv_builder_new();
    for (char **p = parts; *p != NULL; p++) {
        if (**p != '\0') {
            g_strv_builder_add(words, *p);
        }
    }
    return g_strv_builder_end(words);
}

bool app_word_file_next(app_word_file *file)
{
    while (file->lines[file->line] != NULL) {
        g_strfreev(file->words);
        file->words = words_of(file->lines[file->line++]);
        if (file->words[0] != NULL) {
            return true;
        }
    }
    g_clear_pointer(&file->words, g_strfreev);
    return false;
}

bool app_word_file_parse(const app_word_file *file, const char *what, const char *word,
                         uint32_t most, uint32_t *out, GError **error)
{
    guint64 value = 0;
    if (!g_ascii_string_to_unsigned(word, 10, 0, most, &value, NULL)) {
        return app_word_file_fail(file, error, "%s: wanted a whole number from 0 to %u, not '%s'",
                                  what, most, word);
    }
    *out = (uint32_t)value;
    return true;
}

bool app_word_file_fail(const app_word_file *file, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    if (file->words != NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s:%u: %s", file->path, file->line,
                    message);
    } else {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: %s", file->path, message);
    }
    return false;
}
