/* apps/ripple/validation/spans.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_spans. */
#include "validation/spans.h"

#include "output/error.h"

#include <string.h>

static const char HEAD[] = "# ripple-span 1";
enum { FIELDS = 8, MOST_CPUS = 1 << 16, MOST_RANKS = 1 << 24 };

void app_spans_free(app_spans *s)
{
    if (s != NULL) {
        for (uint32_t r = 0; r < s->num_ranks; r++) {
            g_free(s->rank[r].cpus);
        }
        g_free(s->rank);
        g_free(s);
    }
}

/* "0-3,8", as the kernel writes it: ascending. */
static bool read_cpus(const char *text, app_span *span)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    g_autoptr(GArray) cpus = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    guint64 next = 0;
    for (char **part = parts; *part != NULL; part++) {
        g_auto(GStrv) ends = g_strsplit(*part, "-", 2);
        guint64 first = 0;
        guint64 last = 0;
        if (!g_ascii_string_to_unsigned(ends[0] != NULL ? ends[0] : "", 10, next, MOST_CPUS, &first,
                                        NULL) ||
            !g_ascii_string_to_unsigned(ends[1] != NULL ? ends[1] : ends[0], 10, first, MOST_CPUS,
                                        &last, NULL)) {
            return false;
        }
        for (guint64 cpu = first; cpu <= last; cpu++) {
            const uint32_t number = (uint32_t)cpu;
            g_array_append_val(cpus, number);
        }
        next = last + 1;
    }
    span->num_cpus = cpus->len;
    span->cpus = (uint32_t *)(void *)g_array_free(g_steal_pointer(&cpus), FALSE);
    return span->num_cpus > 0;
}

/* RANK WALL_NS CPU_NS PREEMPTED FIRST_CPU LAST_CPU ALLOWED_CPUS HOST */
static bool read_rank(const char *line, uint32_t rank, app_spans *s, GHashTable *hosts)
{
    g_auto(GStrv) field = g_strsplit(line, " ", FIELDS);
    app_span *span = &s->rank[rank];
    guint64 number = 0;
    guint64 wall = 0;
    guint64 cpu = 0;
    if (g_strv_length(field) != FIELDS ||
        !g_ascii_string_to_unsigned(field[0], 10, rank, rank, &number, NULL) ||
        !g_ascii_string_to_unsigned(field[1], 10, 1, SIM_TIME_MAX / SIM_NS, &wall, NULL) ||
        !g_ascii_string_to_unsigned(field[2], 10, 0, SIM_TIME_MAX / SIM_NS, &cpu, NULL) ||
        !g_ascii_string_to_unsigned(field[3], 10, 0, INT64_MAX, &span->preempted, NULL) ||
        !read_cpus(field[6], span)) {
        return false;
    }
    span->wall = (sim_time)wall * SIM_NS;
    span->cpu = (sim_time)cpu * SIM_NS;
    gpointer node = NULL;
    if (!g_hash_table_lookup_extended(hosts, field[7], NULL, &node)) {
        node = GUINT_TO_POINTER(s->num_nodes++);
        g_hash_table_insert(hosts, g_strdup(field[7]), node);
    }
    span->node = GPOINTER_TO_UINT(node);
    return true;
}

static bool read_head(char **lines, app_spans *s)
{
    static const char key[] = "# ranks=";
    guint64 n = 0;
    if (g_strv_length(lines) < 2 || !g_str_equal(lines[0], HEAD) ||
        !g_str_has_prefix(lines[1], key) ||
        !g_ascii_string_to_unsigned(lines[1] + strlen(key), 10, 1, MOST_RANKS, &n, NULL)) {
        return false;
    }
    s->num_ranks = (uint32_t)n;
    s->rank = g_new0(app_span, n);
    return true;
}

app_spans *app_spans_read(const char *path, GError **error)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, error)) {
        return NULL;
    }
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(app_spans) s = g_new0(app_spans, 1);
    g_autoptr(GHashTable) hosts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (!read_head(lines, s)) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s:1: not the times of a run: '%s'", path,
                    lines[0] != NULL ? lines[0] : "");
        return NULL;
    }
    const guint num_lines = g_strv_length(lines);
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        const char *line = r + 2 < num_lines ? lines[r + 2] : "";
        if (!read_rank(line, r, s, hosts)) {
            g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s:%u: not the times of rank %u: '%s'",
                        path, r + 3, r, line);
            return NULL;
        }
    }
    return g_steal_pointer(&s);
}

sim_time app_spans_wall(const app_spans *s)
{
    sim_time longest = 0;
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        longest = MAX(longest, s->rank[r].wall);
    }
    return longest;
}

/* ---- a CPU for each rank: a matching of ranks and CPUs, by augmenting paths ---- */

typedef struct matching {
    const app_spans *spans;
    GHashTable *taken; /* (node, CPU) to rank + 1 */
    GHashTable *seen;  /* (node, CPU)s that this path has been at */
} matching;

static gpointer place(const app_span *span, uint32_t cpu)
{
    return GSIZE_TO_POINTER((gsize)span->node * (MOST_CPUS + 1) + cpu + 1);
}

/* Who has its CPU goes elsewhere, if it can. Depth is at most that of the ranks of a node. */
static bool find_cpu(matching *m, uint32_t rank)
{
    const app_span *span = &m->spans->rank[rank];
    for (size_t i = 0; i < span->num_cpus; i++) {
        gpointer at = place(span, span->cpus[i]);
        if (!g_hash_table_add(m->seen, at)) {
            continue;
        }
        const guint holder = GPOINTER_TO_UINT(g_hash_table_lookup(m->taken, at));
        if (holder == 0 || find_cpu(m, holder - 1)) {
            g_hash_table_insert(m->taken, at, GUINT_TO_POINTER(rank + 1));
            return true;
        }
    }
    return false;
}

bool app_spans_have_room(const app_spans *s)
{
    g_autoptr(GHashTable) taken = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    matching m = {s, taken, seen};
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        g_hash_table_remove_all(seen);
        if (!find_cpu(&m, r)) {
            return false;
        }
    }
    return true;
}

size_t app_spans_num_cpus(const app_spans *s, uint32_t node)
{
    g_autoptr(GHashTable) cpus = g_hash_table_new(NULL, NULL);
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        for (size_t i = 0; s->rank[r].node == node && i < s->rank[r].num_cpus; i++) {
            g_hash_table_add(cpus, place(&s->rank[r], s->rank[r].cpus[i]));
        }
    }
    return g_hash_table_size(cpus);
}

bool app_spans_are_pinned(const app_spans *s)
{
    for (uint32_t r = 0; r < s->num_ranks; r++) {
        if (s->rank[r].num_cpus > 1) {
            return false;
        }
    }
    return true;
}
