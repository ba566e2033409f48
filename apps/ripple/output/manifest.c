/* apps/ripple/output/manifest.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_output. */
#include "output/manifest.h"

#include "ripple_version.h"
#include "sim/json_member.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

typedef struct parameter {
    char *key;
    char *value;
} parameter;

struct app_manifest {
    char *verb;
    char **argv;
    GArray *parameters; /* of parameter */
    guint64 seed;
    bool has_seed;
    unsigned schema;
};

static void parameter_clear(gpointer data)
{
    parameter *p = data;
    g_free(p->key);
    g_free(p->value);
}

app_manifest *app_manifest_new(const char *verb, char **argv)
{
    app_manifest *m = g_new0(app_manifest, 1);
    m->verb = g_strdup(verb);
    m->schema = 1;
    m->argv = g_strdupv(argv);
    m->parameters = g_array_new(FALSE, FALSE, sizeof(parameter));
    g_array_set_clear_func(m->parameters, parameter_clear);
    return m;
}

void app_manifest_free(app_manifest *m)
{
    if (m != NULL) {
        g_free(m->verb);
        g_strfreev(m->argv);
        g_array_unref(m->parameters);
        g_free(m);
    }
}

void app_manifest_add(app_manifest *m, const char *key, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const parameter p = {g_strdup(key), g_strdup_vprintf(format, args)};
    va_end(args);
    g_array_append_val(m->parameters, p);
}

void app_manifest_set_seed(app_manifest *m, guint64 seed)
{
    m->seed = seed;
    m->has_seed = true;
}

/* Words with blanks or quotes are quoted, so that the line can be taken apart again. */
static void append_value(GString *line, const char *value)
{
    if (value[0] != '\0' && strpbrk(value, " \t\n\"'\\#$`*?;&|<>(){}") == NULL) {
        g_string_append(line, value);
        return;
    }
    g_autofree char *flat = g_strdelimit(g_strdup(value), "\n\r", ' ');
    g_autofree char *quoted = g_shell_quote(flat);
    g_string_append(line, quoted);
}

void app_manifest_set_schema(app_manifest *m, unsigned version)
{
    m->schema = version;
}

char *app_manifest_line(const app_manifest *m)
{
    GString *line = g_string_new("# ripple " RIPPLE_VERSION);
    g_string_append_printf(line, " %s", m->verb);
    for (guint i = 0; i < m->parameters->len; i++) {
        const parameter *p = &g_array_index(m->parameters, parameter, i);
        g_string_append_printf(line, " %s=", p->key);
        append_value(line, p->value);
    }
    if (m->has_seed) {
        g_string_append_printf(line, " seed=%" G_GUINT64_FORMAT, m->seed);
    }
    return g_string_free(line, FALSE);
}

void app_manifest_build(const app_manifest *m, JsonBuilder *builder)
{
    g_autofree char *schema = g_strdup_printf("ripple.%s/%u", m->verb, m->schema);
    sim_json_text(builder, "schema", schema);
    sim_json_begin_object(builder, "manifest");
    sim_json_text(builder, "version", RIPPLE_VERSION);
    sim_json_begin_array(builder, "argv");
    for (guint i = 0; m->argv[i] != NULL; i++) {
        sim_json_add_text(builder, m->argv[i]);
    }
    json_builder_end_array(builder);
    sim_json_begin_object(builder, "parameters");
    for (guint i = 0; i < m->parameters->len; i++) {
        const parameter *p = &g_array_index(m->parameters, parameter, i);
        sim_json_text(builder, p->key, p->value);
    }
    json_builder_end_object(builder);
    if (m->has_seed) {
        sim_json_int(builder, "seed", (gint64)m->seed);
    }
    json_builder_end_object(builder);
}
