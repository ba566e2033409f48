/* noise/traces/file_parts.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_divided, test_signature. */
#include "traces/file_parts.h"

#include "files/fold.h"
#include "noise/detour_file.h"

enum { WHOLE = UINT32_MAX };

static void part_clear(gpointer data)
{
    noise_file_part *part = data;
    g_free(part->name);
    g_free(part->source);
    g_free(part->kind);
    g_free(part->evidence);
    noise_detour_trace_free(part->trace);
    noise_provenance_free(part->provenance);
}

/* What a part is of: the detours of one source, or WHOLE, on one node, or WHOLE. */
typedef struct choice {
    uint32_t node, source;
} choice;

static bool is_of(const noise_detour_run *run, const choice *what)
{
    return what->node == WHOLE || run->node == what->node;
}

/* The runs of it, one after the other. */
static noise_detour_trace *trace_of(const noise_detour_file *file, const char *path,
                                    const choice *what, GError **error)
{
    size_t n = 0;
    for (size_t r = 0; r < file->num_runs; r++) {
        n += file->runs[r].n;
    }
    g_autofree sim_time *start = g_new(sim_time, n + 1);
    g_autofree sim_time *length = g_new(sim_time, n + 1);
    sim_time base = 0;
    n = 0;
    for (size_t r = 0; r < file->num_runs; r++) {
        const noise_detour_run *run = &file->runs[r];
        if (!is_of(run, what)) {
            continue;
        }
        if (run->period > SIM_TIME_MAX - base) {
            g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE,
                        "%s: its runs together are longer than 26 days", path);
            return NULL;
        }
        for (size_t i = 0; i < run->n; i++) {
            if (what->source == WHOLE || run->source[i] == what->source) {
                start[n] = base + run->start[i];
                length[n++] = run->length[i];
            }
        }
        base += run->period;
    }
    noise_detour_trace *trace = noise_detour_trace_new(start, length, n, base, error);
    if (trace == NULL) {
        g_prefix_error(error, "%s: ", path);
    }
    return trace;
}

static bool add_part(GArray *parts, const noise_detour_file *file, const char *path,
                     const choice *what, GError **error)
{
    noise_file_part part = {.trace = trace_of(file, path, what, error), .num_nodes = 1};
    if (part.trace == NULL) {
        return false;
    }
    part.name = g_path_get_basename(path);
    if (what->source != WHOLE) {
        const noise_detour_source *s = &file->sources[what->source];
        g_autofree char *base = part.name;
        part.name = g_strdup_printf("%s: %s", base, s->name);
        part.source = g_strdup(s->name);
        part.kind = g_strdup(s->kind);
        part.evidence = g_strdup(s->evidence);
    }
    part.index = parts->len;
    part.provenance = noise_provenance_new(file, path);
    part.provenance->tail = noise_tail_of(part.trace);
    g_array_append_val(parts, part);
    return true;
}

static bool add_sources(GArray *parts, const noise_detour_file *file, const char *path,
                        uint32_t node, GError **error)
{
    const choice whole = {node, WHOLE};
    bool ok = file->num_sources > 0 || add_part(parts, file, path, &whole, error);
    for (uint32_t i = 0; ok && i < file->num_sources; i++) {
        const choice one = {node, i};
        ok = add_part(parts, file, path, &one, error);
    }
    return ok;
}

static int by_value(gconstpointer pa, gconstpointer pb)
{
    const uint32_t a = *(const uint32_t *)pa;
    const uint32_t b = *(const uint32_t *)pb;
    return (a > b) - (a < b);
}

/* The nodes of the file in order; none where that is not known of each run. */
static GArray *nodes_of(const noise_detour_file *file)
{
    GArray *nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (size_t r = 0; r < file->num_runs; r++) {
        g_array_append_val(nodes, file->runs[r].node);
    }
    g_array_sort(nodes, by_value);
    guint n = 0;
    for (guint i = 0; i < nodes->len; i++) {
        const uint32_t node = g_array_index(nodes, uint32_t, i);
        if (n == 0 || node != g_array_index(nodes, uint32_t, n - 1)) {
            g_array_index(nodes, uint32_t, n++) = node;
        }
    }
    const bool known = n > 0 && g_array_index(nodes, uint32_t, n - 1) != WHOLE;
    return g_array_set_size(nodes, known ? n : 0);
}

GArray *noise_file_parts_read(const char *path, size_t most, bool by_node, GError **error)
{
    g_autoptr(noise_detour_file) file = noise_detour_file_read(path, error);
    if (file == NULL) {
        return NULL;
    }
    g_autoptr(GArray) nodes = nodes_of(file);
    const guint apart = by_node && nodes->len > 1 ? nodes->len : 1;
    noise_detour_file_fold(file, MAX(most / apart, 1));
    g_autoptr(GArray) parts = g_array_new(FALSE, TRUE, sizeof(noise_file_part));
    g_array_set_clear_func(parts, part_clear);
    for (guint i = 0; i < apart; i++) {
        const guint first = parts->len;
        const uint32_t node = apart > 1 ? g_array_index(nodes, uint32_t, i) : WHOLE;
        if (!add_sources(parts, file, path, node, error)) {
            return NULL;
        }
        for (guint k = first; k < parts->len; k++) {
            g_array_index(parts, noise_file_part, k).node = i;
            g_array_index(parts, noise_file_part, k).num_nodes = apart;
        }
    }
    return g_steal_pointer(&parts);
}
