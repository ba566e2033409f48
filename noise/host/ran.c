/* host/ran.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/ran.h"

#include "host/host_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct thread_count {
    char *name;
    uint32_t process;
    int64_t cpu; /* where it ran last; -1: not known */
    uint64_t run_ns;
    uint64_t slices;
    uint64_t children_ticks; /* of its process's children that have been waited for */
} thread_count;

struct noise_ran_counts {
    GHashTable *threads; /* thread id -> thread_count */
};

static void thread_count_free(gpointer data)
{
    thread_count *count = data;
    g_free(count->name);
    g_free(count);
}

void noise_ran_free(noise_ran_counts *counts)
{
    if (counts != NULL) {
        g_hash_table_unref(counts->threads);
        g_free(counts);
    }
}

/* After the name, which may hold blanks and brackets, come fields 3 on, one blank apart. */
static const char *field(const char *stat, unsigned number)
{
    const char *at = stat != NULL ? strrchr(stat, ')') : NULL;
    for (unsigned i = 2; at != NULL && i < number; i++) {
        at = strchr(at + 1, ' ');
    }
    return at;
}

static uint64_t field_value(const char *stat, unsigned number)
{
    const char *at = field(stat, number);
    return at != NULL ? strtoull(at, NULL, 10) : 0;
}

static void take_thread(noise_ran_counts *counts, const char *folder, uint32_t pid, uint32_t tid)
{
    enum { CHILDREN_USER = 16, CHILDREN_SYSTEM = 17, PROCESSOR = 39 };
    g_autofree char *schedstat = noise_host_file_line(folder, "/schedstat", 0);
    g_autofree char *comm = noise_host_file_line(folder, "/comm", 0);
    g_autofree char *stat = noise_host_file_line(folder, "/stat", 0);
    if (comm == NULL || (schedstat == NULL && stat == NULL)) {
        return; /* it has ended */
    }
    thread_count *count = g_new0(thread_count, 1);
    char *rest = schedstat; /* run ns, wait ns, slices */
    if (schedstat != NULL) {
        count->run_ns = strtoull(rest, &rest, 10);
        (void)strtoull(rest, &rest, 10);
        count->slices = strtoull(rest, &rest, 10);
    }
    const char *cpu = field(stat, PROCESSOR);
    count->cpu = cpu != NULL ? strtoll(cpu, NULL, 10) : -1;
    count->children_ticks =
        pid == tid ? field_value(stat, CHILDREN_USER) + field_value(stat, CHILDREN_SYSTEM) : 0;
    count->process = pid;
    count->name = g_steal_pointer(&comm);
    g_hash_table_replace(counts->threads, GUINT_TO_POINTER(tid), count);
}

/* The number a folder is named by, or 0. */
static uint32_t folder_number(const char *name)
{
    guint64 number = 0;
    return g_ascii_string_to_unsigned(name, 10, 1, UINT32_MAX, &number, NULL) ? (uint32_t)number
                                                                              : 0;
}

noise_ran_counts *noise_ran_read(const char *root)
{
    noise_ran_counts *counts = g_new0(noise_ran_counts, 1);
    counts->threads = g_hash_table_new_full(NULL, NULL, NULL, thread_count_free);
    g_autofree char *proc = g_strconcat(root, "/proc", NULL);
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
                take_thread(counts, folder, pid, tid);
            }
        }
    }
    return counts;
}

static void ran_clear(gpointer data)
{
    g_free(((noise_ran *)data)->name);
}

/* Threads before children, then the longer one, then by name and id: a total order. */
static gint by_time(gconstpointer pa, gconstpointer pb)
{
    const noise_ran *a = pa;
    const noise_ran *b = pb;
    if ((a->slices > 0) != (b->slices > 0)) {
        return a->slices > 0 ? -1 : 1;
    }
    if (a->run_ns != b->run_ns) {
        return a->run_ns > b->run_ns ? -1 : 1;
    }
    const int names = strcmp(a->name, b->name);
    return names != 0 ? names : (a->tid > b->tid) - (a->tid < b->tid);
}

static uint64_t growth(uint64_t then, uint64_t now)
{
    return now > then ? now - then : 0;
}

GArray *noise_ran_on(const noise_ran_counts *before, const noise_ran_counts *after, uint32_t cpu,
                     uint32_t except)
{
    static const thread_count nothing = {.cpu = -1};
    const long hz = sysconf(_SC_CLK_TCK);
    GArray *out = g_array_new(FALSE, FALSE, sizeof(noise_ran));
    g_array_set_clear_func(out, ran_clear);
    GHashTableIter iterator;
    gpointer key;
    gpointer value;
    g_hash_table_iter_init(&iterator, after->threads);
    while (g_hash_table_iter_next(&iterator, &key, &value)) {
        const thread_count *now = value;
        const thread_count *known = g_hash_table_lookup(before->threads, key);
        const thread_count *then = known != NULL ? known : &nothing;
        if (now->process == except) {
            continue;
        }
        const uint64_t slices = growth(then->slices, now->slices);
        if (slices > 0 && (now->cpu == cpu || then->cpu == cpu)) {
            const noise_ran ran = {g_strdup(now->name), GPOINTER_TO_UINT(key),
                                   growth(then->run_ns, now->run_ns), slices, 0};
            g_array_append_val(out, ran);
        }
        const uint64_t ticks = growth(then->children_ticks, now->children_ticks);
        if (known != NULL && ticks > 0) {
            const noise_ran ran = {g_strconcat("children of ", now->name, NULL),
                                   GPOINTER_TO_UINT(key),
                                   ticks * (UINT64_C(1000000000) / (uint64_t)hz), 0, 0};
            g_array_append_val(out, ran);
        }
    }
    g_array_sort(out, by_time);
    return out;
}

const char *noise_ran_name(const noise_ran_counts *before, const noise_ran_counts *after,
                           uint32_t tid)
{
    const noise_ran_counts *const both[] = {after, before};
    for (size_t i = 0; i < G_N_ELEMENTS(both); i++) {
        const thread_count *count =
            both[i] != NULL ? g_hash_table_lookup(both[i]->threads, GUINT_TO_POINTER(tid)) : NULL;
        if (count != NULL) {
            return count->name;
        }
    }
    return NULL;
}

void noise_ran_merge(GArray *ran)
{
    for (guint i = 0; i < ran->len; i++) {
        noise_ran *kept = &g_array_index(ran, noise_ran, i);
        for (guint k = ran->len - 1; k > i; k--) {
            const noise_ran *r = &g_array_index(ran, noise_ran, k);
            if (g_str_equal(r->name, kept->name)) {
                kept->run_ns += r->run_ns;
                kept->slices += r->slices;
                kept->others += r->others + 1;
                g_array_remove_index(ran, k);
            }
        }
    }
    g_array_sort(ran, by_time);
}

char *noise_ran_sentence(const GArray *ran, guint most)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < ran->len && i < most; i++) {
        const noise_ran *r = &g_array_index(ran, noise_ran, i);
        g_string_append_printf(out, "%s%s (", i > 0 ? ", " : "", r->name);
        if (r->others > 0) {
            g_string_append_printf(out, "%u threads", r->others + 1);
        } else {
            g_string_append_printf(out, "%u", r->tid);
        }
        g_string_append_printf(out, "): %.3g s", (double)r->run_ns / 1e9);
        if (r->slices > 0) {
            g_string_append_printf(out, " in %" G_GUINT64_FORMAT " turn%s", r->slices,
                                   r->slices > 1 ? "s" : "");
        }
    }
    return g_string_free(out, ran->len == 0 || most == 0);
}
