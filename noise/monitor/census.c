/* noise/monitor/census.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/census.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct thread_count {
    char *name;
    uint64_t run_ns;
    uint64_t slices;
    uint32_t process;
} thread_count;

typedef struct interrupt_count {
    char *name;
    GArray *counts; /* of uint64_t, one per column */
} interrupt_count;

struct noise_census {
    GHashTable *threads;   /* thread id -> thread_count */
    GArray *columns;       /* of uint32_t: CPU of each column of /proc/interrupts */
    GPtrArray *interrupts; /* of interrupt_count */
};

static void thread_count_free(gpointer data)
{
    thread_count *count = data;
    g_free(count->name);
    g_free(count);
}

static void interrupt_count_free(gpointer data)
{
    interrupt_count *count = data;
    g_free(count->name);
    g_array_unref(count->counts);
    g_free(count);
}

void noise_census_free(noise_census *census)
{
    if (census != NULL) {
        g_hash_table_unref(census->threads);
        g_array_unref(census->columns);
        g_ptr_array_unref(census->interrupts);
        g_free(census);
    }
}

/* The text of folder/name, or NULL. Owned by the caller. */
static char *read_text(const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    char *text = NULL;
    return g_file_get_contents(path, &text, NULL, NULL) ? text : NULL;
}

static void take_thread(noise_census *census, const char *folder, uint32_t process, uint32_t thread)
{
    g_autofree char *schedstat = read_text(folder, "schedstat"); /* run ns, wait ns, slices */
    g_autofree char *comm = read_text(folder, "comm");
    if (schedstat == NULL || comm == NULL) {
        return;
    }
    char *rest = schedstat;
    thread_count *count = g_new0(thread_count, 1);
    count->run_ns = strtoull(rest, &rest, 10);
    (void)strtoull(rest, &rest, 10);
    count->slices = strtoull(rest, &rest, 10);
    count->process = process;
    count->name = g_strdup(g_strchomp(comm));
    g_hash_table_replace(census->threads, GUINT_TO_POINTER(thread), count);
}

/* The number a folder is named by, or 0. */
static uint32_t folder_number(const char *name)
{
    guint64 number = 0;
    return g_ascii_string_to_unsigned(name, 10, 1, UINT32_MAX, &number, NULL) ? (uint32_t)number
                                                                              : 0;
}

static void take_threads(noise_census *census, const char *proc)
{
    g_autoptr(GDir) processes = g_dir_open(proc, 0, NULL);
    const char *process;
    while (processes != NULL && (process = g_dir_read_name(processes)) != NULL) {
        const uint32_t pid = folder_number(process);
        if (pid == 0) {
            continue;
        }
        g_autofree char *tasks = g_build_filename(proc, process, "task", NULL);
        g_autoptr(GDir) threads = g_dir_open(tasks, 0, NULL);
        const char *thread;
        while (threads != NULL && (thread = g_dir_read_name(threads)) != NULL) {
            const uint32_t tid = folder_number(thread);
            g_autofree char *folder = g_build_filename(tasks, thread, NULL);
            if (tid != 0) {
                take_thread(census, folder, pid, tid);
            }
        }
    }
}

/* "            CPU0       CPU1" */
static void take_columns(noise_census *census, const char *line)
{
    g_auto(GStrv) words = g_strsplit_set(line, " \t", -1);
    for (char **word = words; *word != NULL; word++) {
        if (g_str_has_prefix(*word, "CPU")) {
            const uint32_t cpu = (uint32_t)strtoul(*word + 3, NULL, 10);
            g_array_append_val(census->columns, cpu);
        }
    }
}

/* " LOC:   11   22   Local timer interrupts"; rows with fewer numbers (ERR, MIS) count for all. */
static void take_interrupt(noise_census *census, char *line)
{
    char *colon = strchr(line, ':');
    if (colon == NULL) {
        return;
    }
    interrupt_count *count = g_new0(interrupt_count, 1);
    count->counts = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    char *rest = colon + 1;
    while (count->counts->len < census->columns->len) {
        char *end = rest;
        const uint64_t n = strtoull(rest, &end, 10);
        if (end == rest) {
            break;
        }
        g_array_append_val(count->counts, n);
        rest = end;
    }
    g_autofree char *id = g_strstrip(g_strndup(line, (gsize)(colon - line)));
    g_auto(GStrv) words = g_strsplit_set(rest, " \t", -1);
    g_autoptr(GString) name = g_string_new(id);
    for (char **word = words; *word != NULL; word++) {
        if (**word != '\0') {
            g_string_append_printf(name, "%s%s", name->len == strlen(id) ? ": " : " ", *word);
        }
    }
    count->name = g_strdup(name->str);
    g_ptr_array_add(census->interrupts, count);
}

