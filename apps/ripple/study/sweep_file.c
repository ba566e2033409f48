/* apps/ripple/study/sweep_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_study. */
#include "study/sweep_file.h"

#include "output/error.h"
#include "sim/byte_order_mark.h"
#include "sim/nearest.h"

#include <stdio.h>
#include <string.h>

enum { SCHEMA_VERSION = 1, MOST_BYTES = 1 << 20, PROBED_BYTES = 4096 };

#define BYTE_ORDER_MARK "\xEF\xBB\xBF" /* still a study: who reads it refuses it by its name */

/* In which order they are read: an axis of [together] is slower than those of [sweep]. */
static const char *const GROUPS[] = {"study", "parameters", "together", "sweep", NULL};
typedef enum { GROUP_STUDY, GROUP_PARAMETERS, GROUP_TOGETHER, GROUP_SWEEP } group_id;

/* A study file being read. */
typedef struct reader {
    const char *name;
    GKeyFile *keys;
    GHashTable *lines; /* "group\nkey" or "group" -> line number */
} reader;

static int line_of(const reader *r, const char *group, const char *key)
{
    g_autofree char *path = key != NULL ? g_strconcat(group, "\n", key, NULL) : g_strdup(group);
    return GPOINTER_TO_INT(g_hash_table_lookup(r->lines, path));
}

static bool G_GNUC_PRINTF(4, 5)
    refuse(const reader *r, int line, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *why = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s:%d: %s", r->name, line, why);
    return false;
}

/* GKeyFile knows no line numbers, and takes the last of several lines with the same key. */
static bool number_lines(reader *r, const char *text, GError **error)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autofree char *group = g_strdup("");
    for (int i = 0; lines[i] != NULL; i++) {
        const char *line = g_strstrip(lines[i]);
        const char *equals = strchr(line, '=');
        g_autofree char *path = NULL;
        if (line[0] == '[' && g_str_has_suffix(line, "]")) {
            g_free(group);
            group = g_strndup(line + 1, strlen(line) - 2);
            path = g_strdup(group);
        } else if (line[0] != '#' && line[0] != '\0' && equals != NULL) {
            g_autofree char *key = g_strchomp(g_strndup(line, (gsize)(equals - line)));
            path = g_strconcat(group, "\n", key, NULL);
        } else if (line[0] != '#' && line[0] != '\0') {
            return refuse(r, i + 1, error, "'%s' is neither [GROUP] nor KEY = VALUE", line);
        }
        if (path != NULL &&
            !g_hash_table_insert(r->lines, g_strdup(path), GINT_TO_POINTER(i + 1))) {
            return refuse(r, i + 1, error, "'%s': this was said before", line);
        }
    }
    return true;
}

static bool read_study(const reader *r, app_sweep_study *study, GError **error)
{
    static const char *const KEYS[] = {"schema_version", "title", NULL};
    const char *group = GROUPS[GROUP_STUDY];
    g_auto(GStrv) keys = g_key_file_get_keys(r->keys, group, NULL, error);
    for (size_t i = 0; keys != NULL && keys[i] != NULL; i++) {
        if (!g_strv_contains(KEYS, keys[i])) {
            g_autofree char *hint = sim_nearest_hint(keys[i], KEYS);
            return refuse(r, line_of(r, group, keys[i]), error, "unknown key '%s' in [%s]%s",
                          keys[i], group, hint);
        }
    }
    g_autofree char *version = g_key_file_get_value(r->keys, group, KEYS[0], NULL);
    if (version == NULL) {
        return refuse(r, line_of(r, group, NULL), error, "schema_version is missing; it is %d",
                      SCHEMA_VERSION);
    }
    if (g_ascii_strtoll(version, NULL, 10) != SCHEMA_VERSION || strlen(version) != 1) {
        return refuse(r, line_of(r, group, KEYS[0]), error,
                      "schema_version '%s' is not known; this is version %d", version,
                      SCHEMA_VERSION);
    }
    study->title = g_key_file_get_value(r->keys, group, "title", NULL);
    if (study->title != NULL) {
        (void)g_strchomp(study->title); /* as values are; a carriage return would not come back */
    }
    return true;
}

static bool check_groups(const reader *r, GError **error)
{
    if (!g_key_file_has_group(r->keys, GROUPS[GROUP_STUDY])) {
        return refuse(r, 1, error, "not a study: it has no group [study]");
    }
    g_auto(GStrv) groups = g_key_file_get_groups(r->keys, NULL);
    for (size_t i = 0; groups[i] != NULL; i++) {
        if (!g_strv_contains(GROUPS, groups[i])) {
            g_autofree char *hint = sim_nearest_hint(groups[i], GROUPS);
            return refuse(r, line_of(r, groups[i], NULL), error, "unknown group [%s]%s", groups[i],
                          hint);
        }
    }
    return true;
}

