/* apps/ripple/mining/projections.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "mining/projections.h"

#include "output/error.h"

#include <errno.h>
#include <zlib.h>

/* NAME.sts, or the only one in a folder; owned by the caller, NULL: none. */
static char *names_file(const char *path)
{
    if (g_str_has_suffix(path, ".sts")) {
        return g_strdup(path);
    }
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    g_autofree char *found = NULL;
    const char *name = NULL;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        if (g_str_has_suffix(name, ".sts")) {
            if (found != NULL) {
                return NULL; /* of two programs: which one is meant is not for us to say */
            }
            found = g_build_filename(path, name, NULL);
        }
    }
    return g_steal_pointer(&found);
}

bool app_projections_probe(const char *path)
{
    g_autofree char *names = names_file(path);
    return names != NULL && g_file_test(names, G_FILE_TEST_IS_REGULAR);
}

/* Lines are longer only where lists are; what is read of a line is at its beginning. */
enum { LINE_BYTES = 4096 };

static bool read_lines(gzFile file, const char *path, app_projections_log *log, GError **error)
{
    char line[LINE_BYTES];
    bool continued = false; /* of a line that did not fit */
    while (gzgets(file, line, LINE_BYTES) != NULL) {
        const size_t n = strlen(line);
        const bool whole = n > 0 && line[n - 1] == '\n';
        if (whole) {
            line[n - 1] = '\0';
        }
        if (!continued && !app_projections_log_take(log, line, error)) {
            return false;
        }
        continued = !whole;
    }
    int code = Z_OK;
    const char *complaint = gzerror(file, &code);
    if (code != Z_OK && code != Z_STREAM_END) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: %s", path, complaint);
        return false;
    }
    return true;
}

static bool read_log(const char *base, uint32_t pe, const app_projections_names *names,
                     bool tool_types, noise_miner *miner, GError **error)
{
    g_autofree char *plain = g_strdup_printf("%s.%u.log", base, pe);
    g_autofree char *packed = g_strconcat(plain, ".gz", NULL);
    const char *path = g_file_test(plain, G_FILE_TEST_EXISTS) ? plain : packed;
    gzFile file = gzopen(path, "rb"); /* reads plain text as it is */
    if (file == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: %s", path, g_strerror(errno));
        return false;
    }
    g_autoptr(app_projections_log) log =
        app_projections_log_new(path, names, pe, tool_types, miner);
    const bool ok = read_lines(file, path, log, error);
    (void)gzclose(file);
    return ok;
}

bool app_projections_mine(const char *path, bool tool_types, noise_miner *miner, GError **error)
{
    g_autofree char *file = names_file(path);
    g_autofree char *text = NULL;
    gsize size = 0;
    if (!g_file_get_contents(file, &text, &size, error)) {
        return false;
    }
    g_autoptr(app_projections_names) names = app_projections_names_parse(file, text, size, error);
    if (names == NULL) {
        return false;
    }
    const uint32_t processors = app_projections_processors(names);
    if (processors == 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: PROCESSORS is missing", file);
        return false;
    }
    g_autofree char *base = g_strndup(file, strlen(file) - strlen(".sts"));
    for (uint32_t pe = 0; pe < processors; pe++) {
        if (!read_log(base, pe, names, tool_types, miner, error)) {
            return false;
        }
    }
    return true;
}
