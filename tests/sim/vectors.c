/* tests/sim/vectors.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "vectors.h"

#include "check.h"
#include "data.h"
#include "sched/goal.h"

#include <stdlib.h>

static void vector_free(gpointer data)
{
    vector *v = data;
    sim_graph_free(v->graph);
    g_array_free(v->times, TRUE);
    g_free(v);
}

GArray *vector_parse_times(const char *text)
{
    GArray *times = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (const char *at = text; *at != '\0';) {
        char *end = NULL;
        const gint64 ns = g_ascii_strtoll(at, &end, 10);
        g_array_append_val(times, ns);
        at = *end == ',' ? end + 1 : end;
        if (end == at && *at != '\0') {
            break;
        }
    }
    return times;
}

char **vector_read_lines(const char *relative)
{
    g_autofree char *path = test_data(relative);
    char *text = NULL;
    if (!CHECK(g_file_get_contents(path, &text, NULL, NULL), "%s", path)) {
        exit(1);
    }
    char **lines = g_strsplit(g_strchomp(text), "\n", -1);
    g_free(text);
    return lines;
}

/* The field of that name. */
static const char *field(char **names, char **fields, const char *name)
{
    for (size_t i = 0; names[i] != NULL && fields[i] != NULL; i++) {
        if (strcmp(names[i], name) == 0) {
            return fields[i];
        }
    }
    g_error("expected.tsv: a line without %s", name);
}

static int64_t number(char **names, char **fields, const char *name)
{
    return g_ascii_strtoll(field(names, fields, name), NULL, 10);
}

GHashTable *vectors_load(const char *folder)
{
    GHashTable *vectors = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, vector_free);
    g_autofree char *table = g_strconcat(folder, "/expected.tsv", NULL);
    g_auto(GStrv) lines = vector_read_lines(table);
    g_auto(GStrv) names = g_strsplit(lines[0], "\t", -1);
    for (size_t i = 1; lines[i] != NULL; i++) {
        g_auto(GStrv) f = g_strsplit(lines[i], "\t", -1);
        g_autofree char *relative = g_strdup_printf("%s/%s.goal", folder, f[0]);
        g_autofree char *path = test_data(relative);
        g_autoptr(GError) error = NULL;
        vector *v = g_new0(vector, 1);
        v->graph = sched_goal_read(path, false, &error);
        if (!CHECK(v->graph != NULL, "%s", error != NULL ? error->message : "")) {
            exit(1);
        }
        v->params = (sim_params){.L = number(names, f, "L") * SIM_NS,
                                 .o = number(names, f, "o") * SIM_NS,
                                 .g = number(names, f, "g") * SIM_NS,
                                 .G = number(names, f, "G") * SIM_NS * SIM_RATE_PER_PS,
                                 .O = number(names, f, "O") * SIM_NS * SIM_RATE_PER_PS,
                                 .S = number(names, f, "S")};
        v->times = vector_parse_times(field(names, f, "times"));
        g_hash_table_insert(vectors, g_strdup(f[0]), v);
    }
    return vectors;
}
