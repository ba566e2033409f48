/* host/interrupts.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/interrupts.h"

#include "host/host_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* "            CPU0       CPU1" */
static void read_columns(GArray *cpus, const char *line)
{
    for (const char *at = strstr(line, "CPU"); at != NULL; at = strstr(at, "CPU")) {
        char *end;
        const uint32_t cpu = (uint32_t)strtoul(at + strlen("CPU"), &end, 10);
        g_array_append_val(cpus, cpu);
        at = end;
    }
}

/* " LOC:   11   22   Local timer interrupts"; false: fewer numbers than columns (ERR, MIS) */
static bool read_line(noise_interrupt_line *out, const char *line, size_t num_cpus)
{
    const char *colon = strchr(line, ':');
    if (colon == NULL || num_cpus == 0) {
        return false;
    }
    g_autofree uint64_t *count = g_new0(uint64_t, num_cpus);
    const char *rest = colon + 1;
    for (size_t i = 0; i < num_cpus; i++) {
        char *end;
        count[i] = strtoull(rest, &end, 10);
        if (end == rest) {
            return false;
        }
        rest = end;
    }
    out->id = g_strstrip(g_strndup(line, (gsize)(colon - line)));
    g_auto(GStrv) words = g_strsplit_set(rest, " \t", -1);
    GString *name = g_string_new(out->id);
    const char *between = ": ";
    for (char **word = words; *word != NULL; word++) {
        if (**word != '\0') {
            g_string_append_printf(name, "%s%s", between, *word);
            between = " ";
        }
    }
    out->name = g_string_free(name, FALSE);
    out->count = g_steal_pointer(&count);
    return true;
}

noise_interrupts *noise_interrupts_read(const char *root, const char *path)
{
    noise_interrupts *out = g_new0(noise_interrupts, 1);
    g_autofree char *text = noise_host_file_text(root, path, 0);
    g_auto(GStrv) rows = g_strsplit(text != NULL ? text : "", "\n", -1);
    GArray *cpus = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(noise_interrupt_line));
    for (size_t i = 0; rows[i] != NULL; i++) {
        noise_interrupt_line line;
        if (i == 0) {
            read_columns(cpus, rows[i]);
        } else if (read_line(&line, rows[i], cpus->len)) {
            g_array_append_val(lines, line);
        }
    }
    out->num_cpus = cpus->len;
    out->num_lines = lines->len;
    out->cpus = (uint32_t *)(void *)g_array_free(cpus, FALSE);
    out->lines = (noise_interrupt_line *)(void *)g_array_free(lines, FALSE);
    return out;
}

void noise_interrupts_free(noise_interrupts *interrupts)
{
    if (interrupts != NULL) {
        for (size_t i = 0; i < interrupts->num_lines; i++) {
            g_free(interrupts->lines[i].id);
            g_free(interrupts->lines[i].name);
            g_free(interrupts->lines[i].count);
        }
        g_free(interrupts->lines);
        g_free(interrupts->cpus);
        g_free(interrupts);
    }
}

static uint64_t count_on(const noise_interrupts *interrupts, const noise_interrupt_line *line,
                         uint32_t cpu)
{
    for (size_t i = 0; i < interrupts->num_cpus; i++) {
        if (interrupts->cpus[i] == cpu) {
            return line->count[i];
        }
    }
    return 0;
}

/* Lines come and go with devices: they are found by what they are called. */
static const noise_interrupt_line *find(const noise_interrupts *interrupts, const char *name)
{
    for (size_t i = 0; i < interrupts->num_lines; i++) {
        if (g_str_equal(interrupts->lines[i].name, name)) {
            return &interrupts->lines[i];
        }
    }
    return NULL;
}

static gint by_count(gconstpointer pa, gconstpointer pb)
{
    const noise_interrupt_growth *a = pa;
    const noise_interrupt_growth *b = pb;
    if (a->count != b->count) {
        return a->count > b->count ? -1 : 1;
    }
    return strcmp(a->line->name, b->line->name);
}

GArray *noise_interrupts_growth(const noise_interrupts *before, const noise_interrupts *after,
                                uint32_t cpu)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(noise_interrupt_growth));
    for (size_t i = 0; i < after->num_lines; i++) {
        const noise_interrupt_line *line = &after->lines[i];
        const noise_interrupt_line *old = find(before, line->name);
        const uint64_t have = count_on(after, line, cpu);
        const uint64_t had = old != NULL ? count_on(before, old, cpu) : 0;
        const noise_interrupt_growth growth = {line, have - had};
        if (have > had) {
            g_array_append_val(out, growth);
        }
    }
    g_array_sort(out, by_count);
    return out;
}

uint64_t noise_interrupts_total(const GArray *growth)
{
    uint64_t total = 0;
    for (guint i = 0; i < growth->len; i++) {
        total += g_array_index(growth, noise_interrupt_growth, i).count;
    }
    return total;
}
