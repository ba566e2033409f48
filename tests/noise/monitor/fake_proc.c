/* tests/noise/monitor/fake_proc.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "fake_proc.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>

char *fake_proc_new(void)
{
    return g_dir_make_tmp("ripple-proc-XXXXXX", NULL);
}

static void remove_all(const char *path)
{
    GDir *dir = g_dir_open(path, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *inner = g_build_filename(path, name, NULL);
        remove_all(inner);
    }
    g_clear_pointer(&dir, g_dir_close);
    (void)g_remove(path);
}

void fake_proc_free(char *folder)
{
    remove_all(folder);
    g_free(folder);
}

void fake_proc_put(const char *folder, const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *above = g_path_get_dirname(path);
    (void)g_mkdir_with_parents(above, 0777);
    FILE *file = g_fopen(path, "w");
    if (file != NULL) {
        fputs(text, file);
        (void)fclose(file);
    }
}

static void put(const char *folder, const fake_thread *t, const char *file, const char *text)
{
    g_autofree char *name = g_strdup_printf("%u/task/%u/%s", t->pid, t->tid, file);
    fake_proc_put(folder, name, text);
}

void fake_proc_thread(const char *folder, const fake_thread *t)
{
    /* proc(5): 52 fields; those that are read have values of their own */
    g_autofree char *stat = g_strdup_printf(
        "%u (%s) %c %u 0 0 0 -1 %u 0 0 0 0 1 2 0 0 20 0 %u 0 %" G_GUINT64_FORMAT
        " 1000 200 18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 0 17 %u 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
        t->tid, t->name, t->state, t->parent, t->flags, t->num_threads, t->start, t->cpu);
    g_autofree char *schedstat =
        g_strdup_printf("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                        t->cpu_ns, t->delay_ns, t->slices);
    g_autofree char *status =
        g_strdup_printf("Name:\t%s\nvoluntary_ctxt_switches:\t%" G_GUINT64_FORMAT
                        "\nnonvoluntary_ctxt_switches:\t%" G_GUINT64_FORMAT "\n",
                        t->name, t->voluntary, t->involuntary);
    put(folder, t, "stat", stat);
    put(folder, t, "status", status);
    put(folder, t, "schedstat", schedstat);
}

void fake_proc_end(const char *folder, const fake_thread *t)
{
    static const char *const FILES[] = {"stat", "status", "schedstat"};
    for (size_t i = 0; i < G_N_ELEMENTS(FILES); i++) {
        put(folder, t, FILES[i], "");
    }
    g_autofree char *path = g_strdup_printf("%s/%u/task/%u", folder, t->pid, t->tid);
    remove_all(path);
    if (t->tid == t->pid) {
        g_autofree char *process = g_strdup_printf("%s/%u", folder, t->pid);
        remove_all(process);
    }
}
