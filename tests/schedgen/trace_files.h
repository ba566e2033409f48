/* tests/schedgen/trace_files.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Small liballprof traces for tests: written to a temporary folder, read, removed.
 */
#pragma once

#include "folder.h"
#include "sched/trace.h"

/** A new folder with @p n files; names[i] holds texts[i]. Owned by the caller. */
static inline char *trace_folder_new(const char *const *names, const char *const *texts, guint n)
{
    char *folder = g_dir_make_tmp("ripple-trace-XXXXXX", NULL);
    for (guint i = 0; i < n; i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);
        (void)g_file_set_contents(path, texts[i], -1, NULL);
    }
    return folder;
}

static inline void trace_folder_free(char *folder)
{
    folder_remove(folder);
    g_free(folder);
}

/**
 * Rank i's record is texts[i], between MPI_Init (ending at time 0) and, unless it is cut, what
 * texts[i] ends with.
 */
static inline sched_trace *trace_read_texts(const char *const *texts, guint n, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) whole = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < n; i++) {
        g_ptr_array_add(names, g_strdup_printf("t-%u.txt", i));
        g_ptr_array_add(whole, g_strconcat("# htor's PMPI Tracer 1.1 Output File\n\n"
                                           "MPI_Init:-:1:2:0\n",
                                           texts[i], NULL));
    }
    char *folder =
        trace_folder_new((const char *const *)names->pdata, (const char *const *)whole->pdata, n);
    sched_trace *trace = sched_trace_read(folder, error);
    trace_folder_free(folder);
    return trace;
}

/** How often was something noticed that contains @p text? */
static inline uint64_t trace_noticed(const GArray *notices, const char *text)
{
    uint64_t count = 0;
    for (guint i = 0; notices != NULL && i < notices->len; i++) {
        const sched_notice *notice = &g_array_index(notices, sched_notice, i);
        count += strstr(notice->what, text) != NULL ? notice->count : 0;
    }
    return count;
}
