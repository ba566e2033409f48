/* noise/monitor/program_class.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sampler. */
#include "monitor/program_class.h"

#include <stdlib.h>
#include <sys/stat.h>

enum {
    MOST_ANCESTORS = 64,
    ENVIRONMENT = 1 << 16,
    GROUPS = 4096,
    FIRST_LOGIN = 1000,
    LAST_LOGIN = 59999
};

static bool is_root_of_job(const noise_sampler *s, uint32_t pid)
{
    for (guint i = 0; i < s->roots->len; i++) {
        if (g_array_index(s->roots, uint32_t, i) == pid) {
            return true;
        }
    }
    return false;
}

static bool read_stat(const noise_sampler *s, uint32_t pid, proc_stat *stat)
{
    char path[64];
    char text[1024];
    *stat = (proc_stat){0};
    return noise_proc_read(s->proc, noise_proc_path(path, pid, pid, "stat"), -1, text,
                           sizeof text) > 0 &&
           noise_proc_parse_stat(text, stat);
}

static uint32_t parent_of(const noise_sampler *s, uint32_t pid)
{
    const watched_thread *known = noise_thread_table_find(&s->table, pid);
    proc_stat stat;
    return known != NULL ? known->parent : read_stat(s, pid, &stat) ? stat.parent : 0;
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

/* ---- A user's, or the system's ---- */

static bool is_of_login_user(const noise_sampler *s, uint32_t pid)
{
    char folder[16];
    struct stat owner;
    (void)g_snprintf(folder, sizeof folder, "%u", pid);
    return fstatat(s->proc, folder, &owner, 0) == 0 && owner.st_uid >= FIRST_LOGIN &&
           owner.st_uid <= LAST_LOGIN;
}

/* The service manager's groups: of a login, of a service, or not known. */
typedef enum { SLICE_UNKNOWN, SLICE_USER, SLICE_SERVICE } slice;

static slice slice_of(const noise_sampler *s, uint32_t pid)
{
    char path[32];
    char text[GROUPS];
    (void)g_snprintf(path, sizeof path, "%u/cgroup", pid);
    if (noise_proc_read(s->proc, path, -1, text, sizeof text) <= 0) {
        return SLICE_UNKNOWN;
    }
    const char *system = strstr(text, "/system.slice/");
    return strstr(text, "/user.slice/") != NULL                   ? SLICE_USER
           : system != NULL && strstr(system, ".service") != NULL ? SLICE_SERVICE
                                                                  : SLICE_UNKNOWN;
}

/* The audit system keeps who logged in, also through su and sudo; 2^32 - 1: nobody. */
static bool has_logged_in(const noise_sampler *s, uint32_t pid)
{
    char path[32];
    char text[32];
    (void)g_snprintf(path, sizeof path, "%u/loginuid", pid);
    const char *at = text;
    return noise_proc_read(s->proc, path, -1, text, sizeof text) > 0 && g_ascii_isdigit(text[0]) &&
           noise_proc_number(&at) < UINT32_MAX;
}

/* Services are begun by process 1, in sessions of their own; shells by somebody else. */
static bool is_in_session_of_user(const noise_sampler *s, uint32_t session)
{
    proc_stat leader;
    return session > 1 && read_stat(s, session, &leader) && leader.parent > 1;
}

static bool is_user(const noise_sampler *s, uint32_t pid)
{
    if (is_of_login_user(s, pid)) {
        return true;
    }
    const slice in = slice_of(s, pid);
    proc_stat stat;
    return in == SLICE_USER || (in != SLICE_SERVICE && read_stat(s, pid, &stat) &&
                                (stat.terminal != 0 || has_logged_in(s, pid) ||
                                 is_in_session_of_user(s, stat.session)));
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
    return is_user(s, pid) ? NOISE_PROGRAM_USER : NOISE_PROGRAM_DAEMON;
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
