/* noise/monitor/program_class.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sampler. */
#include "monitor/program_class.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { MOST_ANCESTORS = 64, ENVIRONMENT = 1 << 16, FIRST_LOGIN = 1000, LAST_LOGIN = 59999 };

static bool is_root_of_job(const noise_sampler *s, uint32_t pid)
{
    for (guint i = 0; i < s->roots->len; i++) {
        if (g_array_index(s->roots, uint32_t, i) == pid) {
            return true;
        }
    }
    return false;
}

static uint32_t parent_of(const noise_sampler *s, uint32_t pid)
{
    const watched_thread *known = noise_thread_table_find(&s->table, pid);
    if (known != NULL) {
        return known->parent;
    }
    char path[64];
    char text[1024];
    proc_stat stat;
    const bool ok = noise_proc_read(s->proc, noise_proc_path(path, pid, pid, "stat"), -1, text,
                                    sizeof text) > 0 &&
                    noise_proc_parse_stat(text, &stat);
    return ok ? stat.parent : 0;
}

/* Is it one of the job's, or a child of one, or of ours? A parent that has been taken for the
 * job's may have gone since. */
static bool belongs_to_job(const noise_sampler *s, uint32_t pid, uint32_t parent)
{
    if (is_root_of_job(s, pid)) {
        return true;
    }
    for (int depth = 0; parent > 1 && depth < MOST_ANCESTORS; depth++) {
        const watched_thread *known = noise_thread_table_find(&s->table, parent);
        if (parent == s->self || is_root_of_job(s, parent) ||
            (known != NULL && known->kind == NOISE_PROGRAM_APPLICATION)) {
            return true;
        }
        parent = parent_of(s, parent);
    }
    return false;
}

noise_program_class noise_program_class_of(const noise_sampler *s, uint32_t pid,
                                           const proc_stat *stat)
{
    if (pid == s->self) {
        return NOISE_PROGRAM_MONITOR;
    }
    if ((stat->flags & PROC_KERNEL_THREAD) != 0) {
        return NOISE_PROGRAM_KERNEL;
    }
    if (belongs_to_job(s, pid, stat->parent)) {
        return NOISE_PROGRAM_APPLICATION;
    }
    char folder[16];
    struct stat owner;
    (void)g_snprintf(folder, sizeof folder, "%u", pid);
    return fstatat(s->proc, folder, &owner, 0) == 0 && owner.st_uid >= FIRST_LOGIN &&
                   owner.st_uid <= LAST_LOGIN
               ? NOISE_PROGRAM_USER
               : NOISE_PROGRAM_DAEMON;
}

int32_t noise_program_rank(const noise_sampler *s, uint32_t pid)
{
    static const char *const NAMES[] = {
        "OMPI_COMM_WORLD_RANK=", "PMIX_RANK=", "PMI_RANK=", "SLURM_PROCID="};
    char path[32];
    (void)g_snprintf(path, sizeof path, "%u/environ", pid);
    g_autofree char *text = g_malloc(ENVIRONMENT);
    const long n = noise_proc_read(s->proc, path, -1, text, ENVIRONMENT);
    for (size_t name = 0; name < G_N_ELEMENTS(NAMES); name++) {
        for (const char *at = text; at < text + n; at += strlen(at) + 1) {
            if (g_str_has_prefix(at, NAMES[name])) {
                const long rank = strtol(at + strlen(NAMES[name]), NULL, 10);
                return rank >= 0 && rank < INT32_MAX ? (int32_t)rank : -1;
            }
        }
    }
    return -1;
}