noise_census *noise_census_take(const char *proc)
{
    noise_census *census = g_new0(noise_census, 1);
    census->threads = g_hash_table_new_full(NULL, NULL, NULL, thread_count_free);
    census->columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    census->interrupts = g_ptr_array_new_with_free_func(interrupt_count_free);
    take_threads(census, proc);
    g_autofree char *text = read_text(proc, "interrupts");
    g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        if (line == lines) {
            take_columns(census, *line);
        } else {
            take_interrupt(census, *line);
        }
    }
    return census;
}

static bool is_counted(uint32_t cpu, const uint32_t *cpus, size_t num_cpus)
{
    for (size_t i = 0; i < num_cpus; i++) {
        if (cpus[i] == cpu) {
            return true;
        }
    }
    return cpus == NULL;
}

static uint64_t sum_on(const noise_census *census, const interrupt_count *count,
                       const uint32_t *cpus, size_t num_cpus)
{
    uint64_t sum = 0;
    for (guint i = 0; i < count->counts->len; i++) {
        if (is_counted(g_array_index(census->columns, uint32_t, i), cpus, num_cpus)) {
            sum += g_array_index(count->counts, uint64_t, i);
        }
    }
    return sum;
}

static const interrupt_count *find_interrupt(const noise_census *census, const char *name)
{
    for (guint i = 0; i < census->interrupts->len; i++) {
        const interrupt_count *count = g_ptr_array_index(census->interrupts, i);
        if (strcmp(count->name, name) == 0) {
            return count;
        }
    }
    return NULL;
}

static void compare_threads(const noise_census *before, const noise_census *after, GArray *out)
{
    GHashTableIter iterator;
    gpointer key;
    gpointer value;
    g_hash_table_iter_init(&iterator, after->threads);
    while (g_hash_table_iter_next(&iterator, &key, &value)) {
        const thread_count *now = value;
        const thread_count *then = g_hash_table_lookup(before->threads, key);
        const uint64_t run = now->run_ns - (then != NULL ? MIN(then->run_ns, now->run_ns) : 0);
        const uint64_t slices = now->slices - (then != NULL ? MIN(then->slices, now->slices) : 0);
        if (slices > 0 && now->process != (uint32_t)getpid()) {
            const noise_suspect suspect = {
                .kind = NOISE_SUSPECT_THREAD,
                .name = g_strdup(now->name),
                .pid = GPOINTER_TO_UINT(key),
                .count = slices,
                .time = (sim_time)MIN(run, (uint64_t)(SIM_TIME_MAX / SIM_NS)) * SIM_NS,
            };
            g_array_append_val(out, suspect);
        }
    }
}

static void compare_interrupts(const noise_census *before, const noise_census *after,
                               const uint32_t *cpus, size_t num_cpus, GArray *out)
{
    for (guint i = 0; i < after->interrupts->len; i++) {
        const interrupt_count *now = g_ptr_array_index(after->interrupts, i);
        const interrupt_count *then = find_interrupt(before, now->name);
        const uint64_t have = sum_on(after, now, cpus, num_cpus);
        const uint64_t had = then != NULL ? sum_on(before, then, cpus, num_cpus) : 0;
        if (have > had) {
            const noise_suspect suspect = {
                .kind = NOISE_SUSPECT_INTERRUPT, .name = g_strdup(now->name), .count = have - had};
            g_array_append_val(out, suspect);
        }
    }
}

/* Threads before interrupts, then the larger one, then by name and id: a total order. */
static gint by_weight(gconstpointer a, gconstpointer b)
{
    const noise_suspect *x = a;
    const noise_suspect *y = b;
    if (x->kind != y->kind) {
        return x->kind == NOISE_SUSPECT_THREAD ? -1 : 1;
    }
    if (x->time != y->time) {
        return x->time > y->time ? -1 : 1;
    }
    if (x->count != y->count) {
        return x->count > y->count ? -1 : 1;
    }
    const int names = strcmp(x->name, y->name);
    return names != 0 ? names : (x->pid > y->pid) - (x->pid < y->pid);
}

static void suspect_clear(gpointer data)
{
    g_free(((noise_suspect *)data)->name);
}

GArray *noise_census_compare(const noise_census *before, const noise_census *after,
                             const uint32_t *cpus, size_t num_cpus)
{
    GArray *suspects = g_array_new(FALSE, FALSE, sizeof(noise_suspect));
    g_array_set_clear_func(suspects, suspect_clear);
    compare_threads(before, after, suspects);
    compare_interrupts(before, after, cpus, num_cpus, suspects);
    g_array_sort(suspects, by_weight);
    return suspects;
}