/* One line of a group of parameters. */
static bool read_line(const reader *r, group_id group, const char *key, app_sweep_study *study,
                      app_parameter_id *id, GError **error)
{
    const int line = line_of(r, GROUPS[group], key);
    g_autofree char *origin = g_strdup_printf("%s:%d", r->name, line);
    g_autoptr(GError) unknown = NULL;
    *id = app_parameter_find(key, &unknown);
    if (*id == APP_NUM_PARAMETERS) {
        return refuse(r, line, error, "%s", unknown->message);
    }
    if (study->origin[*id] != NULL) {
        return refuse(r, line, error, "'%s': this was said before, in %s", key, study->origin[*id]);
    }
    g_autofree char *value = g_key_file_get_value(r->keys, GROUPS[group], key, error);
    if (value == NULL) {
        return false;
    }
    (void)g_strchomp(value);
    return group == GROUP_PARAMETERS ? app_sweep_study_fix(study, *id, value, origin, error)
                                     : app_sweep_study_vary(study, *id, value, origin, error);
}

static bool read_group(const reader *r, group_id group, app_sweep_study *study, GError **error)
{
    if (!g_key_file_has_group(r->keys, GROUPS[group])) {
        return true;
    }
    app_parameter_id ids[APP_NUM_PARAMETERS];
    size_t n = 0;
    g_auto(GStrv) keys = g_key_file_get_keys(r->keys, GROUPS[group], NULL, error);
    for (size_t i = 0; keys != NULL && keys[i] != NULL; i++) {
        app_parameter_id id;
        if (!read_line(r, group, keys[i], study, &id, error)) {
            return false;
        }
        ids[n++] = id; /* no more than there are: each only once */
    }
    return group != GROUP_TOGETHER || n == 0 || app_sweep_study_join(study, ids, n, error);
}

app_sweep_study *app_sweep_file_parse(const char *name, const char *text, gsize len, GError **error)
{
    if (!sim_byte_order_mark_refuse(name, text, len, APP_ERROR, APP_ERROR_INPUT, error)) {
        return NULL;
    }
    if (!g_utf8_validate_len(text, len, NULL)) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: not a study: it is not text", name);
        return NULL;
    }
    g_autofree char *copy = g_strndup(text, len);
    g_autoptr(GKeyFile) keys = g_key_file_new();
    g_autoptr(GHashTable) lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    reader r = {name, keys, lines};
    if (!number_lines(&r, copy, error)) {
        return NULL;
    }
    if (!g_key_file_load_from_data(keys, text, len, G_KEY_FILE_NONE, error)) {
        g_prefix_error(error, "%s: ", name);
        return NULL;
    }
    g_autoptr(app_sweep_study) study = app_sweep_study_new();
    if (!check_groups(&r, error) || !read_study(&r, study, error)) {
        return NULL;
    }
    for (int group = GROUP_PARAMETERS; group <= GROUP_SWEEP; group++) {
        if (!read_group(&r, (group_id)group, study, error)) {
            return NULL;
        }
    }
    return g_steal_pointer(&study);
}

app_sweep_study *app_sweep_file_read(const char *path, GError **error)
{
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, error);
    if (file == NULL) {
        return NULL;
    }
    const gsize len = g_mapped_file_get_length(file);
    if (len > MOST_BYTES) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: not a study: it has %zu bytes", path,
                    (size_t)len);
        return NULL;
    }
    const char *text = g_mapped_file_get_contents(file);
    return app_sweep_file_parse(path, text != NULL ? text : "", len, error);
}

bool app_sweep_file_probe(const char *path)
{
    FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "re") : NULL;
    if (file == NULL) {
        return false;
    }
    char text[PROBED_BYTES + 1];
    text[fread(text, 1, PROBED_BYTES, file)] = '\0';
    (void)fclose(file);
    const char *line =
        g_str_has_prefix(text, BYTE_ORDER_MARK) ? text + strlen(BYTE_ORDER_MARK) : text;
    while (*line == '#' || g_ascii_isspace(*line)) { /* comments and empty lines */
        line += *line == '#' ? strcspn(line, "\n") : 1;
    }
    return g_str_has_prefix(line, "[study]") || g_str_has_suffix(path, ".ini");
}
