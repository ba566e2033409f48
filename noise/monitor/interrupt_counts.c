/* noise/monitor/interrupt_counts.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "monitor/interrupt_counts.h"

#include "monitor/proc_file.h"

#include <fcntl.h>
#include <unistd.h>

enum { FIRST_BYTES = 1 << 14, MOST_BYTES = 1 << 24 };

/* What is not told yet of a line on a CPU: periods with equally many. */
typedef struct cell {
    uint64_t count; /* by the kernel */
    uint64_t from, to;
    uint32_t total, usual; /* usual: of the first period; 0: nothing */
} cell;

typedef struct line {
    char *id;       /* "LOC" */
    uint32_t index; /* in the file; UINT32_MAX: not told yet */
    char *name;
    cell *cells; /* [num_cpus] */
} line;

struct interrupt_counts {
    int fd;
    bool is_soft;
    noise_nit_writer *writer;
    uint32_t num_cpus;
    uint32_t *cpus; /* of each column */
    GArray *lines;  /* of line, in the order of the file */
    uint64_t read_at;
    char *buffer;
    size_t size;
};

static bool fill(interrupt_counts *c)
{
    long n = noise_proc_read(-1, NULL, c->fd, c->buffer, c->size);
    while (n > 0 && (size_t)n + 1 == c->size && c->size < MOST_BYTES) { /* more lines than before */
        c->size *= 2;
        c->buffer = g_realloc(c->buffer, c->size);
        n = noise_proc_read(-1, NULL, c->fd, c->buffer, c->size);
    }
    return n > 0;
}

/* "            CPU0       CPU2" */
static void read_columns(interrupt_counts *c)
{
    const char *end = strchr(c->buffer, '\n');
    GArray *cpus = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (const char *at = strstr(c->buffer, "CPU"); at != NULL && end != NULL && at < end;
         at = strstr(at, "CPU")) {
        at += strlen("CPU");
        const uint32_t cpu = (uint32_t)noise_proc_number(&at);
        g_array_append_val(cpus, cpu);
    }
    c->num_cpus = cpus->len;
    c->cpus = (uint32_t *)(void *)g_array_free(cpus, FALSE);
}

/* "LOC: Local timer interrupts", "softirq TIMER" */
static char *name_of(const interrupt_counts *c, const char *id, const char *rest)
{
    g_autofree char *words = g_strndup(rest, strcspn(rest, "\n"));
    g_auto(GStrv) parts = g_strsplit_set(words, " \t", -1);
    GString *name = g_string_new(c->is_soft ? "softirq " : NULL);
    g_string_append(name, id);
    const char *before = ": ";
    for (char **part = parts; *part != NULL && !c->is_soft; part++) {
        if (**part != '\0') {
            g_string_append_printf(name, "%s%s", before, *part);
            before = " ";
        }
    }
    return g_string_free(name, FALSE);
}

static line *add_line(interrupt_counts *c, guint row, const char *id, size_t n)
{
    line new = {.id = g_strndup(id, n), .index = UINT32_MAX};
    new.cells = g_new0(cell, c->num_cpus);
    g_array_insert_val(c->lines, row, new);
    return &g_array_index(c->lines, line, row);
}

/* The line of that name: nearly always the next one. */
static line *find_line(interrupt_counts *c, guint row, const char *id, size_t n, bool *is_new)
{
    for (guint i = 0; i < c->lines->len; i++) {
        line *l = &g_array_index(c->lines, line, (row + i) % c->lines->len);
        if (strncmp(l->id, id, n) == 0 && l->id[n] == '\0') {
            *is_new = false;
            return l;
        }
    }
    *is_new = true;
    return add_line(c, MIN(row, c->lines->len), id, n);
}

static void tell(interrupt_counts *c, line *l, uint32_t column)
{
    cell *of = &l->cells[column];
    if (of->usual == 0) {
        return;
    }
    if (l->index == UINT32_MAX) {
        const noise_nit_line record = {l->name, c->is_soft};
        l->index = noise_nit_writer_line(c->writer, &record);
    }
    const noise_nit_interrupts record = {.from = of->from,
                                         .to = of->to,
                                         .cpu = c->cpus[column],
                                         .line = l->index,
                                         .count = of->total};
    noise_nit_writer_interrupts(c->writer, &record);
    of->usual = 0;
}

static void count(interrupt_counts *c, line *l, uint32_t column, uint64_t value, uint64_t now)
{
    cell *of = &l->cells[column];
    const uint32_t more = (uint32_t)(value - of->count);
    of->count = value;
    const uint32_t off = more > of->usual ? more - of->usual : of->usual - more;
    if (of->usual > 0 && (more == 0 || off > 1)) {
        tell(c, l, column);
    }
    if (more == 0) {
        return;
    }
    if (of->usual == 0) {
        of->usual = more;
        of->from = c->read_at;
        of->total = 0;
    }
    of->total += more;
    of->to = now;
}

/* @return behind its numbers; NULL: it has fewer than there are CPUs (ERR, MIS) */
static const char *read_numbers(interrupt_counts *c, line *l, const char *at, bool is_new,
                                uint64_t now)
{
    for (uint32_t i = 0; i < c->num_cpus; i++) {
        at += strspn(at, " ");
        if (*at < '0' || *at > '9') {
            return NULL;
        }
        const uint64_t value = noise_proc_number(&at);
        if (is_new) {
            l->cells[i].count = value;
        } else {
            count(c, l, i, value, now);
        }
    }
    return at;
}

void noise_interrupt_counts_read(interrupt_counts *c, uint64_t now)
{
    if (!fill(c)) {
        return;
    }
    guint row = 0;
    const char *at = strchr(c->buffer, '\n');
    for (; at != NULL && at[1] != '\0'; at = strchr(at, '\n'), row++) {
        at++;
        at += strspn(at, " ");
        const size_t n = strcspn(at, ":\n");
        if (at[n] != ':') {
            continue;
        }
        bool is_new;
        line *l = find_line(c, row, at, n, &is_new);
        const char *rest = read_numbers(c, l, at + n + 1, is_new, now);
        if (is_new) {
            l->name = name_of(c, l->id, rest != NULL ? rest : "");
        }
    }
    c->read_at = now;
}

interrupt_counts *noise_interrupt_counts_new(int proc, const char *name, noise_nit_writer *writer,
                                             uint64_t now)
{
    const int fd = openat(proc, name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    interrupt_counts *c = g_new0(interrupt_counts, 1);
    c->fd = fd;
    c->is_soft = strcmp(name, "softirqs") == 0;
    c->writer = writer;
    c->lines = g_array_new(FALSE, FALSE, sizeof(line));
    c->size = FIRST_BYTES;
    c->buffer = g_malloc0(c->size);
    if (fill(c)) {
        read_columns(c);
        noise_interrupt_counts_read(c, now);
    }
    return c;
}

void noise_interrupt_counts_tell(interrupt_counts *c)
{
    for (guint i = 0; i < c->lines->len; i++) {
        for (uint32_t column = 0; column < c->num_cpus; column++) {
            tell(c, &g_array_index(c->lines, line, i), column);
        }
    }
}

void noise_interrupt_counts_free(interrupt_counts *c)
{
    if (c == NULL) {
        return;
    }
    for (guint i = 0; i < c->lines->len; i++) {
        line *l = &g_array_index(c->lines, line, i);
        g_free(l->id);
        g_free(l->name);
        g_free(l->cells);
    }
    g_array_unref(c->lines);
    g_free(c->cpus);
    g_free(c->buffer);
    (void)close(c->fd);
    g_free(c);
}
