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

/* All runs of a file, one after the other: the detours of one source, or WHOLE. */
static noise_detour_trace *trace_of(const noise_detour_file *file, const char *path,
                                    uint32_t source, GError **error)
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
        if (run->period > SIM_TIME_MAX - base) {
            g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE,
                        "%s: its runs together are longer than 26 days", path);
            return NULL;
        }
        for (size_t i = 0; i < run->n; i++) {
            if (source == WHOLE || run->source[i] == source) {
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
                     uint32_t source, GError **error)
{
    noise_file_part part = {.trace = trace_of(file, path, source, error)};
    if (part.trace == NULL) {
        return false;
    }
    part.name = g_path_get_basename(path);
    if (source != WHOLE) {
        const noise_detour_source *s = &file->sources[source];
        g_autofree char *base = part.name;
        part.name = g_strdup_printf("%s: %s", base, s->name);
        part.source = g_strdup(s->name);
        part.kind = g_strdup(s->kind);
        part.evidence = g_strdup(s->evidence);
        part.index = source;
    }
    part.provenance = noise_provenance_new(file, path);
    part.provenance->tail = noise_tail_of(part.trace);
    g_array_append_val(parts, part);
    return true;
}

GArray *noise_file_parts_read(const char *path, size_t most, GError **error)
{
    g_autoptr(noise_detour_file) file = noise_detour_file_read(path, error);
    if (file == NULL) {
        return NULL;
    }
    noise_detour_file_fold(file, most);
    g_autoptr(GArray) parts = g_array_new(FALSE, TRUE, sizeof(noise_file_part));
    g_array_set_clear_func(parts, part_clear);
    bool ok = file->num_sources > 0 || add_part(parts, file, path, WHOLE, error);
    for (uint32_t i = 0; ok && i < file->num_sources; i++) {
        ok = add_part(parts, file, path, i, error);
    }
    return ok ? g_steal_pointer(&parts) : NULL;
}
